// Altrep.h uses what Rcpp.h declares.
// clang-format off
#include <Rcpp.h>
#include <R_ext/Altrep.h>
// clang-format on

#include <algorithm>

#include "r_off_heap.h"

namespace judicious {
namespace {

struct Memory {
  std::shared_ptr<void> owner;
  void* data;
  R_xlen_t size;
  std::size_t n_bytes;
};

R_altrep_class_t raw_class, integer_class, real_class;

constexpr std::size_t least_limit = std::size_t{1} << 29;
std::size_t memory_in_use = 0, memory_limit = least_limit;

bool is_off_heap(SEXP x) {
  return ALTREP(x) &&
         (R_altrep_inherits(x, raw_class) || R_altrep_inherits(x, integer_class) || R_altrep_inherits(x, real_class));
}

Memory* memory_of(SEXP x) { return static_cast<Memory*>(R_ExternalPtrAddr(R_altrep_data1(x))); }

void free_memory(Memory* x) {
  remove_off_heap_memory(x->n_bytes);
  *x = {nullptr, nullptr, 0, 0};
}

void delete_memory(SEXP pointer) {
  auto* const memory = static_cast<Memory*>(R_ExternalPtrAddr(pointer));
  free_memory(memory);
  delete memory;
  R_ClearExternalPtr(pointer);
}

R_xlen_t length_of_values(SEXP x) { return memory_of(x)->size; }

void* data_of_values(SEXP x, Rboolean) { return memory_of(x)->data; }

const void* data_of_values_or_null(SEXP x) { return memory_of(x)->data; }

int integer_at(SEXP x, R_xlen_t i) { return static_cast<const int*>(memory_of(x)->data)[i]; }

double real_at(SEXP x, R_xlen_t i) { return static_cast<const double*>(memory_of(x)->data)[i]; }

void define_class(R_altrep_class_t type) {
  R_set_altrep_Length_method(type, length_of_values);
  R_set_altvec_Dataptr_method(type, data_of_values);
  R_set_altvec_Dataptr_or_null_method(type, data_of_values_or_null);
}

}  // namespace

SEXP off_heap_vector(SEXPTYPE type, std::shared_ptr<void> owner, void* data, std::size_t size) {
  const R_altrep_class_t r_class = type == RAWSXP ? raw_class : type == INTSXP ? integer_class : real_class;
  const std::size_t n_bytes = size * (type == RAWSXP ? 1 : type == INTSXP ? 4 : 8);
  add_off_heap_memory(n_bytes);
  auto kept = std::make_unique<Memory>(Memory{std::move(owner), data, static_cast<R_xlen_t>(size), n_bytes});
  Rcpp::Shield<SEXP> pointer(R_MakeExternalPtr(kept.get(), R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, delete_memory, TRUE);
  kept.release();
  return R_new_altrep(r_class, pointer, R_NilValue);
}

void release(SEXP x) {
  if (is_off_heap(x)) free_memory(memory_of(x));
}

void add_off_heap_memory(std::size_t n_bytes) {
  memory_in_use += n_bytes;
  if (memory_in_use <= memory_limit) return;
  R_gc();
  memory_limit = std::max(least_limit, 2 * memory_in_use);
}

void remove_off_heap_memory(std::size_t n_bytes) { memory_in_use -= n_bytes; }

namespace {

// Whether the vectors lie one after another in one block of memory.
bool are_adjacent(const Rcpp::List& parts) {
  const Memory* before = nullptr;
  for (SEXP part : parts) {
    if (!is_off_heap(part)) return false;
    const Memory* const here = memory_of(part);
    if (before != nullptr &&
        (here->owner != before->owner || here->data != static_cast<char*>(before->data) + before->n_bytes))
      return false;
    before = here;
  }
  return true;
}

// One vector over adjacent ones, which are released.
SEXP join_adjacent(const Rcpp::List& parts) {
  const SEXP first = parts[0];
  const std::shared_ptr<void> owner = memory_of(first)->owner;
  void* const data = memory_of(first)->data;
  R_xlen_t n = 0;
  for (SEXP part : parts) {
    n += XLENGTH(part);
    release(part);
  }
  return off_heap_vector(TYPEOF(first), owner, data, n);
}

}  // namespace
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

// Frees the memory of bytes by read_file_cpp(), which are empty afterwards.
// [[Rcpp::export(rng = false)]]
void release_cpp(Rcpp::RObject x) { release(x); }

// c() of numbers outside of R's heap, which are released, except a single vector, which is
// returned; NULL for other vectors.
// [[Rcpp::export(rng = false)]]
SEXP join_numbers_cpp(Rcpp::List parts) {
  R_xlen_t n = 0;
  for (SEXP part : parts) {
    if (TYPEOF(part) != REALSXP || !is_off_heap(part)) return R_NilValue;
    n += XLENGTH(part);
  }
  if (parts.size() == 1) return parts[0];
  if (are_adjacent(parts)) return join_adjacent(parts);
  const std::shared_ptr<double[]> joined(new double[n]);
  double* to = joined.get();
  for (SEXP part : parts) {
    to = std::copy_n(REAL_RO(part), XLENGTH(part), to);
    release(part);
  }
  return off_heap_vector(REALSXP, joined, joined.get(), n);
}
