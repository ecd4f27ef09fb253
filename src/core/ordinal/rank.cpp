#include "rank.hpp"

#include <algorithm>
#include <cmath>

namespace judicious::ordinal {
namespace {

// Weighted Gram matrix of the first p columns, divided by the sum of the weights.
Eigen::MatrixXd gram(const PomData& data, Eigen::Index p) {
  const Eigen::Index n = data.x.rows();
  Eigen::MatrixXd out(p, p);
  if (data.weight.empty()) {
    out.noalias() = data.x.leftCols(p).transpose() * data.x.leftCols(p);
  } else {
    const Eigen::Map<const Eigen::VectorXd> w(data.weight.data(), n);
    Eigen::VectorXd weighted(n);
    for (Eigen::Index k = 0; k < p; ++k) {
      weighted = w.cwiseProduct(data.x.col(k));
      out.col(k).noalias() = data.x.leftCols(p).transpose() * weighted;
    }
  }
  return out / data.total.sum();
}

// The residual of column k on orthonormal columns, orthogonalised twice: its norm relative to 1.
double residual_norm(Eigen::VectorXd& column, const Eigen::MatrixXd& basis, Eigen::Index rank) {
  for (int pass = 0; pass < 2; ++pass) {
    column -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * column);
  }
  return column.norm();
}

// Decides from the data, not from their Gram matrix, which squares the condition number.
std::vector<bool> explained_by_data(const PomData& data, Eigen::Index p, double tolerance) {
  const Eigen::Index n = data.x.rows();
  Eigen::VectorXd root = Eigen::VectorXd::Ones(n);
  if (!data.weight.empty())
    root = Eigen::Map<const Eigen::VectorXd>(data.weight.data(), n).cwiseSqrt();
  Eigen::MatrixXd basis(n, p);
  Eigen::Index rank = 0;
  std::vector<bool> explained(static_cast<std::size_t>(p), false);
  Eigen::VectorXd column(n);
  for (Eigen::Index k = 0; k < p; ++k) {
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

// Cholesky in the columns' own order; true where no pivot comes near the rounding of the Gram
// matrix.
bool clearly_independent(Eigen::MatrixXd a, double safe) {
  for (Eigen::Index k = 0; k < a.rows(); ++k) {
    if (!(a(k, k) > safe)) return false;
    const Eigen::Index rest = a.rows() - k - 1;
    const Eigen::VectorXd below = a.col(k).tail(rest);
    a.bottomRightCorner(rest, rest).noalias() -= below * below.transpose() / a(k, k);
  }
  return true;
}

}  // namespace

bool standardise(double* x, Eigen::Index n, const std::vector<double>& weight, double& center,
                 double& scale) {
  const auto w = [&](Eigen::Index i) {
    return weight.empty() ? 1.0 : weight[static_cast<std::size_t>(i)];
  };
  double sum = 0, total = 0, largest = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    sum += w(i) * x[i];
    total += w(i);
    largest = std::max(largest, std::fabs(x[i]));
  }
  center = sum / total;
  double squares = 0, left = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    x[i] -= center;
    squares += w(i) * x[i] * x[i];
    left += w(i) * x[i];
  }
  const double correction = left / total;  // what rounding left in the mean
  center += correction;
  scale = std::sqrt(std::max(0.0, squares / total - correction * correction));
  if (!(scale > 1e-14 * largest)) return false;
  for (Eigen::Index i = 0; i < n; ++i) x[i] = (x[i] - correction) / scale;
  return true;
}

void drop_explained_columns(PomData& data, Eigen::Index kept, double tolerance) {
  const Eigen::Index n = data.x.rows();
  std::vector<bool> explained(static_cast<std::size_t>(kept), false);
  if (kept > 0 && !clearly_independent(gram(data, kept), 1e-8)) {
    explained = explained_by_data(data, kept, tolerance);
  }
  Eigen::Index to = 0;
  std::vector<Eigen::Index> column;
  for (Eigen::Index k = 0; k < kept; ++k) {
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
