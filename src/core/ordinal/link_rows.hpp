// Terms of blocks of rows, in packs.
#pragma once
#include "link.hpp"

namespace judicious::ordinal {

// Computes the terms of RowTerms::size rows in packs, from the tails of the link's distribution. A
// row without a limit on one side has an infinite one there.
void logit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void probit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void cloglog_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void cauchit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
// For any other link, from Link::near_tail().
void other_rows(const Link& link, const double* a, const double* b, RowTerms& out);

}  // namespace judicious::ordinal
