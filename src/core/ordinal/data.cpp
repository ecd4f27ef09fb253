#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

constexpr std::int32_t unused = -1;

// The position of each of the caller's rows, by a counting sort over the categories.
std::vector<std::int32_t> places_by_category(const PomInput& in, std::vector<Eigen::Index>& first) {
  const auto n = static_cast<std::size_t>(in.x.rows());
  if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::invalid_argument("more than 2^31 - 1 rows");
  }
  const auto n_categories = static_cast<std::size_t>(in.n_categories);
  first.assign(n_categories + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (in.weight == nullptr || in.weight[i] > 0)
      ++first[static_cast<std::size_t>(in.category[i]) + 1];
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

// to[place[i]] = (from[i] - center) * factor, over the rows that are used.
void scatter(const double* from, const std::vector<std::int32_t>& place, double center,
             double factor, bool all_used, double* to) {
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
  for (Eigen::Index i = 0; i < in.x.rows(); ++i)
    out[in.category[i]] += in.weight != nullptr ? in.weight[i] : 1;
  return out;
}

// The positions of the rows, and the weights at these positions.
std::vector<std::int32_t> sort_rows(const PomInput& in, PomData& data, bool& all_used) {
  std::vector<std::int32_t> place = places_by_category(in, data.first);
  const Eigen::Index n = data.first.back();
  all_used = n == in.x.rows();
  data.total = category_totals(in);
  if (in.weight != nullptr) {
    data.weight.resize(static_cast<std::size_t>(n));
    scatter(in.weight, place, 0, 1, all_used, data.weight.data());
  }
  return place;
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

PomData prepare_rows(const PomInput& in) {
  PomData data;
  bool all_used = true;
  const std::vector<std::int32_t> place = sort_rows(in, data, all_used);
  const Eigen::Index n = data.first.back();
  if (!(data.total.array() > 0).all())
    throw std::invalid_argument("a category without observations");
  const double total = data.total.sum();
  if (in.offset != nullptr) {
    double scale = 0;
    center_and_scale(in.offset, in.x.rows(), in.weight, total, data.offset_center, scale);
    data.offset.resize(static_cast<std::size_t>(n));
    scatter(in.offset, place, data.offset_center, 1, all_used, data.offset.data());
  }

  const Eigen::Index p = in.x.cols();
  data.x.resize(n, p);
  data.center.resize(p);
  data.scale.resize(p);
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < p; ++k) {
    check_interrupt();
    const double* from = in.x.col(k).data();
    if (center_and_scale(from, in.x.rows(), in.weight, total, data.center[kept],
                         data.scale[kept])) {
      scatter(from, place, data.center[kept], 1 / data.scale[kept], all_used,
              data.x.col(kept).data());
      data.column.push_back(k);
      ++kept;
    } else {
      data.aliased.push_back(k);
    }
  }
  if (kept < p) data.x.conservativeResize(n, kept);
  data.center.conservativeResize(kept);
  data.scale.conservativeResize(kept);
  return data;
}

PomData prepare_batch(const PomInput& in, const Eigen::VectorXd& center,
                      const Eigen::VectorXd& scale) {
  PomData data;
  data.center = center;
  data.scale = scale;
  bool all_used = true;
  const std::vector<std::int32_t> place = sort_rows(in, data, all_used);
  const Eigen::Index n = data.first.back();
  if (in.offset != nullptr) {
    data.offset.resize(static_cast<std::size_t>(n));
    scatter(in.offset, place, 0, 1, all_used, data.offset.data());
  }
  data.x.resize(n, in.x.cols());
  for (Eigen::Index k = 0; k < in.x.cols(); ++k) {
    check_interrupt();
    scatter(in.x.col(k).data(), place, center[k], 1 / scale[k], all_used, data.x.col(k).data());
  }
  return data;
}

PomData thinned(const PomData& data, Eigen::Index every) {
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
  // The categories keep their relative weights.
  out.total = data.total * (static_cast<double>(n) / static_cast<double>(data.n_rows()));
  return out;
}

}  // namespace judicious::ordinal
