#include "stats/resample.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "execution/checked_alloc.hpp"
#include "execution/index.hpp"
#include "execution/interrupt.hpp"
#include "stats/random.hpp"

namespace judicious {

namespace {

// Scores minus the mean of their query, row-major. This leaves differences between systems unchanged, and keeps sums
// small.
struct Centred {
  std::vector<double> value;
  Index n, m;
  double tolerance;  // values that differ by less than this are equal except for rounding errors

  explicit Centred(ScoreView x) : value(x.n_queries * x.n_columns), n(x.n_queries), m(x.n_columns) {
    double largest = 0;
    for (Index q = 0; q < n; ++q) {
      double mean = 0;
      for (Index s = 0; s < m; ++s) mean += x.column(s)[q] / static_cast<double>(m);
      for (Index s = 0; s < m; ++s) {
        value[q * m + s] = x.column(s)[q] - mean;
        largest = std::max(largest, std::fabs(value[q * m + s]));
      }
    }
    tolerance = 1e-10 * largest;
  }
  const double* row(Index q) const { return value.data() + q * m; }
};

// Counts the tails of one pair, from the statistics of its replicates, which it reorders.
class TailCounter {
 public:
  TailCounter(ResampledTails& out, double alpha) : out_(out) {
    const double b = static_cast<double>(out.replicates), observed = out.exact ? 0.0 : 1.0;
    added_ = observed;
    total_ = b + observed;
    // p <= alpha if at most this many replicates are as large as the observed value (with a margin for rounding).
    allowed_ = std::floor(alpha * total_ * (1 + 1e-12)) - observed;
  }

  void add(std::vector<double>& replicate, double seen, double tolerance) {
    Index above = 0, below = 0, beyond = 0;
    for (double& x : replicate) {
      above += x >= seen - tolerance;
      below += x <= seen + tolerance;
      x = std::fabs(x);
      beyond += x >= std::fabs(seen) - tolerance;
    }
    const auto p = [&](Index count) { return (static_cast<double>(count) + added_) / total_; };
    out_.greater.push_back(p(above));
    out_.less.push_back(p(below));
    out_.two_sided.push_back(p(beyond));
    if (allowed_ < 0) {
      out_.critical.push_back(std::numeric_limits<double>::infinity());
    } else {
      const Index k = std::min(static_cast<Index>(allowed_), length(replicate) - 1);
      const auto where = replicate.begin() + k;
      std::nth_element(replicate.begin(), where, replicate.end(), std::greater<double>());
      out_.critical.push_back(*where);
    }
  }

