#include "sparse_solver.hpp"

#include <algorithm>
#include <limits>

#include "execution/interrupt.hpp"

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

Eigen::VectorXd SparseSolver::variances() const {
  constexpr Eigen::Index at_once = 64;
  const Eigen::Index n = factor_->rows();
  Eigen::VectorXd out(n);
  for (Eigen::Index from = 0; from < n; from += at_once) {
    check_interrupt();
    const Eigen::Index count = std::min(at_once, n - from);
    const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(n, n).middleCols(from, count);
    out.segment(from, count) = unit.cwiseProduct(factor_->solve(unit)).colwise().sum().transpose();
  }
  return out;
}

}  // namespace judicious::ordinal
