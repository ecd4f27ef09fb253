#include "data.hpp"

#include <cmath>
#include <stdexcept>

#include "rank.hpp"

namespace judicious::ordinal {
namespace {

// Where each used row of the caller's goes, by a counting sort over the categories.
std::vector<Eigen::Index> rows_by_category(const PomInput& in, std::vector<Eigen::Index>& first) {
  const Eigen::Index n = in.x.rows();
  const auto n_categories = static_cast<std::size_t>(in.n_categories);
  const auto used = [&](Eigen::Index i) { return in.weight == nullptr || in.weight[i] > 0; };
  first.assign(n_categories + 1, 0);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (used(i)) ++first[static_cast<std::size_t>(in.category[i]) + 1];
  }
  for (std::size_t j = 0; j < n_categories; ++j) {
    if (first[j + 1] == 0) throw std::invalid_argument("a category without observations");
    first[j + 1] += first[j];
  }
  std::vector<Eigen::Index> next(first.begin(), first.end() - 1);
  std::vector<Eigen::Index> row(static_cast<std::size_t>(first.back()));
  for (Eigen::Index i = 0; i < n; ++i) {
    if (used(i)) {
      row[static_cast<std::size_t>(next[static_cast<std::size_t>(in.category[i])]++)] = i;
    }
  }
  return row;
}

std::vector<double> gathered(const double* from, const std::vector<Eigen::Index>& row) {
  if (from == nullptr) return {};
  std::vector<double> out(row.size());
  for (std::size_t r = 0; r < row.size(); ++r) out[r] = from[row[r]];
  return out;
}

}  // namespace

PomData prepare(const PomInput& in, double rank_tolerance) {
  PomData data;
  const std::vector<Eigen::Index> row = rows_by_category(in, data.first);
  const auto n = static_cast<Eigen::Index>(row.size());
  data.weight = gathered(in.weight, row);
  data.offset = gathered(in.offset, row);

  data.total.setZero(in.n_categories);
  double sum_of_offsets = 0, sum_of_weights = 0;
  for (std::size_t j = 0; j + 1 < data.first.size(); ++j) {
    for (Eigen::Index r = data.first[j]; r < data.first[j + 1]; ++r) {
      const auto at = static_cast<std::size_t>(r);
      const double w = data.weight.empty() ? 1 : data.weight[at];
      data.total[static_cast<Eigen::Index>(j)] += w;
      sum_of_weights += w;
      if (!data.offset.empty()) sum_of_offsets += w * data.offset[at];
    }
  }
  data.offset_center = sum_of_offsets / sum_of_weights;
  for (double& o : data.offset) o -= data.offset_center;

  const Eigen::Index p = in.x.cols();
  data.x.resize(n, p);
  data.center.resize(p);
  data.scale.resize(p);
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < p; ++k) {
    const double* from = in.x.col(k).data();
    double* to = data.x.col(kept).data();
    for (Eigen::Index r = 0; r < n; ++r) to[r] = from[row[static_cast<std::size_t>(r)]];
    if (standardise(to, n, data.weight, data.center[kept], data.scale[kept])) {
      data.column.push_back(k);
      ++kept;
    } else {
      data.aliased.push_back(k);
    }
  }
  drop_explained_columns(data, kept, rank_tolerance);
  return data;
}

}  // namespace judicious::ordinal
