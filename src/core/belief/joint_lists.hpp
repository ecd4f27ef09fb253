// The results of a query, by system and by pair.
#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

using Few = Directions<side_by_side>;

struct QueryLists {
  std::vector<std::size_t> first;   // per system, and the end
  std::vector<std::int32_t> place;  // of the pair among the query's
  std::vector<double> weight;       // empty if all are the same: they are 1 until all is summed
  std::vector<std::size_t> first_of_pair;
  std::vector<std::int32_t> system;   // ascending within the pair
  std::vector<std::size_t> position;  // of a system's result among its pair's

  // Calls f(place, weight, position) for each pair that the system retrieved.
  template <typename F>
  void for_each(Index of_system, F&& f) const {
    const std::size_t j = of_system;
    for (std::size_t e = first[j]; e < first[j + 1]; ++e)
      f(place[e], weight.empty() ? 1.0 : weight[e], position[e]);
  }

  // The weighted sum of the columns of the pairs that the system retrieved.
  Eigen::Matrix<double, side_by_side, 1> sum(Index of_system, const Few& columns) const {
    const std::size_t j = of_system;
    if (weight.empty())
      return sum_columns<side_by_side>(columns, place.data() + first[j],
                                       place.data() + first[j + 1]);
    Eigen::Matrix<double, side_by_side, 1> out = Eigen::Matrix<double, side_by_side, 1>::Zero();
    for (std::size_t e = first[j]; e < first[j + 1]; ++e) out += weight[e] * columns.col(place[e]);
    return out;
  }

  // Adds them to `out`.
  void add(Index of_system, const Few& columns, double* out) const {
    const std::size_t j = of_system;
    if (weight.empty()) {
      add_columns<side_by_side>(columns, place.data() + first[j], place.data() + first[j + 1], out);
    } else {
      Eigen::Map<Eigen::Matrix<double, side_by_side, 1>> target(out);
      target += sum(of_system, columns);
    }
  }

  void read(const JointPrior& prior, std::size_t query) {
    const auto& pairs = prior.pairs_of(query);
    first.assign(prior.n_systems() + 1, 0);
    first_of_pair.assign(1, 0);
    for (const std::int32_t pair : pairs) {
      std::size_t end = first_of_pair.back();
      prior.each_result(pair, [&](std::int32_t s, double) {
        ++first[s + 1];
        ++end;
      });
      first_of_pair.push_back(end);
    }
    for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    place.resize(first.back());
    weight.resize(prior.equal_weights() ? 0 : place.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t a = 0; a < pairs.size(); ++a)
      prior.each_result(pairs[a], [&](std::int32_t s, double w) {
        const std::size_t at = next[s]++;
        place[at] = static_cast<std::int32_t>(a);
        if (!weight.empty()) weight[at] = w;
      });
    system.resize(place.size());
    position.resize(place.size());
    next.assign(first_of_pair.begin(), first_of_pair.end() - 1);
    for (std::size_t s = 0; s + 1 < first.size(); ++s)
      for (std::size_t e = first[s]; e < first[s + 1]; ++e) {
        position[e] = next[place[e]]++;
        system[position[e]] = static_cast<std::int32_t>(s);
      }
  }
};

}  // namespace judicious
