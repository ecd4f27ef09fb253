#include "stats/mean_test.hpp"

#include <algorithm>
#include <cmath>

#include "execution/checked_alloc.hpp"
#include "execution/interrupt.hpp"
#include "stats/distributions.hpp"

namespace judicious {

PairedStatistics paired_statistics(ScoreView differences, SubsetView subsets, double rounding) {
  const Index columns = differences.n_columns;
  const double n = static_cast<double>(subsets.size);
  const auto cells = [&] { return checked_alloc<double>({columns, subsets.count}); };
  PairedStatistics out{cells(), cells(), cells(), cells()};
  for (Index t = 0; t < subsets.count; ++t) {
    check_interrupt_at(t, 64);
    const std::int32_t* query = subsets.subset(t);
    for (Index j = 0; j < columns; ++j) {
      check_interrupt_at(j, 256);
      const double* d = differences.column(j);
      double sum = 0;
      Index positive = 0, negative = 0;
      for (Index i = 0; i < subsets.size; ++i) {
        const double x = d[query[i]];
        sum += x;
        positive += x > 0;
        negative += x < 0;
      }
      double mean = sum / n;
      double squares = 0, largest = 0;
      for (Index i = 0; i < subsets.size; ++i) {
        squares += (d[query[i]] - mean) * (d[query[i]] - mean);
        largest = std::max(largest, std::fabs(d[query[i]] - mean));
      }
      if (largest <= rounding) squares = 0;
      if (std::fabs(mean) <= rounding) mean = 0;
      const Index cell = t * columns + j;
      out.mean[cell] = mean;
      out.sd[cell] = std::sqrt(squares / (n - 1));
      out.positive[cell] = static_cast<double>(positive);
      out.negative[cell] = static_cast<double>(negative);
    }
  }
  return out;
}

PairedTests t_tests(const PairedStatistics& differences, Index n) {
  PairedTests out{differences.mean, differences.mean, differences.mean, differences.mean};
  const double queries = static_cast<double>(n);
  for (Index i = 0; i < length(differences.mean); ++i) {
    check_interrupt_at(i, 65536);
    const double mean = differences.mean[i], error = differences.sd[i] / std::sqrt(queries);
    const bool none = mean == 0;
    const double t = none ? 0 : mean / error;
    const double beyond = student_t_survival(std::fabs(t), queries - 1);
    const bool equal = none && error == 0;
    out.statistic[i] = t;
    out.greater[i] = equal ? 1 : t > 0 ? beyond : 1 - beyond;
    out.less[i] = equal ? 1 : t > 0 ? 1 - beyond : beyond;
    out.two_sided[i] = 2 * beyond;
  }
  return out;
}

PairedTests sign_tests(const PairedStatistics& differences) {
  PairedTests out{differences.positive, differences.mean, differences.mean, differences.mean};
  for (Index i = 0; i < length(differences.mean); ++i) {
    check_interrupt_at(i, 65536);
    const double positive = differences.positive[i], negative = differences.negative[i];
    out.less[i] = fair_binomial_cdf(positive, positive + negative);
    // By symmetry, the probability of at least this many positive differences equals that of at most this many negative
    // ones.
    out.greater[i] = fair_binomial_cdf(negative, positive + negative);
    out.two_sided[i] = std::min(1.0, 2 * std::min(out.less[i], out.greater[i]));
  }
  return out;
}

std::vector<double> residual_mean_square(ScoreView scores, SubsetView subsets, double rounding) {
  const Index m = scores.n_columns, n = subsets.size;
  std::vector<double> out(subsets.count), column_mean(m), row_mean(n);
  for (Index t = 0; t < subsets.count; ++t) {
    check_interrupt_at(t, 64);
    const std::int32_t* query = subsets.subset(t);
    std::fill(column_mean.begin(), column_mean.end(), 0.0);
    std::fill(row_mean.begin(), row_mean.end(), 0.0);
    for (Index s = 0; s < m; ++s) {
      for (Index i = 0; i < n; ++i) {
        column_mean[s] += scores.column(s)[query[i]] / static_cast<double>(n);
        row_mean[i] += scores.column(s)[query[i]] / static_cast<double>(m);
      }
    }
    double grand = 0;
    for (const double c : column_mean) grand += c / static_cast<double>(m);
    double squares = 0, largest = 0;
    for (Index s = 0; s < m; ++s) {
      for (Index i = 0; i < n; ++i) {
        const double residual = scores.column(s)[query[i]] - column_mean[s] - row_mean[i] + grand;
        squares += residual * residual;
        largest = std::max(largest, std::fabs(residual));
      }
    }
    if (largest <= rounding) squares = 0;
    out[t] = squares / (static_cast<double>(n - 1) * static_cast<double>(m - 1));
  }
  return out;
}

}  // namespace judicious
