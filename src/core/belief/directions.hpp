// Linear functionals of gains or of random effects, which are processed in batches of a fixed size.
#pragma once
#include <Eigen/Dense>
#include <cstdint>

namespace judicious {

// Linear functionals, one per row. Their number is a compile-time constant, so that sums of columns stay in registers.
template <int T>
using Directions = Eigen::Matrix<double, T, Eigen::Dynamic>;
constexpr int batch_size = 16;
constexpr int draws_at_once = 8;

// The sum of the columns with these indices.
template <int T>
Eigen::Matrix<double, T, 1> sum_columns(const Directions<T>& columns, const std::int32_t* at, const std::int32_t* end) {
  Eigen::Matrix<double, T, 1> sum = Eigen::Matrix<double, T, 1>::Zero();
  for (; at != end; ++at) sum += columns.col(*at);
  // Returns a copy: the compiler would keep a named return value in memory, and write every partial sum to it.
  return Eigen::Matrix<double, T, 1>(sum);
}

// Adds the columns with these indices to `out`, which stays in registers during the loop.
template <int T>
void add_columns(const Directions<T>& columns, const std::int32_t* at, const std::int32_t* end, double* out) {
  Eigen::Map<Eigen::Matrix<double, T, 1>> target(out);
  Eigen::Matrix<double, T, 1> sum = target;
  for (; at != end; ++at) sum += columns.col(*at);
  target = sum;
}

}  // namespace judicious
