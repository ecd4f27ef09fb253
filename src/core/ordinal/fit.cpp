#include "fit.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "likelihood.hpp"
#include "logit.hpp"

namespace judicious::ordinal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// (theta, gamma) of the centred and scaled columns, to (theta, beta) of the user's, in place.
void to_user_scale(Eigen::VectorXd& parameters, Eigen::Index m, const Eigen::VectorXd& center,
                   const Eigen::VectorXd& scale) {
  auto slopes = parameters.tail(scale.size());
  slopes.array() /= scale.array();
  parameters.head(m).array() += center.dot(slopes);
}

}  // namespace

PomResult fit_pom(const PomInput& input, const PomOptions& options) {
  const PomData data = prepare(input, options.rank_tolerance);
  const Eigen::Index m = data.n_thresholds(), p = data.n_slopes();
  LogitLikelihood likelihood(data);
  Eigen::VectorXd at = likelihood.start();
  PomResult result;
  result.newton = maximise(likelihood, at, options.newton);
  to_user_scale(at, m, data.center, data.scale);
  if (result.newton.last_step.size())
    to_user_scale(result.newton.last_step, m, data.center, data.scale);
  result.theta = at.head(m).array() + data.offset_center;
  result.beta = at.tail(p);
  result.column = data.column;
  result.aliased = data.aliased;
  result.center = data.center;
  result.scale = data.scale;
  result.information = likelihood.information();
  result.reciprocal_condition = likelihood.solver().reciprocal_condition();
  return result;
}

Eigen::MatrixXd covariance(const BorderedMatrix& information, const Eigen::VectorXd& center,
                           const Eigen::VectorXd& scale) {
  const Eigen::Index m = information.own.size(), p = scale.size();
  BorderedSolver solver;
  if (!solver.factor(information)) {
    return Eigen::MatrixXd::Constant(m + p, m + p, std::numeric_limits<double>::quiet_NaN());
  }
  Eigen::MatrixXd out = solver.inverse();
  // theta_user = theta + sum_k center_k / scale_k gamma_k, beta = gamma / scale: rows, then
  // columns.
  const Eigen::VectorXd ratio = center.cwiseQuotient(scale);
  if (p > 0) {
    out.topRows(m).rowwise() += ratio.transpose() * out.bottomRows(p);
    out.leftCols(m).colwise() += out.rightCols(p) * ratio;
    out.bottomRows(p).array().colwise() /= scale.array();
    out.rightCols(p).array().rowwise() /= scale.transpose().array();
  }
  return out;
}

Eigen::MatrixXd probabilities(const Eigen::VectorXd& theta, const Eigen::VectorXd& eta) {
  const Eigen::Index m = theta.size();
  Eigen::MatrixXd out(eta.size(), m + 1);
  for (Eigen::Index j = 0; j <= m; ++j) {
    const double lower = j > 0 ? theta[j - 1] : -infinity, upper = j < m ? theta[j] : infinity;
    const double gap = j > 0 && j < m ? -std::expm1(lower - upper) : 1;
    for (Eigen::Index i = 0; i < eta.size(); ++i) {
      out(i, j) = logistic(upper - eta[i]) * logistic(eta[i] - lower) * gap;
    }
  }
  return out;
}

Eigen::MatrixXd moments(const Eigen::VectorXd& theta, const Eigen::VectorXd& value,
                        const Eigen::VectorXd& eta) {
  if (value.size() != theta.size() + 1) throw std::invalid_argument("one value per category");
  Eigen::MatrixXd out(eta.size(), 2);
  for (Eigen::Index i = 0; i < eta.size(); ++i) {
    // Increments over the first level: E = sum d_j P(Y > j), and the same of the squares about it.
    double mean = 0, square = 0;
    for (Eigen::Index j = 0; j < theta.size(); ++j) {
      const double above = logistic(eta[i] - theta[j]);
      const double lo = value[j] - value[0], hi = value[j + 1] - value[0];
      mean += (hi - lo) * above;
      square += (hi - lo) * (hi + lo) * above;
    }
    out(i, 0) = value[0] + mean;
    out(i, 1) = std::fmax(0.0, square - mean * mean);
  }
  return out;
}

}  // namespace judicious::ordinal
