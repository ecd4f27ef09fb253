#include "cumulative_link.hpp"

#include <algorithm>
#include <cmath>

#include "cumulative_link_row.hpp"
#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

constexpr std::size_t rows_between_checks = 8192;

// One limit of a row: its value and the ratios f / P and f' / P there, all 0 if it is infinite.
struct Limit {
  double at = 0, ratio = 0, curvature = 0;
  bool finite = false;
};

Limit make_limit(const Link& link, double at, double log_prob) {
  if (std::isinf(at)) return {};
  const double ratio = std::exp(link.log_density(at) - log_prob);
  // Far in a tail that decreases like exp(-exp(x)), the density is 0 and its slope infinite.
  return {at, ratio, ratio > 0 ? ratio * link.density_slope(at) : 0, true};
}

// Adds ratio * (second derivatives of a limit) to the information, with a minus sign: only scale
// parameters have any. d2 u / d zeta d psi or beta = -z times the first derivative; d2 u / d zeta2
// = u z z'.
void add_bend(const CumulativeLinkModel& model, Eigen::Index i, const Limit& limit, double weight,
              double sign, const Eigen::VectorXd& slope, Eigen::MatrixXd& information) {
  const Eigen::Index r = model.scale.cols();
  if (r == 0) return;
  const double factor = sign * weight * limit.ratio;
  const Eigen::Index first = model.n_parameters() - r;
  const Eigen::VectorXd z = model.scale.row(i).transpose();
  information.bottomLeftCorner(r, first).noalias() += factor * z * slope.head(first).transpose();
  information.bottomRightCorner(r, r).noalias() -= factor * limit.at * z * z.transpose();
}

}  // namespace

CumulativeLinkLikelihood::CumulativeLinkLikelihood(const CumulativeLinkModel& model)
    : model_(model) {
  gradient_.resize(model.n_parameters());
  information_.resize(model.n_parameters(), model.n_parameters());
}

double CumulativeLinkLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  if (last_.size() == parameters.size() && last_ == parameters) return value_;
  const Eigen::Index d = model_.n_parameters();
  const RowWalker walker(model_, parameters);
  double value = 0, part = 0;  // sums of parts lose fewer digits
  last_.resize(0);             // an early return leaves incomplete derivatives
  gradient_.setZero();
  information_.setZero();
  Eigen::VectorXd above(d), below(d), score(d);
  for (Eigen::Index i = 0; i < model_.n_rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), rows_between_checks);
    const double weight = model_.weight[i];
    if (weight == 0) continue;
    const Eigen::Index j = model_.category[i];
    const RowFrame row = walker.frame(i);
    const double b = walker.limit(i, j, row), a = walker.limit(i, j - 1, row);
    if (!(b > a)) return -infinity;
    const double log_prob = model_.link.log_interval(a, b);
    if (!std::isfinite(log_prob)) return -infinity;
    part += weight * log_prob;
    if (i % 128 == 0) {
      value += part;
      part = 0;
    }
    const Limit upper = make_limit(model_.link, b, log_prob),
                lower = make_limit(model_.link, a, log_prob);
    score.setZero();
    if (upper.finite) {
      walker.derivatives(i, j, b, row.shrink, above);
      score += upper.ratio * above;
      information_.selfadjointView<Eigen::Lower>().rankUpdate(above, -weight * upper.curvature);
      add_bend(model_, i, upper, weight, 1, above, information_);
    }
    if (lower.finite) {
      walker.derivatives(i, j - 1, a, row.shrink, below);
      score -= lower.ratio * below;
      information_.selfadjointView<Eigen::Lower>().rankUpdate(below, weight * lower.curvature);
      add_bend(model_, i, lower, weight, -1, below, information_);
    }
    information_.selfadjointView<Eigen::Lower>().rankUpdate(score, weight);
    gradient_ += weight * score;
  }
  information_.triangularView<Eigen::StrictlyUpper>() = information_.transpose();
  last_ = parameters;
  return value_ = value + part;
}

bool CumulativeLinkLikelihood::newton_step(Eigen::VectorXd& step) {
  const Eigen::VectorXd diagonal = information_.diagonal().cwiseAbs().cwiseMax(1e-10);
  raised_ = false;
  double raise = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    Eigen::MatrixXd raisedInformation = information_;
    raisedInformation.diagonal() += raise * diagonal;
    const Eigen::LLT<Eigen::MatrixXd> factor(raisedInformation);
    if (factor.info() == Eigen::Success) {
      step = factor.solve(gradient_);
      if (step.allFinite()) return true;
    }
    raised_ = true;
    raise = raise == 0 ? 1e-4 : 4 * raise;
  }
  return false;
}

Eigen::MatrixXd limits(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters) {
  const RowWalker walker(model, parameters);
  Eigen::MatrixXd out(model.n_rows(), model.n_thresholds());
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), rows_between_checks);
    const RowFrame row = walker.frame(i);
    for (Eigen::Index j = 0; j < model.n_thresholds(); ++j) out(i, j) = walker.limit(i, j, row);
  }
  return out;
}

Eigen::MatrixXd row_gradients(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters) {
  const RowWalker walker(model, parameters);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(model.n_rows(), model.n_parameters());
  Eigen::VectorXd slope(model.n_parameters());
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), rows_between_checks);
    const Eigen::Index j = model.category[i];
    const RowFrame row = walker.frame(i);
    const double b = walker.limit(i, j, row), a = walker.limit(i, j - 1, row);
    const double log_prob = model.link.log_interval(a, b);
    const Limit upper = make_limit(model.link, b, log_prob),
                lower = make_limit(model.link, a, log_prob);
    if (upper.finite) {
      walker.derivatives(i, j, b, row.shrink, slope);
      out.row(i) += upper.ratio * slope.transpose();
    }
    if (lower.finite) {
      walker.derivatives(i, j - 1, a, row.shrink, slope);
      out.row(i) -= lower.ratio * slope.transpose();
    }
  }
  return out;
}

CumulativeLinkResult fit_cumulative_link(const CumulativeLinkModel& model, Eigen::VectorXd start,
                                         const NewtonOptions& options) {
  CumulativeLinkLikelihood likelihood(model);
  CumulativeLinkResult result;
  result.newton = maximise(likelihood, start, options);
  likelihood.evaluate(start);
  result.parameters = std::move(start);
  result.information = likelihood.information();
  result.raised = likelihood.raised();
  return result;
}

Eigen::MatrixXd interval_probabilities(const Link& link, const ConstMatrix& limits) {
  Eigen::MatrixXd out(limits.rows(), limits.cols() + 1);
  for (Eigen::Index i = 0; i < limits.rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), rows_between_checks);
    for (Eigen::Index j = 0; j <= limits.cols(); ++j) {
      const double a = j == 0 ? -infinity : limits(i, j - 1);
      const double b = j == limits.cols() ? infinity : limits(i, j);
      // Nominal effects may make thresholds cross outside the data: such a level has probability
      // 0.
      out(i, j) = b > a ? std::exp(link.log_interval(a, b)) : 0;
    }
  }
  return out;
}

}  // namespace judicious::ordinal
