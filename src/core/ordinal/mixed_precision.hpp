// The precision of the standardised effects given the data, H = I + S Z' D Z S, where S are the standard deviations of
// the effects and D the curvatures of the rows: its sparse Cholesky factor, its determinant, and those entries of its
// inverse at which the factor has entries. If effects are numbered by sparse_numbering(), designs in which groups share
// few effects (nested terms, or systems that all queries share) have almost no fill-in.
#pragma once
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <cstdint>

#include "mixed_data.hpp"

namespace judicious::ordinal {

// The number of entries of the Cholesky factor of a symmetric matrix, given by its upper triangle and without
// reordering. Eigen would count them in an int, which may overflow.
std::int64_t factor_entries(const Eigen::SparseMatrix<double>& upper);

class EffectPrecision {
 public:
  // z must outlive this object, and should be numbered by sparse_numbering().
  explicit EffectPrecision(const EffectDesign& z);

  // Factors H; false if it is not numerically positive definite.
  bool factor(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature);
  double log_determinant() const;
  template <typename Dense>
  void solve(Dense& x) const {
    x = llt_.solve(x);
  }
  // Computes L^-1 b in place, where H = L L'.
  void solve_lower(Eigen::Ref<Eigen::MatrixXd> b) const { llt_.matrixL().solveInPlace(b); }

  // Computes the entries of the inverse by Takahashi's recursion, which takes as many operations as the factorisation.
  void invert();
  // The diagonal of the inverse, after invert().
  Eigen::VectorXd variances() const;
  // To be called after invert(). `leverage`: for each row, z_i' S H^-1 S z_i. `by_term`: for each term, sum_i D_i z_i'
  // E_t H^-1 S z_i, which is half the derivative of log|H| with respect to the term's standard deviation at fixed
  // curvatures.
  void leverages(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature, Eigen::VectorXd& leverage,
                 Eigen::VectorXd& by_term) const;

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  void find_pairs();
  static int position(const Sparse& a, int row, int column);

  const EffectDesign& z_;
  Sparse h_;  // upper triangle
  Eigen::SimplicialLLT<Sparse, Eigen::Upper, Eigen::NaturalOrdering<int>> llt_;
  std::vector<int> entry_,
      inverse_entry_;  // of each pair of a row's effects: where in h_, in inverse_
  std::vector<int> diagonal_;
  Eigen::VectorXd inverse_;  // the entries of the inverse, in the pattern of the factor
};

// The posterior covariance of the linear predictors of new rows, given the data, the standard deviations and the fixed
// part. It is computed from the sparse factor, and is dense only over the new rows.
class EffectPosterior {
 public:
  // `curvature`: the curvatures of the rows of z at the modes.
  EffectPosterior(const EffectDesign& z, const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature);

  Eigen::MatrixXd covariance(const EffectDesign& rows) const;
  Eigen::VectorXd variances(const EffectDesign& rows) const;

 private:
  // L^-1 S r' for the rows r from `from` to from + count - 1.
  Eigen::MatrixXd half(const EffectDesign& rows, Eigen::Index from, Eigen::Index count) const;

  std::vector<std::int32_t> number_;
  EffectDesign z_;
  Eigen::VectorXd sd_;
  EffectPrecision precision_;
};

}  // namespace judicious::ordinal
