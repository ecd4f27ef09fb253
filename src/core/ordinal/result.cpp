#include "ordinal/result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"
#include "logit.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

// Transforms (theta, gamma) of the centred and scaled columns to (theta, beta) of the user's
// columns.
void to_user_scale(Eigen::VectorXd& parameters, Eigen::Index m, const Eigen::VectorXd& center,
                   const Eigen::VectorXd& scale) {
  auto slopes = parameters.tail(scale.size());
  slopes.array() /= scale.array();
  parameters.head(m).array() += center.dot(slopes);
}

}  // namespace

bool looks_separated(const NewtonReport& newton, const Eigen::VectorXd& scaled_slopes,
                     double smallest_share) {
  return newton.status != Status::converged || newton.iterations > 12 || smallest_share < 1e-6 ||
         (scaled_slopes.size() > 0 && scaled_slopes.cwiseAbs().maxCoeff() > 8);
}

Eigen::VectorXd given_start(const std::vector<double>& start, Eigen::Index m,
                            const std::vector<Eigen::Index>& column, const Eigen::VectorXd& center,
                            const Eigen::VectorXd& scale) {
  const Eigen::Map<const Eigen::VectorXd> given(start.data(),
                                                static_cast<Eigen::Index>(start.size()));
  Eigen::VectorXd out(m + scale.size());
  for (Eigen::Index k = 0; k < scale.size(); ++k)
    out[m + k] = given[m + column[static_cast<std::size_t>(k)]];
  out.head(m) = given.head(m).array() - center.dot(out.tail(scale.size()));
  out.tail(scale.size()).array() *= scale.array();
  return out;
}

void set_estimates(Eigen::VectorXd& at, const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                   PomResult& result) {
  const Eigen::Index p = scale.size(), m = at.size() - p;
  to_user_scale(at, m, center, scale);
  if (result.newton.last_step.size()) to_user_scale(result.newton.last_step, m, center, scale);
  result.theta = at.head(m);
  result.beta = at.tail(p);
  result.center = center;
  result.scale = scale;
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

Eigen::VectorXd variances(const BorderedMatrix& information, const Eigen::VectorXd& center,
                          const Eigen::VectorXd& scale) {
  const Eigen::Index m = information.own.size(), p = scale.size();
  BorderedSolver solver;
  if (!solver.factor(information)) {
    return Eigen::VectorXd::Constant(m + p, std::numeric_limits<double>::quiet_NaN());
  }
  Eigen::VectorXd out(m + p);
  out.head(m) = solver.threshold_variance();
  if (p > 0) {
    const Eigen::VectorXd ratio = center.cwiseQuotient(scale);
    const Eigen::MatrixXd slopes = solver.slope_covariance();
    out.head(m) += 2 * (solver.threshold_slope_covariance() * ratio);
    out.head(m).array() += ratio.dot(slopes * ratio);
    out.tail(p) = slopes.diagonal().array() / scale.array().square();
  }
  return out;
}

Eigen::MatrixXd slope_covariance(const BorderedMatrix& information, const Eigen::VectorXd& scale) {
  BorderedSolver solver;
  if (!solver.factor(information)) {
    return Eigen::MatrixXd::Constant(scale.size(), scale.size(),
                                     std::numeric_limits<double>::quiet_NaN());
  }
  const Eigen::VectorXd inverse = scale.cwiseInverse();
  return inverse.asDiagonal() * solver.slope_covariance() * inverse.asDiagonal();
}

Eigen::MatrixXd probabilities(const Link& link, const Eigen::VectorXd& theta,
                              const Eigen::VectorXd& eta) {
  const Eigen::Index m = theta.size(), n = eta.size();
  Eigen::MatrixXd out(n, m + 1);
  double a[RowTerms::size], b[RowTerms::size];
  RowTerms terms;
  for (Eigen::Index j = 0; j <= m; ++j) {
    check_interrupt();
    const double lower = j > 0 ? theta[j - 1] : -infinity, upper = j < m ? theta[j] : infinity;
    if (link.is_logit()) {
      const double gap = j > 0 && j < m ? -std::expm1(lower - upper) : 1;
      for (Eigen::Index i = 0; i < n; ++i)
        out(i, j) = logistic(upper - eta[i]) * logistic(eta[i] - lower) * gap;
      continue;
    }
    for (Eigen::Index from = 0; from < n; from += RowTerms::size) {
      const Eigen::Index count = std::min<Eigen::Index>(RowTerms::size, n - from);
      for (Eigen::Index r = 0; r < RowTerms::size; ++r) {
        a[r] = r < count ? lower - eta[from + r] : -infinity;
        b[r] = r < count ? upper - eta[from + r] : infinity;
      }
      link.rows(a, b, terms);
      for (Eigen::Index r = 0; r < count; ++r) out(from + r, j) = std::exp(terms.log_prob[r]);
    }
  }
  return out;
}

Eigen::MatrixXd moments(const Link& link, const Eigen::VectorXd& theta,
                        const Eigen::VectorXd& value, const Eigen::VectorXd& eta) {
  if (value.size() != theta.size() + 1) throw std::invalid_argument("one value per category");
  Eigen::MatrixXd out(eta.size(), 2);
  for (Eigen::Index i = 0; i < eta.size(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), 4096);
    // Increments from the first level: E = sum d_j P(Y > j), and likewise for the squares around
    // it.
    double mean = 0, square = 0;
    for (Eigen::Index j = 0; j < theta.size(); ++j) {
      const double above = link.survival(theta[j] - eta[i]);
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
