#include <R_ext/Altrep.h>

#include "r_off_heap.h"

namespace judicious {
namespace {

struct Values {
  std::shared_ptr<void> owner;
  void* data = nullptr;
  R_xlen_t size = 0;
};

R_altrep_class_t raw_class, integer_class, real_class;

Values* values_of(SEXP x) { return static_cast<Values*>(R_ExternalPtrAddr(R_altrep_data1(x))); }

void delete_values(SEXP pointer) {
  delete static_cast<Values*>(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

R_xlen_t length_of_values(SEXP x) { return values_of(x)->size; }

void* data_of_values(SEXP x, Rboolean) { return values_of(x)->data; }

const void* data_of_values_or_null(SEXP x) { return values_of(x)->data; }

int integer_at(SEXP x, R_xlen_t i) { return static_cast<const int*>(values_of(x)->data)[i]; }

double real_at(SEXP x, R_xlen_t i) { return static_cast<const double*>(values_of(x)->data)[i]; }

void define_class(R_altrep_class_t type) {
  R_set_altrep_Length_method(type, length_of_values);
  R_set_altvec_Dataptr_method(type, data_of_values);
  R_set_altvec_Dataptr_or_null_method(type, data_of_values_or_null);
}

}  // namespace

SEXP off_heap_vector(SEXPTYPE type, std::shared_ptr<void> owner, void* data, std::size_t size) {
  auto kept = std::make_unique<Values>(Values{std::move(owner), data, static_cast<R_xlen_t>(size)});
  Rcpp::Shield<SEXP> pointer(R_MakeExternalPtr(kept.get(), R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, delete_values, TRUE);
  kept.release();
  return R_new_altrep(type == RAWSXP   ? raw_class
                      : type == INTSXP ? integer_class
                                       : real_class,
                      pointer, R_NilValue);
}

bool is_off_heap(SEXP x) {
  return ALTREP(x) && (R_altrep_inherits(x, raw_class) || R_altrep_inherits(x, integer_class) ||
                       R_altrep_inherits(x, real_class));
}

void release(SEXP x) {
  if (is_off_heap(x)) *values_of(x) = Values();
}

}  // namespace judicious

using namespace judicious;

// [[Rcpp::init]]
void define_off_heap(DllInfo* dll) {
  raw_class = R_make_altraw_class("off_heap_raw", "judicious", dll);
  integer_class = R_make_altinteger_class("off_heap_integer", "judicious", dll);
  real_class = R_make_altreal_class("off_heap_real", "judicious", dll);
  for (const auto type : {raw_class, integer_class, real_class}) define_class(type);
  R_set_altinteger_Elt_method(integer_class, integer_at);
  R_set_altreal_Elt_method(real_class, real_at);
}

// [[Rcpp::export(rng = false)]]
void release_cpp(Rcpp::RObject x) { release(x); }

// c() of numbers outside of R's heap, which are released; NULL for other vectors.
// [[Rcpp::export(rng = false)]]
SEXP join_numbers_cpp(Rcpp::List parts) {
  R_xlen_t n = 0;
  for (SEXP part : parts) {
    if (TYPEOF(part) != REALSXP || !is_off_heap(part)) return R_NilValue;
    n += XLENGTH(part);
  }
  Rcpp::NumericVector out(Rcpp::no_init(n));
  double* to = out.begin();
  for (SEXP part : parts) {
    to = std::copy_n(REAL_RO(part), XLENGTH(part), to);
    release(part);
  }
  return out;
}
