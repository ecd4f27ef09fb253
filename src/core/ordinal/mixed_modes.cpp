#include "mixed_modes.hpp"

#include <algorithm>
#include <cmath>

#include "cumulative_link_row.hpp"

namespace judicious::ordinal {
namespace {

// e_a a + e_b b; an infinite limit has the derivative 0 and is left out.
double times_limits(const Ends& e, const RowPoint& row) {
  return (std::isfinite(row.a) ? e.lower * row.a : 0) + (std::isfinite(row.b) ? e.upper * row.b : 0);
}

}  // namespace

RowDerivatives::RowDerivatives(const CumulativeLinkModel& model)
    : lower(Eigen::VectorXd::Zero(model.n_rows())),
      upper(lower),
      eta(lower),
      log_shrink(Eigen::VectorXd::Zero(model.scale.cols() > 0 ? model.n_rows() : 0)) {}

void RowDerivatives::add(Eigen::Index i, const RowPoint& row, double by_value, double by_score, double by_curvature) {
  // Adds the derivatives of times * shrink^power * h, where h is a function of the limits: `own` is its value, e are
  // its derivatives with respect to each limit, and `shift` is that with respect to a shift of both.
  const auto add_term = [&](double times, double power, double own, const Ends& e, double shift) {
    const double by_limit = times * row.shrink;
    lower[i] += by_limit * e.lower;
    upper[i] += by_limit * e.upper;
    eta[i] -= by_limit * shift;
    if (log_shrink.size() > 0) log_shrink[i] += times * (power * own + times_limits(e, row));
  };
  const Interval& at = row.at;
  const double scored = -row.weight * row.shrink;
  add_term(by_value * row.weight, 0, 0, at.first, at.shift);
  add_term(by_score * scored, 1, at.shift, at.second, at.second.sum());
  add_term(by_curvature * scored * row.shrink, 2, at.second.sum(), at.third, at.third.sum());
}

EffectModes::EffectModes(const CumulativeLinkModel& model, const EffectDesign& z)
    : model_(model), z_(z), precision_(z) {
  const Eigen::Index n = model.n_rows();
  score_.setZero(n);
  curvature_.setZero(n);
  lower_.setConstant(n, -infinity);
  upper_.setConstant(n, infinity);
  shrink_.setOnes(n);
}

bool EffectModes::set(const Eigen::VectorXd& fixed, const Eigen::VectorXd& sd) {
  fixed_ = fixed;
  sd_ = sd;
  const RowWalker walker(model_, fixed);
  const Eigen::Index m = model_.n_thresholds();
  for (Eigen::Index i = 0; i < model_.n_rows(); ++i) {
    if (model_.weight[i] == 0) continue;
    const Eigen::Index y = model_.category[i];
    const RowFrame frame = walker.frame(i);
    const double below = y > 0 ? walker.threshold(i, y - 1) : -infinity;
    const double above = y < m ? walker.threshold(i, y) : infinity;
    if (!(above > below)) return false;
    lower_[i] = below - frame.eta;
    upper_[i] = above - frame.eta;
    shrink_[i] = frame.shrink;
  }
  return true;
}

Eigen::VectorXd EffectModes::to_effects(const Eigen::VectorXd& v) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(z_.n_effects());
  z_.for_each_entry(
      [&](Eigen::Index i, std::int32_t e) { out[z_.column[e]] += sd_[z_.parameter(e)] * z_.value[e] * v[i]; });
  return out;
}

Eigen::VectorXd EffectModes::to_rows(const Eigen::VectorXd& u) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(z_.n_rows());
  z_.for_each_entry(
      [&](Eigen::Index i, std::int32_t e) { out[i] += sd_[z_.parameter(e)] * z_.value[e] * u[z_.column[e]]; });
  return out;
}

RowPoint EffectModes::row(Eigen::Index i, double effect) const {
  const double s = shrink_[i], w = model_.weight[i];
  if (w == 0) return {-infinity, infinity, 1, 0, {}};
  const double a = (lower_[i] - effect) * s, b = (upper_[i] - effect) * s;
  return {a, b, s, w, model_.link.interval(a, b)};
}

double EffectModes::evaluate(const Eigen::VectorXd& u) {
  effect_ = to_rows(u);
  const double rows = add_rows();
  gradient_ = to_effects(score_) - u;
  return rows - 0.5 * u.squaredNorm();
}

// Computes Link::interval() for all rows and sums them, without the terms that only the gradient needs. A fit spends
// most of its time here.
double EffectModes::add_rows() {
  double value = 0;
  bool ordered = true;  // false if the scale of a row is 0 or infinite
  const auto limits = [&](Eigen::Index i) {
    const double a = (lower_[i] - effect_[i]) * shrink_[i], b = (upper_[i] - effect_[i]) * shrink_[i];
    const bool used = model_.weight[i] != 0;
    ordered = ordered && (!used || a < b);
    return used && ordered ? std::pair(a, b) : std::pair(-infinity, infinity);
  };
  for_each_row(model_.link, model_.n_rows(), limits, [&](Eigen::Index i, const RowTerms& terms, Eigen::Index k) {
    const double w = model_.weight[i], s = shrink_[i];
    value += w * terms.log_prob[k];
    score_[i] = w * s * terms.score[k];
    curvature_[i] = w * s * s * (terms.below[k] + terms.above[k]);
  });
  return ordered && std::isfinite(value) ? value : -infinity;
}

bool EffectModes::newton_step(Eigen::VectorXd& step) {
  if (!curvature_.allFinite() || !gradient_.allFinite()) return false;
  // If the link is not log-concave, rows may have negative curvature. Far from the mode, the sum may then not be the
  // curvature of a maximum, so negative curvatures are replaced by 0.
  has_curvature_ = precision_.factor(sd_, curvature_);
  if (!has_curvature_ && !precision_.factor(sd_, curvature_.cwiseMax(0.0))) return false;
  step = gradient_;
  precision_.solve(step);
  return step.allFinite();
}

Eigen::VectorXd EffectModes::to_parameters(const RowDerivatives& derivatives) const {
  const Eigen::Index m = model_.n_thresholds();
  Eigen::MatrixXd by_threshold = Eigen::MatrixXd::Zero(m, model_.nominal.cols());
  for (Eigen::Index i = 0; i < model_.n_rows(); ++i) {
    const int y = model_.category[i];
    if (y > 0) by_threshold.row(y - 1) += derivatives.lower[i] * model_.nominal.row(i);
    if (y < m) by_threshold.row(y) += derivatives.upper[i] * model_.nominal.row(i);
  }
  const Eigen::MatrixXd by_psi = model_.structure.transpose() * by_threshold;
  Eigen::VectorXd out(model_.n_parameters());
  out.head(model_.n_psi()) = Eigen::Map<const Eigen::VectorXd>(by_psi.data(), by_psi.size());
  out.segment(model_.n_psi(), model_.location.cols()).noalias() = model_.location.transpose() * derivatives.eta;
  if (derivatives.log_shrink.size() > 0)
    out.tail(model_.scale.cols()).noalias() = -(model_.scale.transpose() * derivatives.log_shrink);
  return out;
}

}  // namespace judicious::ordinal
