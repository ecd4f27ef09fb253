#include "aliasing.hpp"

#include <algorithm>
#include <cmath>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

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
  std::vector<bool> explained(p, false);
  Eigen::VectorXd column(n);
  for (Eigen::Index k = 0; k < p; ++k) {
    check_interrupt();
    column = root.cwiseProduct(data.x.col(k));
    column /= column.norm();
    const double left = residual_norm(column, basis, rank);
    if (left > tolerance) {
      basis.col(rank++) = column / left;
    } else {
      explained[k] = true;
    }
  }
  return explained;
}

}  // namespace

void drop_explained_columns(PomData& data, double tolerance) {
  const Eigen::Index n = data.x.rows();
  const std::vector<bool> explained = explained_by_data(data, tolerance);
  Eigen::Index to = 0;
  std::vector<Eigen::Index> column;
  for (Eigen::Index k = 0; k < data.x.cols(); ++k) {
    if (explained[k]) {
      data.aliased.push_back(data.column[k]);
      continue;
    }
    if (to != k) {
      data.x.col(to) = data.x.col(k);
      data.center[to] = data.center[k];
      data.scale[to] = data.scale[k];
    }
    column.push_back(data.column[k]);
    ++to;
  }
  data.column = column;
  std::sort(data.aliased.begin(), data.aliased.end());
  if (to != data.x.cols()) data.x.conservativeResize(n, to);
  data.center.conservativeResize(to);
  data.scale.conservativeResize(to);
}

}  // namespace judicious::ordinal
