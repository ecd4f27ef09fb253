// From the gains of pairs to the mean effectiveness of systems, its covariance, and the confidence
// in the sign of a difference.
#pragma once
#include <cstddef>
#include <vector>

#include "collection/incidence.hpp"

namespace judicious {

// A symmetric matrix over systems, stored whole.
class SystemMatrix {
 public:
  explicit SystemMatrix(std::size_t n_systems = 0)
      : n_(n_systems), value_(n_systems * n_systems, 0) {}

  std::size_t size() const { return n_; }
  double operator()(std::size_t a, std::size_t b) const { return value_[a * n_ + b]; }
  void set(std::size_t a, std::size_t b, double value) {
    value_[a * n_ + b] = value;
    value_[b * n_ + a] = value;
  }
  void add(std::size_t a, std::size_t b, double value) { set(a, b, (*this)(a, b) + value); }
  // Sums run faster along a row, into either half of the matrix; fold() adds up the halves.
  double* row(std::size_t a) { return value_.data() + a * n_; }
  void fold();
  const std::vector<double>& values() const { return value_; }
  std::vector<double>& values() { return value_; }

 private:
  std::size_t n_;
  std::vector<double> value_;
};

// Of systems' mean effectiveness: everything that a ranking needs. `difference_variance` is not
// left to the covariance, where the variance of what two systems share would cancel and take digits
// along.
struct SystemEstimates {
  std::vector<double> mean;
  SystemMatrix covariance;
  SystemMatrix difference_variance;
};

// The gains of pairs are independent, with these means and variances. Sums are divided by `divisor`
// (k times the number of queries), variances by its square. With `weight`, one per result, gains
// are multiplied by it first.
SystemEstimates estimate_systems(const IncidenceView& incidence, const std::vector<double>& mean,
                                 const std::vector<double>& variance, double divisor,
                                 const std::vector<double>& weight = {});

// Values along the results, added up by system.
std::vector<double> system_totals(const std::vector<std::int32_t>& system, const double* value,
                                  std::size_t n_systems);

// The variances of the differences from any covariance; one that is nothing but rounding is 0.
SystemMatrix difference_variance(const SystemMatrix& covariance);

// a - b, and 0 where its size is at most `resolution`: nothing but rounding.
double difference_of_means(double a, double b, double resolution);

// P(the sign of a normal difference is that of its mean and its size exceeds delta):
// Phi((|difference| - delta) / sd). Without variance it is 1, 1/2 or 0, as |difference| is above,
// at (by `resolution`) or below delta.
double sign_confidence(double difference, double variance, double delta, double resolution);

// What is known of every two systems a < b, in the order (0, 1), (0, 2), ..., (1, 2), ...: room for
// m (m - 1) / 2 values each.
struct SystemComparisons {
  double* difference;  // a's mean less b's
  double* variance;
  double* confidence;  // in the sign of the difference
};

// `difference_variance`: m x m.
void compare_systems(const double* mean, const double* difference_variance, std::size_t m,
                     double delta, double resolution, const SystemComparisons& out);

}  // namespace judicious
