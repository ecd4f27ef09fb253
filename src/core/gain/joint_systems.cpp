#include "gain/joint_systems.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "execution/parallel.hpp"
#include "execution/poll.hpp"

namespace judicious {

using Eigen::Index;

namespace {

using Few = Directions<side_by_side>;

// The results of one query, by system and by pair.
struct QueryLists {
  struct Entry {
    Index place;  // of the pair among the query's
    double weight;
  };

  std::vector<std::size_t> first;  // per system, and the end
  std::vector<Entry> entry;
  std::vector<std::size_t> first_of_pair;
  std::vector<std::int32_t> system;  // ascending within the pair

  template <typename F>
  void for_each(Index of_system, F&& f) const {
    const auto j = static_cast<std::size_t>(of_system);
    for (std::size_t e = first[j]; e < first[j + 1]; ++e) f(entry[e]);
  }

  // The columns of what the system retrieved, weighted and added up.
  Eigen::Matrix<double, side_by_side, 1> sum(Index of_system, const Few& columns) const {
    Eigen::Matrix<double, side_by_side, 1> out = Eigen::Matrix<double, side_by_side, 1>::Zero();
    for_each(of_system, [&](const Entry& e) { out += e.weight * columns.col(e.place); });
    return out;
  }

  void read(const JointPrior& prior, std::size_t query) {
    const Incidence& at = prior.pool().incidence;
    const auto& pairs = prior.pairs_of(query);
    first.assign(prior.n_systems() + 1, 0);
    first_of_pair.assign(1, 0);
    for (const std::int32_t pair : pairs) {
      const auto i = static_cast<std::size_t>(pair);
      const auto from = static_cast<std::size_t>(at.offset[i]);
      const auto to = static_cast<std::size_t>(at.offset[i + 1]);
      for (std::size_t r = from; r < to; ++r) ++first[static_cast<std::size_t>(at.system[r]) + 1];
      first_of_pair.push_back(first_of_pair.back() + to - from);
    }
    for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    entry.resize(first.back());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (const std::int32_t pair : pairs) {
      const auto i = static_cast<std::size_t>(pair);
      for (auto r = static_cast<std::size_t>(at.offset[i]);
           r < static_cast<std::size_t>(at.offset[i + 1]); ++r)
        entry[next[static_cast<std::size_t>(at.system[r])]++] = {prior.place(i),
                                                                 prior.pool().weight[r]};
    }
    system.resize(entry.size());
    next.assign(first_of_pair.begin(), first_of_pair.end() - 1);
    for (Index s = 0; s + 1 < static_cast<Index>(first.size()); ++s)
      for_each(s, [&](const Entry& e) {
        system[next[static_cast<std::size_t>(e.place)]++] = static_cast<std::int32_t>(s);
      });
  }
};

// What a query adds to every few systems' rows.
struct QueryPart {
  std::size_t query = 0;
  QueryLists lists;
  // Covariance of the pairs with the systems: pairs, and rows of 0 up to a multiple of those that
  // go side by side, by systems. Empty where pairs are more than
  // systems: there it takes less time to multiply without the pairs' own covariance.
  Eigen::MatrixXd product;

  void read(const JointPrior& prior, std::size_t of_query) {
    query = of_query;
    lists.read(prior, query);
    const auto& pairs = prior.pairs_of(query);
    product.resize(0, 0);
    if (pairs.size() >= prior.n_systems()) return;
    const Eigen::MatrixXd covariance = prior.query_block(pairs);
    const Index n = covariance.rows(), blocks = (n + side_by_side - 1) / side_by_side;
    product.resize(blocks * side_by_side, static_cast<Index>(prior.n_systems()));
    for (Index from = 0; from < n; from += side_by_side) {
      Few columns = Few::Zero(side_by_side, n);
      const Index rows = std::min<Index>(side_by_side, n - from);
      columns.topRows(rows) = covariance.middleRows(from, rows);
      for (Index j = 0; j < product.cols(); ++j)
        product.col(j).segment<side_by_side>(from) = lists.sum(j, columns);
    }
  }
};

// A few systems: covariance with the systems from them on, and their sums over the design of the
// shared effects. The last ones of a pool may be fewer; the rows that are too many stay 0.
struct SystemRows {
  // A system's level above its slope, side by side in memory: a result adds to both.
  using Effects = Eigen::Matrix<double, 2, Eigen::Dynamic>;

  Few covariance, coefficient;
  std::vector<Effects> effect;  // per row, by systems

  SystemRows(Index n_coefficients, Index n_systems)
      : covariance(Few::Zero(side_by_side, n_systems)),
        coefficient(Few::Zero(side_by_side, n_coefficients)),
        effect(side_by_side, Effects::Zero(2, n_systems)) {}

  // With `symmetric`, effects of the systems from each row's own on.
  void add_query(const JointPrior& prior, const QueryPart& part, Index from, bool symmetric) {
    const auto s = static_cast<Index>(prior.n_systems());
    const Index rows = std::min<Index>(side_by_side, s - from);
    for (Index row = 0; row < rows; ++row)
      add_design(prior, part, from + row, row, symmetric ? from + row : 0);
    const Few product = covariance_with_pairs(prior, part, from, rows);
    for (Index j = from; j < s; ++j) covariance.col(j) += part.lists.sum(j, product);
  }

