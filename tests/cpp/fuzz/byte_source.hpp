// Converts a fuzzer's bytes to numbers and choices. When the bytes are used up, all further ones are zeros.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

// Ends the program if a condition that the core guarantees does not hold; libFuzzer then saves the input.
#define MUST_HOLD(condition)                                                              \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

namespace judicious::fuzz {

class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  std::uint8_t byte() { return at_ < end_ ? *at_++ : std::uint8_t{0}; }
  int between(int low, int high) { return low + byte() % (high - low + 1); }
  bool yes() { return (byte() & 1) != 0; }

  // From -12.8 to 12.7 in steps of 0.1, so that values are often equal.
  double tame() { return (byte() - 128) / 10.0; }
  // Between 0 and 1, but neither 0 nor 1.
  double unit() { return (byte() + 0.5) / 256; }
  // A value of tame(), half of the time multiplied by a large or a small factor, or by 0.
  double wild() {
    const double value = tame();
    switch (byte() % 8) {
      case 0:
        return value * 1e6;
      case 1:
        return value * 1e-6;
      case 2:
        return value * 1e100;
      case 3:
        return 0;
      default:
        return value;
    }
  }
  std::string_view rest() const { return {reinterpret_cast<const char*>(at_), static_cast<std::size_t>(end_ - at_)}; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace judicious::fuzz
