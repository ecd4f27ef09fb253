#include "belief/joint_objective.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "belief/dense.hpp"
#include "execution/interrupt.hpp"

namespace judicious {

namespace {

constexpr double log_two_pi = 1.8378770664093454836;

// The numbers of floating-point operations of each of the two algorithms, for an evaluation with derivatives and
// another evaluation at the same variances. Only terms of third order in the numbers of observations and effects are
// counted.
double operations_in_one_block(double n) { return n * n * n; }

double operations_by_query(double n, double shared, const std::vector<std::vector<std::int32_t>>& by_query) {
  // The inner matrix is factorised twice, and the factor is applied to it and to the observations.
  double out = shared * shared * (5.0 / 3 * shared + n);
  for (const auto& pairs : by_query) {
    const auto own = static_cast<double>(pairs.size());
    out += own * own * (own + shared);
  }
  return out;
}

}  // namespace

JointObjective::JointObjective(JointPool pool, std::vector<double> gain, std::vector<double> noise)
    : pool_(std::move(pool)), gain_(std::move(gain)), noise_(std::move(noise)) {}

// Forms the blocks of the algorithm that needs fewer operations for this number of shared effects.
void JointObjective::add_blocks(Index n_effects) {
  blocks_.clear();
  n_effects_ = n_effects;
  const Index n = length(gain_);
  std::vector<std::vector<std::int32_t>> by_query(pool_.n_queries);
  for (Index i = 0; i < n; ++i) by_query[pool_.query[i]].push_back(static_cast<std::int32_t>(i));
  const auto observations = static_cast<double>(n), effects = static_cast<double>(n_effects);
  if (operations_in_one_block(observations) < operations_by_query(observations, effects, by_query)) {
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    add_block(std::move(all), true);
    return;
  }
  for (auto& pairs : by_query)
    if (!pairs.empty()) add_block(std::move(pairs), false);
}

void JointObjective::add_block(std::vector<std::int32_t> pairs, bool all_terms) {
  Block block;
  for (Index t = 0; t < n_joint_terms; ++t) {
    const auto term = static_cast<JointTerm>(t);
    const JointTermShape& shape = joint_term_shapes[term];
    if (shape.unit == EffectUnit::pair || !(shape.within_query || all_terms)) continue;
    block.effects.push_back({term, JointEffect(pool_, pairs, term)});
  }
  if (!all_terms)
    for (const JointTerm term : {term_system, term_system_popularity}) block.systems.emplace_back(pool_, pairs, term);
  block.pairs = std::move(pairs);
  blocks_.push_back(std::move(block));
}

std::vector<JointObjective::SharedColumns> JointObjective::shared_columns(const Block& block) const {
  std::vector<SharedColumns> out;
  for (const SystemsEffect& effect : shared_.systems())
    out.push_back({&block.systems[effect.slope ? 1 : 0], effect.first});
  return out;
}

JointEvaluation JointObjective::evaluate(const JointParameters& parameters, JointOrder order) {
  if (gain_.empty()) {
    JointEvaluation prior;
    prior.coefficient = Eigen::VectorXd::Zero(parameters.coefficient_variance.size());
    prior.coefficient_covariance = parameters.coefficient_variance.asDiagonal();
    prior.information = Eigen::MatrixXd::Zero(n_joint_terms, n_joint_terms);
    return prior;
  }
  const Index n_effects =
      SharedEffects(pool_.team, pool_.n_teams, parameters.coefficient_variance, parameters.variance, true).size();
  if (n_effects != n_effects_) add_blocks(n_effects);
  factorise(parameters);
  JointEvaluation out = condition(parameters);
  if (order == JointOrder::gradient) add_derivatives(out);
  return out;
}

// The variances of the residuals if their variance component is 1, and the variances of the errors of the judgments,
// both divided by the squared scales.
std::pair<Eigen::VectorXd, Eigen::VectorXd> JointObjective::diagonal_of(const Block& block,
                                                                        const JointParameters& parameters) const {
  const Index n = length(block.pairs);
  Eigen::VectorXd residual(n), noise = Eigen::VectorXd::Zero(n);
  for (Index a = 0; a < n; ++a) {
    const Index i = block.pairs[a];
    const double scale = parameters.scale[i], ratio = parameters.residual_scale[i] / scale;
    residual[a] = ratio * ratio;
    if (!noise_.empty()) noise[a] = noise_[i] / (scale * scale);
  }
  return {residual, noise};
}

// Factorises the blocks, unless their covariances are those of the last evaluation.
void JointObjective::factorise(const JointParameters& parameters) {
  bool same = parameters.variance == variance_;
  for (Block& block : blocks_) {
    auto [residual, noise] = diagonal_of(block, parameters);
    same = same && block.residual.size() > 0 && residual == block.residual && noise == block.noise;
    block.residual = std::move(residual);
    block.noise = std::move(noise);
  }
  variance_ = parameters.variance;
  shared_ = SharedEffects(pool_.team, pool_.n_teams, parameters.coefficient_variance, variance_,
                          !blocks_.front().systems.empty());
  if (same) return;
  const Index m = shared_.size() - shared_.n_coefficients();
  systems_information_ = Eigen::MatrixXd::Zero(m, m);
  for (Block& block : blocks_) {
    check_interrupt();
    factorise_block(block);
  }
}

void JointObjective::factorise_block(Block& block) {
  const Index n = length(block.pairs);
  const Index p = shared_.n_coefficients(), m = shared_.size() - p;
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(n, n);
  covariance.diagonal() = variance_[term_residual] * block.residual + block.noise;
  for (const TermEffect& own : block.effects)
    if (variance_[own.term] > 0) own.effect.add_covariance(variance_[own.term], covariance);
  dense::factorise(covariance, "The covariance of " + std::to_string(n) + " judged gains");
  block.log_determinant = dense::log_determinant(covariance);
  block.inverse = dense::inverse_of(covariance);
  block.w = Eigen::MatrixXd::Zero(p + m, n);
  for (const SharedColumns& columns : shared_columns(block)) {
    const Eigen::MatrixXd by_level = columns.effect->times(block.inverse);
    for (Index level = 0; level < by_level.cols(); ++level)
      block.w.row(columns.first + columns.effect->label(level)) = by_level.col(level).transpose();
  }
  for (const SharedColumns& columns : shared_columns(block)) {
    const Eigen::MatrixXd by_level = columns.effect->times(block.w.bottomRows(m));
    for (Index level = 0; level < by_level.cols(); ++level)
      systems_information_.col(columns.first - p + columns.effect->label(level)) += by_level.col(level);
  }
}

JointEvaluation JointObjective::condition(const JointParameters& parameters) {
  const Index r = shared_.size(), p = shared_.n_coefficients();
  information_ = Eigen::MatrixXd::Zero(r, r);
  information_.bottomRightCorner(r - p, r - p) = systems_information_;
  score_ = Eigen::VectorXd::Zero(r);
  // Minus twice the log-likelihood.
  double deviance = log_two_pi * static_cast<double>(gain_.size());
  for (Block& block : blocks_) deviance += condition_block(block, parameters) + block.log_determinant;
  for (const double scale : parameters.scale) deviance += 2 * std::log(scale);
  // If both corners are empty, they may have the same address, which Eigen would report as aliasing.
  if (r > p) information_.bottomLeftCorner(r - p, p) = information_.topRightCorner(p, r - p).transpose();

  // I + R' Z' B^-1 Z R is factorised, because it is well conditioned even if a variance is 0.
  inner_ = information_;
  shared_.multiply_root(inner_);
  inner_.transposeInPlace();
  shared_.multiply_root(inner_);
  inner_.diagonal().array() += 1;
  dense::factorise(inner_, "The information of the judgments about the effects that queries share");
  Eigen::MatrixXd half = score_;
  shared_.multiply_root(half);
  dense::solve(inner_, half);
  deviance += dense::log_determinant(inner_) - half.squaredNorm();
  dense::solve_transposed(inner_, half);
  shared_.multiply_root(half);
  shared_mean_ = half;
  Eigen::MatrixXd coefficients = Eigen::MatrixXd::Identity(r, p);
  shared_.multiply_root(coefficients);
  dense::solve(inner_, coefficients);

  JointEvaluation out;
  out.log_likelihood = -0.5 * deviance;
  out.coefficient = shared_mean_.head(p);
  out.coefficient_covariance = coefficients.transpose() * coefficients;
  return out;
}

// Adds the contribution of the block to the information and the score of the shared effects, and returns y' B^-1 y.
double JointObjective::condition_block(Block& block, const JointParameters& parameters) {
  const Index n = length(block.pairs);
  const Index p = shared_.n_coefficients();
  Eigen::MatrixXd design(p, n);
  Eigen::VectorXd y(n);
  for (Index a = 0; a < n; ++a) {
    const Index i = block.pairs[a];
    const double scale = parameters.scale[i];
    design.col(a) = parameters.slope[i] / scale * pool_.x.col(block.pairs[a]);
    y[a] = (gain_[i] - parameters.mean[i]) / scale;
  }
  block.solved.noalias() = block.inverse * y;
  block.w.topRows(p).noalias() = design * block.inverse;
  information_.topLeftCorner(p, p).noalias() += block.w.topRows(p) * design.transpose();
  score_.head(p).noalias() += design * block.solved;
  for (const SharedColumns& columns : shared_columns(block)) {
    const Eigen::MatrixXd cross = columns.effect->times(block.w.topRows(p));
    const Eigen::MatrixXd score = columns.effect->times(block.solved.transpose());
    for (Index level = 0; level < cross.cols(); ++level) {
      const Index at = columns.first + columns.effect->label(level);
      information_.col(at).head(p) += cross.col(level);
      score_[at] += score(0, level);
    }
  }
  return y.dot(block.solved);
}

}  // namespace judicious
