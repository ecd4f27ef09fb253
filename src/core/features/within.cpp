#include "features/within.hpp"

#include <cmath>
#include <numeric>

#include "execution/interrupt.hpp"
#include "features/output.hpp"

namespace judicious {
namespace {

// Sums over the pairs of each system, divided by the square root of their number.
std::vector<double> scaled_sums(const IncidenceView& incidence, const std::vector<double>& n,
                                const std::vector<double>& value) {
  std::vector<double> sum = sum_over_pairs(incidence, value);
  for (Index s = 0; s < length(n); ++s) sum[s] = n[s] > 0 ? sum[s] / std::sqrt(n[s]) : 0;
  return sum;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

constexpr int most_rounds = 50;
constexpr double precision = 1e-9;

}  // namespace

// The normal equations become symmetric if systems are scaled by the square roots of their numbers of pairs. Conjugate
// gradients solve them in a few iterations, each of which reads the results twice.
std::vector<double> within_systems(const IncidenceView& incidence, std::vector<double> value) {
  const std::vector<double> n = pairs_per_system(incidence);
  std::vector<double> left = scaled_sums(incidence, n, value), direction = left, number(n.size());
  const double enough = precision * precision * dot(value, value);
  double size = dot(left, left);
  for (int round = 0; round < most_rounds && size > enough; ++round) {
    check_interrupt();
    for (Index s = 0; s < length(n); ++s) {
      number[s] = n[s] > 0 ? direction[s] / std::sqrt(n[s]) : 0;
    }
    const std::vector<double> part = mean_over_systems(incidence, number);
    const std::vector<double> change = scaled_sums(incidence, n, part);
    const double step = size / dot(direction, change);
    for (Index i = 0; i < length(value); ++i) {
      if (incidence.count(i) > 0) value[i] -= step * part[i];
    }
    for (Index s = 0; s < length(n); ++s) left[s] -= step * change[s];
    const double next = dot(left, left);
    for (Index s = 0; s < length(n); ++s) {
      direction[s] = left[s] + next / size * direction[s];
    }
    size = next;
  }
  return value;
}

}  // namespace judicious
