// The information of thresholds and slopes, [T C; C' H] with T tridiagonal, and its solution by
// LDL' of T and the Schur complement of T: O(m p^2 + p^3) for m thresholds and p slopes.
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

namespace judicious::ordinal {

// T is stored as the sum of diag(own) and the Laplacian of a path with conductances `link`:
// T_jj = own_j + link_{j-1} + link_j, T_{j,j+1} = -link_j.
struct BorderedMatrix {
  Eigen::VectorXd own;     // m, positive
  Eigen::VectorXd link;    // m - 1 (0 if m = 0), not negative
  Eigen::MatrixXd border;  // m x p
  Eigen::MatrixXd slopes;  // p x p, symmetric

  void resize(Eigen::Index m, Eigen::Index p);
  void set_zero();
  // Adds to the diagonal; elements for the thresholds come first.
  void add_diagonal(const Eigen::VectorXd& x);
  // Copies the lower triangle of the slopes to the upper one.
  void complete() { slopes.triangularView<Eigen::StrictlyUpper>() = slopes.transpose(); }
  Eigen::MatrixXd dense() const;
};

class BorderedSolver {
 public:
  using Matrix = BorderedMatrix;

  // Factors the matrix, after adding `raise` times its diagonal. False if the result is not numerically positive
  // definite.
  bool factor(const BorderedMatrix& a, double raise = 0);
  // Solves in place. x is the right-hand side, in which thresholds come first.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const;
  // Computes T^-1 b in place.
  void solve_tridiagonal(Eigen::Ref<Eigen::MatrixXd> b) const;
  // The inverse of the Schur complement: the covariance of the slopes.
  Eigen::MatrixXd slope_covariance() const;
  // Other parts of the inverse that are small: the diagonal for the thresholds (by the recursion of selected
  // inversion), and the block of thresholds by slopes.
  Eigen::VectorXd threshold_variance() const;
  Eigen::MatrixXd threshold_slope_covariance() const;
  // The whole inverse, (m + p) x (m + p).
  Eigen::MatrixXd inverse() const;
  double reciprocal_condition() const { return reciprocal_condition_; }
  // The smallest share of the information about a slope that remains, given the thresholds and the previous slopes. It
  // is near 0 if they explain the slope's column.
  double smallest_share() const { return smallest_share_; }

 private:
  Eigen::VectorXd pivot_, ratio_;  // T = L D L', L's subdiagonal is -ratio_
  Eigen::MatrixXd solved_border_;  // T^-1 C
  Eigen::LLT<Eigen::MatrixXd> schur_;
  double reciprocal_condition_ = 1, smallest_share_ = 1;
};

// The slopes of which more than the share `share` of the information remains, given the thresholds and the previous
// slopes.
std::vector<Eigen::Index> independent_slopes(const BorderedMatrix& a, double share);

}  // namespace judicious::ordinal
