#include "belief/joint_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "belief/dense.hpp"
#include "belief/joint_systems.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"

namespace judicious {

JointPosterior::JointPosterior(JointPrior prior, int num_threads)
    : prior_(std::make_shared<const JointPrior>(std::move(prior))),
      known_(prior_->n_pairs(), false),
      open_results_(prior_->n_systems(), 0),
      num_threads_(num_threads) {
  for (Index i = 0; i < prior_->n_pairs(); ++i)
    prior_->each_result(i, [&](std::int32_t system, double weight) { open_results_[system] += weight != 0; });
  query_.resize(prior_->pool().n_queries);
  for (Index q = 0; q < length(query_); ++q) {
    query_[q].l.resize(length(prior_->pairs_of(q)), 0);
    query_[q].w.resize(0, prior_->n_shared());
  }
  shared_covariance_ = prior_->shared_variance().asDiagonal();
  shared_mean_ = Eigen::VectorXd::Zero(prior_->n_shared());
  mean_ = Eigen::Map<const Eigen::VectorXd>(prior_->parameters().mean.data(), prior_->n_pairs());
  variance_ = prior_->variances();
  SystemMoments systems = system_moments(*prior_, num_threads);
  system_mean_ = std::move(systems.mean);
  system_covariance_ = std::move(systems.covariance);
  system_shared_ = std::move(systems.shared);
}

JointPosterior::Conditional JointPosterior::conditional(Index pair) const {
  const Index place = prior_->place(pair);
  const QueryState& state = query_[prior_->pool().query[pair]];
  Conditional out{prior_->query_column(pair), prior_->shared_row(pair)};
  if (state.l.cols() > 0) {
    out.within -= state.l * state.l.row(place).transpose();
    out.design -= state.l.row(place) * state.w;
  }
  return out;
}

JointPosterior::Marginal JointPosterior::marginal(Index pair) const {
  const Index place = prior_->place(pair);
  const QueryState& state = query_[prior_->pool().query[pair]];
  Marginal out{conditional(pair), {}, prior_->parameters().mean[pair], 0};
  out.shared = shared_covariance_ * out.given.design.transpose();
  out.variance = out.given.within[place] + out.given.design.dot(out.shared);
  for (Index a = 0; a < state.l.cols(); ++a) out.mean += state.l(place, a) * state.u[a];
  out.mean += out.given.design.dot(shared_mean_);
  return out;
}

std::pair<double, double> JointPosterior::moments_of(Index pair) const {
  if (known_[pair]) return {mean_[pair], 0.0};
  const Marginal own = marginal(pair);
  return {own.mean, std::max(own.variance, 0.0)};
}

Eigen::VectorXd JointPosterior::query_over_systems(Index query, const Eigen::VectorXd& values) const {
  const auto& pairs = prior_->pairs_of(query);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(prior_->n_systems());
  for (Index a = 0; a < length(pairs); ++a) {
    const double value = values[a];
    prior_->each_result(pairs[a], [&](std::int32_t system, double weight) { out[system] += weight * value; });
  }
  return out;
}

Eigen::VectorXd JointPosterior::covariance_column(Index pair) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(prior_->n_pairs());
  if (known_[pair]) return out;
  const Marginal own = marginal(pair);
  out = prior_->shared_products(prior_->fold<1>(own.shared.transpose()), num_threads_);
  for (Index q = 0; q < length(query_); ++q) {
    const QueryState& state = query_[q];
    const auto& pairs = prior_->pairs_of(q);
    Eigen::VectorXd within = state.l * (-state.w * own.shared);
    if (q == prior_->pool().query[pair]) within += own.given.within;
    for (Index a = 0; a < length(pairs); ++a) out[pairs[a]] += within[a];
    for (const Index place : state.place) out[pairs[place]] = 0;
  }
  return out;
}

