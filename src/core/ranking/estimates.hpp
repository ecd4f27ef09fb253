// From the gains of pairs, computes the mean effectiveness of systems, its covariance, and the confidence in the sign
// of a difference. Also simulates final scores.
#pragma once
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"

namespace judicious {

// A symmetric matrix over systems, both triangles of which are stored.
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
  // A row, to which contributions may be added in either triangle, whichever is faster. fold() then adds the two
  // triangles.
  double* row(Index a) { return value_.data() + a * n_; }
  void fold();
  const std::vector<double>& values() const { return value_; }
  std::vector<double>& values() { return value_; }

 private:
  Index n_;
  std::vector<double> value_;
};

// The estimates of the systems' mean effectiveness that a ranking needs. `difference_variance` is computed separately,
// because computing it from the covariance would cancel the variance that two systems share, and lose precision.
struct SystemEstimates {
  std::vector<double> mean;
  SystemMatrix covariance;
  SystemMatrix difference_variance;
};

// The estimates from gains that are independent and have these means and variances. Sums are divided by `divisor` (k
// times the number of queries), variances by its square. If there are weights, one per result, gains are multiplied by
// them first.
SystemEstimates estimate_systems(const IncidenceView& incidence, const std::vector<double>& mean,
                                 const std::vector<double>& variance, double divisor,
                                 const std::vector<double>& weight = {});

// The sum, by system, of a value per result.
std::vector<double> system_totals(const std::vector<std::int32_t>& system, const double* value, Index n_systems);

// The variance of a difference, from the variances and the covariance; 0 if it is within rounding error.
double variance_of_difference(double a, double b, double covariance);

// The variances of the differences between all systems, from the covariance of their scores.
SystemMatrix difference_variance(const SystemMatrix& covariance);

// a - b, or 0 if its size is at most `resolution`, the rounding error.
double difference_of_means(double a, double b, double resolution);

// The probability that a normal difference has the sign of its mean, and a size above delta: Phi((|difference| - delta)
// / sd). If the variance is 0, it is 1, 1/2 or 0, depending on whether |difference| is above delta, equal to it (within
// `resolution`), or below.
double sign_confidence(double difference, double variance, double delta, double resolution);

// The comparisons of each two systems a < b, in the order (0, 1), (0, 2), ..., (1, 2), ... Each array has m (m - 1) / 2
// values.
struct SystemComparisons {
  double* difference;  // a's mean less b's
  double* variance;
  double* confidence;  // in the sign of the difference
};

// `difference_variance`: a matrix of m x m.
void compare_systems(const double* mean, const double* difference_variance, Index m, double delta, double resolution,
                     const SystemComparisons& out);

// For each two systems a < b, in the same order, the share of joint draws in which their difference has the sign of
// `difference` and a size above delta. Draws in which it equals delta, within `resolution`, count half. `scores`: m
// systems by n draws.
void share_of_draws(const double* scores, Index m, Index n, const double* difference, double delta, double resolution,
                    double* share);

// The gain of a pair is shift + scale times a level, which has the probabilities of the pair. This also represents
// judged pairs (scale 0), and pairs whose mean and variance differ from those of the levels.
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
  const double* weight = nullptr;  // per result: scores are sums of gains times these weights
};

// Draws the scores: for each draw, a matrix of n_queries x n_systems in column-major order. Gains of different pairs
// are drawn independently; a document that two systems share has the same gain for both.
std::vector<double> draw_scores(IncidenceView results, const std::int32_t* query_of_pair, Index n_queries,
                                const GainTable& gains, const DrawPlan& plan);

}  // namespace judicious
