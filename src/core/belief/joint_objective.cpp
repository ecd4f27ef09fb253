#include "belief/joint_objective.hpp"

#include <cmath>
#include <numeric>

#include "execution/interrupt.hpp"

namespace judicious {

namespace {

constexpr double log_two_pi = 1.8378770664093454836;

double log_determinant(const Eigen::LLT<Eigen::MatrixXd>& chol) {
  return 2 * chol.matrixLLT().diagonal().array().log().sum();
}

// Below this size, recursion costs more than it saves.
constexpr Index small_triangle = 24;

// Replaces a lower triangle by its inverse.
void invert_triangle(Eigen::Ref<Eigen::MatrixXd> l) {
  const Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(n, n);
    l.triangularView<Eigen::Lower>().solveInPlace(inverse);
    l.triangularView<Eigen::Lower>() = inverse;
    return;
  }
  invert_triangle(l.topLeftCorner(k, k));
  invert_triangle(l.bottomRightCorner(n - k, n - k));
  auto corner = l.bottomLeftCorner(n - k, k);
  const Eigen::MatrixXd left = l.bottomRightCorner(n - k, n - k).triangularView<Eigen::Lower>() * corner;
  corner.noalias() = -left * l.topLeftCorner(k, k).triangularView<Eigen::Lower>();
}

// Replaces a lower triangle L by that of L' L.
void square_triangle(Eigen::Ref<Eigen::MatrixXd> l) {
  const Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    const Eigen::MatrixXd full = l.triangularView<Eigen::Lower>();
    l.triangularView<Eigen::Lower>() = full.transpose() * full;
    return;
  }
  auto corner = l.bottomLeftCorner(n - k, k);
  square_triangle(l.topLeftCorner(k, k));
  l.topLeftCorner(k, k).selfadjointView<Eigen::Lower>().rankUpdate(corner.transpose());
  corner = (l.bottomRightCorner(n - k, n - k).triangularView<Eigen::Lower>().transpose() * corner).eval();
  square_triangle(l.bottomRightCorner(n - k, n - k));
}

// Takes about half the time of solving for the identity matrix.
Eigen::MatrixXd inverse_of(const Eigen::LLT<Eigen::MatrixXd>& chol) {
  Eigen::MatrixXd out = chol.matrixLLT();
  invert_triangle(out);
  square_triangle(out);
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

}  // namespace

JointObjective::JointObjective(JointPool pool, std::vector<double> gain, std::vector<double> noise)
    : pool_(std::move(pool)), gain_(std::move(gain)), noise_(std::move(noise)) {
  const Index n = gain_.size();
  const Index n_shared = pool_.x.rows() + 2 * pool_.incidence.n_systems;
  if (n < n_shared) {
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    add_block(std::move(all), true);
    return;
  }
  std::vector<std::vector<std::int32_t>> by_query(pool_.n_queries);
  for (Index i = 0; i < n; ++i) by_query[pool_.query[i]].push_back(static_cast<std::int32_t>(i));
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
  factorise(parameters);
  JointEvaluation out = condition(parameters);
  if (order == JointOrder::gradient) add_derivatives(out);
  return out;
}

// The variances of the residual, for a variance component of 1, and of the noise, both divided by the squared scale.
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

// Does nothing if the blocks have not changed.
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
  const Eigen::LLT<Eigen::MatrixXd> chol(std::move(covariance));
  block.log_determinant = log_determinant(chol);
  block.inverse = inverse_of(chol);
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
  // Empty corners may lie at the same address, which Eigen takes for aliasing.
  if (r > p) information_.bottomLeftCorner(r - p, p) = information_.topRightCorner(p, r - p).transpose();

  // I + R H R is well conditioned even if a variance is 0.
  Eigen::MatrixXd inner = information_;
  shared_.multiply_root(inner);
  inner.transposeInPlace();
  shared_.multiply_root(inner);
  inner.diagonal().array() += 1;
  inner_.compute(inner);
  Eigen::VectorXd half = score_;
  shared_.multiply_root(half);
  inner_.matrixL().solveInPlace(half);
  deviance += log_determinant(inner_) - half.squaredNorm();
  inner_.matrixU().solveInPlace(half);
  shared_.multiply_root(half);
  shared_mean_ = half;
  Eigen::MatrixXd coefficients = Eigen::MatrixXd::Identity(r, p);
  shared_.multiply_root(coefficients);
  inner_.matrixL().solveInPlace(coefficients);

  JointEvaluation out;
  out.log_likelihood = -0.5 * deviance;
  out.coefficient = shared_mean_.head(p);
  out.coefficient_covariance = coefficients.transpose() * coefficients;
  return out;
}

// Adds the information of the block about the coefficients, and returns y' B^-1 y.
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
