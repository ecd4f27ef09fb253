// Mathematical constants in double precision. Boost.Math has them, too, but its header would add a second to the
// compilation of every file that includes this one; a test in tests/cpp compares them.
#pragma once
#include <limits>

namespace judicious {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double pi = 3.14159265358979323846;
inline constexpr double log_two = 0.69314718055994530942;
inline constexpr double log_pi = 1.14472988584940017414;
inline constexpr double log_root_two_pi = 0.91893853320467274178;
inline constexpr double root_half = 0.70710678118654752440;
inline constexpr double euler = 0.57721566490153286061;

}  // namespace judicious
