// Codes that are stored as runs, as an integer vector whose elements are computed when they are
// needed (R's alternative representations). For R it is a vector like any other.
#pragma once
#include <Rcpp.h>

#include "text/codes.hpp"

namespace judicious {

// An integer vector of codes, counted from 1: by their runs, if they are stored as such.
SEXP to_r_codes(Codes&& codes);

// The runs of a vector that has them; nullptr for others, and once the vector may have changed.
const CodeRuns* code_runs_of(SEXP x);

// Calls f(code, n) for each run of codes of an integer vector, one by one where there are no runs.
template <typename F>
void for_each_run(SEXP code, F&& f) {
  if (const CodeRuns* const runs = code_runs_of(code)) {
    runs->each(f);
  } else {
    const int* const codes = INTEGER_RO(code);
    const R_xlen_t n = XLENGTH(code);
    for (R_xlen_t i = 0; i < n; ++i) f(codes[i], std::size_t{1});
  }
}

}  // namespace judicious
