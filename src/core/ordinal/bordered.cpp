#include "bordered.hpp"

#include <algorithm>
#include <cmath>

namespace judicious::ordinal {

void BorderedMatrix::resize(Eigen::Index m, Eigen::Index p) {
  own.resize(m);
  link.resize(std::max<Eigen::Index>(m - 1, 0));
  border.resize(m, p);
  slopes.resize(p, p);
}

void BorderedMatrix::set_zero() {
  own.setZero();
  link.setZero();
  border.setZero();
  slopes.setZero();
}

void BorderedMatrix::add_diagonal(const Eigen::VectorXd& x) {
  own += x.head(own.size());
  slopes.diagonal() += x.tail(slopes.rows());
}

Eigen::MatrixXd BorderedMatrix::dense() const {
  const Eigen::Index m = own.size(), p = slopes.rows();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m + p, m + p);
  for (Eigen::Index j = 0; j < m; ++j) {
    out(j, j) += own[j];
    if (j + 1 < m) {
      out(j, j) += link[j];
      out(j + 1, j + 1) += link[j];
      out(j, j + 1) = out(j + 1, j) = -link[j];
    }
  }
  out.topRightCorner(m, p) = border;
  out.bottomLeftCorner(p, m) = border.transpose();
  out.bottomRightCorner(p, p) = slopes;
  return out;
}

bool BorderedSolver::factor(const BorderedMatrix& a, double raise) {
  const Eigen::Index m = a.own.size(), p = a.slopes.rows();
  pivot_.resize(m);
  ratio_.resize(std::max<Eigen::Index>(m - 1, 0));
  // What remains of own_j after elimination, `rest`, is a sum of positive terms, so there is no cancellation, even if
  // thousands of nearly equal thresholds make the conductances very large.
  double rest = 0;
  for (Eigen::Index j = 0; j < m; ++j) {
    const double own = a.own[j];
    rest = own + (raise > 0 ? raise * std::max(std::fabs(own), 1e-10) : 0.0) + (j > 0 ? ratio_[j - 1] * rest : 0.0);
    const double link = j + 1 < m ? a.link[j] : 0.0;
    pivot_[j] = rest + link;
    if (!(pivot_[j] > 0) || !std::isfinite(pivot_[j])) return false;
    if (j + 1 < m) ratio_[j] = link / pivot_[j];
  }
  solved_border_ = a.border;
  solve_tridiagonal(solved_border_);
  if (p == 0) return true;
  Eigen::MatrixXd schur = a.slopes;
  if (raise > 0) schur.diagonal() += raise * schur.diagonal().cwiseAbs().cwiseMax(1e-10);
  schur.noalias() -= a.border.transpose() * solved_border_;
  schur_.compute(schur);
  smallest_share_ = 0;
  if (schur_.info() != Eigen::Success) return false;
  const Eigen::ArrayXd left = schur_.matrixLLT().diagonal().array().square();
  smallest_share_ = (left / a.slopes.diagonal().array()).minCoeff();
  reciprocal_condition_ = schur_.rcond();
  return true;
}

void BorderedSolver::solve_tridiagonal(Eigen::Ref<Eigen::MatrixXd> b) const {
  const Eigen::Index m = pivot_.size();
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    double* x = b.col(c).data();
    for (Eigen::Index j = 1; j < m; ++j) x[j] += ratio_[j - 1] * x[j - 1];
    for (Eigen::Index j = 0; j < m; ++j) x[j] /= pivot_[j];
    for (Eigen::Index j = m - 1; j-- > 0;) x[j] += ratio_[j] * x[j + 1];
  }
}

void BorderedSolver::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  const Eigen::Index m = pivot_.size(), p = solved_border_.cols();
  if (p > 0) {
    // For structured thresholds, m is 0, and Eigen's products would read from empty vectors.
    if (m > 0) x.tail(p).noalias() -= solved_border_.transpose() * x.head(m);
    schur_.solveInPlace(x.tail(p));
  }
  if (m > 0) {
    Eigen::VectorXd head = x.head(m);
    solve_tridiagonal(head);
    x.head(m) = head;
    if (p > 0) x.head(m).noalias() -= solved_border_ * x.tail(p);
  }
}

Eigen::MatrixXd BorderedSolver::slope_covariance() const {
  const Eigen::Index p = solved_border_.cols();
  if (p == 0) return Eigen::MatrixXd(0, 0);
  return schur_.solve(Eigen::MatrixXd::Identity(p, p));
}

Eigen::VectorXd BorderedSolver::threshold_variance() const {
  const Eigen::Index m = pivot_.size();
  Eigen::VectorXd out(m);
  for (Eigen::Index j = m; j-- > 0;) {
    out[j] = 1 / pivot_[j] + (j + 1 < m ? ratio_[j] * ratio_[j] * out[j + 1] : 0.0);
  }
  if (solved_border_.cols() > 0) {
    const Eigen::MatrixXd cross = threshold_slope_covariance();
    out -= cross.cwiseProduct(solved_border_).rowwise().sum();
  }
  return out;
}

Eigen::MatrixXd BorderedSolver::threshold_slope_covariance() const { return -solved_border_ * slope_covariance(); }

Eigen::MatrixXd BorderedSolver::inverse() const {
  const Eigen::Index m = pivot_.size(), p = solved_border_.cols();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m + p, m + p);
  Eigen::MatrixXd inner = Eigen::MatrixXd::Identity(m, m);
  solve_tridiagonal(inner);
  out.topLeftCorner(m, m) = inner;
  if (p > 0) {
    const Eigen::MatrixXd slopes = slope_covariance();
    const Eigen::MatrixXd cross = threshold_slope_covariance();
    out.topLeftCorner(m, m).noalias() -= cross * solved_border_.transpose();
    out.topRightCorner(m, p) = cross;
    out.bottomLeftCorner(p, m) = cross.transpose();
    out.bottomRightCorner(p, p) = slopes;
  }
  return out;
}

std::vector<Eigen::Index> independent_slopes(const BorderedMatrix& a, double share) {
  const Eigen::Index m = a.own.size(), p = a.slopes.rows();
  std::vector<Eigen::Index> kept;
  BorderedSolver thresholds;
  if (!thresholds.factor({a.own, a.link, Eigen::MatrixXd(m, 0), Eigen::MatrixXd(0, 0)})) return kept;
  Eigen::MatrixXd solved = a.border, left = a.slopes;
  thresholds.solve_tridiagonal(solved);
  left.noalias() -= a.border.transpose() * solved;
  for (Eigen::Index k = 0; k < p; ++k) {
    if (!(left(k, k) > share * a.slopes(k, k))) continue;
    kept.push_back(k);
    const Eigen::VectorXd below = left.col(k).tail(p - k - 1);
    left.bottomRightCorner(p - k - 1, p - k - 1).noalias() -= below * below.transpose() / left(k, k);
  }
  return kept;
}

}  // namespace judicious::ordinal
