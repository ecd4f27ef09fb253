#include "stats/mean_test.hpp"

#include <algorithm>
#include <cmath>

#include "execution/interrupt.hpp"
#include "execution/checked_alloc.hpp"

namespace judicious {

PairedStatistics paired_statistics(ScoreView differences, SubsetView subsets) {
  const std::size_t columns = differences.n_columns;
  const double n = static_cast<double>(subsets.size);
  const auto cells = [&] { return checked_alloc<double>({columns, subsets.count}); };
  PairedStatistics out{cells(), cells(), cells(), cells()};
  for (std::size_t t = 0; t < subsets.count; ++t) {
    check_interrupt_at(t, 64);
    const std::int32_t* query = subsets.subset(t);
    for (std::size_t j = 0; j < columns; ++j) {
      check_interrupt_at(j, 256);
      const double* d = differences.column(j);
      double sum = 0;
      std::size_t positive = 0, negative = 0;
      for (std::size_t i = 0; i < subsets.size; ++i) {
        const double x = d[query[i]];
        sum += x;
        positive += x > 0;
        negative += x < 0;
      }
      const double mean = sum / n;
      double squares = 0;
      for (std::size_t i = 0; i < subsets.size; ++i) {
        squares += (d[query[i]] - mean) * (d[query[i]] - mean);
      }
      const std::size_t cell = t * columns + j;
      out.mean[cell] = mean;
      out.sd[cell] = std::sqrt(squares / (n - 1));
      out.positive[cell] = static_cast<double>(positive);
      out.negative[cell] = static_cast<double>(negative);
    }
  }
  return out;
}

std::vector<double> residual_mean_square(ScoreView scores, SubsetView subsets) {
  const std::size_t m = scores.n_columns, n = subsets.size;
  std::vector<double> out(subsets.count), column_mean(m), row_mean(n);
  for (std::size_t t = 0; t < subsets.count; ++t) {
    check_interrupt_at(t, 64);
    const std::int32_t* query = subsets.subset(t);
    std::fill(column_mean.begin(), column_mean.end(), 0.0);
    std::fill(row_mean.begin(), row_mean.end(), 0.0);
    for (std::size_t s = 0; s < m; ++s) {
      for (std::size_t i = 0; i < n; ++i) {
        column_mean[s] += scores.column(s)[query[i]] / static_cast<double>(n);
        row_mean[i] += scores.column(s)[query[i]] / static_cast<double>(m);
      }
    }
    double grand = 0;
    for (const double c : column_mean) grand += c / static_cast<double>(m);
    double squares = 0;
    for (std::size_t s = 0; s < m; ++s) {
      for (std::size_t i = 0; i < n; ++i) {
        const double residual = scores.column(s)[query[i]] - column_mean[s] - row_mean[i] + grand;
        squares += residual * residual;
      }
    }
    out[t] = squares / (static_cast<double>(n - 1) * static_cast<double>(m - 1));
  }
  return out;
}

}  // namespace judicious
