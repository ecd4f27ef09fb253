#include "aliasing.hpp"

#include <algorithm>
#include <cmath>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

// Weighted Gram matrix of the columns, divided by the sum of the weights.
Eigen::MatrixXd gram(const PomData& data) {
  constexpr Eigen::Index block = 65536;
  const Eigen::Index n = data.x.rows(), p = data.x.cols();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(p, p), weighted;
  for (Eigen::Index from = 0; from < n; from += block) {
    check_interrupt();
    const auto rows = data.x.middleRows(from, std::min(block, n - from));
    if (data.weight.empty()) {
      out.noalias() += rows.transpose() * rows;
    } else {
      const Eigen::Map<const Eigen::VectorXd> w(data.weight.data() + from, rows.rows());
      weighted = w.asDiagonal() * rows;
      out.noalias() += rows.transpose() * weighted;
    }
  }
  return out / data.total.sum();
}

// Orthogonalises column k on orthonormal columns, twice; returns the norm of its residual.
double residual_norm(Eigen::VectorXd& column, const Eigen::MatrixXd& basis, Eigen::Index rank) {
  for (int pass = 0; pass < 2; ++pass) {
    column -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * column);
  }
  return column.norm();
}

// Uses the data rather than their Gram matrix, which squares the condition number.
std::vector<bool> explained_by_data(const PomData& data, double tolerance) {
  const Eigen::Index n = data.x.rows(), p = data.x.cols();
  Eigen::VectorXd root = Eigen::VectorXd::Ones(n);
  if (!data.weight.empty())
    root = Eigen::Map<const Eigen::VectorXd>(data.weight.data(), n).cwiseSqrt();
  Eigen::MatrixXd basis(n, p);
  Eigen::Index rank = 0;
  std::vector<bool> explained(static_cast<std::size_t>(p), false);
  Eigen::VectorXd column(n);
  for (Eigen::Index k = 0; k < p; ++k) {
    check_interrupt();
    column = root.cwiseProduct(data.x.col(k));
    column /= column.norm();
    const double left = residual_norm(column, basis, rank);
    if (left > tolerance) {
      basis.col(rank++) = column / left;
    } else {
      explained[static_cast<std::size_t>(k)] = true;
    }
  }
  return explained;
}

// Cholesky factorisation in the order of the columns; true if no pivot is near the rounding error
// of the Gram matrix.
bool pivots_above(Eigen::MatrixXd a, double safe) {
  for (Eigen::Index k = 0; k < a.rows(); ++k) {
    if (!(a(k, k) > safe)) return false;
    const Eigen::Index rest = a.rows() - k - 1;
    const Eigen::VectorXd below = a.col(k).tail(rest);
    a.bottomRightCorner(rest, rest).noalias() -= below * below.transpose() / a(k, k);
  }
  return true;
}

}  // namespace

bool center_and_scale(const double* x, Eigen::Index n, const double* weight, double total,
                      double& center, double& scale) {
  // Sums around a value of the column. They cancel only if that value is far from all others; then
  // the sums are computed again, around the mean. Four partial sums let the additions overlap.
  double about = x[0];
  for (int round = 0;; ++round) {
    double first[4] = {}, second[4] = {};
    for (Eigen::Index i = 0; i < n; ++i) {
      const double d = x[i] - about, w = weight != nullptr ? weight[i] : 1;
      first[i % 4] += w * d;
      second[i % 4] += w * d * d;
    }
    const double mean = (first[0] + first[1] + first[2] + first[3]) / total;
    const double square = (second[0] + second[1] + second[2] + second[3]) / total;
    center = about + mean;
    scale = std::sqrt(std::max(0.0, square - mean * mean));
    if (mean * mean < 1e4 * scale * scale || round == 2) break;
    about = center;
  }
  return scale > 1e-14 * std::fabs(center);
}

bool clearly_independent(const PomData& data) { return pivots_above(gram(data), 1e-8); }

void drop_explained_columns(PomData& data, double tolerance) {
  const Eigen::Index n = data.x.rows();
  const std::vector<bool> explained = explained_by_data(data, tolerance);
  Eigen::Index to = 0;
  std::vector<Eigen::Index> column;
  for (Eigen::Index k = 0; k < data.x.cols(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (explained[at]) {
      data.aliased.push_back(data.column[at]);
      continue;
    }
    if (to != k) {
      data.x.col(to) = data.x.col(k);
      data.center[to] = data.center[k];
      data.scale[to] = data.scale[k];
    }
    column.push_back(data.column[at]);
    ++to;
  }
  data.column = column;
  std::sort(data.aliased.begin(), data.aliased.end());
  if (to != data.x.cols()) data.x.conservativeResize(n, to);
  data.center.conservativeResize(to);
  data.scale.conservativeResize(to);
}

}  // namespace judicious::ordinal
