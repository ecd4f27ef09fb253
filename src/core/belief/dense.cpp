#include "belief/dense.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "execution/index.hpp"
#include "execution/simd.hpp"

namespace judicious::dense {

namespace {

// Up to these sizes, Eigen is faster: the number of rows of a triangle, and the number of multiplications of a product.
constexpr Eigen::Index small_triangle = 24;
constexpr Eigen::Index small_product = 16 * 16 * 16;

// A view of a matrix. `row_stride` and `col_stride` are the distances in memory between neighbouring rows and between
// neighbouring columns; in a view of the transpose, they are exchanged.
struct View {
  const double* data;
  Index rows, cols, row_stride, col_stride;
  const double* at(Index i, Index j) const { return data + i * row_stride + j * col_stride; }
};

View view(const Source& m, bool transposed) {
  const Index rows = index(m.rows()), cols = index(m.cols()), stride = index(m.outerStride());
  return transposed ? View{m.data(), cols, rows, stride, 1} : View{m.data(), rows, cols, 1, stride};
}

// The matrix to which a product is added; `stride` is the distance in memory between its columns. If `triangle` is
// true, only elements on and below the diagonal are written.
struct Sum {
  double* data;
  Index stride;
  bool triangle;
};

// A tile of the target is kept in registers: `width` columns of `height` SIMD vectors each.
constexpr int height = 3, width = 4;
// Sizes for the processor's caches: a block of the left factor fits in the L2 cache, one of the right factor in the L3
// cache.
constexpr Index block_rows = 96, block_depth = 256, block_cols = 1024;

// Copies the rows from `from` to `to` - 1 and the `depth` columns from `first` on, multiplied by `factor`, into strips
// of `size` rows. Each strip is contiguous in memory; the last one is padded with zeros.
void pack(const View& m, Index from, Index to, Index first, Index depth, Index size, double factor, double* out) {
  for (Index strip = from; strip < to; strip += size) {
    const Index count = std::min(size, to - strip);
    for (Index k = 0; k < depth; ++k, out += size) {
      const double* column = m.at(strip, first + k);
      for (Index r = 0; r < count; ++r) out[r] = factor * column[r * m.row_stride];
      for (Index r = count; r < size; ++r) out[r] = 0;
    }
  }
}

template <typename Pack>
JUDICIOUS_INLINE void multiply_tile(Index depth, const double* a, const double* b, double* out) {
  using Real = typename Pack::Real;
  Real sum[width][height] = {};
  for (Index k = 0; k < depth; ++k, a += height * Pack::size, b += width) {
    Real left[height];
    JUDICIOUS_UNROLL
    for (int r = 0; r < height; ++r) left[r] = packed<Pack>(a + r * Pack::size).value;
    JUDICIOUS_UNROLL
    for (int c = 0; c < width; ++c) {
      JUDICIOUS_UNROLL
      for (int r = 0; r < height; ++r) sum[c][r] += left[r] * b[c];
    }
  }
  JUDICIOUS_UNROLL
  for (int c = 0; c < width; ++c) {
    JUDICIOUS_UNROLL
    for (int r = 0; r < height; ++r) packed<Pack>(out + (c * height + r) * Pack::size).value = sum[c][r];
  }
}

// Adds the product of two packed blocks to the rows from i0 to i1 - 1 and the columns from j0 to j1 - 1 of the target.
template <typename Pack>
JUDICIOUS_INLINE void multiply_blocks(const double* left, const double* right, Index i0, Index i1, Index j0, Index j1,
                                      Index depth, const Sum& to) {
  constexpr Index tall = height * Pack::size;
  double tile[height * Pack::size * width];
  for (Index j = j0; j < j1; j += width, right += width * depth) {
    const double* strip = left;
    for (Index i = i0; i < i1; i += tall, strip += tall * depth) {
      const Index rows = std::min(tall, i1 - i), cols = std::min<Index>(width, j1 - j);
      if (to.triangle && i + rows <= j) continue;
      multiply_tile<Pack>(depth, strip, right, tile);
      for (Index c = 0; c < cols; ++c) {
        double* const column = to.data + (j + c) * to.stride + i;
        for (Index r = to.triangle && i < j + c ? j + c - i : 0; r < rows; ++r) column[r] += tile[c * tall + r];
      }
    }
  }
}

void multiply_baseline(const double* left, const double* right, Index i0, Index i1, Index j0, Index j1, Index depth,
                       const Sum& to) {
  multiply_blocks<Pack2>(left, right, i0, i1, j0, j1, depth, to);
}

#if JUDICIOUS_HAS_AVX2_PASS
JUDICIOUS_AVX2 void multiply_avx2(const double* left, const double* right, Index i0, Index i1, Index j0, Index j1,
                                  Index depth, const Sum& to) {
  multiply_blocks<Pack4>(left, right, i0, i1, j0, j1, depth, to);
}
#endif

void multiply(const View& a, const View& b, double factor, const Sum& to) {
  auto* run = multiply_baseline;
  Index tall = height * Pack2::size;
#if JUDICIOUS_HAS_AVX2_PASS
  if (has_avx2()) {
    run = multiply_avx2;
    tall = height * Pack4::size;
  }
#endif
  thread_local std::vector<double> left, right;
  left.resize((block_rows + tall) * block_depth);
  right.resize((std::min(block_cols, b.cols) + width) * block_depth);
  const View columns{b.data, b.cols, b.rows, b.col_stride, b.row_stride};
  for (Index j = 0; j < b.cols; j += block_cols) {
    const Index end = std::min(b.cols, j + block_cols);
    for (Index k = 0; k < a.cols; k += block_depth) {
      const Index depth = std::min(block_depth, a.cols - k);
      pack(columns, j, end, k, depth, width, 1, right.data());
      for (Index i = to.triangle ? j / block_rows * block_rows : 0; i < a.rows; i += block_rows) {
        const Index last = std::min(a.rows, i + block_rows);
        pack(a, i, last, k, depth, tall, factor, left.data());
        run(left.data(), right.data(), i, last, j, end, depth, to);
      }
    }
  }
}

// The next three functions multiply in place: x becomes L x, L' x or x L.
void multiply_by(const Source& l, Target x) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    x = (l.triangularView<Eigen::Lower>() * x).eval();
    return;
  }
  multiply_by(l.bottomRightCorner(n - k, n - k), x.bottomRows(n - k));
  add_product(x.bottomRows(n - k), 1, l.bottomLeftCorner(n - k, k), x.topRows(k));
  multiply_by(l.topLeftCorner(k, k), x.topRows(k));
}

