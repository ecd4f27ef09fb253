#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "execution/hash_index.hpp"
#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

constexpr std::int32_t unused = -1;

// The position of each of the caller's rows after a counting sort by category.
std::vector<std::int32_t> places_by_category(const PomInput& in, std::vector<Eigen::Index>& first) {
  const auto n = static_cast<std::size_t>(in.x.rows());
  if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::invalid_argument("more than 2^31 - 1 rows");
  }
  const auto n_categories = static_cast<std::size_t>(in.n_categories);
  first.assign(n_categories + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (in.weight == nullptr || in.weight[i] > 0) ++first[static_cast<std::size_t>(in.category[i]) + 1];
  }
  for (std::size_t j = 0; j < n_categories; ++j) first[j + 1] += first[j];
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  std::vector<std::int32_t> place(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool used = in.weight == nullptr || in.weight[i] > 0;
    place[i] = used ? next[static_cast<std::size_t>(in.category[i])]++ : unused;
  }
  return place;
}

// to[place[i]] = (from[i] - center) * factor, for the rows that are used.
void scatter(const double* from, const std::vector<std::int32_t>& place, double center, double factor, bool all_used,
             double* to) {
  const std::size_t n = place.size();
  if (all_used) {
    for (std::size_t i = 0; i < n; ++i) to[place[i]] = (from[i] - center) * factor;
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      if (place[i] != unused) to[place[i]] = (from[i] - center) * factor;
    }
  }
}

Eigen::VectorXd category_totals(const PomInput& in) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(in.n_categories);
  for (Eigen::Index i = 0; i < in.x.rows(); ++i) out[in.category[i]] += in.weight != nullptr ? in.weight[i] : 1;
  return out;
}

// Copies the rows of positive weight, sorted, in the columns data.column.
void fill_rows(const PomInput& in, PomData& data, const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
               double offset_center) {
  const std::vector<std::int32_t> place = places_by_category(in, data.first);
  const Eigen::Index n = data.first.back();
  const bool all_used = n == in.x.rows();
  data.center = center;
  data.scale = scale;
  data.offset_center = offset_center;
  const auto sorted = [&](const double* from, double middle, std::vector<double>& to) {
    if (from == nullptr) return;
    to.resize(static_cast<std::size_t>(n));
    scatter(from, place, middle, 1, all_used, to.data());
  };
  sorted(in.weight, 0, data.weight);
  sorted(in.offset, offset_center, data.offset);
  data.x.resize(n, center.size());
  for (Eigen::Index k = 0; k < center.size(); ++k) {
    check_interrupt();
    const double* from = in.x.col(data.column[static_cast<std::size_t>(k)]).data();
    scatter(from, place, center[k], 1 / scale[k], all_used, data.x.col(k).data());
  }
}

// Makes column k orthogonal to orthonormal columns. This is done twice, for accuracy. Returns the norm of the
// remainder.
double residual_norm(Eigen::VectorXd& column, const Eigen::MatrixXd& basis, Eigen::Index rank) {
  for (int pass = 0; pass < 2; ++pass) {
    column -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * column);
  }
  return column.norm();
}

