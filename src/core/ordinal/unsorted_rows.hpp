// The pass over a chunk of unsorted rows, for a few categories. It needs no sorted copy of the
// data: instead, every threshold has its own weights, which are 0 for rows of other categories.
#pragma once
#include "chunk.hpp"

namespace judicious::ordinal {

// Copies the tile to a buffer, centred and scaled, and pads it with rows of zeros.
template <typename Pack>
JUDICIOUS_INLINE TileColumns standardised_tile(const ChunkInput& in, Eigen::Index at, int rows,
                                               const double*& offset, ChunkScratch& s) {
  for (int k = 0; k < in.p; ++k) {
    const double *from = in.x + at + k * in.stride, center = in.center[k], factor = in.factor[k];
    double* to = s.tail_x.data() + k * tile_rows;
    if (rows == tile_rows) {
      for (int i = 0; i < tile_rows; i += Pack::size) {
        packed<Pack>(to + i).value = (packed<Pack>(from + i).value - center) * factor;
      }
    } else {
      for (int i = 0; i < tile_rows; ++i) to[i] = i < rows ? (from[i] - center) * factor : 0;
    }
  }
  offset = nullptr;
  if (in.offset != nullptr) {
    double* to = s.tail_offset.data();
    for (int i = 0; i < tile_rows; ++i) to[i] = i < rows ? in.offset[at + i] - in.offset_center : 0;
    offset = to;
  }
  return {s.tail_x.data(), tile_rows, in.p};
}

// Adds x where the mask is set.
template <typename Pack>
JUDICIOUS_INLINE void add_where(const typename Pack::Bits& mask, const typename Pack::Real& x,
                                typename Pack::Real& sum) {
  sum += reinterpret_cast<typename Pack::Real>(mask & reinterpret_cast<typename Pack::Bits>(x));
}

// The constants of the rows' categories; a row of the padding has category -1, and thus none.
template <typename Pack>
JUDICIOUS_INLINE void look_up_categories(const ChunkInput& in, const double* category,
                                         TileRows& t) {
  using Real = typename Pack::Real;
  for (int i = 0; i < tile_rows; i += Pack::size) {
    const Real mine = packed<Pack>(category + i).value;
    Real middle{}, lower{}, upper{};
    for (int j = 0; j < in.n_categories; ++j) {
      const typename Pack::Bits here = mine == static_cast<double>(j);
      add_where<Pack>(here, Real{} + in.middle[j], middle);
      add_where<Pack>(here, Real{} + in.lower[j], lower);
      add_where<Pack>(here, Real{} + in.upper[j], upper);
    }
    packed<Pack>(t.middle + i).value = middle;
    packed<Pack>(t.lower + i).value = lower;
    packed<Pack>(t.upper + i).value = upper;
  }
}

// Computes threshold j's weights f; adds their sum and that of its gradient's terms to row, and
// that of the gaps to *gap unless it is null.
template <typename Pack>
JUDICIOUS_INLINE void threshold_weights(const double* category, int j, const TileRows& t,
                                        double* own, double* row, double* gap) {
  using Real = typename Pack::Real;
  using Bits = typename Pack::Bits;
  Real own_sum{}, above_sum{}, below_sum{}, gap_sum{};
  for (int i = 0; i < tile_rows; i += Pack::size) {
    const Real mine = packed<Pack>(category + i).value;
    const Bits under = mine == static_cast<double>(j), over = mine == static_cast<double>(j + 1);
    // Loaded first, because a reference to an aligned pack must not be bound to these addresses.
    const Real above = packed<Pack>(t.above + i).value, below = packed<Pack>(t.below + i).value;
    const Real score_above = packed<Pack>(t.score_above + i).value;
    const Real score_below = packed<Pack>(t.score_below + i).value;
    Real weight{};
    add_where<Pack>(under, above, weight);
    add_where<Pack>(over, below, weight);
    packed<Pack>(own + i).value = weight;
    own_sum += weight;
    add_where<Pack>(under, score_above, above_sum);
    add_where<Pack>(over, score_below, below_sum);
    if (gap != nullptr) {
      const Real between = packed<Pack>(t.gap + i).value;
      add_where<Pack>(over, between, gap_sum);
    }
  }
  for (int l = 0; l < Pack::size; ++l) {
    row[0] += above_sum[l] - below_sum[l];
    row[1] += own_sum[l];
    if (gap != nullptr) *gap += gap_sum[l];
  }
}

template <typename Pack>
JUDICIOUS_INLINE void run_unsorted_chunk(const ChunkInput& in, ChunkScratch& s, ChunkSums& out) {
  const auto p = static_cast<std::size_t>(in.p), m = static_cast<std::size_t>(in.n_categories - 1);
  s.score.assign(p * Pack::size, 0);
  s.gram.assign(p * p * Pack::size, 0);
  s.border.assign(m * p * Pack::size, 0);
  s.tail_x.resize(p * tile_rows);
  s.tail_offset.resize(tile_rows);
  TileRows& t = s.rows;
  alignas(32) double category[tile_rows], own[tile_rows];
  out.value = 0;
  for (Eigen::Index at = in.from; at < in.to; at += tile_rows) {
    const int rows = static_cast<int>(std::min<Eigen::Index>(tile_rows, in.to - at));
    const double* offset = nullptr;
    const TileColumns x = standardised_tile<Pack>(in, at, rows, offset, s);
    for (int i = 0; i < rows; ++i) category[i] = in.category[at + i];
    for (int i = rows; i < tile_rows; ++i) category[i] = -1;
    look_up_categories<Pack>(in, category, t);
    tile_predictor<Pack>(x, in.beta, offset, t);
    if (in.link != nullptr) {
      out.value += link_tile(in, rows, nullptr, t);
    } else if (is_plain<Pack>(t)) {
      tile_probabilities<Pack>(t);
      out.value += sum_of_logs<Pack>(t, nullptr, rows);
    } else {
      out.value += careful_tile(in, rows, in.category + at, nullptr, t);
    }
    const double* score[] = {t.score};
    all_dots<Pack, 1>(score, x, 0, tile_rows, s.score.data());
    for (std::size_t j = 0; j < m; ++j) {
      double* row = out.rows.data() + (j + 1) * (p + 3);
      threshold_weights<Pack>(category, static_cast<int>(j), t, own, row,
                              in.link != nullptr ? row + p + 2 : nullptr);
      const double* left[] = {own};
      if (in.second) all_dots<Pack, 1>(left, x, 0, tile_rows, s.border.data() + j * p * Pack::size);
    }
    if (in.second) gram<Pack>(t.both, x, s.gram.data());
  }
  for (std::size_t k = 0; k < p; ++k)
    out.score[k] = lane_sum<Pack>(s.score.data() + k * Pack::size);
  if (!in.second) return;
  for (std::size_t k = 0; k < p * p; ++k)
    out.gram[k] = lane_sum<Pack>(s.gram.data() + k * Pack::size);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t k = 0; k < p; ++k) {
      out.rows[(j + 1) * (p + 3) + 2 + k] +=
          lane_sum<Pack>(s.border.data() + (j * p + k) * Pack::size);
    }
  }
}

}  // namespace judicious::ordinal
