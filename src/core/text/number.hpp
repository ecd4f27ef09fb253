// Parses decimal numbers in text fields. A fast method is used if its result is exact.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace judicious {

// Parses the whole field as a number; false if it is not a number (or is NaN).
inline bool parse_number(std::string_view text, double& out) {
  static constexpr double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t digits = 0;
  // Appends the digits that start at `at` to `digits`, and returns their number.
  const auto take_digits = [&] {
    const char* const start = at;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
    return at - start;
  };
  const bool minus = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  std::ptrdiff_t n_digits = take_digits();
  std::ptrdiff_t n_decimals = 0;
  if (at != end && *at == '.') {
    ++at;
    n_decimals = take_digits();
    n_digits += n_decimals;
  }
  // Both the digits and the power of ten are exact doubles, so the only rounding is that of one operation.
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  if (at == end && n_digits > 0 && n_digits < 20 && digits <= exact) {
    const double value = static_cast<double>(digits) / power[n_decimals];
    out = minus ? -value : value;
    return true;
  }
  const std::string copy(text);
  char* stop = nullptr;
  out = std::strtod(copy.c_str(), &stop);
  // If a zero byte in the field ends the C string, `stop` is before the end of the field.
  return !copy.empty() && stop == copy.c_str() + copy.size() && !std::isnan(out);
}

}  // namespace judicious
