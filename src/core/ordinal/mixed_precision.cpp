#include "mixed_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {

// Row k of the factor has an entry wherever a path up the elimination tree leads from an entry of
// column k to k (Liu 1990).
std::int64_t factor_entries(const Eigen::SparseMatrix<double>& upper) {
  const auto n = static_cast<int>(upper.cols());
  std::vector<int> parent(static_cast<std::size_t>(n), -1), reached(parent);
  std::int64_t count = n;
  for (int k = 0; k < n; ++k) {
    check_interrupt_at(static_cast<std::size_t>(k), 256);
    for (Eigen::SparseMatrix<double>::InnerIterator it(upper, k); it; ++it) {
      for (auto i = static_cast<int>(it.row()); i < k;) {
        const auto at = static_cast<std::size_t>(i);
        if (reached[at] == k) break;
        reached[at] = k;
        ++count;
        if (parent[at] < 0) parent[at] = k;
        i = parent[at];
      }
    }
  }
  return count;
}

EffectPrecision::EffectPrecision(const EffectDesign& z) : z_(z) {
  const auto q = static_cast<int>(z.n_effects());
  std::vector<Eigen::Triplet<double, int>> entries;
  for (int k = 0; k < q; ++k) entries.emplace_back(k, k, 1.0);
  for (std::size_t i = 0; i + 1 < z.offset.size(); ++i) {
    for (auto a = z.offset[i]; a < z.offset[i + 1]; ++a) {
      for (auto b = z.offset[i]; b < a; ++b) {
        const int p = z.column[static_cast<std::size_t>(a)];
        const int r = z.column[static_cast<std::size_t>(b)];
        entries.emplace_back(std::min(p, r), std::max(p, r), 0.0);
      }
    }
  }
  h_.resize(q, q);
  h_.setFromTriplets(entries.begin(), entries.end());
  if (factor_entries(h_) > std::numeric_limits<int>::max()) {
    throw std::length_error("the effects are crossed too densely: more than 2^31 - 1 covariances");
  }
  llt_.analyzePattern(h_);
  llt_.factorize(h_);  // the identity: gives the factor's pattern
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
  for (std::size_t i = 0; i + 1 < z_.offset.size(); ++i) {
    for (auto a = z_.offset[i]; a < z_.offset[i + 1]; ++a) {
      for (auto b = z_.offset[i]; b <= a; ++b) {
        const int p = z_.column[static_cast<std::size_t>(a)];
        const int r = z_.column[static_cast<std::size_t>(b)];
        entry_.push_back(position(h_, std::min(p, r), std::max(p, r)));
        inverse_entry_.push_back(position(factor, std::max(p, r), std::min(p, r)));
      }
    }
  }
  for (int k = 0; k < h_.cols(); ++k) diagonal_.push_back(position(h_, k, k));
  inverse_.resize(factor.nonZeros());
}

bool EffectPrecision::factor(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature) {
  double* h = h_.valuePtr();
  std::fill(h, h + h_.nonZeros(), 0.0);
  for (const int k : diagonal_) h[k] = 1;
  std::size_t pair = 0;
  for (Eigen::Index i = 0; i < z_.n_rows(); ++i) {
    const auto from = static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i)]);
    const auto to = static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i) + 1]);
    for (std::size_t a = from; a < to; ++a) {
      const double left = curvature[i] * z_.value[a] * sd[z_.parameter(a)];
      for (std::size_t b = from; b <= a; ++b, ++pair) {
        // Two entries of the same column contribute to the diagonal in both orders.
        const double times = a != b && z_.column[a] == z_.column[b] ? 2 : 1;
        h[entry_[pair]] += times * left * z_.value[b] * sd[z_.parameter(b)];
      }
    }
  }
  llt_.factorize(h_);
  return llt_.info() == Eigen::Success;
}

double EffectPrecision::log_determinant() const {
  const Sparse& factor = llt_.matrixL().nestedExpression();
  double sum = 0;
  for (int k = 0; k < factor.cols(); ++k)
    sum += std::log(factor.valuePtr()[factor.outerIndexPtr()[k]]);
  return 2 * sum;
}

void EffectPrecision::invert() {
  // With column j of the factor l, and rows K below its diagonal: inverse(K, j) = -inverse(K, K)
  // l(K) / l(j), inverse(j, j) = 1 / l(j)^2 - l(K)' inverse(K, j) / l(j); from the last column
  // back.
  const Sparse& factor = llt_.matrixL().nestedExpression();
  const int *outer = factor.outerIndexPtr(), *inner = factor.innerIndexPtr();
  const double* l = factor.valuePtr();
  const auto q = static_cast<std::size_t>(factor.cols());
  std::vector<double> value(q, 0.0), sum(q, 0.0);
  std::vector<int> owner(q, -1);
  for (int j = static_cast<int>(q) - 1; j >= 0; --j) {
    const int first = outer[j], end = outer[j + 1];
    for (int e = first + 1; e < end; ++e) {
      const auto k = static_cast<std::size_t>(inner[e]);
      owner[k] = j;
      value[k] = l[e];
      sum[k] = 0;
    }
    for (int e = first + 1; e < end; ++e) {
      const int k = inner[e];
      const auto at_k = static_cast<std::size_t>(k);
      sum[at_k] += inverse_[outer[k]] * value[at_k];
      for (int f = outer[k] + 1; f < outer[k + 1]; ++f) {
        const auto i = static_cast<std::size_t>(inner[f]);
        if (owner[i] != j) continue;
        sum[i] += inverse_[f] * value[at_k];
        sum[at_k] += inverse_[f] * value[i];
      }
    }
    double below = 0;
    for (int e = first + 1; e < end; ++e) {
      const auto k = static_cast<std::size_t>(inner[e]);
      inverse_[e] = -sum[k] / l[first];
      below += value[k] * inverse_[e];
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

void EffectPrecision::leverages(const Eigen::VectorXd& sd, const Eigen::VectorXd& curvature,
                                Eigen::VectorXd& leverage, Eigen::VectorXd& by_term) const {
  leverage.setZero(z_.n_rows());
  by_term.setZero(z_.n_terms);
  std::size_t pair = 0;
  for (Eigen::Index i = 0; i < z_.n_rows(); ++i) {
    const auto from = static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i)]);
    const auto to = static_cast<std::size_t>(z_.offset[static_cast<std::size_t>(i) + 1]);
    for (std::size_t a = from; a < to; ++a) {
      const int t = z_.parameter(a);
      for (std::size_t b = from; b <= a; ++b, ++pair) {
        const int s = z_.parameter(b);
        const double product = z_.value[a] * z_.value[b] * inverse_[inverse_entry_[pair]];
        leverage[i] += (a == b ? 1 : 2) * sd[t] * sd[s] * product;
        by_term[t] += curvature[i] * sd[s] * product;
        if (a != b) by_term[s] += curvature[i] * sd[t] * product;
      }
    }
  }
}

}  // namespace judicious::ordinal