// If the scores b_q have means m_q and covariances V_q, and their average b has mean m and covariance C, the
// expectation of sum (b_q - b)(b_q - b)' is sum (m_q m_q' + V_q) - n (m m' + C). Given the shared effects, the queries
// are independent, so the sum of the V_q is n^2 C, except for the contribution of the shared effects. The code has
// the contributions of the queries to the systems' means, b_q / n.
Eigen::MatrixXd JointPosterior::between_queries() const {
  const Index s = prior_->n_systems();
  const auto n = static_cast<double>(query_.size());
  Eigen::MatrixXd sum = system_covariance_ - (system_mean_ * system_mean_.transpose() + system_covariance_) / n;
  // The coefficients of the systems' means on the shared effects: effects by systems.
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(prior_->n_shared(), s);
  for (Index q = 0; q < length(query_); ++q) {
    check_interrupt();
    const auto& pairs = prior_->pairs_of(q);
    const QueryState& state = query_[q];
    Eigen::MatrixXd design = Eigen::MatrixXd::Zero(prior_->n_shared(), s);
    Eigen::VectorXd score = Eigen::VectorXd::Zero(s);
    for (Index a = 0; a < length(pairs); ++a) {
      const Index i = pairs[a];
      Eigen::RowVectorXd row = prior_->shared_row(i);
      if (state.l.cols() > 0) row -= state.l.row(a) * state.w;
      prior_->each_result(i, [&](std::int32_t system, double weight) {
        design.col(system) += weight * row.transpose();
        score[system] += weight * mean()[pairs[a]];
      });
    }
    sum += score * score.transpose() + design.transpose() * shared_covariance_ * design;
    total += design;
  }
  sum -= total.transpose() * shared_covariance_ * total;
  return sum * (n * n / (n - 1));
}

void JointPosterior::judge(Index pair, double gain, double noise) {
  const Marginal own = marginal(pair);
  condition(pair, own, (gain - own.mean) / (own.variance + noise), noise);
  if (noise <= 0) mean_[pair] = gain;
}

void JointPosterior::settle_means() const {
  const auto moves_means = [](const Unsettled& judgment) { return judgment.step != 0; };
  if (std::any_of(unsettled_.begin(), unsettled_.end(), moves_means)) settle();
}

void JointPosterior::assume_judged(Index pair, double noise) {
  // settle() does not change the means of known gains, so judgments that move the mean of this one come first.
  settle_means();
  condition(pair, marginal(pair), 0, noise);
}

void JointPosterior::condition(Index pair, const Marginal& own, double step, double noise) {
  // Interrupts are checked before anything is changed, so that an interrupted judgment has no effect.
  check_interrupt();
  const Index query = prior_->pool().query[pair], place = prior_->place(pair);
  const auto& [within, design] = own.given;
  const double total = own.variance + noise, root = std::sqrt(within[place] + noise);
  const double u = (design.dot(shared_mean_) + step * total) / root;
  Eigen::VectorXd systems = query_over_systems(query, within) + system_shared_ * design.transpose();
  for (Index s = 0; s < length(open_results_); ++s)
    if (open_results_[s] == 0) systems[s] = 0;
  system_mean_ += step * systems;
  shared_mean_ += step * own.shared;
  system_covariance_.noalias() -= systems * (systems / total).transpose();
  system_shared_.noalias() -= systems * (own.shared / total).transpose();
  shared_covariance_.noalias() -= own.shared * (own.shared / total).transpose();

  QueryState& state = query_[query];
  const Index n = state.l.cols();
  state.l.conservativeResize(Eigen::NoChange, n + 1);
  state.w.conservativeResize(n + 1, Eigen::NoChange);
  state.l.col(n) = within / root;
  state.w.row(n) = design / root;
  state.u.push_back(u);
  unsettled_.push_back({query, root, total, step, own.shared, std::move(systems)});
  if (noise > 0) return;
  if (system_pair_.size() > 0) system_pair_.col(pair).setZero();
  state.place.push_back(place);
  set_known(pair);
}

void JointPosterior::set_known(Index pair) {
  known_[pair] = true;
  variance_[pair] = 0;
  prior_->each_result(pair, [&](std::int32_t system, double weight) {
    if (weight == 0 || --open_results_[system] > 0) return;
    system_covariance_.row(system).setZero();
    system_covariance_.col(system).setZero();
    system_shared_.row(system).setZero();
  });
}

