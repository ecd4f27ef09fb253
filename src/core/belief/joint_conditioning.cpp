// Conditions a joint prior on many judgments at once.
//
// Given the shared effects g, with prior variance V = R R and design Z, the judged gains of a query have covariance
// D = C C'. There are two forms of the posterior covariance of g:
//   V - B' B,  B = K^-1 Z V,  K K' = D + Z V Z'  (judgments by judgments; D has a block for each query), and
//   B' B,      B = K^-1 R,    K K' = I + M' M,  M = C^-1 Z R  (effects by effects).
// The first needs fewer operations if there are fewer judgments than effects, and about as many if the numbers are
// equal. Unlike the second, it stays precise if some judgments are much more informative about g than others.
// For the gains of a query, X has as many rows as K:
//   X = B Z' + Y E',  where Y = K^-1 and E is the prior covariance of the query's pairs with its judged pairs, given g,
//                     or, in the second form, Y = -K^-1 M' and E = L (see joint_posterior.hpp).
// In the first form, the posterior covariance of the gains is the prior one less X' X. In the second form, it is X' X
// and, within queries, the covariance given g. The rows of X are covariances with independent variables of variance 1.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "belief/dense.hpp"
#include "belief/joint_lists.hpp"
#include "belief/joint_posterior.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"