// Which columns the previous columns explain. This is computed from the data rather than from their Gram matrix, whose
// condition number is the square of that of the data.
std::vector<bool> explained_by_data(const PomData& data, double tolerance) {
  const Eigen::Index n = data.x.rows(), p = data.x.cols();
  Eigen::VectorXd root = Eigen::VectorXd::Ones(n);
  if (!data.weight.empty()) root = Eigen::Map<const Eigen::VectorXd>(data.weight.data(), n).cwiseSqrt();
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

std::optional<DistinctRows> distinct_rows(const PomInput& in) {
  constexpr Eigen::Index min_rows = 1 << 15, max_columns = 64;
  const Eigen::Index n = in.x.rows(), p = in.x.cols();
  if (n < min_rows || p > max_columns) return std::nullopt;
  const auto hash_of = [&](Eigen::Index i) {
    auto hash = static_cast<std::uint64_t>(in.category[i]);
    std::uint64_t bits = 0;
    for (Eigen::Index k = 0; k < p; ++k) {
      std::memcpy(&bits, in.x.data() + k * n + i, sizeof(bits));
      hash = (hash ^ bits) * 0x9fb21c651e98df25ULL;
      hash ^= hash >> 32;
    }
    return mix_bits(hash);
  };
  const auto same = [&](Eigen::Index i, Eigen::Index k) {
    return in.category[i] == in.category[k] && in.x.row(i) == in.x.row(k) &&
           (in.offset == nullptr || in.offset[i] == in.offset[k]);
  };
  HashIndex<HalfHash> index(static_cast<std::size_t>(n / 64));
  std::vector<Eigen::Index> first;  // the first of the equal rows
  DistinctRows out;
  out.n_categories = in.n_categories;
  for (Eigen::Index i = 0; i < n; ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), std::size_t{1} << 16);
    const double weight = in.weight != nullptr ? in.weight[i] : 1;
    if (!(weight > 0)) continue;
    const auto next = static_cast<std::int32_t>(first.size());
    const std::int32_t at = index.insert(hash_of(i), next, [&](std::int32_t k) { return same(first[k], i); });
    if (at == next) {
      if (next > n / 64 + i / 8) return std::nullopt;
      first.push_back(i);
      out.weight.push_back(0);
      out.category.push_back(in.category[i]);
      if (in.offset != nullptr) out.offset.push_back(in.offset[i]);
    }
    out.weight[at] += weight;
  }
  out.x.resize(static_cast<Eigen::Index>(first.size()), p);
  for (Eigen::Index r = 0; r < out.x.rows(); ++r) out.x.row(r) = in.x.row(first[r]);
  return out;
}

bool center_and_scale(const double* x, Eigen::Index n, const double* weight, double total, double& center,
                      double& scale) {
  // Sums the differences from one value of the column. This is imprecise only if the value is far from all others; the
  // sums are then computed again, with differences from the mean. There are four partial sums, so that the processor
  // can overlap additions.
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

PomData prepare_rows(const PomInput& in) {
  PomData data;
  data.total = category_totals(in);
  if (!(data.total.array() > 0).all()) throw std::invalid_argument("a category without observations");
  const Eigen::Index n = in.x.rows(), p = in.x.cols();
  const double total = data.total.sum();
  Eigen::VectorXd center(p), scale(p);
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < p; ++k) {
    const bool varies = center_and_scale(in.x.col(k).data(), n, in.weight, total, center[kept], scale[kept]);
    (varies ? data.column : data.aliased).push_back(k);
    if (varies) ++kept;
  }
  double offset_center = 0, spread = 0;
  if (in.offset != nullptr) center_and_scale(in.offset, n, in.weight, total, offset_center, spread);
  fill_rows(in, data, center.head(kept), scale.head(kept), offset_center);
  return data;
}

PomData prepare_batch(const PomInput& in, const Eigen::VectorXd& center, const Eigen::VectorXd& scale) {
  PomData data;
  data.total = category_totals(in);
  for (Eigen::Index k = 0; k < in.x.cols(); ++k) data.column.push_back(k);
  fill_rows(in, data, center, scale, 0);
  return data;
}

PomData subsample(const PomData& data, Eigen::Index every) {
  PomData out;
  out.center = data.center;
  out.scale = data.scale;
  out.column = data.column;
  out.first.push_back(0);
  std::vector<Eigen::Index> row;
  for (std::size_t j = 0; j + 1 < data.first.size(); ++j) {
    for (Eigen::Index r = data.first[j]; r < data.first[j + 1]; r += every) row.push_back(r);
    out.first.push_back(static_cast<Eigen::Index>(row.size()));
  }
  const auto n = static_cast<Eigen::Index>(row.size());
  out.x.resize(n, data.n_slopes());
  for (Eigen::Index k = 0; k < data.n_slopes(); ++k) {
    for (Eigen::Index r = 0; r < n; ++r) out.x(r, k) = data.x(row[static_cast<std::size_t>(r)], k);
  }
  for (const Eigen::Index r : row) {
    const auto at = static_cast<std::size_t>(r);
    if (!data.weight.empty()) out.weight.push_back(data.weight[at]);
    if (!data.offset.empty()) out.offset.push_back(data.offset[at]);
  }
  // The relative weights of the categories do not change.
  out.total = data.total * (static_cast<double>(n) / static_cast<double>(data.n_rows()));
  return out;
}

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