void multiply_by_transposed(const Source& l, Target x) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    x = (l.triangularView<Eigen::Lower>().transpose() * x).eval();
    return;
  }
  multiply_by_transposed(l.topLeftCorner(k, k), x.topRows(k));
  add_product(x.topRows(k), 1, l.bottomLeftCorner(n - k, k), x.bottomRows(n - k), Transposed::left);
  multiply_by_transposed(l.bottomRightCorner(n - k, n - k), x.bottomRows(n - k));
}

void multiply_right_by(const Source& l, Target x) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    x = (x * l.triangularView<Eigen::Lower>()).eval();
    return;
  }
  multiply_right_by(l.topLeftCorner(k, k), x.leftCols(k));
  add_product(x.leftCols(k), 1, x.rightCols(n - k), l.bottomLeftCorner(n - k, k));
  multiply_right_by(l.bottomRightCorner(n - k, n - k), x.rightCols(n - k));
}

// Replaces a lower triangle L by the lower triangle of L' L.
void square_triangle(Target l) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    const Matrix full = l.triangularView<Eigen::Lower>();
    l.triangularView<Eigen::Lower>() = full.transpose() * full;
    return;
  }
  Target corner = l.bottomLeftCorner(n - k, k);
  square_triangle(l.topLeftCorner(k, k));
  add_square(l.topLeftCorner(k, k), 1, corner, Transposed::left);
  multiply_by_transposed(l.bottomRightCorner(n - k, n - k), corner);
  square_triangle(l.bottomRightCorner(n - k, n - k));
}

