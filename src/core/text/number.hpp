// Parses decimal numbers in text fields, by a fast method if that is exact.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace judicious {

// Parses the whole field as a number; false if it is not a number (or is NaN).
inline bool parse_number(std::string_view text, double& out) {
  static constexpr double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  std::size_t at = 0;
  bool minus = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) minus = text[at++] == '-';
  std::uint64_t digits = 0;
  int n_digits = 0;
  int exponent = 0;
  bool any = false;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, any = true) {
    digits = digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
    n_digits += digits != 0;
    if (n_digits > 18) break;
  }
  if (n_digits <= 18 && at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, any = true) {
      digits = digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
      n_digits += digits != 0;
      --exponent;
      if (n_digits > 18) break;
    }
  }
  // Both the digits and the power of ten are exact doubles, so one operation rounds once.
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  if (any && at == text.size() && digits <= exact && exponent >= -22) {
    const double value = static_cast<double>(digits) / power[-exponent];
    out = minus ? -value : value;
    return true;
  }
  const std::string copy(text);
  char* end = nullptr;
  out = std::strtod(copy.c_str(), &end);
  // A zero byte would end the C string before the end of the field.
  return !copy.empty() && end == copy.c_str() + copy.size() && !std::isnan(out);
}

}  // namespace judicious
