#include "ordinal/result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

// Transforms columns of (theta, gamma), for centred and scaled columns, to (theta, beta), for the user's columns.
void to_user_scale(Eigen::Ref<Eigen::MatrixXd> x, const Eigen::VectorXd& center, const Eigen::VectorXd& scale) {
  const Eigen::Index p = scale.size(), m = x.rows() - p;
  x.topRows(m).rowwise() += center.cwiseQuotient(scale).transpose() * x.bottomRows(p);
  x.bottomRows(p).array().colwise() /= scale.array();
}

// Linear functionals of (theta, gamma) that give `count` of the user's parameters, from index `from` on.
Eigen::MatrixXd user_functionals(Eigen::Index from, Eigen::Index count, Eigen::Index m, const Eigen::VectorXd& center,
                                 const Eigen::VectorXd& scale) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m + scale.size(), count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const Eigen::Index at = from + c;
    out(at, c) = at < m ? 1 : 1 / scale[at - m];
    if (at < m) out.col(c).tail(scale.size()) = center.cwiseQuotient(scale);
  }
  return out;
}

Eigen::MatrixXd unknown(Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXd::Constant(rows, columns, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

bool looks_separated(const NewtonReport& newton, const Eigen::VectorXd& scaled_slopes, double smallest_share) {
  return newton.status != Status::converged || newton.iterations > 12 || smallest_share < 1e-6 ||
         (scaled_slopes.size() > 0 && scaled_slopes.cwiseAbs().maxCoeff() > 8);
}

Eigen::VectorXd given_start(const std::vector<double>& start, Eigen::Index m, const std::vector<Eigen::Index>& column,
                            const Eigen::VectorXd& center, const Eigen::VectorXd& scale) {
  const Eigen::Map<const Eigen::VectorXd> given(start.data(), static_cast<Eigen::Index>(start.size()));
  Eigen::VectorXd out(m + scale.size());
  for (Eigen::Index k = 0; k < scale.size(); ++k) out[m + k] = given[m + column[k]];
  out.head(m) = given.head(m).array() - center.dot(out.tail(scale.size()));
  out.tail(scale.size()).array() *= scale.array();
  return out;
}

void set_estimates(Eigen::VectorXd& at, const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                   PomResult& result) {
  const Eigen::Index p = scale.size(), m = at.size() - p;
  to_user_scale(at, center, scale);
  if (result.newton.last_step.size()) to_user_scale(result.newton.last_step, center, scale);
  result.theta = at.head(m);
  result.beta = at.tail(p);
  result.center = center;
  result.scale = scale;
}

Eigen::MatrixXd covariance(const BorderedMatrix& information, const Eigen::VectorXd& center,
                           const Eigen::VectorXd& scale) {
  const Eigen::Index n = information.own.size() + scale.size();
  BorderedSolver solver;
  if (!solver.factor(information)) return unknown(n, n);
  Eigen::MatrixXd out = solver.inverse();
  for (int side = 0; side < 2; ++side) {
    to_user_scale(out, center, scale);
    out.transposeInPlace();
  }
  return (out + out.transpose()) / 2;
}

Eigen::VectorXd variances(const BorderedMatrix& information, const Eigen::VectorXd& center,
                          const Eigen::VectorXd& scale) {
  const Eigen::Index m = information.own.size(), p = scale.size();
  BorderedSolver solver;
  if (!solver.factor(information)) return unknown(m + p, 1);
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

Eigen::VectorXd variances(const SparseMatrix& information, const Eigen::VectorXd& center,
                          const Eigen::VectorXd& scale) {
  constexpr Eigen::Index at_once = 64;
  const Eigen::Index n = information.rows(), m = n - scale.size();
  const SparseFactor factor(information);
  Eigen::VectorXd out = unknown(n, 1);
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0)) return out;
  for (Eigen::Index from = 0; from < n; from += at_once) {
    check_interrupt();
    const Eigen::Index count = std::min(at_once, n - from);
    const Eigen::MatrixXd functionals = user_functionals(from, count, m, center, scale);
    const Eigen::MatrixXd solved = factor.solve(functionals);
    out.segment(from, count) = functionals.cwiseProduct(solved).colwise().sum().transpose();
  }
  return out;
}

Eigen::MatrixXd covariance(const SparseMatrix& information, const Eigen::VectorXd& center,
                           const Eigen::VectorXd& scale) {
  const Eigen::Index n = information.rows(), m = n - scale.size();
  const SparseFactor factor(information);
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0)) return unknown(n, n);
  Eigen::MatrixXd out = factor.solve(user_functionals(0, n, m, center, scale));
  to_user_scale(out, center, scale);
  return out;
}

Eigen::MatrixXd slope_covariance(const BorderedMatrix& information, const Eigen::VectorXd& scale) {
  BorderedSolver solver;
  if (!solver.factor(information)) return unknown(scale.size(), scale.size());
  const Eigen::VectorXd inverse = scale.cwiseInverse();
  return inverse.asDiagonal() * solver.slope_covariance() * inverse.asDiagonal();
}

}  // namespace judicious::ordinal
