// Packs of doubles, by the vector extension of GCC and Clang. On x86-64, code for packs is compiled twice, for the
// baseline and for AVX2 with FMA, and selected at run time by the features of the processor. (Not on Windows, where the
// stack is not aligned for AVX.)
#pragma once
#include <cmath>
#include <cstddef>

#define JUDICIOUS_INLINE inline __attribute__((always_inline))

// Unrolls loops over packs. Without this, -O2 would keep the packs in memory instead of registers.
#if defined(__clang__)
#define JUDICIOUS_UNROLL _Pragma("unroll")
#else
#define JUDICIOUS_UNROLL _Pragma("GCC unroll 4")
#endif

#if defined(__x86_64__) && !defined(_WIN32)
#define JUDICIOUS_HAS_AVX2_PASS 1
#define JUDICIOUS_AVX2 __attribute__((target("avx2,fma")))
#else
#define JUDICIOUS_HAS_AVX2_PASS 0
#endif

namespace judicious {

template <int bytes>
struct PackOf {
  typedef double Real __attribute__((vector_size(bytes)));
  typedef long long Bits __attribute__((vector_size(bytes)));
  struct __attribute__((packed, may_alias)) Unaligned {
    Real value;
  };
  static constexpr int size = bytes / 8;
};
using Pack2 = PackOf<16>;
using Pack4 = PackOf<32>;

// Reads or writes the doubles at any address as a pack: packed<Pack>(x).value is an unaligned access. It is a packed
// struct, because clang drops the alignment of a typedef that a template returns, and would then expect x to be
// aligned. Arguments are references, because packs passed by value have no fixed calling convention.
template <typename Pack>
JUDICIOUS_INLINE const typename Pack::Unaligned& packed(const double* x) {
  return *reinterpret_cast<const typename Pack::Unaligned*>(x);
}

template <typename Pack>
JUDICIOUS_INLINE typename Pack::Unaligned& packed(double* x) {
  return *reinterpret_cast<typename Pack::Unaligned*>(x);
}

// e^x = over / under for |x| <= 700. With x = k log 2 + r, e^r is replaced by its diagonal Pade approximant of order 6,
// whose relative error is below 2e-19 for |r| <= log(2) / 2. The caller divides, so that it can combine divisions.
template <typename Pack>
JUDICIOUS_INLINE void exp_ratio(const typename Pack::Real& x, typename Pack::Real& over, typename Pack::Real& under) {
  using Real = typename Pack::Real;
  using Bits = typename Pack::Bits;
  constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52: rounds to an integer in the low bits
  const Real shifted = x * 1.4426950408889634074 + shift;
  const Real k = shifted - shift;
  const Real r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  const Real r2 = r * r;
  const Real even = 1.0 + r2 * (5.0 / 44 + r2 * (1.0 / 792 + r2 * (1.0 / 665280)));
  const Real odd = r * (0.5 + r2 * (1.0 / 66 + r2 * (1.0 / 15840)));
  const Real scaled = even + odd;
  under = even - odd;
  over = reinterpret_cast<Real>(reinterpret_cast<Bits>(scaled) + (reinterpret_cast<Bits>(shifted) << 52));
}

// e^x and 1 - e^x for |x| <= 0.35, both times the same factor, by the same Pade approximant.
template <typename Pack>
JUDICIOUS_INLINE void small_exp(const typename Pack::Real& x, typename Pack::Real& power, typename Pack::Real& rest) {
  using Real = typename Pack::Real;
  const Real square = x * x;
  const Real even = 1.0 + square * (5.0 / 44 + square * (1.0 / 792 + square * (1.0 / 665280)));
  const Real odd = x * (0.5 + square * (1.0 / 66 + square * (1.0 / 15840)));
  power = even + odd;
  rest = -2.0 * odd;
}

template <typename Pack>
JUDICIOUS_INLINE void choose(const typename Pack::Bits& mask, const typename Pack::Real& yes,
                             const typename Pack::Real& no, typename Pack::Real& out) {
  using Bits = typename Pack::Bits;
  out = reinterpret_cast<typename Pack::Real>((mask & reinterpret_cast<Bits>(yes)) |
                                              (~mask & reinterpret_cast<Bits>(no)));
}

// The polynomial coefficient[0] + ... + coefficient[n - 1] x^(n - 1). Even and odd powers are summed separately, so
// that the processor can compute them at the same time.
template <typename Pack, std::size_t n>
JUDICIOUS_INLINE void polynomial(const double (&coefficient)[n], const typename Pack::Real& x,
                                 typename Pack::Real& out) {
  static_assert(n % 2 == 0, "an even number of coefficients");
  const typename Pack::Real square = x * x;
  typename Pack::Real even = typename Pack::Real{} + coefficient[n - 2];
  typename Pack::Real odd = typename Pack::Real{} + coefficient[n - 1];
  for (std::size_t k = n - 2; k > 0; k -= 2) {
    even = even * square + coefficient[k - 2];
    odd = odd * square + coefficient[k - 1];
  }
  out = even + odd * x;
}

// log x of normal (not subnormal) numbers, by the series of log((1 + s) / (1 - s)) in s = (m - 1) / (m + 1), for a
// mantissa m between sqrt(1/2) and sqrt(2).
constexpr double log_series[] = {2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};

template <typename Pack>
JUDICIOUS_INLINE void logarithm(const typename Pack::Real& x, typename Pack::Real& out) {
  using Real = typename Pack::Real;
  using Bits = typename Pack::Bits;
  constexpr double root_two = 1.4142135623730950488, two_to_52 = 4503599627370496.0;
  const Bits bits = reinterpret_cast<Bits>(x);
  const Bits exponent = (bits >> 52) | 0x4330000000000000LL;
  const Bits mantissa = (bits & 0x000FFFFFFFFFFFFFLL) | 0x3FF0000000000000LL;
  Real m = reinterpret_cast<Real>(mantissa), power, sum;
  const Bits large = m > root_two;
  choose<Pack>(large, 0.5 * m, m, m);
  choose<Pack>(large, Real{} + 1.0, Real{}, power);
  power += reinterpret_cast<Real>(exponent) - (two_to_52 + 1023);
  const Real s = (m - 1.0) / (m + 1.0);
  polynomial<Pack>(log_series, s * s, sum);
  out = power * 6.93147180369123816490e-01 + (s * sum + power * 1.90821492927058770002e-10);
}

// Whether the processor can run the code that was compiled for AVX2 (Pack4).
inline bool has_avx2() {
#if JUDICIOUS_HAS_AVX2_PASS
  static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return found;
#else
  return false;
#endif
}

}  // namespace judicious