// Settles the first T judgments. For each pair, they are added in their order, so that the results do not depend on how
// many are settled together.
template <int T>
void JointPosterior::settle_batch() const {
  check_interrupt();
  std::vector<Index> later(query_.size());
  for (const Unsettled& judgment : unsettled_) ++later[judgment.query];
  Directions<T> shared(T, prior_->n_shared());
  for (Index t = 0; t < T; ++t) shared.row(t) = unsettled_[t].shared.transpose();
  const SharedDirections<T> folded = prior_->fold<T>(shared);
  parallel_for(length(query_), num_threads_, [&](Index q) {
    const QueryState& state = query_[q];
    const auto& pairs = prior_->pairs_of(q);
    // The covariances of the judgments with the pairs of the query, given the judgments before.
    Directions<T> whole = prior_->shared_product<T>(q, folded);
    Index before = state.l.cols() - later[q];
    for (Index t = 0; t < T; ++t) {
      const Unsettled& judgment = unsettled_[t];
      if (before > 0)
        whole.row(t) -= (state.l.leftCols(before) * (state.w.topRows(before) * judgment.shared)).transpose();
      if (judgment.query == q) whole.row(t) += judgment.root * state.l.col(before++).transpose();
    }
    for (const Index place : state.place) whole.col(place).setZero();
    for (Index a = 0; a < length(pairs); ++a) {
      const Index pair = pairs[a];
      for (Index t = 0; t < T; ++t) {
        const Unsettled& judgment = unsettled_[t];
        const double covariance = whole(t, a);
        mean_[pair] += judgment.step * covariance;
        variance_[pair] = std::max(variance_[pair] - covariance * covariance / judgment.total, 0.0);
        if (system_pair_.size() > 0) system_pair_.col(pair) -= judgment.systems * (covariance / judgment.total);
      }
    }
  });
  unsettled_.erase(unsettled_.begin(), unsettled_.begin() + T);
}

template void JointPosterior::settle_batch<1>() const;
template void JointPosterior::settle_batch<batch_size>() const;

// A batch of directions; their number is a compile-time constant.
template <int T>
struct JointPosterior::DirectionBatch {
  Directions<T> systems, shared;
  SharedDirections<T> folded;

  DirectionBatch(const JointPosterior& posterior, const Eigen::Ref<const Eigen::MatrixXd>& directions)
      : systems(Directions<T>::Zero(T, directions.cols())) {
    systems.topRows(directions.rows()) = directions;
    shared = systems * posterior.system_shared_;
    folded = posterior.prior_->fold<T>(shared);
  }

  // The covariance of the directions with the pairs of a query: directions by pairs.
  Directions<T> covariance(const JointPosterior& posterior, Index query) const {
    const QueryState& state = posterior.query_[query];
    const Directions<T> weights = posterior.prior_->weigh<T>(query, systems);
    Directions<T> out = posterior.prior_->product<T>(query, weights, folded);
    if (state.l.cols() > 0) out -= (weights * state.l + shared * state.w.transpose()) * state.l.transpose();
    return out;
  }
};

double JointPosterior::reduction_of_square(Index pair, double square, double noise) const {
  const double variance = variance_[pair];
  return known_[pair] || variance <= 0 ? 0 : square / (variance + noise);
}

template <int T>
Eigen::VectorXd JointPosterior::reduction_by(const Eigen::Ref<const Eigen::MatrixXd>& directions, double noise) const {
  std::vector<DirectionBatch<T>> all;
  for (Index from = 0; from < directions.rows(); from += T)
    all.emplace_back(*this, directions.middleRows(from, std::min<Index>(T, directions.rows() - from)));
  Eigen::VectorXd out = Eigen::VectorXd::Zero(mean_.size());
  parallel_for(length(query_), num_threads_, [&](Index q) {
    check_interrupt();
    const auto& pairs = prior_->pairs_of(q);
    Eigen::RowVectorXd squares = Eigen::RowVectorXd::Zero(length(pairs));
    for (const auto& batch : all) squares += batch.covariance(*this, q).colwise().squaredNorm();
    for (Index a = 0; a < length(pairs); ++a) out[pairs[a]] = reduction_of_square(pairs[a], squares[a], noise);
  });
  return out;
}