 private:
  void add_design(const JointPrior& prior, const QueryPart& part, Index system, Index row,
                  Index lowest) {
    const JointPool& pool = prior.pool();
    const QueryLists& lists = part.lists;
    const auto& pairs = prior.pairs_of(part.query);
    Effects& own = effect[static_cast<std::size_t>(row)];
    lists.for_each(system, [&](const QueryLists::Entry& e) {
      const auto place = static_cast<std::size_t>(e.place);
      const auto i = static_cast<std::size_t>(pairs[place]);
      coefficient.row(row) +=
          e.weight * prior.parameters().slope[i] * pool.x.col(pairs[place]).transpose();
      const std::size_t first = lists.first_of_pair[place], end = lists.first_of_pair[place + 1];
      const double share =
          e.weight * prior.parameters().scale[i] / static_cast<double>(end - first);
      const Eigen::Vector2d added(share, share * pool.popularity[i]);
      for (std::size_t at = end; at > first && lists.system[at - 1] >= lowest; --at)
        own.col(lists.system[at - 1]) += added;
    });
  }

  static Few covariance_with_pairs(const JointPrior& prior, const QueryPart& part, Index from,
                                   Index rows) {
    if (part.product.size() > 0) {
      Few out = Few::Zero(side_by_side, part.product.rows());
      out.topRows(rows) = part.product.middleCols(from, rows).transpose();
      return out;
    }
    Few out = Few::Zero(side_by_side, static_cast<Index>(prior.pairs_of(part.query).size()));
    for (Index row = 0; row < rows; ++row)
      part.lists.for_each(from + row,
                          [&](const QueryLists::Entry& e) { out(row, e.place) += e.weight; });
    return prior.query_product<side_by_side>(part.query, out);
  }
};

// How many queries are read before any is added up: rows of few systems stay in the processor's
// cache meanwhile, and the queries' products are not to take much room.
std::size_t queries_at_once(const JointPrior& prior) {
  std::size_t largest = 1;
  for (std::size_t q = 0; q < prior.pool().n_queries; ++q)
    largest = std::max(largest, prior.pairs_of(q).size());
  constexpr std::size_t most = 16, room = std::size_t{1} << 23;
  return std::clamp<std::size_t>(room / (largest * prior.n_systems()), 1, most);
}

// Values of the pool's pairs, weighted and added up by system.
Eigen::VectorXd over_systems(const JointPool& pool, const Eigen::VectorXd& pool_values) {
  const IncidenceView at = pool.incidence.view();
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Index>(at.n_systems));
  for (std::size_t i = 0; i < at.n_pairs; ++i) {
    for (auto r = static_cast<std::size_t>(at.offset[i]);
         r < static_cast<std::size_t>(at.offset[i + 1]); ++r) {
      out[at.system[r]] += pool.weight[r] * pool_values[static_cast<Index>(i)];
    }
  }
  return out;
}

}  // namespace

SystemMoments system_moments(const JointPrior& prior, int num_threads) {
  const JointPool& pool = prior.pool();
  const auto s = static_cast<Index>(prior.n_systems()), t = static_cast<Index>(pool.n_teams);
  const Index p = pool.x.rows(), blocks = (s + side_by_side - 1) / side_by_side;
  std::vector<SystemRows> rows(static_cast<std::size_t>(blocks), SystemRows(p, s));
  // Results of equal weights: what two systems share counts for both the same.
  const bool symmetric = std::all_of(pool.weight.begin(), pool.weight.end(),
                                     [&](double w) { return w == pool.weight.front(); });
  std::vector<QueryPart> parts(queries_at_once(prior));
  for (std::size_t first = 0; first < pool.n_queries; first += parts.size()) {
    poll();
    parts.resize(std::min(parts.size(), pool.n_queries - first));
    parallel_for(parts.size(), num_threads,
                 [&](std::size_t i) { parts[i].read(prior, first + i); });
    parallel_for(rows.size(), num_threads, [&](std::size_t block) {
      for (const QueryPart& part : parts)
        rows[block].add_query(prior, part, static_cast<Index>(block) * side_by_side, symmetric);
    });
  }
  Eigen::MatrixXd design = Eigen::MatrixXd::Zero(s, prior.n_shared());
  SystemMoments out;
  out.covariance.resize(s, s);
  for (Index block = 0; block < blocks; ++block) {
    const SystemRows& own = rows[static_cast<std::size_t>(block)];
    const Index from = block * side_by_side, n = std::min<Index>(side_by_side, s - from);
    out.covariance.middleRows(from, n) = own.covariance.topRows(n);
    design.block(from, 0, n, p) = own.coefficient.topRows(n);
    for (Index row = 0; row < n; ++row) {
      const SystemRows::Effects& effect = own.effect[static_cast<std::size_t>(row)];
      design.block(from + row, p, 1, s) = effect.row(0);
      design.block(from + row, p + s + t, 1, s) = effect.row(1);
    }
  }
  if (symmetric) {
    for (const Index at : {p, p + s + t})
      design.middleCols(at, s).triangularView<Eigen::StrictlyLower>() =
          design.middleCols(at, s).transpose();
  }
  for (Index j = 0; j < s; ++j) {
    const auto team = static_cast<Index>(pool.team[static_cast<std::size_t>(j)]);
    design.col(p + s + team) += design.col(p + j);
    design.col(p + 2 * s + t + team) += design.col(p + s + t + j);
  }
  out.mean =
      over_systems(pool, Eigen::Map<const Eigen::VectorXd>(prior.parameters().mean.data(),
                                                           static_cast<Index>(prior.n_pairs())));
  out.shared = design * prior.shared_variance().asDiagonal();
  out.covariance = Eigen::MatrixXd(out.covariance.selfadjointView<Eigen::Upper>());
  out.covariance.noalias() += out.shared * design.transpose();
  return out;
}

}  // namespace judicious
