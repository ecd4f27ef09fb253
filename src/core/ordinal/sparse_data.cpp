#include "sparse_data.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "execution/interrupt.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

struct ColumnScale {
  double center, scale;
  bool varies;
};

// The centre and the scale of a sparse column, including its zeros. Sparse columns are not centred, so that their zeros
// stay zeros.
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

// The null space of the information, by inverse iteration. It has as many directions as there are zero pivots. Returns
// nothing if these directions are not exactly null.
std::optional<Eigen::MatrixXd> null_directions(const SparseMatrix& information) {
  constexpr double shift = 1e-10, vanishing = 1e-7, exact = 1e-9;
  const Eigen::Index n = information.rows();
  const Eigen::VectorXd size = Eigen::VectorXd(information.diagonal()).cwiseSqrt().cwiseInverse();
  if (!size.allFinite()) return std::nullopt;
  const SparseMatrix scaled = size.asDiagonal() * information * size.asDiagonal();
  SparseFactor factor;
  factor.setShift(shift);
  factor.compute(scaled);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::Index count = (factor.vectorD().array() < vanishing).count();
  if (count == 0 || 2 * count > n) return std::nullopt;
  Eigen::MatrixXd out(n, count);
  std::minstd_rand draw(1);
  std::generate_n(out.data(), out.size(), [&draw] { return static_cast<double>(draw()) / 2147483647.0 - 0.5; });
  for (int round = 0; round < 5; ++round) {
    check_interrupt();
    out = factor.solve(out).eval();
    out = (Eigen::HouseholderQR<Eigen::MatrixXd>(out).householderQ() * Eigen::MatrixXd::Identity(n, count)).eval();
  }
  const Eigen::MatrixXd image = scaled.selfadjointView<Eigen::Lower>() * out;
  if (image.cwiseAbs().maxCoeff() > exact) return std::nullopt;
  return out;
}

}  // namespace

bool is_mostly_zero(const PomInput& in) {
  constexpr Eigen::Index min_columns = 60;
  constexpr int max_categories = 200;
  if (in.x.cols() < min_columns || in.n_categories > max_categories) return false;
  return 10 * (in.x.array() != 0).count() < in.x.size();
}

SparseData prepare_sparse(const SparseInput& in, const std::vector<Eigen::Index>& dropped) {
  SparseData data;
  const Eigen::Index n = in.x.rows(), p = in.x.cols();
  data.total = Eigen::VectorXd::Zero(in.n_categories);
  for (Eigen::Index i = 0; i < n; ++i) data.total[in.category[i]] += in.weight != nullptr ? in.weight[i] : 1;
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
      found.varies = center_and_scale(column.data(), n, in.weight, total, found.center, found.scale);
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

std::optional<std::vector<Eigen::Index>> explained_slopes(const SparseMatrix& information, Eigen::Index m) {
  std::optional<Eigen::MatrixXd> found = null_directions(information);
  if (!found) return std::nullopt;
  Eigen::MatrixXd& null = *found;
  std::vector<Eigen::Index> out;
  Eigen::Index left = null.cols();
  for (Eigen::Index k = null.rows(); k-- > m && left > 0;) {
    Eigen::Index largest = 0;
    if (null.row(k).head(left).cwiseAbs().maxCoeff(&largest) < 1e-6) continue;
    out.push_back(k - m);
    null.col(largest).swap(null.col(--left));
    const Eigen::VectorXd pivot = null.col(left) / null(k, left);
    for (Eigen::Index c = 0; c < left; ++c) null.col(c) -= null(k, c) * pivot;
  }
  if (left > 0) return std::nullopt;
  return out;
}

SeparationReport certified_separation(const SparseInput& input, const SparseData& data,
                                      const Eigen::VectorXd& direction) {
  SeparationReport report;
  const Eigen::VectorXd value = data.x * direction;
  const double largest = value.cwiseAbs().maxCoeff(), small = 1e-3 * largest;
  if (!(largest > 0.1)) return report;
  const auto n_categories = static_cast<std::size_t>(input.n_categories);
  std::vector<double> low(n_categories, infinity), high(n_categories, -infinity);
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    if (input.weight != nullptr && !(input.weight[i] > 0)) continue;
    const auto j = static_cast<std::size_t>(input.category[i]);
    low[j] = std::min(low[j], value[i]);
    high[j] = std::max(high[j], value[i]);
  }
  const double origin = data.center.cwiseQuotient(data.scale).dot(direction);
  bool any_tight = false;
  for (std::size_t j = 0; j + 1 < n_categories; ++j) {
    const double gap = low[j + 1] - high[j];
    if (gap < -small) return report;
    any_tight = any_tight || gap < small;
    const double from = high[j] + origin, to = low[j + 1] + origin;
    if (std::min(from, to) > small || std::max(from, to) < -small)
      report.thresholds.push_back(static_cast<Eigen::Index>(j));
  }
  Eigen::VectorXd entry = Eigen::VectorXd::Zero(direction.size());
  for (Eigen::Index i = 0; i < data.x.rows(); ++i) {
    for (SparseRows::InnerIterator it(data.x, i); it; ++it)
      entry[it.col()] = std::max(entry[it.col()], std::fabs(it.value()));
  }
  report.kind = any_tight ? Separation::quasi_complete : Separation::complete;
  for (Eigen::Index k = 0; k < direction.size(); ++k) {
    if (std::fabs(direction[k]) * entry[k] > small) report.slopes.push_back(k);
  }
  return report;
}

}  // namespace judicious::ordinal
