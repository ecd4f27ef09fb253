#include "likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logit.hpp"

namespace judicious::ordinal {
namespace {
constexpr Eigen::Index block_rows = 64;
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

LogitLikelihood::LogitLikelihood(const PomData& data) : data_(data) {
  gradient_.resize(data.n_thresholds() + data.n_slopes());
  information_.resize(data.n_thresholds(), data.n_slopes());
}

double LogitLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  const Eigen::Index m = data_.n_thresholds();
  gradient_.setZero();
  information_.set_zero();
  double value = 0;
  for (Eigen::Index j = 0; j <= m; ++j) value += category(j, parameters);
  // What depends on the category alone: n_j log(1 - e^-delta_j).
  for (Eigen::Index j = 1; j < m; ++j) {
    const double delta = parameters[j] - parameters[j - 1], n = data_.total[j];
    if (!(delta > 0)) return -infinity;
    value += n * log_one_minus_exp(delta);
    gradient_[j] += n * gap_slope(delta);
    gradient_[j - 1] -= n * gap_slope(delta);
    information_.link[j - 1] += n * gap_curvature(delta);
  }
  information_.slopes.triangularView<Eigen::StrictlyUpper>() = information_.slopes.transpose();
  return value;
}

double LogitLikelihood::category(Eigen::Index j, const Eigen::VectorXd& parameters) {
  const Eigen::Index m = data_.n_thresholds(), p = data_.n_slopes();
  const double lower = j > 0 ? parameters[j - 1] : -infinity;
  const double upper = j < m ? parameters[j] : infinity;
  const auto beta = parameters.tail(p);
  const Eigen::Index end = data_.first[static_cast<std::size_t>(j) + 1];
  double value = 0;
  Eigen::Array<double, block_rows, 1> eta, score, below, above;
  for (Eigen::Index from = data_.first[static_cast<std::size_t>(j)]; from < end;
       from += block_rows) {
    const Eigen::Index rows = std::min(block_rows, end - from);
    const auto x = data_.x.middleRows(from, rows);
    eta.head(rows) = (x * beta).array();
    for (Eigen::Index i = 0; i < rows; ++i) {
      const auto at = static_cast<std::size_t>(from + i);
      const double w = data_.weight.empty() ? 1 : data_.weight[at];
      if (!data_.offset.empty()) eta[i] += data_.offset[at];
      const LogitRow row = logit_row(lower - eta[i], upper - eta[i], 1);
      value += w * ((j > 0 ? log_logistic(eta[i] - lower) : 0) +
                    (j < m ? log_logistic(upper - eta[i]) : 0));
      score[i] = w * row.score_eta;
      below[i] = w * row.info_a;
      above[i] = w * row.info_b;
      if (j > 0) gradient_[j - 1] -= w * logistic(lower - eta[i]);
      if (j < m) gradient_[j] += w * logistic(eta[i] - upper);
    }
    gradient_.tail(p).noalias() += x.transpose() * score.head(rows).matrix();
    if (j > 0) {
      information_.own[j - 1] += below.head(rows).sum();
      information_.border.row(j - 1).noalias() -= below.head(rows).matrix().transpose() * x;
    }
    if (j < m) {
      information_.own[j] += above.head(rows).sum();
      information_.border.row(j).noalias() -= above.head(rows).matrix().transpose() * x;
    }
    for (Eigen::Index k = 0; k < p; ++k) {
      const auto weighted = ((below + above).head(rows) * x.col(k).array()).matrix().eval();
      information_.slopes.col(k).tail(p - k).noalias() += x.rightCols(p - k).transpose() * weighted;
    }
  }
  return value;
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

Eigen::VectorXd LogitLikelihood::start() const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(gradient_.size());
  double below = 0, above = data_.total.sum();
  for (Eigen::Index j = 0; j < data_.n_thresholds(); ++j) {
    below += data_.total[j];
    above -= data_.total[j];
    out[j] = std::log(below / above);
  }
  return out;
}

}  // namespace judicious::ordinal
