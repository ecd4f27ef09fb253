// Information matrices with few nonzero entries, and their solution by a sparse Cholesky factor.
#pragma once
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <memory>

namespace judicious::ordinal {

using SparseMatrix = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using SparseFactor = Eigen::SimplicialLDLT<SparseMatrix>;

// A sparse information matrix: its lower triangle, which contains all elements of the diagonal.
struct SparseInformation {
  SparseMatrix lower;

  void resize(Eigen::Index m, Eigen::Index p) { lower.resize(m + p, m + p); }
  void set_zero() { lower.setZero(); }
  void add_diagonal(const Eigen::VectorXd& x) { lower.diagonal() += x; }
  void complete() {}
};

class SparseSolver {
 public:
  using Matrix = SparseInformation;

  // Factors the matrix, after adding `raise` times its diagonal. False if the result is not numerically positive
  // definite.
  bool factor(const SparseInformation& a, double raise = 0) {
    smallest_share_ = 0;
    factor_->setShift(1e-10 * raise, 1 + raise);
    factor_->compute(a.lower);
    if (factor_->info() != Eigen::Success || !(factor_->vectorD().minCoeff() > 0)) return false;
    const Eigen::VectorXd own = factor_->permutationP() * Eigen::VectorXd(a.lower.diagonal());
    smallest_share_ = factor_->vectorD().cwiseQuotient(own).minCoeff();
    return true;
  }
  void solve(Eigen::VectorXd& x) const { x = factor_->solve(x).eval(); }
  // The smallest share of the information about a parameter that remains after elimination of the previous parameters.
  double smallest_share() const { return smallest_share_; }
  double reciprocal_condition() const { return smallest_share_; }

 private:
  std::unique_ptr<SparseFactor> factor_ = std::make_unique<SparseFactor>();
  double smallest_share_ = 1;
};

}  // namespace judicious::ordinal