 private:
  ResampledTails& out_;
  double added_, total_, allowed_;
};

// sums[r * m + s] is the mean over queries of the scores of system s with the signs of replicate r.
std::vector<double> signed_means(const Centred& x, Index replicates, bool exact, std::uint64_t seed) {
  std::vector<double> sums = checked_alloc<double>({replicates, x.m});
  for (Index r = 0; r < replicates; ++r) {
    check_interrupt_at(r, 64);
    RandomStream random(seed, r);
    double* sum = sums.data() + r * x.m;
    std::uint64_t bits = r;
    for (Index q = 0; q < x.n; ++q) {
      if (!exact && q % 64 == 0) bits = random();
      const double sign = (bits & 1) ? -1.0 : 1.0;
      bits >>= 1;
      for (Index s = 0; s < x.m; ++s) sum[s] += sign * x.row(q)[s];
    }
    for (Index s = 0; s < x.m; ++s) sum[s] /= static_cast<double>(x.n);
  }
  return sums;
}

// How often each query is drawn in each replicate: counts[r * n + q].
std::vector<std::uint32_t> bootstrap_counts(Index n, const ResampleOptions& options) {
  auto counts = checked_alloc<std::uint32_t>({options.replicates, n});
  for (Index r = 0; r < options.replicates; ++r) {
    check_interrupt_at(r, 64);
    RandomStream random(options.seed, r);
    for (Index i = 0; i < n; ++i) {
      ++counts[r * n + random.below(static_cast<std::uint32_t>(n))];
    }
  }
  return counts;
}

// If the mean difference is 0, so is the statistic, even if the differences do not vary.
double t_statistic(double mean, double sum_of_squares, double n, double tolerance) {
  const double se = std::sqrt(std::max(0.0, sum_of_squares) / (n * (n - 1)));
  if (se > tolerance) return mean / se;
  if (std::fabs(mean) <= tolerance) return 0;
  return std::copysign(std::numeric_limits<double>::infinity(), mean);
}

}  // namespace

ResampledTails permutation_tests(ScoreView scores, const ResampleOptions& options) {
  const Centred x(scores);
  ResampledTails out;
  out.exact = x.n < 40 && (Index{1} << x.n) <= options.replicates;
  out.replicates = out.exact ? Index{1} << x.n : options.replicates;
  const std::vector<double> sums = signed_means(x, out.replicates, out.exact, options.seed);
  std::vector<double> seen(x.m, 0.0), replicate = checked_alloc<double>({out.replicates});
  for (Index q = 0; q < x.n; ++q) {
    for (Index s = 0; s < x.m; ++s) seen[s] += x.row(q)[s] / static_cast<double>(x.n);
  }
  TailCounter tails(out, options.alpha);
  for (Index a = 0; a + 1 < x.m; ++a) {
    for (Index b = a + 1; b < x.m; ++b) {
      check_interrupt();
      for (Index r = 0; r < out.replicates; ++r) {
        replicate[r] = sums[r * x.m + a] - sums[r * x.m + b];
      }
      tails.add(replicate, seen[a] - seen[b], x.tolerance);
    }
  }
  return out;
}

ResampledTails bootstrap_tests(ScoreView scores, const ResampleOptions& options) {
  const Centred x(scores);
  ResampledTails out;
  out.replicates = options.replicates;
  const std::vector<std::uint32_t> counts = bootstrap_counts(x.n, options);
  const double n = static_cast<double>(x.n);
  std::vector<double> shifted(x.n), replicate = checked_alloc<double>({out.replicates});
  TailCounter tails(out, options.alpha);
  for (Index a = 0; a + 1 < x.m; ++a) {
    for (Index b = a + 1; b < x.m; ++b) {
      check_interrupt();
      double mean = 0, squares = 0;
      for (Index q = 0; q < x.n; ++q) mean += (shifted[q] = x.row(q)[a] - x.row(q)[b]) / n;
      for (double& d : shifted) {
        d -= mean;
        squares += d * d;
      }
      for (Index r = 0; r < out.replicates; ++r) {
        const std::uint32_t* count = counts.data() + r * x.n;
        double sum = 0, square = 0;
        for (Index q = 0; q < x.n; ++q) {
          const double cd = count[q] * shifted[q];
          sum += cd;
          square += cd * shifted[q];
        }
        replicate[r] = options.studentise ? t_statistic(sum / n, square - sum * sum / n, n, x.tolerance) : sum / n;
      }
      const double seen = options.studentise ? t_statistic(mean, squares, n, x.tolerance) : mean;
      tails.add(replicate, seen, options.studentise ? 1e-10 : x.tolerance);
    }
  }
  return out;
}

std::vector<double> randomised_ranges(ScoreView scores, const ResampleOptions& options) {
  const Centred x(scores);
  std::vector<double> ranges = checked_alloc<double>({options.replicates}), row(x.m), sum(x.m);
  for (Index r = 0; r < options.replicates; ++r) {
    check_interrupt_at(r, 64);
    RandomStream random(options.seed, r);
    std::fill(sum.begin(), sum.end(), 0.0);
    for (Index q = 0; q < x.n; ++q) {
      std::copy(x.row(q), x.row(q) + x.m, row.begin());
      for (Index s = x.m; s-- > 0;) {
        std::swap(row[s], row[random.below(static_cast<std::uint32_t>(s + 1))]);
        sum[s] += row[s];
      }
    }
    const auto [low, high] = std::minmax_element(sum.begin(), sum.end());
    ranges[r] = (*high - *low) / static_cast<double>(x.n);
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

}  // namespace judicious
