// The logistic distribution, and one observation of a proportional-odds model in factored form: P = F(b) F(-a) (1 -
// e^-(b-a)) with a = theta_{j-1} - eta, b = theta_j - eta. This form has no difference of nearly equal probabilities
// and no division by P, so that every quantity below keeps its relative accuracy far in the tails.
#pragma once
#include <cmath>
#include <limits>

#include "stats/constants.hpp"

namespace judicious::ordinal {

// F(x) = 1 / (1 + e^-x).
inline double logistic(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

// log F(x).
inline double log_logistic(double x) { return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x)); }

// f(x) = F(x) F(-x).
inline double logistic_density(double x) {
  const double e = std::exp(-std::fabs(x));
  return e / ((1 + e) * (1 + e));
}

// log(1 - e^-d), d > 0.
inline double log_one_minus_exp(double d) {
  return d < log_two ? std::log(-std::expm1(-d)) : std::log1p(-std::exp(-d));
}

// 1 / (e^d - 1) and e^d / (e^d - 1)^2: for the term log(1 - e^-d) of a category of width d, the first derivative, and
// minus the second derivative.
inline double gap_slope(double d) { return 1 / std::expm1(d); }
inline double gap_curvature(double d) {
  const double s = std::sinh(d / 2);  // e^d / (e^d - 1)^2 = 1 / (4 sinh^2(d / 2))
  return std::isinf(s) ? std::exp(-d) : 1 / (4 * s * s);
}

}  // namespace judicious::ordinal
