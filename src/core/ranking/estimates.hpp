// Computes, from the gains of pairs, the mean effectiveness of systems, its covariance, and the confidence in the sign
// of a difference; simulates final scores.
#pragma once
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"

namespace judicious {

// A symmetric matrix over systems, stored whole.
class SystemMatrix {
 public:
  explicit SystemMatrix(Index n_systems = 0) : n_(n_systems), value_(n_systems * n_systems, 0) {}

  Index size() const { return n_; }
  double operator()(Index a, Index b) const { return value_[a * n_ + b]; }
  void set(Index a, Index b, double value) {
    value_[a * n_ + b] = value;
    value_[b * n_ + a] = value;
  }
  void add(Index a, Index b, double value) { set(a, b, (*this)(a, b) + value); }
  // Sums are faster along a row, in either half of the matrix; fold() adds the halves.
  double* row(Index a) { return value_.data() + a * n_; }
  void fold();
  const std::vector<double>& values() const { return value_; }
  std::vector<double>& values() { return value_; }

 private:
  Index n_;
  std::vector<double> value_;
};

// Everything that a ranking needs about the systems' mean effectiveness. `difference_variance` is computed separately,
// because from the covariance, the variance of what two systems share would cancel and lose precision.
struct SystemEstimates {
  std::vector<double> mean;
  SystemMatrix covariance;
  SystemMatrix difference_variance;
};

// The gains of pairs are independent, with these means and variances. Sums are divided by `divisor` (k times the number
// of queries), variances by its square. With `weight`, one per result, gains are multiplied by it first.
SystemEstimates estimate_systems(const IncidenceView& incidence, const std::vector<double>& mean,
                                 const std::vector<double>& variance, double divisor,
                                 const std::vector<double>& weight = {});

// Sums, by system, of values per result.
std::vector<double> system_totals(const std::vector<std::int32_t>& system, const double* value, Index n_systems);

// The variance of a difference, from the variances and the covariance; 0 within rounding error.
double variance_of_difference(double a, double b, double covariance);

// The variances of the differences between all systems, from the covariance of their scores.
SystemMatrix difference_variance(const SystemMatrix& covariance);

// a - b, or 0 if its size is at most `resolution`, the rounding error.
double difference_of_means(double a, double b, double resolution);

// P(a normal difference has the sign of its mean, and its size exceeds delta): Phi((|difference| - delta) / sd).
// Without variance, it is 1, 1/2 or 0 if |difference| is above, equal to (within `resolution`) or below delta.
double sign_confidence(double difference, double variance, double delta, double resolution);

// The comparisons of each two systems a < b, in the order (0, 1), (0, 2), ..., (1, 2), ...: each
// array has m (m - 1) / 2 values.
struct SystemComparisons {
  double* difference;  // a's mean less b's
  double* variance;
  double* confidence;  // in the sign of the difference
};

// `difference_variance`: m x m.
void compare_systems(const double* mean, const double* difference_variance, Index m, double delta, double resolution,
                     const SystemComparisons& out);

// The gain of a pair is shift + scale x level, with the pair's probabilities of the levels. This represents judged
// pairs (scale 0), and pairs whose mean and variance differ from those of the levels.
struct GainTable {
  const double* probability = nullptr;  // n_pairs x n_levels, column-major
  const double* level = nullptr;
  const double* shift = nullptr;  // per pair
  const double* scale = nullptr;  // per pair
  Index n_levels = 0;
};

struct DrawPlan {
  Index first = 0;  // draw t uses the stream (seed, t)
  Index count = 0;
  std::uint64_t seed = 0;
  const double* weight = nullptr;  // per result: scores are sums of gains so weighted
};

// n_queries x n_systems scores (column-major) per draw, one draw after the other. Gains of different pairs are drawn
// independently; a document that two systems share has one gain in a draw.
std::vector<double> draw_scores(IncidenceView results, const std::int32_t* query_of_pair, Index n_queries,
                                const GainTable& gains, const DrawPlan& plan);

}  // namespace judicious
