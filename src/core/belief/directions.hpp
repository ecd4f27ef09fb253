// Batches of linear functionals, one per row.
#pragma once
#include <Eigen/Dense>
#include <cstdint>

namespace judicious {

// Linear functionals, one per row. Their number is a compile-time constant, so that sums of columns stay in registers.
template <int T>
using Directions = Eigen::Matrix<double, T, Eigen::Dynamic>;
constexpr int side_by_side = 16;
constexpr int draws_at_once = 8;

// The sum of some of the columns.
template <int T>
Eigen::Matrix<double, T, 1> sum_columns(const Directions<T>& columns, const std::int32_t* at, const std::int32_t* end) {
  Eigen::Matrix<double, T, 1> sum = Eigen::Matrix<double, T, 1>::Zero();
  for (; at != end; ++at) sum += columns.col(*at);
  // Returns a copy, because a named return value is in memory, where every sum would be written.
  return Eigen::Matrix<double, T, 1>(sum);
}

// Adds some of the columns to `out`, which stays in registers during the loop.
template <int T>
void add_columns(const Directions<T>& columns, const std::int32_t* at, const std::int32_t* end, double* out) {
  Eigen::Map<Eigen::Matrix<double, T, 1>> target(out);
  Eigen::Matrix<double, T, 1> sum = target;
  for (; at != end; ++at) sum += columns.col(*at);
  target = sum;
}

}  // namespace judicious
