#include "sparse_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "execution/interrupt.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

struct ColumnScale {
  double center, scale;
  bool varies;
};

// The scale of a sparse column, including its zeros. The column is not centred.
ColumnScale sparse_scale(const SparseInput& in, Eigen::Index k, double total) {
  double first = 0, second = 0;
  for (Eigen::Map<const SparseMatrix>::InnerIterator it(in.x, k); it; ++it) {
    const double w = in.weight != nullptr ? in.weight[it.row()] : 1;
    first += w * it.value();
    second += w * it.value() * it.value();
  }
  const double mean = first / total;
  const double scale = std::sqrt(std::max(0.0, second / total - mean * mean));
  return {0, scale, scale > 1e-14 * std::fabs(mean)};
}

}  // namespace

SparseData prepare_sparse(const SparseInput& in, const std::vector<Eigen::Index>& dropped) {
  SparseData data;
  const Eigen::Index n = in.x.rows(), p = in.x.cols();
  data.total = Eigen::VectorXd::Zero(in.n_categories);
  for (Eigen::Index i = 0; i < n; ++i)
    data.total[in.category[i]] += in.weight != nullptr ? in.weight[i] : 1;
  const double total = data.total.sum();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(in.x.nonZeros()));
  std::vector<double> center, scale;
  for (Eigen::Index k = 0; k < p; ++k) {
    check_interrupt_at(static_cast<std::size_t>(k), 64);
    const auto to = static_cast<int>(data.column.size());
    const bool is_dense = 2 * (in.x.outerIndexPtr()[k + 1] - in.x.outerIndexPtr()[k]) > n;
    ColumnScale found{};
    Eigen::VectorXd column;
    if (is_dense) {
      column = in.x.col(k);
      found.varies =
          center_and_scale(column.data(), n, in.weight, total, found.center, found.scale);
    } else {
      found = sparse_scale(in, k, total);
    }
    if (!found.varies || std::find(dropped.begin(), dropped.end(), k) != dropped.end()) {
      data.aliased.push_back(k);
      continue;
    }
    if (is_dense) {
      for (Eigen::Index i = 0; i < n; ++i)
        entries.emplace_back(static_cast<int>(i), to, (column[i] - found.center) / found.scale);
    } else {
      for (Eigen::Map<const SparseMatrix>::InnerIterator it(in.x, k); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), to, it.value() / found.scale);
    }
    data.column.push_back(k);
    center.push_back(found.center);
    scale.push_back(found.scale);
  }
  const auto kept = static_cast<Eigen::Index>(scale.size());
  data.center = Eigen::Map<const Eigen::VectorXd>(center.data(), kept);
  data.scale = Eigen::Map<const Eigen::VectorXd>(scale.data(), kept);
  data.x.resize(n, kept);
  data.x.setFromTriplets(entries.begin(), entries.end());
  return data;
}

SparseLikelihood::SparseLikelihood(const SparseInput& input, const SparseData& data,
                                   const Link& link)
    : input_(input), data_(data), link_(link), columns_(data.x.transpose()) {
  const Eigen::Index m = data.total.size() - 1, p = data.x.cols();
  gradient_.resize(m + p);
  curvature_.resize(data.x.rows());
  thresholds_.resize(m, 0);
  border_.resize(m, p);
}

double SparseLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  const Eigen::Index m = thresholds_.own.size(), p = border_.cols(), n = data_.x.rows();
  for (Eigen::Index j = 1; j < m; ++j) {
    if (!(parameters[j] > parameters[j - 1])) return -infinity;
  }
  gradient_.setZero();
  thresholds_.set_zero();
  border_.setZero();
  const auto beta = parameters.tail(p);
  const Eigen::VectorXd predictor = data_.x * beta;
  Eigen::VectorXd score = Eigen::VectorXd::Zero(n);
  curvature_.setZero();
  double value = 0;
  RowTerms terms;
  double a[RowTerms::size], b[RowTerms::size];
  for (Eigen::Index from = 0; from < n; from += RowTerms::size) {
    check_interrupt_at(static_cast<std::size_t>(from / RowTerms::size), 1024);
    for (Eigen::Index r = 0; r < RowTerms::size; ++r) {
      const Eigen::Index i = from + r;
      a[r] = -infinity;
      b[r] = infinity;
      if (i >= n) continue;
      const Eigen::Index j = input_.category[i];
      const double eta = predictor[i] + (input_.offset != nullptr ? input_.offset[i] : 0);
      if (j > 0) a[r] = parameters[j - 1] - eta;
      if (j < m) b[r] = parameters[j] - eta;
    }
    link_.rows(a, b, terms);
    double part = 0;
    for (Eigen::Index r = 0; r < RowTerms::size && from + r < n; ++r) {
      const Eigen::Index i = from + r, j = input_.category[i];
      const double w = input_.weight != nullptr ? input_.weight[i] : 1;
      if (!(w > 0)) continue;
      part += w * terms.log_prob[r];
      const auto add = [&](Eigen::Index at, double sign, double pull, double curvature) {
        gradient_[at] += sign * w * pull;
        score[i] -= sign * w * pull;
        thresholds_.own[at] += w * curvature;
        curvature_[i] += w * curvature;
        for (SparseRows::InnerIterator it(data_.x, i); it; ++it)
          border_(at, it.col()) -= w * curvature * it.value();
      };
      if (j > 0) add(j - 1, -1, terms.score_below[r], terms.below[r]);
      if (j < m) add(j, 1, terms.score_above[r], terms.above[r]);
      if (j > 0 && j < m) thresholds_.link[j - 1] += w * terms.gap[r];
    }
    value += part;
  }
  if (!std::isfinite(value)) return -infinity;
  gradient_.tail(p) = columns_ * score;
  value += add_gaps(data_.total, link_, parameters, gradient_, thresholds_);
  gradient_.tail(p) -= penalty_ * beta;
  return value - penalty_ / 2 * beta.squaredNorm();
}

SparseMatrix SparseLikelihood::information() const {
  const Eigen::Index m = thresholds_.own.size(), p = border_.cols();
  const SparseRows weighted = curvature_.asDiagonal() * data_.x;
  const SparseMatrix slopes = columns_ * SparseMatrix(weighted);
  const Eigen::MatrixXd thresholds = thresholds_.dense();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Eigen::Index row, Eigen::Index column, double value) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  for (Eigen::Index j = 0; j < m; ++j) {
    add(j, j, thresholds(j, j));
    if (j + 1 < m) add(j + 1, j, thresholds(j + 1, j));
    for (Eigen::Index k = 0; k < p; ++k) {
      if (border_(j, k) != 0) add(m + k, j, border_(j, k));
    }
  }
  for (Eigen::Index k = 0; k < p; ++k) {
    add(m + k, m + k, penalty_);
    for (SparseMatrix::InnerIterator it(slopes, k); it; ++it) {
      if (it.row() >= k) add(m + it.row(), m + k, it.value());
    }
  }
  SparseMatrix out(m + p, m + p);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

bool SparseLikelihood::newton_step(Eigen::VectorXd& step) {
  const SparseMatrix whole = information();
  smallest_share_ = 0;
  const auto factor = [&](double raise) {
    factor_.setShift(1e-10 * raise, 1 + raise);
    factor_.compute(whole);
    return factor_.info() == Eigen::Success && factor_.vectorD().minCoeff() > 0;
  };
  raised_ = !factor(0);
  if (raised_) {
    double raise = 1e-4;
    while (raise < 1e3 && !factor(raise)) raise *= 4;
    if (raise >= 1e3) return false;
  }
  const Eigen::VectorXd own = factor_.permutationP() * Eigen::VectorXd(whole.diagonal());
  smallest_share_ = factor_.vectorD().cwiseQuotient(own).minCoeff();
  step = factor_.solve(gradient_);
  return step.allFinite();
}

}  // namespace judicious::ordinal
