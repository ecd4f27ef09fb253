// The results of a query, both by system (`first`, `place`, `weight`, `position`) and by pair (`first_of_pair`,
// `system`).
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

using Batch = Directions<batch_size>;

struct QueryLists {
  std::vector<Index> first;         // index of each system's first result, and the number of results
  std::vector<std::int32_t> place;  // position of the result's pair among the pairs of the query
  std::vector<double> weight;       // empty if all weights are equal; sums are then multiplied by the common weight
  std::vector<Index> first_of_pair;
  std::vector<std::int32_t> system;  // the systems of each pair, in ascending order
  std::vector<Index> position;       // index in `system` of each result of a system

  // Calls f(place, weight, position) for each pair that the system retrieved.
  template <typename F>
  void for_each(Index of_system, F&& f) const {
    const Index j = of_system;
    for (Index e = first[j]; e < first[j + 1]; ++e) f(place[e], weight.empty() ? 1.0 : weight[e], position[e]);
  }

  // The weighted sum of the columns of the pairs that the system retrieved.
  Eigen::Matrix<double, batch_size, 1> sum(Index of_system, const Batch& columns) const {
    const Index j = of_system;
    if (weight.empty()) return sum_columns<batch_size>(columns, place.data() + first[j], place.data() + first[j + 1]);
    Eigen::Matrix<double, batch_size, 1> out = Eigen::Matrix<double, batch_size, 1>::Zero();
    for (Index e = first[j]; e < first[j + 1]; ++e) out += weight[e] * columns.col(place[e]);
    return out;
  }

  // Adds the same sum to `out`.
  void add(Index of_system, const Batch& columns, double* out) const {
    const Index j = of_system;
    if (weight.empty()) {
      add_columns<batch_size>(columns, place.data() + first[j], place.data() + first[j + 1], out);
    } else {
      Eigen::Map<Eigen::Matrix<double, batch_size, 1>> target(out);
      target += sum(of_system, columns);
    }
  }

  void read(const JointPrior& prior, Index query) {
    const auto& pairs = prior.pairs_of(query);
    first.assign(prior.n_systems() + 1, 0);
    first_of_pair.assign(1, 0);
    for (const std::int32_t pair : pairs) {
      Index end = first_of_pair.back();
      prior.each_result(pair, [&](std::int32_t s, double) {
        ++first[s + 1];
        ++end;
      });
      first_of_pair.push_back(end);
    }
    for (Index s = 1; s < length(first); ++s) first[s] += first[s - 1];
    place.resize(first.back());
    weight.resize(prior.equal_weights() ? 0 : place.size());
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (Index a = 0; a < length(pairs); ++a)
      prior.each_result(pairs[a], [&](std::int32_t s, double w) {
        const Index at = next[s]++;
        place[at] = static_cast<std::int32_t>(a);
        if (!weight.empty()) weight[at] = w;
      });
    system.resize(place.size());
    position.resize(place.size());
    next.assign(first_of_pair.begin(), first_of_pair.end() - 1);
    for (Index s = 0; s + 1 < length(first); ++s)
      for (Index e = first[s]; e < first[s + 1]; ++e) {
        position[e] = next[place[e]]++;
        system[position[e]] = static_cast<std::int32_t>(s);
      }
  }
};

}  // namespace judicious
