// One type for all counts and positions, the same as in Eigen's matrices. It can also subscript containers of the
// standard library, because it differs from theirs only in sign. index() and length() convert sizes without a check,
// because nothing in memory has 2^63 elements.
#pragma once
#include <cstddef>
#include <type_traits>

namespace judicious {

using Index = std::ptrdiff_t;

template <typename Integer>
constexpr Index index(Integer i) {
  static_assert(std::is_integral_v<Integer>);
  return static_cast<Index>(i);
}

template <typename Container>
constexpr Index length(const Container& values) {
  return static_cast<Index>(values.size());
}

}  // namespace judicious
