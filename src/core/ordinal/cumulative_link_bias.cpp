#include "cumulative_link_bias.hpp"

#include <cmath>
#include <utility>

#include "cumulative_link_row.hpp"
#include "execution/interrupt.hpp"
#include "scoring.hpp"

namespace judicious::ordinal {
namespace {

// All levels of one row: their probabilities, and the derivatives of their logarithms.
class RowLevels {
 public:
  explicit RowLevels(const CumulativeLinkModel& model)
      : model_(model),
        derivative_(model.n_parameters(), model.n_thresholds()),
        log_prob_(model.n_thresholds() + 1),
        score_(model.n_parameters(), model.n_thresholds() + 1),
        limit_(model.n_thresholds()) {}

  // False if thresholds cross or the probability of a level has no logarithm.
  bool compute(const RowWalker& walker, Eigen::Index i) {
    const Eigen::Index m = model_.n_thresholds();
    const RowFrame frame = walker.frame(i);
    Eigen::VectorXd column(model_.n_parameters());
    for (Eigen::Index j = 0; j < m; ++j) {
      limit_[j] = walker.limit(i, j, frame);
      walker.derivatives(i, j, limit_[j], frame.shrink, column);
      derivative_.col(j) = column;
    }
    for (Eigen::Index j = 0; j <= m; ++j) {
      double a = -infinity, b = infinity;
      if (j > 0) a = limit_[j - 1];
      if (j < m) b = limit_[j];
      if (!(b > a)) return false;
      log_prob_[j] = model_.link.log_interval(a, b);
      if (!std::isfinite(log_prob_[j])) return false;
      score_.col(j).setZero();
      if (j < m) score_.col(j) += ratio(j, j) * derivative_.col(j);
      if (j > 0) score_.col(j) -= ratio(j - 1, j) * derivative_.col(j - 1);
    }
    return true;
  }

  Eigen::Index n_levels() const { return log_prob_.size(); }
  double log_prob(Eigen::Index j) const { return log_prob_[j]; }
  double prob(Eigen::Index j) const { return std::exp(log_prob_[j]); }
  auto score(Eigen::Index j) const { return score_.col(j); }

  // tr(F^-1 d2 P(Y <= j)), given the inverse of the information.
  double trace(Eigen::Index i, Eigen::Index j, const Eigen::MatrixXd& inverse) const {
    const double density = std::exp(model_.link.log_density(limit_[j]));
    if (density == 0) return 0;
    const Eigen::VectorXd d = derivative_.col(j), moved = inverse * d;
    double out = density * model_.link.density_slope(limit_[j]) * d.dot(moved);
    // The limit itself is nonlinear in the scale parameters only: see add_bend() of the likelihood.
    const Eigen::Index r = model_.scale.cols();
    if (r > 0) {
      const Eigen::VectorXd z = model_.scale.row(i).transpose();
      const double within = z.dot(inverse.bottomRightCorner(r, r) * z);
      const double across = z.dot(moved.tail(r)) + limit_[j] * within;
      out += density * (limit_[j] * within - 2 * across);
    }
    return out;
  }

 private:
  double ratio(Eigen::Index threshold, Eigen::Index level) const {
    return std::exp(model_.link.log_density(limit_[threshold]) - log_prob_[level]);
  }

  const CumulativeLinkModel& model_;
  Eigen::MatrixXd derivative_;  // of the limits, parameters x thresholds
  Eigen::VectorXd log_prob_;
  Eigen::MatrixXd score_;  // parameters x levels
  Eigen::VectorXd limit_;
};

}  // namespace

bool AdjustedLinkScore::evaluate(const Eigen::VectorXd& parameters) {
  const Eigen::Index d = model_.n_parameters(), m = model_.n_thresholds();
  const RowWalker walker(model_, parameters);
  RowLevels row(model_);
  score_.setZero(d);
  information_.setZero(d, d);
  value_ = 0;
  for (Eigen::Index i = 0; i < model_.n_rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), 4096);
    const double weight = model_.weight[i];
    if (weight == 0) continue;
    if (!row.compute(walker, i)) return false;
    for (Eigen::Index j = 0; j < row.n_levels(); ++j) {
      information_.selfadjointView<Eigen::Lower>().rankUpdate(row.score(j), weight * row.prob(j));
    }
    score_ += weight * row.score(model_.category[i]);
    value_ += weight * row.log_prob(model_.category[i]);
  }
  information_.triangularView<Eigen::StrictlyUpper>() = information_.transpose();
  factor_.compute(information_);
  if (factor_.info() != Eigen::Success) return false;
  const Eigen::MatrixXd inverse = factor_.solve(Eigen::MatrixXd::Identity(d, d));
  for (Eigen::Index i = 0; i < model_.n_rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), 4096);
    if (model_.weight[i] == 0) continue;
    row.compute(walker, i);
    double below = 0;
    for (Eigen::Index j = 0; j <= m; ++j) {
      const double above = j < m ? row.trace(i, j, inverse) : 0;
      score_ += 0.5 * model_.weight[i] * (above - below) * row.score(j);
      below = above;
    }
  }
  return score_.allFinite();
}

CumulativeLinkResult fit_bias_reduced(const CumulativeLinkModel& model, Eigen::VectorXd start,
                                      const NewtonOptions& options) {
  AdjustedLinkScore adjusted(model);
  CumulativeLinkResult result;
  result.newton = solve_adjusted(adjusted, start, options);
  result.parameters = std::move(start);
  result.information = adjusted.information();
  return result;
}

}  // namespace judicious::ordinal
