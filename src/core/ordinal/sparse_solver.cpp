#include "sparse_solver.hpp"

namespace judicious::ordinal {

bool SparseSolver::factor(const SparseInformation& a, double raise) {
  smallest_share_ = 0;
  factor_->setShift(1e-10 * raise, 1 + raise);
  factor_->compute(a.lower);
  if (factor_->info() != Eigen::Success || !(factor_->vectorD().minCoeff() > 0)) return false;
  const Eigen::VectorXd own = factor_->permutationP() * Eigen::VectorXd(a.lower.diagonal());
  smallest_share_ = factor_->vectorD().cwiseQuotient(own).minCoeff();
  return true;
}

}  // namespace judicious::ordinal
