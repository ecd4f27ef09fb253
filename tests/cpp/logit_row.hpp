// The likelihood of one row of the logit model, written out as a reference for the evaluation by blocks of rows.
#pragma once
#include <cmath>

#include "ordinal/logit.hpp"

namespace judicious::ordinal {

// One observation, with P = F(b) - F(a) and d = b - a. F is the logistic distribution function and f its density. a is
// -infinity in the first category, b is +infinity in the last.
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
    row.score_eta =
        sum > 0 ? -std::expm1(-sum) * logistic(a) * logistic(b) : std::expm1(sum) * logistic(-a) * logistic(-b);
    row.info_a = logistic_density(a);
    row.info_b = logistic_density(b);
    row.info_gap = gap_curvature(delta);
  }
  return row;
}

inline LogitRow logit_row(double a, double b) { return logit_row(a, b, b - a); }

}  // namespace judicious::ordinal