namespace judicious {

namespace {

// If a row of M has a larger sum of squares than this, the second form is too imprecise.
constexpr double max_information = 1e5;

Index n_batches(Index n) { return (n + batch_size - 1) / batch_size; }

}  // namespace

struct JointPosterior::Block {
  const std::vector<std::int32_t>& judged;
  const std::vector<double>&gain, &noise;
  std::vector<std::vector<Index>> of_query;  // for each query, the indices of its judgments
  std::vector<Index> first;                  // for each query, the row of its first judgment in `design` and `m`
  std::vector<Index> effect;                 // the shared effects whose variance is not 0
  Eigen::VectorXd root;                      // the diagonal of R for these effects
  // `design` is Z R and `m` is M: judgments, query by query, by these effects. `deviation` has the judged gains less
  // their prior means, and `observed` is C^-1 times it.
  Eigen::MatrixXd design, m;
  Eigen::VectorXd deviation, observed;
  std::vector<Eigen::MatrixXd> covariance, e;  // D and E of each query
  bool by_effects = false;                     // whether the second form is used
  Eigen::MatrixXd b, y;                        // B with columns for all shared effects; Y with columns for judgments
  Eigen::VectorXd mean;                        // means of the independent variables that are described above
};

JointPosterior::JointPosterior(JointPrior prior, const std::vector<std::int32_t>& judged,
                               const std::vector<double>& gain, const std::vector<double>& noise, int num_threads)
    : JointPosterior(std::move(prior), num_threads) {
  if (judged.empty()) return;
  Block block{judged, gain, noise, {}, {0}, {}, {}, {}, {}, {}, {}, {}, {}, false, {}, {}, {}};
  condition_queries(block);
  condition_shared(block);
  condition_pairs(block);
}

// Computes L and W of each query, and the contribution of its judgments to the posterior of the shared effects
// (`design`, `m`, `deviation`, `observed`).
void JointPosterior::condition_queries(Block& block) {
  const Eigen::VectorXd& variance = prior_->shared_variance();
  for (Index e = 0; e < prior_->n_shared(); ++e)
    if (variance[e] > 0) block.effect.push_back(e);
  block.root.resize(length(block.effect));
  for (Index e = 0; e < length(block.effect); ++e) block.root[e] = std::sqrt(variance[block.effect[e]]);
  block.of_query.resize(query_.size());
  for (Index a = 0; a < length(block.judged); ++a) block.of_query[prior_->pool().query[block.judged[a]]].push_back(a);
  for (const auto& own : block.of_query) block.first.push_back(block.first.back() + length(own));
  block.m.resize(block.first.back(), length(block.effect));
  block.design = block.m;
  block.observed.resize(block.first.back());
  block.deviation = block.observed;
  block.covariance.resize(query_.size());
  block.e.resize(query_.size());
  parallel_for(length(query_), num_threads_, [&](Index q) {
    check_interrupt();
    const auto& own = block.of_query[q];
    const Index n = length(own), pairs = length(prior_->pairs_of(q));
    if (n == 0) return;
    QueryState& state = query_[q];
    state.l.resize(pairs, n);
    state.w.resize(n, prior_->n_shared());
    for (Index from = 0; from < n; from += batch_size) {
      const Index count = std::min<Index>(batch_size, n - from);
      Batch unit = Batch::Zero(batch_size, pairs);
      for (Index r = 0; r < count; ++r) unit(r, prior_->place(block.judged[own[from + r]])) = 1;
      const Batch rows = prior_->query_product<batch_size>(q, unit);
      state.l.middleCols(from, count) = rows.topRows(count).transpose();
    }
    Eigen::MatrixXd covariance(n, n), deviation(n, 1);
    for (Index a = 0; a < n; ++a) {
      const Index pair = block.judged[own[a]], place = prior_->place(pair);
      covariance.row(a) = state.l.row(place);
      covariance(a, a) += block.noise[own[a]];
      deviation(a, 0) = block.gain[own[a]] - mean_[pair];
      state.w.row(a) = prior_->shared_row(pair);
      if (block.noise[own[a]] <= 0) state.place.push_back(place);
    }
    const auto scaled_design = [&](Index e) { return block.root[e] * state.w.col(block.effect[e]); };
    for (Index e = 0; e < length(block.effect); ++e) block.design.col(e).segment(block.first[q], n) = scaled_design(e);
    block.deviation.segment(block.first[q], n) = deviation;
    block.covariance[q] = covariance;
    block.e[q] = state.l;
    dense::factorise(covariance, "The covariance of " + std::to_string(n) + " judged gains of a query");
    dense::solve_right(covariance, state.l);
    dense::solve(covariance, state.w);
    dense::solve(covariance, deviation);
    block.observed.segment(block.first[q], n) = deviation;
    state.u.assign(deviation.data(), deviation.data() + n);
    for (Index e = 0; e < length(block.effect); ++e) block.m.col(e).segment(block.first[q], n) = scaled_design(e);
  });
}

void JointPosterior::condition_shared(Block& block) {
  check_interrupt();
  const Index n = block.m.rows(), r = block.m.cols();
  block.by_effects = n > r && block.m.rowwise().squaredNorm().maxCoeff() <= max_information;
  const Index size = block.by_effects ? r : n;
  Eigen::MatrixXd k = Eigen::MatrixXd::Identity(size, size);
  Eigen::MatrixXd half, mean;  // B R^-1, and the means of the independent variables
  if (block.by_effects) {
    dense::add_square(k, 1, block.m, dense::Transposed::left);
    half = Eigen::MatrixXd::Identity(size, size);
    mean = block.m.transpose() * block.observed;
    block.y = -block.m.transpose();
    for (Index q = 0; q < length(query_); ++q) block.e[q] = query_[q].l;
  } else {
    for (Index q = 0; q < length(query_); ++q) {
      const Index own = block.covariance[q].rows();
      k.block(block.first[q], block.first[q], own, own) = block.covariance[q];
    }
    dense::add_square(k, 1, block.design);
    half = block.design;
    mean = block.deviation;
    block.y = Eigen::MatrixXd::Identity(size, size);
  }
  dense::factorise(k, "The covariance of the judged gains");
  dense::solve(k, half);
  dense::solve(k, mean);
  dense::solve(k, block.y);
  block.mean = mean;
  block.b = Eigen::MatrixXd::Zero(size, prior_->n_shared());
  for (Index e = 0; e < r; ++e) block.b.col(block.effect[e]) = block.root[e] * half.col(e);
  shared_mean_ = block.b.transpose() * mean;
  if (block.by_effects) shared_covariance_.setZero();
  dense::add_square(shared_covariance_, block.by_effects ? 1 : -1, block.b, dense::Transposed::left);
  dense::mirror(shared_covariance_);
}

// Computes the moments of pairs and systems. Contributions of queries are added in a fixed order, so that results do
// not depend on the number of threads.
void JointPosterior::condition_pairs(const Block& block) {
  const Index size = block.b.rows(), batches = n_batches(size), s = prior_->n_systems();
  const double sign = block.by_effects ? 1 : -1;
  std::vector<SharedDirections<batch_size>> folded;
  for (Index t = 0; t < batches; ++t) {
    Batch rows = Batch::Zero(batch_size, prior_->n_shared());
    const Index from = t * batch_size, count = std::min<Index>(batch_size, size - from);
    rows.topRows(count) = block.b.middleRows(from, count);
    folded.push_back(prior_->fold<batch_size>(rows));
  }
  if (block.by_effects) {
    // Subtracts from the prior variances the part that the shared effects explain.
    const Eigen::VectorXd& variance = prior_->shared_variance();
    for (Index i = 0; i < prior_->n_pairs(); ++i)
      variance_[i] -= prior_->shared_row(i).cwiseAbs2().dot(variance.transpose());
    Eigen::MatrixXd scaled(s, length(block.effect));
    for (Index e = 0; e < scaled.cols(); ++e) scaled.col(e) = system_shared_.col(block.effect[e]) / block.root[e];
    dense::add_square(system_covariance_, -1, scaled);
  }
  // With the systems' weights A, X A' for a few rows at a time: the sum over all queries so far (`systems`), and the
  // contributions of the queries that are being processed (`parts`). `of_queries` is A L: systems by judgments.
  std::vector<Batch> systems(batches, Batch::Zero(batch_size, s));
  std::vector<std::vector<Batch>> parts(std::max(num_threads_, 1));
  Eigen::MatrixXd of_queries(s, block.by_effects ? block.m.rows() : 0);
  for (Index first = 0; first < length(query_); first += length(parts)) {
    const Index count = std::min(length(parts), length(query_) - first);
    parallel_for(count, num_threads_, [&](Index at) {
      check_interrupt();
      const Index q = first + at;
      const QueryState& state = query_[q];
      const auto& pairs = prior_->pairs_of(q);
      const Index n = state.l.cols();
      Eigen::MatrixXd own = Eigen::MatrixXd::Zero(batches * batch_size, length(pairs));
      if (n > 0)
        dense::add_product(own.topRows(size), 1, block.y.middleCols(block.first[q], n), block.e[q],
                           dense::Transposed::right);
      Eigen::VectorXd squares = Eigen::VectorXd::Zero(length(pairs)), moved = squares;
      parts[at].assign(batches, Batch::Zero(batch_size, s));
      for (Index t = 0; t < batches; ++t) {
        const Index from = t * batch_size, rows = std::min<Index>(batch_size, size - from);
        Batch x = prior_->shared_product<batch_size>(q, folded[t]);
        x += own.middleRows<batch_size>(from);
        squares += x.colwise().squaredNorm().transpose();
        moved += x.topRows(rows).transpose() * block.mean.segment(from, rows);
        for (Index a = 0; a < length(pairs); ++a)
          prior_->each_result(
              pairs[a], [&](std::int32_t system, double weight) { parts[at][t].col(system) += weight * x.col(a); });
      }
      squares *= sign;
      if (block.by_effects && n > 0) {
        moved += state.l * block.observed.segment(block.first[q], n);
        squares -= state.l.rowwise().squaredNorm();
        auto of_query = of_queries.middleCols(block.first[q], n);
        of_query.setZero();
        for (Index a = 0; a < length(pairs); ++a)
          prior_->each_result(
              pairs[a], [&](std::int32_t system, double weight) { of_query.row(system) += weight * state.l.row(a); });
      }
      for (Index a = 0; a < length(pairs); ++a) {
        mean_[pairs[a]] += moved[a];
        variance_[pairs[a]] = std::max(variance_[pairs[a]] + squares[a], 0.0);
      }
    });
    for (Index at = 0; at < count; ++at)
      for (Index t = 0; t < batches; ++t) systems[t] += parts[at][t];
  }
  Eigen::MatrixXd of_systems(size, s);
  for (Index t = 0; t < batches; ++t) {
    const Index from = t * batch_size, rows = std::min<Index>(batch_size, size - from);
    of_systems.middleRows(from, rows) = systems[t].topRows(rows);
  }
  system_mean_ += of_systems.transpose() * block.mean;
  dense::add_square(system_covariance_, sign, of_systems, dense::Transposed::left);
  if (block.by_effects) {
    system_mean_ += of_queries * block.observed;
    dense::add_square(system_covariance_, -1, of_queries);
    system_shared_.setZero();
  }
  dense::mirror(system_covariance_);
  dense::add_product(system_shared_, sign, of_systems, block.b, dense::Transposed::left);
  for (Index a = 0; a < length(block.judged); ++a) {
    if (block.noise[a] > 0) continue;
    mean_[block.judged[a]] = block.gain[a];
    set_known(block.judged[a]);
  }
}

}  // namespace judicious
