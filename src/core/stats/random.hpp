// A small random number generator with an independent stream per replicate, so that results do not depend on how
// replicates are divided among threads: xoshiro256** (Blackman and Vigna 2021), whose state is initialised by
// SplitMix64 from the pair (seed, stream).
#pragma once
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <cstdint>

namespace judicious {

class RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t x = mix(seed) ^ mix(~stream);
    for (auto& s : state_) s = mix(x += 0x9E3779B97F4A7C15ULL);
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }

  result_type operator()() {
    const std::uint64_t out = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return out;
  }

  // A uniform random number from 0, ..., bound - 1, without bias: the high word of a 32 x 32 bit product. The few low
  // words that would make some values more probable are rejected (Lemire 2019).
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = high() * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold) product = high() * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // A uniform random number in [0, 1).
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t high() { return (*this)() >> 32; }

  std::array<std::uint64_t, 4> state_{};
};

// Standard normal random numbers, which are the same on every platform, by the ziggurat of Boost.Random, which rarely
// needs a logarithm.
class NormalStream {
 public:
  explicit NormalStream(RandomStream& random) : random_(random) {}

  double operator()() { return normal_(random_); }
  double uniform() { return random_.uniform(); }

 private:
  RandomStream& random_;
  boost::random::normal_distribution<double> normal_;
};

}  // namespace judicious
