// The pass of the likelihood over one tile of rows: the linear predictor, and the sums over rows,
// which are kept in packs until the end of a chunk.
#pragma once
#include <algorithm>
#include <vector>

#include "execution/simd.hpp"
#include "link.hpp"

namespace judicious::ordinal {

constexpr int tile_rows = RowTerms::size;

// The terms of the tile's rows, multiplied by the rows' weights.
struct alignas(32) TileRows : RowTerms {
  double lower[tile_rows], upper[tile_rows];  // thresholds of the rows' categories
  double eta[tile_rows];
  double both[tile_rows];  // -d2 l/d eta2
  // For the logit: constants of the rows' categories, and F(b) F(-a).
  double middle[tile_rows], from_lower[tile_rows], to_upper[tile_rows], slope[tile_rows];
  double prob[tile_rows];
};

// For the logit: constants of a category with the limits a and b. They are a middle m, e^(a - m), e^(m - b), 1 / (e^(b
// - a) - 1) and log(1 - e^(a - b)); the last two are 0 if there is no limit on one side.
struct LogitCategory {
  double middle = 0, lower = 0, upper = 0, slope = 0, log_width = 0;
};

// The columns of the tile's rows. Rows are consecutive, and columns `stride` apart.
struct TileColumns {
  const double* x;
  std::ptrdiff_t stride;
  int count;
  const double* column(int k) const { return x + k * stride; }
};

template <typename Pack>
JUDICIOUS_INLINE void tile_predictor(const TileColumns& x, const double* beta, const double* offset, TileRows& t) {
  using Real = typename Pack::Real;
  for (int i = 0; i < tile_rows; i += 2 * Pack::size) {
    Real first{}, second{};
    if (offset != nullptr) {
      first += packed<Pack>(offset + i).value;
      second += packed<Pack>(offset + i + Pack::size).value;
    }
    const double* at = x.x;  // null if there are no columns
    for (int k = 0; k < x.count; ++k, at += x.stride) {
      first += beta[k] * packed<Pack>(at + i).value;
      second += beta[k] * packed<Pack>(at + i + Pack::size).value;
    }
    packed<Pack>(t.eta + i).value = first;
    packed<Pack>(t.eta + i + Pack::size).value = second;
  }
}

// Computes the terms of the logit. Since b - a is equal for all rows of a category, a row needs only one exponential
// and one division: with e = e^(eta - m), e^a = lower / e and e^-b = upper e. Returns false if a row is too far from
// its category for this formula.
template <typename Pack>
JUDICIOUS_INLINE bool logit_tile(TileRows& t) {
  using Real = typename Pack::Real;
  constexpr double far = 40;
  typename Pack::Bits is_far{};
  for (int i = 0; i < tile_rows; i += Pack::size) {
    Real over, under;
    const Real shifted = packed<Pack>(t.eta + i).value - packed<Pack>(t.middle + i).value;
    const Real slope = packed<Pack>(t.slope + i).value;
    is_far |= ~((shifted < far) & (shifted > -far));
    exp_ratio<Pack>(shifted, over, under);
    const Real up = packed<Pack>(t.to_upper + i).value * over, low = packed<Pack>(t.from_lower + i).value * under;
    const Real at_b = under + up, at_a = over + low;
    const Real inverse = 1.0 / (at_b * at_a), by_b = at_a * inverse, by_a = at_b * inverse;
    const Real above = up * by_b, below = low * by_a, in_b = under * by_b, in_a = over * by_a;
    packed<Pack>(t.score_above + i).value = above + slope;
    packed<Pack>(t.score_below + i).value = below + slope;
    packed<Pack>(t.score + i).value = below - above;
    packed<Pack>(t.above + i).value = above * in_b;
    packed<Pack>(t.below + i).value = below * in_a;
    packed<Pack>(t.both + i).value = above * in_b + below * in_a;
    packed<Pack>(t.gap + i).value = slope * (1.0 + slope);
    packed<Pack>(t.prob + i).value = in_a * in_b;
  }
  long long any = 0;
  for (int l = 0; l < Pack::size; ++l) any |= is_far[l];
  return any == 0;
}

// Adds left[l]' x_k over the rows `from` to `to` of the tile, both multiples of the pack's size, to sum[l * count + k].
template <typename Pack, int Lefts, int Columns>
JUDICIOUS_INLINE void dots(const double* const* left, const TileColumns& x, int k0, int from, int to, double* sum) {
  using Real = typename Pack::Real;
  Real acc[Lefts][Columns];
  JUDICIOUS_UNROLL
  for (int l = 0; l < Lefts; ++l) {
    JUDICIOUS_UNROLL
    for (int c = 0; c < Columns; ++c) acc[l][c] = packed<Pack>(sum + (l * x.count + k0 + c) * Pack::size).value;
  }
  for (int i = from; i < to; i += Pack::size) {
    JUDICIOUS_UNROLL
    for (int c = 0; c < Columns; ++c) {
      const Real value = packed<Pack>(x.column(k0 + c) + i).value;
      JUDICIOUS_UNROLL
      for (int l = 0; l < Lefts; ++l) acc[l][c] += packed<Pack>(left[l] + i).value * value;
    }
  }
  JUDICIOUS_UNROLL
  for (int l = 0; l < Lefts; ++l) {
    JUDICIOUS_UNROLL
    for (int c = 0; c < Columns; ++c) packed<Pack>(sum + (l * x.count + k0 + c) * Pack::size).value = acc[l][c];
  }
}

template <typename Pack, int Lefts>
JUDICIOUS_INLINE void all_dots(const double* const* left, const TileColumns& x, int from, int to, double* sum) {
  int k = 0;
  for (; k + 3 <= x.count; k += 3) dots<Pack, Lefts, 3>(left, x, k, from, to, sum);
  if (x.count - k == 2) dots<Pack, Lefts, 2>(left, x, k, from, to, sum);
  if (x.count - k == 1) dots<Pack, Lefts, 1>(left, x, k, from, to, sum);
}

// Adds x_r' diag(both) x_c to sum[r * count + c], for `Rows` rows r from r0 on and for all c up to r.
template <typename Pack, int Rows>
JUDICIOUS_INLINE void gram_rows(const double* both, const TileColumns& x, int r0, double* sum) {
  alignas(32) double weighted[Rows][tile_rows];
  const double* left[Rows];
  for (int r = 0; r < Rows; ++r) {
    left[r] = weighted[r];
    for (int i = 0; i < tile_rows; i += Pack::size)
      packed<Pack>(weighted[r] + i).value = packed<Pack>(both + i).value * packed<Pack>(x.column(r0 + r) + i).value;
  }
  sum += r0 * x.count * Pack::size;
  for (int c = 0; c < r0; c += 3) dots<Pack, Rows, 3>(left, x, c, 0, tile_rows, sum);
  dots<Pack, Rows, Rows>(left, x, r0, 0, tile_rows, sum);
}

// Computes the lower triangle of the Gram matrix in blocks of 3 x 3. Diagonal blocks are computed as whole squares.
template <typename Pack>
JUDICIOUS_INLINE void gram(const double* both, const TileColumns& x, double* sum) {
  int r = 0;
  for (; r + 3 <= x.count; r += 3) gram_rows<Pack, 3>(both, x, r, sum);
  if (x.count - r == 2) gram_rows<Pack, 2>(both, x, r, sum);
  if (x.count - r == 1) gram_rows<Pack, 1>(both, x, r, sum);
}

template <typename Pack>
JUDICIOUS_INLINE double lane_sum(const double* x) {
  double out = 0;
  for (int l = 0; l < Pack::size; ++l) out += x[l];
  return out;
}

}  // namespace judicious::ordinal
