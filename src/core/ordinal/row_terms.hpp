// The log likelihoods of a block of rows, and their derivatives by the limits a < b of the rows'
// levels, P = F(b) - F(a). Models are fitted from these numbers alone, whatever the link.
#pragma once
#include <cstddef>

namespace judicious::ordinal {

struct RowTerms {
  static constexpr int size = 64;

  alignas(32) double log_prob[size];
  double score_below[size], score_above[size];  // -d log P / d a, d log P / d b
  // -(d2 log P / d a2 + d2 log P / d a d b), and the same for b. Their sum is the curvature by a
  // shift of both limits.
  double below[size], above[size];
  double gap[size];  // d2 log P / d a d b
};

class Link;

// Computes the terms of RowTerms::size rows in packs, from the tails of the link's distribution. A
// row without a limit on one side has an infinite one there.
void probit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void cloglog_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void cauchit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
// For any other link, from Link::near_tail().
void other_rows(const Link& link, const double* a, const double* b, RowTerms& out);

}  // namespace judicious::ordinal
