#include "mixed_posterior.hpp"

#include <algorithm>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

constexpr Eigen::Index block = 64;  // rows at a time

}  // namespace

EffectPosterior::EffectPosterior(const EffectDesign& z, const Eigen::VectorXd& sd,
                                 const Eigen::VectorXd& curvature)
    : number_(sparse_numbering(z)), z_(renumbered(z, number_)), sd_(sd), precision_(z_) {
  if (!precision_.factor(sd, curvature)) {
    throw std::invalid_argument("the effects' precision is not positive definite");
  }
}

Eigen::MatrixXd EffectPosterior::half(const EffectDesign& rows, Eigen::Index from,
                                      Eigen::Index count) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(z_.n_effects(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(from + i);
    for (auto e = rows.offset[row]; e < rows.offset[row + 1]; ++e) {
      const auto k = rows.column[e];
      out(number_[k], i) += rows.value[e] * sd_[rows.parameter(e)];
    }
  }
  precision_.solve_lower(out);
  return out;
}

Eigen::MatrixXd EffectPosterior::covariance(const EffectDesign& rows) const {
  Eigen::MatrixXd w(z_.n_effects(), rows.n_rows());
  for (Eigen::Index from = 0; from < rows.n_rows(); from += block) {
    check_interrupt();
    const Eigen::Index count = std::min(block, rows.n_rows() - from);
    w.middleCols(from, count) = half(rows, from, count);
  }
  Eigen::MatrixXd out(rows.n_rows(), rows.n_rows());
  for (Eigen::Index from = 0; from < rows.n_rows(); from += block) {
    check_interrupt();
    const Eigen::Index count = std::min(block, rows.n_rows() - from), end = from + count;
    out.block(0, from, end, count).noalias() =
        w.leftCols(end).transpose() * w.middleCols(from, count);
  }
  out.triangularView<Eigen::StrictlyLower>() = out.transpose();
  return out;
}

Eigen::VectorXd EffectPosterior::variances(const EffectDesign& rows) const {
  Eigen::VectorXd out(rows.n_rows());
  for (Eigen::Index from = 0; from < rows.n_rows(); from += block) {
    check_interrupt();
    const Eigen::Index count = std::min(block, rows.n_rows() - from);
    out.segment(from, count) = half(rows, from, count).colwise().squaredNorm().transpose();
  }
  return out;
}

}  // namespace judicious::ordinal
