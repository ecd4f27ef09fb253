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

// What each system retrieved for one query.
struct QueryLists {
  struct Entry {
    Index place;  // of the pair among the query's
    double weight;
  };

  std::vector<std::size_t> first;  // per system, and the end
  std::vector<Entry> entry;

  template <typename F>
  void for_each(Index system, F&& f) const {
    const auto j = static_cast<std::size_t>(system);
    for (std::size_t e = first[j]; e < first[j + 1]; ++e) f(entry[e]);
  }

  void read(const JointPrior& prior, std::size_t query) {
    const Incidence& at = prior.pool().incidence;
    first.assign(prior.n_systems() + 1, 0);
    const auto results = [&](auto&& each) {
      for (const std::int32_t pair : prior.pairs_of(query)) {
        const auto i = static_cast<std::size_t>(pair);
        for (auto r = static_cast<std::size_t>(at.offset[i]);
             r < static_cast<std::size_t>(at.offset[i + 1]); ++r)
          each(static_cast<std::size_t>(at.system[r]), i, r);
      }
    };
    results([&](std::size_t system, std::size_t, std::size_t) { ++first[system + 1]; });
    for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    entry.resize(first.back());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    results([&](std::size_t system, std::size_t i, std::size_t r) {
      entry[next[system]++] = {prior.place(i), prior.pool().weight[r]};
    });
  }
};

// A few systems: covariance with the systems from them on, and their sums over the design of the
// shared effects. The last ones of a pool may be fewer; the rows that are too many stay 0.
struct SystemRows {
  Few covariance, coefficient, level, slope;

  SystemRows(Index n_coefficients, Index n_systems)
      : covariance(Few::Zero(side_by_side, n_systems)),
        coefficient(Few::Zero(side_by_side, n_coefficients)),
        level(covariance),
        slope(covariance) {}

  void add_query(const JointPrior& prior, std::size_t query, const QueryLists& lists, Index from) {
    const JointPool& pool = prior.pool();
    const auto& pairs = prior.pairs_of(query);
    const auto n = static_cast<Index>(pairs.size()), s = static_cast<Index>(prior.n_systems());
    Few weight = Few::Zero(side_by_side, n), tilted = weight;
    for (Index row = 0; row < std::min<Index>(side_by_side, s - from); ++row) {
      lists.for_each(from + row, [&](const QueryLists::Entry& e) {
        const std::int32_t pair = pairs[static_cast<std::size_t>(e.place)];
        const auto i = static_cast<std::size_t>(pair);
        weight(row, e.place) += e.weight;
        tilted(row, e.place) += e.weight * pool.popularity[i];
        coefficient.row(row) +=
            e.weight * prior.parameters().slope[i] * pool.x.col(pair).transpose();
      });
    }
    const Few shares = prior.spread<side_by_side>(query, weight);
    level += shares;
    slope += prior.spread<side_by_side>(query, tilted);
    const Few product = prior.query_product<side_by_side>(query, weight, shares);
    for (Index j = from; j < s; ++j) {
      Eigen::Matrix<double, side_by_side, 1> sum = covariance.col(j);
      lists.for_each(j,
                     [&](const QueryLists::Entry& e) { sum += e.weight * product.col(e.place); });
      covariance.col(j) = sum;
    }
  }
};

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
  QueryLists lists;
  for (std::size_t q = 0; q < pool.n_queries; ++q) {
    poll();
    lists.read(prior, q);
    parallel_for(rows.size(), num_threads, [&](std::size_t block) {
      rows[block].add_query(prior, q, lists, static_cast<Index>(block) * side_by_side);
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
    design.block(from, p, n, s) = own.level.topRows(n);
    design.block(from, p + s + t, n, s) = own.slope.topRows(n);
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
