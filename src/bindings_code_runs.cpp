// Altrep.h uses what Rcpp.h declares.
// clang-format off
#include <Rcpp.h>
#include <R_ext/Altrep.h>
// clang-format on

#include <memory>

#include "r_code_runs.h"
#include "r_off_heap.h"

// A vector has, as its first datum, an external pointer to its runs; as its second one, an ordinary
// vector once somebody needed it, who may have changed it.

namespace judicious {
namespace {

R_altrep_class_t code_runs_class;

struct KeptRuns {
  CodeRuns runs;
  std::size_t last = 0;  // the run of the element that was asked for last
};

KeptRuns* kept_at(SEXP x) { return static_cast<KeptRuns*>(R_ExternalPtrAddr(R_altrep_data1(x))); }

void delete_runs(SEXP pointer) {
  auto* const kept = static_cast<KeptRuns*>(R_ExternalPtrAddr(pointer));
  remove_off_heap_memory(kept->runs.n_bytes());
  delete kept;
  R_ClearExternalPtr(pointer);
}

R_xlen_t length_of_runs(SEXP x) { return kept_at(x)->runs.size(); }

int code_at(SEXP x, R_xlen_t i) {
  if (R_altrep_data2(x) != R_NilValue) return INTEGER_RO(R_altrep_data2(x))[i];
  KeptRuns* const kept = kept_at(x);
  kept->last = kept->runs.run_at(i, kept->last);
  return kept->runs.runs()[kept->last].code;
}

void* data_of_runs(SEXP x, Rboolean) {
  if (R_altrep_data2(x) == R_NilValue) {
    SEXP codes = PROTECT(Rf_allocVector(INTSXP, length_of_runs(x)));
    kept_at(x)->runs.write(INTEGER(codes));
    R_set_altrep_data2(x, codes);
    UNPROTECT(1);
  }
  return INTEGER(R_altrep_data2(x));
}

const void* data_of_runs_or_null(SEXP x) {
  return R_altrep_data2(x) == R_NilValue ? nullptr : INTEGER_RO(R_altrep_data2(x));
}

SEXP runs_vector(CodeRuns&& runs) {
  add_off_heap_memory(runs.n_bytes());
  auto kept = std::make_unique<KeptRuns>(KeptRuns{std::move(runs)});
  Rcpp::Shield<SEXP> pointer(R_MakeExternalPtr(kept.get(), R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, delete_runs, TRUE);
  kept.release();
  return R_new_altrep(code_runs_class, pointer, R_NilValue);
}

}  // namespace

SEXP to_r_codes(Codes&& codes) {
  if (codes.in_runs()) {
    CodeRuns from_one;
    codes.runs().each([&](std::int32_t code, std::size_t n) { from_one.add(code + 1, n); });
    return runs_vector(std::move(from_one));
  }
  std::vector<std::int32_t> from_one = std::move(codes.one_by_one());
  for (std::int32_t& code : from_one) ++code;
  return off_heap(std::move(from_one));
}

const CodeRuns* code_runs_of(SEXP x) {
  const bool as_runs = ALTREP(x) && R_altrep_inherits(x, code_runs_class);
  return as_runs && R_altrep_data2(x) == R_NilValue ? &kept_at(x)->runs : nullptr;
}

}  // namespace judicious

using namespace judicious;

// [[Rcpp::init]]
void define_code_runs(DllInfo* dll) {
  code_runs_class = R_make_altinteger_class("code_runs", "judicious", dll);
  R_set_altrep_Length_method(code_runs_class, length_of_runs);
  R_set_altvec_Dataptr_method(code_runs_class, data_of_runs);
  R_set_altvec_Dataptr_or_null_method(code_runs_class, data_of_runs_or_null);
  R_set_altinteger_Elt_method(code_runs_class, code_at);
}
