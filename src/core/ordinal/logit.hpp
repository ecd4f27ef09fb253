// The logistic distribution, and one observation of a proportional-odds model in factored form:
// P = F(b) F(-a) (1 - e^-(b-a)) with a = theta_{j-1} - eta, b = theta_j - eta. This form has no
// difference of nearly equal probabilities and no division by P, so that every quantity below keeps
// its relative accuracy far in the tails.
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
inline double log_logistic(double x) {
  return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}

// f(x) = F(x) F(-x).
inline double logistic_density(double x) {
  const double e = std::exp(-std::fabs(x));
  return e / ((1 + e) * (1 + e));
}

// log(1 - e^-d), d > 0.
inline double log_one_minus_exp(double d) {
  return d < log_two ? std::log(-std::expm1(-d)) : std::log1p(-std::exp(-d));
}

// 1 / (e^d - 1) and e^d / (e^d - 1)^2: the first and second derivatives of a category's
// log(1 - e^-delta) by delta, the second with the opposite sign.
inline double gap_slope(double d) { return 1 / std::expm1(d); }
inline double gap_curvature(double d) {
  const double s = std::sinh(d / 2);  // e^d / (e^d - 1)^2 = 1 / (4 sinh^2(d / 2))
  return std::isinf(s) ? std::exp(-d) : 1 / (4 * s * s);
}

// One observation. a is -infinity in the first category, b +infinity in the last.
struct LogitRow {
  double log_prob;   // log P
  double score_eta;  // d log P / d eta = F(a) - F(-b)
  double score_a;    // d log P / d a  = -F(a) - 1/(e^(b-a) - 1)
  double score_b;    // d log P / d b  = F(-b) + 1/(e^(b-a) - 1)
  double info_a;     // f(a)
  double info_b;     // f(b); -d2 log P / d eta2 = info_a + info_b
  double info_gap;   // g = e^d/(e^d-1)^2: -d2/da2 = f(a) + g, -d2/db2 = f(b) + g, d2/da db = g
};

inline LogitRow logit_row(double a, double b, double delta) {
  const bool first = std::isinf(a), last = std::isinf(b);
  LogitRow row{};
  if (first && last) return row;
  if (first) {
    row.log_prob = log_logistic(b);
    row.score_b = logistic(-b);
    row.info_b = logistic_density(b);
    row.score_eta = -row.score_b;
  } else if (last) {
    row.log_prob = log_logistic(-a);
    row.score_a = -logistic(a);
    row.info_a = logistic_density(a);
    row.score_eta = -row.score_a;
  } else {
    const double slope = gap_slope(delta);
    row.log_prob = log_logistic(b) + log_logistic(-a) + log_one_minus_exp(delta);
    row.score_a = -logistic(a) - slope;
    row.score_b = logistic(-b) + slope;
    // F(a) - F(-b) = F(-a) F(-b) (e^(a+b) - 1): exact where the two terms nearly cancel.
    const double sum = a + b;
    row.score_eta = sum > 0 ? -std::expm1(-sum) * logistic(a) * logistic(b)
                            : std::expm1(sum) * logistic(-a) * logistic(-b);
    row.info_a = logistic_density(a);
    row.info_b = logistic_density(b);
    row.info_gap = gap_curvature(delta);
  }
  return row;
}

inline LogitRow logit_row(double a, double b) { return logit_row(a, b, b - a); }

}  // namespace judicious::ordinal