void JointPosterior::keep_pair_covariance() {
  settle();
  constexpr int directions_at_once = 8;
  const Index s = prior_->n_systems();
  system_pair_ = Eigen::MatrixXd::Zero(s, mean_.size());
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(s, s);
  for (Index from = 0; from < s; from += directions_at_once) {
    const Index rows = std::min<Index>(directions_at_once, s - from);
    const DirectionBatch<directions_at_once> batch(*this, identity.middleRows(from, rows));
    parallel_for(length(query_), num_threads_, [&](Index q) {
      check_interrupt();
      const auto& pairs = prior_->pairs_of(q);
      const Directions<directions_at_once> covariance = batch.covariance(*this, q);
      for (Index a = 0; a < length(pairs); ++a)
        if (!known_[pairs[a]]) system_pair_.col(pairs[a]).segment(from, rows) = covariance.col(a).head(rows);
    });
  }
}

Eigen::VectorXd JointPosterior::reduction_by_kept(const Eigen::Ref<const Eigen::MatrixXd>& directions,
                                                  double noise) const {
  // The number of pairs in one product; its data then stay in the processor's cache.
  constexpr Index pairs_at_once = 256;
  Eigen::VectorXd out(mean_.size());
  const Index parts = (out.size() + pairs_at_once - 1) / pairs_at_once;
  parallel_for(parts, num_threads_, [&](Index part) {
    check_interrupt();
    const Index from = part * pairs_at_once;
    const Index n = std::min<Index>(pairs_at_once, out.size() - from);
    const Eigen::MatrixXd covariance = directions * system_pair_.middleCols(from, n);
    for (Index a = 0; a < n; ++a) out[from + a] = reduction_of_square(from + a, covariance.col(a).squaredNorm(), noise);
  });
  return out;
}

Eigen::VectorXd JointPosterior::variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions,
                                                   double noise) const {
  settle();
  if (system_pair_.size() > 0) return reduction_by_kept(directions, noise);
  // The directions are processed in as few passes as possible, of about the same number of directions each.
  constexpr Index max_directions = 10;
  const Index passes = (directions.rows() + max_directions - 1) / max_directions;
  if (directions.rows() <= 4 * passes) return reduction_by<4>(directions, noise);
  if (directions.rows() <= 8 * passes) return reduction_by<8>(directions, noise);
  return reduction_by<max_directions>(directions, noise);
}

Eigen::VectorXd JointPosterior::variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions,
                                                   const std::vector<std::int32_t>& pairs, double noise) const {
  settle();
  // The number of pairs in a part: large enough for efficient matrix products, small enough to use several threads.
  constexpr Index pairs_at_once = 64;
  Eigen::VectorXd out(length(pairs));
  parallel_for((length(pairs) + pairs_at_once - 1) / pairs_at_once, num_threads_, [&](Index part) {
    check_interrupt();
    const Index first = part * pairs_at_once;
    const Index n = std::min(pairs_at_once, length(pairs) - first);
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(directions.rows(), n);
    dense::add_product(covariance, 1, directions, covariance_with(pairs.data() + first, n));
    for (Index a = 0; a < n; ++a) {
      const Index at = first + a;
      out[at] = reduction_of_square(pairs[at], covariance.col(a).squaredNorm(), noise);
    }
  });
  return out;
}

Eigen::MatrixXd JointPosterior::covariance_with(const std::int32_t* pairs, Index n) const {
  const Index s = prior_->n_systems();
  Eigen::MatrixXd systems(s, n);
  if (system_pair_.size() > 0) {
    for (Index a = 0; a < n; ++a) systems.col(a) = system_pair_.col(pairs[a]);
    return systems;
  }
  Eigen::MatrixXd design(prior_->n_shared(), n);
  for (Index a = 0; a < n; ++a) {
    const Index pair = pairs[a];
    const Conditional own = conditional(pair);
    design.col(a) = own.design.transpose();
    systems.col(a) = query_over_systems(prior_->pool().query[pair], own.within);
  }
  dense::add_product(systems, 1, system_shared_, design);
  return systems;
}

}  // namespace judicious
