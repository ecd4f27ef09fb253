#include "mixed_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {

// Counts entries by the elimination tree: row k of the factor has an entry in each column from which a path up the
// tree, starting at an entry of row k, leads to k (Liu 1990).
std::int64_t factor_entries(const Eigen::SparseMatrix<double>& upper) {
  const auto n = static_cast<int>(upper.cols());
  std::vector<int> parent(static_cast<std::size_t>(n), -1), reached(parent);
  std::int64_t count = n;
  for (int k = 0; k < n; ++k) {
    check_interrupt_at(static_cast<std::size_t>(k), 256);
    for (Eigen::SparseMatrix<double>::InnerIterator it(upper, k); it; ++it) {
      for (auto i = static_cast<int>(it.row()); i < k;) {
        if (reached[i] == k) break;
        reached[i] = k;
        ++count;
        if (parent[i] < 0) parent[i] = k;
        i = parent[i];
      }
    }
  }
  return count;
}

EffectPrecision::EffectPrecision(const EffectDesign& z) : z_(z) {
  const auto q = static_cast<int>(z.n_effects());
  std::vector<Eigen::Triplet<double, int>> entries;
  for (int k = 0; k < q; ++k) entries.emplace_back(k, k, 1.0);
  z.for_each_pair([&](Eigen::Index, std::int32_t a, std::int32_t b) {
    const auto [p, r] = std::minmax(z.column[a], z.column[b]);
    if (a != b) entries.emplace_back(p, r, 0.0);
  });
  h_.resize(q, q);
  h_.setFromTriplets(entries.begin(), entries.end());
  if (factor_entries(h_) > std::numeric_limits<int>::max()) {
    throw std::length_error("the effects are crossed too densely: more than 2^31 - 1 covariances");
  }
  llt_.analyzePattern(h_);
  llt_.factorize(h_);  // the precision without rows, whose factor has the full pattern
  find_pairs();
}

int EffectPrecision::position(const Sparse& a, int row, int column) {
  const int* from = a.innerIndexPtr() + a.outerIndexPtr()[column];
  const int* to = a.innerIndexPtr() + a.outerIndexPtr()[column + 1];
  const int* at = std::lower_bound(from, to, row);
  if (at == to || *at != row) throw std::logic_error("an entry outside the pattern");
  return static_cast<int>(at - a.innerIndexPtr());
}

void EffectPrecision::find_pairs() {
  const Sparse& factor = llt_.matrixL().nestedExpression();
  z_.for_each_pair([&](Eigen::Index, std::int32_t a, std::int32_t b) {
    const auto [p, r] = std::minmax(z_.column[a], z_.column[b]);
    entry_.push_back(position(h_, p, r));
    inverse_entry_.push_back(position(factor, r, p));
  });
  for (int k = 0; k < h_.cols(); ++k) diagonal_.push_back(position(h_, k, k));
  inverse_.resize(factor.nonZeros());
}

bool EffectPrecision::factor(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature) {
  double* h = h_.valuePtr();
  std::fill(h, h + h_.nonZeros(), 0.0);
  for (const int k : diagonal_) h[k] = 1;
  const int* entry = entry_.data();
  z_.for_each_entry([&](Eigen::Index i, std::int32_t a) {
    const double left = curvature[i] * z_.value[a] * sd[z_.parameter(a)];
    for (std::int32_t b = z_.offset[i]; b <= a; ++b) {
      // If two entries have the same column, they contribute to the diagonal in both orders.
      const double times = a != b && z_.column[a] == z_.column[b] ? 2 : 1;
      h[*entry++] += times * left * z_.value[b] * sd[z_.parameter(b)];
    }
  });
  llt_.factorize(h_);
  return llt_.info() == Eigen::Success;
}

double EffectPrecision::log_determinant() const {
  const Sparse& factor = llt_.matrixL().nestedExpression();
  double sum = 0;
  for (int k = 0; k < factor.cols(); ++k) sum += std::log(factor.valuePtr()[factor.outerIndexPtr()[k]]);
  return 2 * sum;
}

void EffectPrecision::invert() {
  // Let l be column j of the factor, and K the rows below its diagonal. From the last column back, inverse(K, j) =
  // -inverse(K, K) l(K) / l(j) and inverse(j, j) = 1 / l(j)^2 - l(K)' inverse(K, j) / l(j).
  const Sparse& factor = llt_.matrixL().nestedExpression();
  const int *outer = factor.outerIndexPtr(), *inner = factor.innerIndexPtr();
  const double* l = factor.valuePtr();
  const auto q = static_cast<std::size_t>(factor.cols());
  std::vector<double> value(q, 0.0), sum(q, 0.0);
  std::vector<int> owner(q, -1);
  for (int j = static_cast<int>(q) - 1; j >= 0; --j) {
    const int first = outer[j], end = outer[j + 1];
    for (int e = first + 1; e < end; ++e) {
      const int k = inner[e];
      owner[k] = j;
      value[k] = l[e];
      sum[k] = 0;
    }
    for (int e = first + 1; e < end; ++e) {
      const int k = inner[e];
      sum[k] += inverse_[outer[k]] * value[k];
      for (int f = outer[k] + 1; f < outer[k + 1]; ++f) {
        const int i = inner[f];
        if (owner[i] != j) continue;
        sum[i] += inverse_[f] * value[k];
        sum[k] += inverse_[f] * value[i];
      }
    }
    double below = 0;
    for (int e = first + 1; e < end; ++e) {
      inverse_[e] = -sum[inner[e]] / l[first];
      below += value[inner[e]] * inverse_[e];
    }
    inverse_[first] = (1 / l[first] - below) / l[first];
  }
}

Eigen::VectorXd EffectPrecision::variances() const {
  const Sparse& factor = llt_.matrixL().nestedExpression();
  Eigen::VectorXd out(factor.cols());
  for (int k = 0; k < factor.cols(); ++k) out[k] = inverse_[factor.outerIndexPtr()[k]];
  return out;
}

void EffectPrecision::leverages(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature, Eigen::VectorXd& leverage,
                                Eigen::VectorXd& by_term) const {
  leverage.setZero(z_.n_rows());
  by_term.setZero(z_.n_terms);
  const int* entry = inverse_entry_.data();
  z_.for_each_pair([&](Eigen::Index i, std::int32_t a, std::int32_t b) {
    const int t = z_.parameter(a), s = z_.parameter(b);
    const double product = z_.value[a] * z_.value[b] * inverse_[*entry++];
    leverage[i] += (a == b ? 1 : 2) * sd[t] * sd[s] * product;
    by_term[t] += curvature[i] * sd[s] * product;
    if (a != b) by_term[s] += curvature[i] * sd[t] * product;
  });
}

constexpr Eigen::Index block = 64;  // number of rows at a time

EffectPosterior::EffectPosterior(const EffectDesign& z, const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature)
    : number_(sparse_numbering(z)), z_(renumbered(z, number_)), sd_(sd), precision_(z_) {
  if (!precision_.factor(sd, curvature)) {
    throw std::invalid_argument("the effects' precision is not positive definite");
  }
}

Eigen::MatrixXd EffectPosterior::half(const EffectDesign& rows, Eigen::Index from, Eigen::Index count) const {
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
    out.block(0, from, end, count).noalias() = w.leftCols(end).transpose() * w.middleCols(from, count);
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
