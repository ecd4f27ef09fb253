#include "belief/joint_systems.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "belief/dense.hpp"
#include "belief/joint_block.hpp"
#include "belief/joint_lists.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"

namespace judicious {

namespace {

// The contribution of a query to the covariance of the systems' means.
class QueryPart {
 public:
  void read(const JointPrior& prior, Index of_query) {
    query = of_query;
    lists.read(prior, query);
    product_.clear();
    // If the query has more pairs than there are systems, it is faster to compute products without the covariance of
    // the pairs.
    if (length(prior.pairs_of(query)) < prior.n_systems()) multiply(prior);
  }

  // The covariance of the query's pairs with the means of the `batch_size` systems from `from` on.
  Batch covariance(const JointPrior& prior, Index from) const {
    if (!product_.empty()) return product_[from / batch_size];
    Batch weights = Batch::Zero(batch_size, length(prior.pairs_of(query)));
    const Index end = std::min<Index>(from + batch_size, prior.n_systems());
    for (Index j = from; j < end; ++j)
      lists.for_each(j, [&](std::int32_t place, double w, Index) { weights(j - from, place) += w; });
    return prior.query_product<batch_size>(query, weights);
  }

  Index query = 0;
  QueryLists lists;

 private:
  // Multiplies the covariance of the pairs, a batch of rows at a time, by the systems' weights.
  void multiply(const JointPrior& prior) {
    const QueryBlock block(prior, prior.pairs_of(query));
    const Index s = prior.n_systems();
    const Index n = length(prior.pairs_of(query));
    product_.assign((s + batch_size - 1) / batch_size, Batch::Zero(batch_size, n));
    for (Index from = 0; from < n; from += batch_size) {
      const Index count = std::min<Index>(batch_size, n - from);
      const Batch pairs = block.rows(from);
      for (Index j = 0; j < s; ++j) {
        const Eigen::Matrix<double, batch_size, 1> own = lists.sum(j, pairs);
        product_[j / batch_size].row(j % batch_size).segment(from, count) = own.head(count).transpose();
      }
    }
  }

  std::vector<Batch> product_;  // one matrix per `batch_size` systems; empty if multiply() was not called
};

// The moments of `batch_size` systems, one row per system: the covariances of their means with those of these and all
// later systems, their means, and the coefficients of their means on the shared effects. In the last block, which may
// have fewer systems, superfluous rows are ignored.
struct SystemRows {
  // Coefficients on the systems' levels (row 0) and on their slopes on popularity (row 1). Each result adds to both, so
  // they are adjacent in memory.
  using Effects = Eigen::Matrix<double, 2, Eigen::Dynamic>;

  Batch covariance;
  Eigen::MatrixXd coefficient;  // coefficients of the features, by these systems
  Eigen::VectorXd mean;
  std::vector<Effects> effect;  // for each of these systems, with a column for each system

  SystemRows(Index n_coefficients, Index n_systems)
      : covariance(Batch::Zero(batch_size, n_systems)),
        coefficient(Eigen::MatrixXd::Zero(n_coefficients, batch_size)),
        mean(Eigen::VectorXd::Zero(batch_size)),
        effect(batch_size, Effects::Zero(2, n_systems)) {}

  // For each row, processes all queries before the next row, so that the row stays in the L1 cache.
  void add_queries(const JointPrior& prior, const std::vector<QueryPart>& parts, Index from) {
    const Index s = prior.n_systems();
    const Index rows = std::min<Index>(batch_size, s - from);
    for (Index row = 0; row < rows; ++row)
      for (const QueryPart& part : parts) add_design(prior, part, from + row, row);
    for (const QueryPart& part : parts) {
      const Batch product = part.covariance(prior, from);
      for (Index j = from; j < s; ++j) part.lists.add(j, product, covariance.col(j).data());
    }
  }

