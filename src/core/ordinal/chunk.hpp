// The pass over one chunk of consecutive rows, tile by tile, for one type of packs.
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "link.hpp"
#include "stats/constants.hpp"
#include "tile.hpp"

namespace judicious::ordinal {

// Pointers to the input, which the caller owns: rows (sorted by category), parameters, and constants of the categories.
struct ChunkInput {
  const double* x;
  std::ptrdiff_t stride;
  int p;
  const double *weight, *offset;  // or null
  const Eigen::Index* first;      // of each category
  int n_categories;
  const double *beta, *lower, *upper;  // slopes, and the thresholds of the categories
  Eigen::Index from, to;
  int first_category;  // of row `from`
  const Link* link;
  const LogitCategory* logit;  // or null for other links
};

// Sums over the rows of a chunk. `by_threshold` has p + 3 sums for each threshold from first_category - 1 on: of the
// gradient; of w; of w x (p sums); and of the gap between the threshold and the next one (RowTerms::gap). Here w is
// RowTerms::below of the rows above the threshold, and RowTerms::above of those below it.
struct ChunkSums {
  double value = 0;
  std::vector<double> score, gram, by_threshold;
};

// Sums that are kept as packs from tile to tile: score'x, x'diag(both)x and, for the current category, below'x and
// above'x.
struct ChunkScratch {
  std::vector<double> score, gram, border;
  std::vector<double> tail_x, tail_weight, tail_offset;  // the last tile, filled up with zeros
  TileRows rows;
  double masked_below[tile_rows], masked_above[tile_rows];
};

// Sums of the gradient and of the terms `below`, `above` and `gap` of RowTerms, for the two thresholds of the current
// category.
struct CategorySums {
  double score_below = 0, score_above = 0, below = 0, above = 0, gap = 0;
  double weight = 0;  // sum over rows whose log probabilities do not yet include the term of the category's width
};

template <typename Pack>
JUDICIOUS_INLINE void flush_category(const ChunkInput& in, int category, CategorySums& sums, ChunkScratch& scratch,
                                     ChunkSums& out) {
  const auto p = static_cast<std::size_t>(in.p);
  double* row = out.by_threshold.data() + static_cast<std::size_t>(category - in.first_category) * (p + 3);
  if (category > 0) {
    row[0] -= sums.score_below;
    row[1] += sums.below;
    row[p + 2] += sums.gap;
  }
  if (category + 1 < in.n_categories) {
    row[p + 3] += sums.score_above;
    row[p + 4] += sums.above;
  }
  if (in.logit != nullptr) out.value += sums.weight * in.logit[category].log_width;
  double* border = scratch.border.data();
  for (std::size_t k = 0; k < p; ++k) {
    row[2 + k] += lane_sum<Pack>(border + k * Pack::size);
    row[p + 5 + k] += lane_sum<Pack>(border + (p + k) * Pack::size);
  }
  std::fill_n(border, 2 * p * Pack::size, 0.0);
  sums = CategorySums{};
}

// Adds below'x and above'x over the rows lo to hi - 1 of the tile, which are all of one category.
template <typename Pack>
JUDICIOUS_INLINE void border_dots(const TileColumns& x, int lo, int hi, ChunkScratch& s) {
  if (lo == 0 && hi == tile_rows) {
    const double* left[] = {s.rows.below, s.rows.above};
    all_dots<Pack, 2>(left, x, 0, tile_rows, s.border.data());
    return;
  }
  const int from = lo & ~(Pack::size - 1), to = (hi + Pack::size - 1) & ~(Pack::size - 1);
  for (int i = from; i < to; ++i) {
    const bool inside = i >= lo && i < hi;
    s.masked_below[i] = inside ? s.rows.below[i] : 0;
    s.masked_above[i] = inside ? s.rows.above[i] : 0;
  }
  const double* left[] = {s.masked_below, s.masked_above};
  all_dots<Pack, 2>(left, x, from, to, s.border.data());
}

// Computes the terms of the rows, and returns the sum of their weighted log probabilities.
inline double link_tile(const ChunkInput& in, int rows, const double* weight, TileRows& t) {
  alignas(32) double a[tile_rows], b[tile_rows];
  for (int i = 0; i < tile_rows; ++i) {
    a[i] = i < rows ? t.lower[i] - t.eta[i] : -infinity;
    b[i] = i < rows ? t.upper[i] - t.eta[i] : infinity;
  }
  in.link->rows(a, b, t);
  double value = 0;
  for (int i = 0; i < rows; ++i) value += (weight != nullptr ? weight[i] : 1) * t.log_prob[i];
  for (int i = 0; i < tile_rows; ++i) t.both[i] = t.above[i] + t.below[i];
  return value;
}

// The sum of the weighted logarithms of the rows' probabilities.
template <typename Pack>
JUDICIOUS_INLINE double sum_of_logs(const TileRows& t, const double* weight) {
  using Real = typename Pack::Real;
  Real sum{}, log_prob;
  // Each factor is at least e^-41, so that a product of 16 does not underflow.
  const int step = (weight == nullptr ? 16 : 1) * Pack::size;
  for (int from = 0; from < tile_rows; from += step) {
    Real product = packed<Pack>(t.prob + from).value;
    for (int i = from + Pack::size; i < from + step; i += Pack::size) product *= packed<Pack>(t.prob + i).value;
    logarithm<Pack>(product, log_prob);
    sum += weight == nullptr ? log_prob : packed<Pack>(weight + from).value * log_prob;
  }
  return lane_sum<Pack>(reinterpret_cast<const double*>(&sum));
}

template <typename Pack>
JUDICIOUS_INLINE void weight_tile(const double* weight, TileRows& t) {
  for (double* x : {t.score_above, t.score_below, t.above, t.below, t.score, t.both, t.gap}) {
    for (int i = 0; i < tile_rows; i += Pack::size) packed<Pack>(x + i).value *= packed<Pack>(weight + i).value;
  }
}

// Sets the constants of the tile's rows, of which the first is in category j.
inline void fill_constants(const ChunkInput& in, Eigen::Index at, int rows, int j, TileRows& t) {
  for (int i = 0; i < rows; ++i) {
    while (at + i >= in.first[j + 1]) ++j;
    t.lower[i] = in.lower[j];
    t.upper[i] = in.upper[j];
    if (in.logit == nullptr) continue;
    t.middle[i] = in.logit[j].middle;
    t.from_lower[i] = in.logit[j].lower;
    t.to_upper[i] = in.logit[j].upper;
    t.slope[i] = in.logit[j].slope;
  }
}

// The tile's columns in memory. The last tile is copied and padded with rows of zeros.
JUDICIOUS_INLINE TileColumns tile_columns(const ChunkInput& in, Eigen::Index at, int rows, const double*& weight,
                                          const double*& offset, ChunkScratch& s) {
  weight = in.weight != nullptr ? in.weight + at : nullptr;
  offset = in.offset != nullptr ? in.offset + at : nullptr;
  if (rows == tile_rows) return {in.x + at, in.stride, in.p};
  const auto filled = [rows](const double* from, double* to) {
    std::memset(to, 0, tile_rows * sizeof(double));
    std::memcpy(to, from, static_cast<std::size_t>(rows) * sizeof(double));
  };
  for (int k = 0; k < in.p; ++k) filled(in.x + at + k * in.stride, s.tail_x.data() + k * tile_rows);
  if (weight != nullptr) {
    filled(weight, s.tail_weight.data());
    weight = s.tail_weight.data();
  }
  if (offset != nullptr) {
    filled(offset, s.tail_offset.data());
    offset = s.tail_offset.data();
  }
  return {s.tail_x.data(), tile_rows, in.p};
}

template <typename Pack>
JUDICIOUS_INLINE void run_chunk(const ChunkInput& in, ChunkScratch& s, ChunkSums& out) {
  const auto p = static_cast<std::size_t>(in.p);
  s.score.assign(p * Pack::size, 0);
  s.gram.assign(p * p * Pack::size, 0);
  s.border.assign(2 * p * Pack::size, 0);
  s.tail_x.resize(p * tile_rows);
  s.tail_weight.resize(tile_rows);
  s.tail_offset.resize(tile_rows);
  TileRows& t = s.rows;
  CategorySums sums;
  int category = in.first_category, filled = -1;  // the category, if all constants are those of a single one
  out.value = 0;
  for (Eigen::Index at = in.from; at < in.to; at += tile_rows) {
    const int rows = static_cast<int>(std::min<Eigen::Index>(tile_rows, in.to - at));
    const double *weight = nullptr, *offset = nullptr;
    const TileColumns x = tile_columns(in, at, rows, weight, offset, s);
    int j = category;
    while (at >= in.first[j + 1]) ++j;
    if (at + tile_rows > in.first[j + 1] || j != filled) fill_constants(in, at, rows, j, t);
    filled = at + tile_rows > in.first[j + 1] ? -1 : j;
    tile_predictor<Pack>(x, in.beta, offset, t);
    const bool is_near = in.logit != nullptr && rows == tile_rows && logit_tile<Pack>(t);
    out.value += is_near ? sum_of_logs<Pack>(t, weight) : link_tile(in, rows, weight, t);
    if (weight != nullptr) weight_tile<Pack>(weight, t);

    const double* score[] = {t.score};
    all_dots<Pack, 1>(score, x, 0, tile_rows, s.score.data());
    gram<Pack>(t.both, x, s.gram.data());
    for (int i = 0; i < rows;) {
      if (at + i >= in.first[category + 1]) {
        flush_category<Pack>(in, category, sums, s, out);
        ++category;
        continue;
      }
      const int end = static_cast<int>(std::min<Eigen::Index>(rows, in.first[category + 1] - at));
      border_dots<Pack>(x, i, end == rows ? tile_rows : end, s);
      for (; i < end; ++i) {
        sums.score_below += t.score_below[i];
        sums.score_above += t.score_above[i];
        sums.below += t.below[i];
        sums.above += t.above[i];
        sums.gap += t.gap[i];
        if (is_near) sums.weight += weight != nullptr ? weight[i] : 1;
      }
    }
  }
  flush_category<Pack>(in, category, sums, s, out);
  for (std::size_t k = 0; k < p; ++k) out.score[k] = lane_sum<Pack>(s.score.data() + k * Pack::size);
  for (std::size_t k = 0; k < p * p; ++k) out.gram[k] = lane_sum<Pack>(s.gram.data() + k * Pack::size);
}

}  // namespace judicious::ordinal
