// Packs of doubles for the pass of the likelihood, with the vector extension of GCC and Clang. On
// x86-64, the pass is compiled twice, for the baseline and for AVX2 with FMA, and selected at run
// time by the features of the processor. (Not on Windows, whose stack is not aligned for AVX.)
#pragma once
#include <cmath>
#include <cstddef>

#define JUDICIOUS_INLINE inline __attribute__((always_inline))

// Unrolls loops over packs in registers: -O2 would not unroll them and keep the packs in memory.
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

namespace judicious::ordinal {

struct Pack2 {
  typedef double Real __attribute__((vector_size(16)));
  typedef long long Bits __attribute__((vector_size(16)));
  struct __attribute__((packed, may_alias)) Unaligned {
    Real value;
  };
  static constexpr int size = 2;
};

struct Pack4 {
  typedef double Real __attribute__((vector_size(32)));
  typedef long long Bits __attribute__((vector_size(32)));
  struct __attribute__((packed, may_alias)) Unaligned {
    Real value;
  };
  static constexpr int size = 4;
};

// Doubles at any address as a pack: packed<Pack>(x).value is an unaligned read or write. It is a
// packed struct, because clang drops the alignment of a typedef that a template returns, and then
// expects x to be aligned. Arguments are references, because a pack passed by value has no fixed
// calling convention.
template <typename Pack>
JUDICIOUS_INLINE const typename Pack::Unaligned& packed(const double* x) {
  return *reinterpret_cast<const typename Pack::Unaligned*>(x);
}

template <typename Pack>
JUDICIOUS_INLINE typename Pack::Unaligned& packed(double* x) {
  return *reinterpret_cast<typename Pack::Unaligned*>(x);
}

// e^x = over / under, |x| <= 700: x = k log 2 + r, and the diagonal Pade approximant of order 6 of
// e^r, whose relative error is below 2e-19 for |r| <= log(2) / 2. The division is left to the
// caller.
template <typename Pack>
JUDICIOUS_INLINE void exp_ratio(const typename Pack::Real& x, typename Pack::Real& over,
                                typename Pack::Real& under) {
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
  over = reinterpret_cast<Real>(reinterpret_cast<Bits>(scaled) +
                                (reinterpret_cast<Bits>(shifted) << 52));
}

// e^x and 1 - e^x for |x| <= 0.35, both times the same factor, by the same approximant.
template <typename Pack>
JUDICIOUS_INLINE void small_exp(const typename Pack::Real& x, typename Pack::Real& power,
                                typename Pack::Real& rest) {
  using Real = typename Pack::Real;
  const Real square = x * x;
  const Real even = 1.0 + square * (5.0 / 44 + square * (1.0 / 792 + square * (1.0 / 665280)));
  const Real odd = x * (0.5 + square * (1.0 / 66 + square * (1.0 / 15840)));
  power = even + odd;
  rest = -2.0 * odd;
}

// Whether the processor can run code for Pack4.
inline bool has_avx2() {
#if JUDICIOUS_HAS_AVX2_PASS
  static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return found;
#else
  return false;
#endif
}

}  // namespace judicious::ordinal
