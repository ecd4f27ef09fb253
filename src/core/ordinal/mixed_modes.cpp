#include <cmath>
#include <limits>

#include "logit.hpp"
#include "mixed_laplace.hpp"

namespace judicious::ordinal {

EffectModes::EffectModes(const MixedInput& data, const EffectDesign& z)
    : data_(data), z_(z), precision_(z) {
  total_.setZero(data.n_categories);
  for (Eigen::Index i = 0; i < data.n_rows(); ++i) total_[data.category[i]] += row_weight(i);
  score_.resize(data.n_rows());
  curvature_.resize(data.n_rows());
}

void EffectModes::set(const Eigen::VectorXd& theta, const Eigen::VectorXd& slopes,
                      const Eigen::VectorXd& sd) {
  theta_ = theta;
  sd_ = sd;
  fixed_ = data_.x * slopes;
  if (data_.offset) fixed_ += Eigen::Map<const Eigen::VectorXd>(data_.offset, data_.n_rows());
  gaps_ = 0;
  for (Eigen::Index j = 1; j < theta.size(); ++j) {
    gaps_ += total_[j] * log_one_minus_exp(theta[j] - theta[j - 1]);
  }
}

Eigen::VectorXd EffectModes::to_effects(const Eigen::VectorXd& v) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(z_.n_effects());
  for (Eigen::Index i = 0; i < z_.n_rows(); ++i) {
    for (auto e = static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i) + 1]); ++e) {
      out[z_.column[e]] += sd_[z_.parameter(e)] * z_.value[e] * v[i];
    }
  }
  return out;
}

Eigen::VectorXd EffectModes::to_rows(const Eigen::VectorXd& u) const {
  Eigen::VectorXd out(z_.n_rows());
  for (Eigen::Index i = 0; i < z_.n_rows(); ++i) {
    double sum = 0;
    for (auto e = static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i) + 1]); ++e) {
      sum += sd_[z_.parameter(e)] * z_.value[e] * u[z_.column[e]];
    }
    out[i] = sum;
  }
  return out;
}

double EffectModes::evaluate(const Eigen::VectorXd& u) {
  eta_ = fixed_ + to_rows(u);
  const Eigen::Index m = theta_.size();
  // log F(x) = min(x, 0) - log(1 + e^-|x|); one logarithm serves the second parts of many rows.
  constexpr int rows_per_log = 200;
  double value = gaps_ - 0.5 * u.squaredNorm(), product = 1;
  for (Eigen::Index i = 0; i < data_.n_rows(); ++i) {
    const int y = data_.category[i];
    const double w = row_weight(i);
    double score = 0, curvature = 0;
    const auto tail = [&](double x, double sign) {
      const double e = std::exp(-std::fabs(x)), large = 1 / (1 + e), small = e * large;
      score += sign * (x < 0 ? large : small);
      curvature += large * small;
      value += w * std::fmin(x, 0.0);
      if (w == 1) {
        product *= 1 + e;
      } else {
        value -= w * std::log1p(e);
      }
    };
    if (y > 0) tail(eta_[i] - theta_[y - 1], 1);
    if (y < m) tail(theta_[y] - eta_[i], -1);
    score_[i] = w * score;
    curvature_[i] = w * curvature;
    if (i % rows_per_log == 0) {
      value -= std::log(product);
      product = 1;
    }
  }
  gradient_ = to_effects(score_) - u;
  return value - std::log(product);
}

bool EffectModes::newton_step(Eigen::VectorXd& step) {
  if (!curvature_.allFinite() || !precision_.factor(sd_, curvature_)) return false;
  step = gradient_;
  precision_.solve(step);
  return step.allFinite();
}

}  // namespace judicious::ordinal
