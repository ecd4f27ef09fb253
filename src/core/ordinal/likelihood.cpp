#include "likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logit.hpp"

namespace judicious::ordinal {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

LogitLikelihood::LogitLikelihood(const PomData& data, int num_threads)
    : data_(data), pass_(data, num_threads) {
  gradient_.resize(data.n_thresholds() + data.n_slopes());
  information_.resize(data.n_thresholds(), data.n_slopes());
}

double LogitLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  if (last_.size() == parameters.size() && last_ == parameters) return value_;
  const Eigen::Index m = data_.n_thresholds();
  gradient_.setZero();
  information_.set_zero();
  for (Eigen::Index j = 1; j < m; ++j) {
    if (!(parameters[j] > parameters[j - 1])) return -infinity;
  }
  double value = pass_.add(parameters, gradient_, information_);
  // What depends on the category alone: n_j log(1 - e^-delta_j).
  for (Eigen::Index j = 1; j < m; ++j) {
    const double delta = parameters[j] - parameters[j - 1], n = data_.total[j];
    value += n * log_one_minus_exp(delta);
    gradient_[j] += n * gap_slope(delta);
    gradient_[j - 1] -= n * gap_slope(delta);
    information_.link[j - 1] += n * gap_curvature(delta);
  }
  information_.slopes.triangularView<Eigen::StrictlyUpper>() = information_.slopes.transpose();
  last_ = parameters;
  return value_ = value;
}

bool LogitLikelihood::newton_step(Eigen::VectorXd& step) {
  if (!solver_.factor(information_)) return false;
  step = gradient_;
  solver_.solve(step);
  return step.allFinite();
}

double LogitLikelihood::longest_step(const Eigen::VectorXd& parameters,
                                     const Eigen::VectorXd& step) const {
  double longest = infinity;
  for (Eigen::Index j = 1; j < data_.n_thresholds(); ++j) {
    const double delta = parameters[j] - parameters[j - 1], change = step[j] - step[j - 1];
    if (change < 0) longest = std::min(longest, delta / -change);
  }
  return longest;
}

Eigen::VectorXd marginal_start(const PomData& data) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(data.n_thresholds() + data.n_slopes());
  double below = 0, above = data.total.sum();
  for (Eigen::Index j = 0; j < data.n_thresholds(); ++j) {
    below += data.total[j];
    above -= data.total[j];
    out[j] = std::log(below / above);
  }
  return out;
}

}  // namespace judicious::ordinal
