// Vectors outside of R's heap (R's alternative representations). For R they are vectors like any
// others, but making large ones does not start the garbage collector each time, and their memory
// can be released at once.
#pragma once
#include <Rcpp.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "text/numbers.hpp"

namespace judicious {

// A vector of type RAWSXP, INTSXP or REALSXP with the `size` values at `data`, which `owner` frees.
SEXP off_heap_vector(SEXPTYPE type, std::shared_ptr<void> owner, void* data, std::size_t size);

inline SEXP off_heap(const Numbers& x) { return off_heap_vector(REALSXP, x.owner(), x.begin(), x.size()); }

inline SEXP off_heap(std::vector<std::int32_t>&& x) {
  auto owner = std::make_shared<std::vector<std::int32_t>>(std::move(x));
  std::int32_t* const data = owner->data();
  const std::size_t size = owner->size();
  return off_heap_vector(INTSXP, std::move(owner), data, size);
}

// R does not know of memory outside of its heap. This counts it, and starts the garbage collector
// once there is twice as much as the last time.
void add_off_heap_memory(std::size_t n_bytes);
void remove_off_heap_memory(std::size_t n_bytes);

// Frees the memory of a vector outside of R's heap, which is empty afterwards. Other vectors are
// not changed.
void release(SEXP x);

}  // namespace judicious
