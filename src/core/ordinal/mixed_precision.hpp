// The precision of the standardised effects given the data, H = I + S Z' D Z S, where S are the standard deviations of
// the effects and D the curvatures of the rows: its sparse Cholesky factor, its determinant, and the entries of its
// inverse on the pattern of the factor. Under sparse_numbering(), arrowhead patterns by group (nested terms, systems
// shared by all queries) have almost no fill-in.
#pragma once
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <cstdint>

#include "mixed_data.hpp"

namespace judicious::ordinal {

// The number of entries of the Cholesky factor of a symmetric matrix, given by its upper triangle,
// in its own order. Eigen would count them in an int.
std::int64_t factor_entries(const Eigen::SparseMatrix<double>& upper);

class EffectPrecision {
 public:
  // Borrows z, which should be numbered by sparse_numbering().
  explicit EffectPrecision(const EffectDesign& z);

  // False if H is not numerically positive definite.
  bool factor(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature);
  double log_determinant() const;
  template <typename Dense>
  void solve(Dense& x) const {
    x = llt_.solve(x);
  }
  // L^-1 b in place, H = L L'.
  void solve_lower(Eigen::Ref<Eigen::MatrixXd> b) const { llt_.matrixL().solveInPlace(b); }

  // Takahashi's recursion, which takes as many operations as the factorisation.
  void invert();
  // The diagonal of the inverse, after invert().
  Eigen::VectorXd variances() const;
  // After invert(): per row z_i' S H^-1 S z_i, and per term sum_i D_i z_i' E_t H^-1 S z_i, which is
  // half the derivative of log|H| by the term's standard deviation at fixed curvatures.
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
  Eigen::VectorXd inverse_;  // values on the pattern of the factor
};

// The posterior covariance of the linear predictors of new rows of effects, given the data, the
// standard deviations and the fixed part. It is dense over those rows only, from the sparse factor.
class EffectPosterior {
 public:
  // `curvature`: of the rows of z at the modes.
  EffectPosterior(const EffectDesign& z, const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature);

  Eigen::MatrixXd covariance(const EffectDesign& rows) const;
  Eigen::VectorXd variances(const EffectDesign& rows) const;

 private:
  // L^-1 S r' of rows from .. from + count - 1.
  Eigen::MatrixXd half(const EffectDesign& rows, Eigen::Index from, Eigen::Index count) const;

  std::vector<std::int32_t> number_;
  EffectDesign z_;
  Eigen::VectorXd sd_;
  EffectPrecision precision_;
};

}  // namespace judicious::ordinal
