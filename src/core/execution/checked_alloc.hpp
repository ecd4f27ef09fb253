// Allocates memory, or throws std::length_error with the requested size. std::bad_alloc would not tell users how much
// was requested, and a product that overflows would allocate too little.
#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "execution/index.hpp"

namespace judicious {

// Allocates a vector whose length is the product of the factors.
template <typename T>
std::vector<T> checked_alloc(std::initializer_list<Index> factors, T fill = T()) {
  // No processor can address more bytes than this, so larger sizes are rejected without trying to allocate them.
  const double most = std::min(0x1p47, static_cast<double>(std::numeric_limits<Index>::max()));
  double bytes = sizeof(T);
  std::size_t n = 1;  // may overflow, but only if the number of bytes is too large anyway
  std::string product;
  for (const Index factor : factors) {
    bytes *= static_cast<double>(factor);
    n *= factor;
    product += (product.empty() ? "" : " x ") + std::to_string(factor);
  }
  try {
    if (bytes < most) return std::vector<T>(n, fill);
  } catch (const std::bad_alloc&) {
  }
  throw std::length_error("Cannot allocate " + product + " numbers: ask for fewer.");
}

}  // namespace judicious