 private:
  void add_design(const JointPrior& prior, const QueryPart& part, Index system, Index row) {
    const JointPool& pool = prior.pool();
    const JointParameters& parameters = prior.parameters();
    const QueryLists& lists = part.lists;
    const auto& pairs = prior.pairs_of(part.query);
    double* const own = effect[row].data();
    lists.for_each(system, [&](std::int32_t of, double weight, Index position) {
      const Index place = of;
      const Index i = pairs[place];
      mean[row] += weight * parameters.mean[i];
      coefficient.col(row) += weight * parameters.slope[i] * pool.x.col(pairs[place]);
      const Index first = lists.first_of_pair[place], end = lists.first_of_pair[place + 1];
      const double share = weight * parameters.scale[i] * prior.system_factor(i);
      const double tilted = share * pool.popularity[i];
      // If all weights are equal, the matrix is symmetric, so only the part from the row's system on is computed.
      for (Index e = prior.equal_weights() ? position : first; e < end; ++e) {
        double* const to = own + 2 * lists.system[e];
        to[0] += share;
        to[1] += tilted;
      }
    });
  }
};

// The number of queries to process at a time: the rows of a few systems then stay in the processor's cache, and the
// products of the queries need little memory.
Index queries_at_once(const JointPrior& prior) {
  Index largest = 1;
  for (Index q = 0; q < prior.pool().n_queries; ++q) largest = std::max(largest, length(prior.pairs_of(q)));
  constexpr Index most = 16, room = Index{1} << 23;
  return std::clamp<Index>(room / (largest * prior.n_systems()), 1, most);
}

}  // namespace

SystemMoments system_moments(const JointPrior& prior, int num_threads) {
  const JointPool& pool = prior.pool();
  const Index s = prior.n_systems(), t = pool.n_teams;
  const Index p = pool.x.rows(), blocks = (s + batch_size - 1) / batch_size;
  std::vector<SystemRows> rows(blocks, SystemRows(p, s));
  std::vector<QueryPart> parts(queries_at_once(prior));
  for (Index first = 0; first < pool.n_queries; first += length(parts)) {
    check_interrupt();
    parts.resize(std::min(length(parts), pool.n_queries - first));
    parallel_for(length(parts), num_threads, [&](Index i) { parts[i].read(prior, first + i); });
    parallel_for(length(rows), num_threads,
                 [&](Index block) { rows[block].add_queries(prior, parts, block * batch_size); });
  }
  Eigen::MatrixXd design = Eigen::MatrixXd::Zero(s, prior.n_shared());
  SystemMoments out;
  out.mean.resize(s);
  out.covariance.resize(s, s);
  for (Index block = 0; block < blocks; ++block) {
    const SystemRows& own = rows[block];
    const Index from = block * batch_size, n = std::min<Index>(batch_size, s - from);
    out.mean.segment(from, n) = own.mean.head(n);
    out.covariance.middleRows(from, n) = own.covariance.topRows(n);
    design.block(from, 0, n, p) = own.coefficient.leftCols(n).transpose();
    for (Index row = 0; row < n; ++row) {
      const SystemRows::Effects& effect = own.effect[row];
      design.block(from + row, p, 1, s) = effect.row(0);
      design.block(from + row, p + s + t, 1, s) = effect.row(1);
    }
  }
  if (prior.equal_weights()) {
    const double weight = pool.weight.front();
    out.mean *= weight;
    out.covariance *= weight * weight;
    design *= weight;
    for (const Index at : {p, p + s + t})
      design.middleCols(at, s).triangularView<Eigen::StrictlyLower>() = design.middleCols(at, s).transpose();
  }
  for (Index j = 0; j < s; ++j) {
    const Index team = pool.team[j];
    design.col(p + s + team) += design.col(p + j);
    design.col(p + 2 * s + t + team) += design.col(p + s + t + j);
  }
  out.shared = design * prior.shared_variance().asDiagonal();
  dense::add_product(out.covariance, 1, out.shared, design, dense::Transposed::right);
  out.covariance = Eigen::MatrixXd(out.covariance.selfadjointView<Eigen::Upper>());
  return out;
}

}  // namespace judicious
