#include "preference/davidson.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace judicious {

DavidsonLikelihood::DavidsonLikelihood(const Comparisons& data, bool with_ties) : data_(data), with_ties_(with_ties) {
  const Index free = data.n_items - 1 + (with_ties ? 1 : 0);
  gradient_.setZero(free);
  information_.setZero(free, free);
}

double DavidsonLikelihood::evaluate(const Eigen::VectorXd& x) {
  gradient_.setZero();
  information_.setZero();
  const Index reference = data_.n_items - 1;
  double value = 0;
  for (Index r = 0; r < length(data_.first); ++r) {
    const Index i = data_.first[r], j = data_.second[r];
    const double u = (i == reference ? 0 : x[i]) - (j == reference ? 0 : x[j]);
    const double n = data_.win[r] + data_.tie[r] + data_.loss[r];
    // Scaled by the larger of the two strengths, to avoid overflow.
    const double top = std::fabs(u) / 2, delta = with_ties_ ? x[reference] : 0;
    const double peak = with_ties_ ? std::max(top, delta) : top;
    const double a = std::exp(u / 2 - peak), b = std::exp(-u / 2 - peak);
    const double c = with_ties_ ? std::exp(delta - peak) : 0;
    const double total = a + b + c;
    value +=
        (data_.win[r] - data_.loss[r]) * u / 2 + (with_ties_ ? data_.tie[r] * delta : 0) - n * (peak + std::log(total));
    const double win = a / total, loss = b / total, tie = c / total, lead = win - loss;
    const double slope = (data_.win[r] - data_.loss[r] - n * lead) / 2;
    const double curve = n * (win + loss - lead * lead) / 4, cross = -n * lead * tie / 2;
    const auto add = [&](Index item, double sign) {
      if (item == reference) return;
      gradient_[item] += sign * slope;
      information_(item, item) += curve;
      if (with_ties_) {
        information_(item, reference) += sign * cross;
        information_(reference, item) += sign * cross;
      }
    };
    add(i, 1);
    add(j, -1);
    if (i != reference && j != reference) {
      information_(i, j) -= curve;
      information_(j, i) -= curve;
    }
    if (with_ties_) {
      gradient_[reference] += data_.tie[r] - n * tie;
      information_(reference, reference) += n * tie * (1 - tie);
    }
  }
  return value;
}

bool DavidsonLikelihood::newton_step(Eigen::VectorXd& step) const {
  const Eigen::LLT<Eigen::MatrixXd> solver(information_);
  if (solver.info() != Eigen::Success) return false;
  step = solver.solve(gradient_);
  return step.allFinite();
}

double DavidsonLikelihood::longest_step(const Eigen::VectorXd&, const Eigen::VectorXd&) const {
  return std::numeric_limits<double>::infinity();
}

DavidsonFit fit_davidson(const Comparisons& data, const ordinal::NewtonOptions& options) {
  const Index rows = length(data.first);
  if (data.n_items < 2 || length(data.second) != rows || length(data.win) != rows || length(data.tie) != rows ||
      length(data.loss) != rows) {
    throw std::invalid_argument("comparisons need two items and one count of each kind per pair");
  }
  double ties = 0;
  for (Index r = 0; r < rows; ++r) {
    const auto n = static_cast<std::int32_t>(data.n_items);
    if (data.first[r] < 0 || data.first[r] >= n || data.second[r] < 0 || data.second[r] >= n ||
        data.first[r] == data.second[r]) {
      throw std::invalid_argument("a comparison is not between two items");
    }
    ties += data.tie[r];
  }
  DavidsonLikelihood likelihood(data, ties > 0);
  const Index strengths = data.n_items - 1;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(likelihood.size());
  DavidsonFit fit;
  fit.newton = ordinal::maximise(likelihood, x, options);
  fit.loglik = fit.newton.value;
  // The last step is already computed: taking it squares the remaining error.
  if (fit.newton.status == ordinal::Status::converged) x += fit.newton.last_step;
  fit.strength = Eigen::VectorXd::Zero(strengths + 1);
  fit.strength.head(strengths) = x.head(strengths);
  fit.tie = ties > 0 ? x[strengths] : -std::numeric_limits<double>::infinity();
  fit.covariance = Eigen::MatrixXd::Zero(strengths + 1, strengths + 1);
  const Eigen::LLT<Eigen::MatrixXd> solver(likelihood.information());
  if (solver.info() == Eigen::Success) {
    const Eigen::MatrixXd inverse = solver.solve(Eigen::MatrixXd::Identity(x.size(), x.size()));
    fit.covariance.topLeftCorner(strengths, strengths) = inverse.topLeftCorner(strengths, strengths);
  } else {
    fit.covariance.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return fit;
}

}  // namespace judicious