bool has_factor(Target a) {
  const Eigen::Index n = a.rows(), k = n / 2;
  // The diagonal is checked, too, because Eigen reports success for a matrix that contains NaN.
  if (n <= small_triangle) return Eigen::LLT<Target>(a).info() == Eigen::Success && (a.diagonal().array() > 0).all();
  if (!has_factor(a.topLeftCorner(k, k))) return false;
  solve_right(a.topLeftCorner(k, k), a.bottomLeftCorner(n - k, k));
  add_square(a.bottomRightCorner(n - k, n - k), -1, a.bottomLeftCorner(n - k, k));
  return has_factor(a.bottomRightCorner(n - k, n - k));
}

}  // namespace

void add_product(Target c, double factor, const Source& a, const Source& b, Transposed which) {
  const View left = view(a, which == Transposed::left), right = view(b, which == Transposed::right);
  if (c.size() * index(left.cols) > small_product)
    return multiply(left, right, factor, {c.data(), index(c.outerStride()), false});
  if (which == Transposed::left)
    c.noalias() += factor * (a.transpose() * b);
  else if (which == Transposed::right)
    c.noalias() += factor * (a * b.transpose());
  else
    c.noalias() += factor * (a * b);
}

void add_square(Target c, double factor, const Source& a, Transposed which) {
  const bool left = which == Transposed::left;
  if (c.size() * (left ? a.rows() : a.cols()) > small_product)
    multiply(view(a, left), view(a, !left), factor, {c.data(), index(c.outerStride()), true});
  else if (left)
    c.selfadjointView<Eigen::Lower>().rankUpdate(a.transpose(), factor);
  else
    c.selfadjointView<Eigen::Lower>().rankUpdate(a, factor);
}

void solve(const Source& l, Target x) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) return l.triangularView<Eigen::Lower>().solveInPlace(x);
  solve(l.topLeftCorner(k, k), x.topRows(k));
  add_product(x.bottomRows(n - k), -1, l.bottomLeftCorner(n - k, k), x.topRows(k));
  solve(l.bottomRightCorner(n - k, n - k), x.bottomRows(n - k));
}

void solve_transposed(const Source& l, Target x) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) return l.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  solve_transposed(l.bottomRightCorner(n - k, n - k), x.bottomRows(n - k));
  add_product(x.topRows(k), -1, l.bottomLeftCorner(n - k, k), x.bottomRows(n - k), Transposed::left);
  solve_transposed(l.topLeftCorner(k, k), x.topRows(k));
}

void solve_right(const Source& l, Target x) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) return l.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(x);
  solve_right(l.topLeftCorner(k, k), x.leftCols(k));
  add_product(x.rightCols(n - k), -1, x.leftCols(k), l.bottomLeftCorner(n - k, k), Transposed::right);
  solve_right(l.bottomRightCorner(n - k, n - k), x.rightCols(n - k));
}

void factorise(Target a, const std::string& what) {
  if (a.rows() > 0 && !has_factor(a))
    throw std::domain_error(what + " cannot be factorised, because it is not positive definite.");
}

double log_determinant(const Source& l) { return 2 * l.diagonal().array().log().sum(); }

void invert_triangle(Target l) {
  const Eigen::Index n = l.rows(), k = n / 2;
  if (n <= small_triangle) {
    Matrix inverse = Matrix::Identity(n, n);
    l.triangularView<Eigen::Lower>().solveInPlace(inverse);
    l.triangularView<Eigen::Lower>() = inverse;
    return;
  }
  Target corner = l.bottomLeftCorner(n - k, k);
  invert_triangle(l.topLeftCorner(k, k));
  invert_triangle(l.bottomRightCorner(n - k, n - k));
  multiply_by(l.bottomRightCorner(n - k, n - k), corner);
  multiply_right_by(l.topLeftCorner(k, k), corner);
  corner = -corner;
}

Matrix inverse_of(const Source& l) {
  Matrix out = l;
  invert_triangle(out);
  square_triangle(out);
  mirror(out);
  return out;
}

void mirror(Target a) { a.triangularView<Eigen::StrictlyUpper>() = a.transpose(); }

}  // namespace judicious::dense
