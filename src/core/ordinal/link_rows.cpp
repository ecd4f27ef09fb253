#include <cmath>
#include <limits>

#include "execution/simd.hpp"
#include "link.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

// For the limits x of a pack of rows: the probability of the smaller tail, which is the lower one if `low` is set; the
// density f; and f' / f.
template <typename Pack>
struct PackTail {
  typename Pack::Real tail, density, slope;
  typename Pack::Bits low;
};

template <typename Pack>
JUDICIOUS_INLINE void keep_where(const typename Pack::Bits& mask, typename Pack::Real& x) {
  x = reinterpret_cast<typename Pack::Real>(mask & reinterpret_cast<typename Pack::Bits>(x));
}

template <typename Pack>
JUDICIOUS_INLINE void keep_where(const typename Pack::Bits& mask, PackTail<Pack>& x) {
  keep_where<Pack>(mask, x.tail);
  keep_where<Pack>(mask, x.density);
  keep_where<Pack>(mask, x.slope);
}

// (u + 1) (1 - Phi(u)) / exp(-u^2 / 2) for 0 <= u <= 39, as a polynomial in (alpha u - 4) / (u +
// 4): an interpolant in Chebyshev points with a relative error below 5e-17.
constexpr double normal_alpha = 1.2051282051282051282;
constexpr double normal_tail[] = {
    0.48114446092741551245,    -0.089296396282107092488,  0.0034520570220785572591,    0.031494148979003190759,
    -0.027864245505793394087,  0.012670042023728916726,   -0.0025845383527124696108,   -0.00041562286813719034998,
    0.00033767873771259171522, -2.1398719505445871155e-6, -0.000038128947718039728933, 1.5419279691382752632e-6,
    4.8479612873413537855e-6,  2.602720152165061433e-8,   -6.7016881628486540936e-7,   -7.9355943875171566607e-8,
    8.9127654484803797729e-8,  2.5806486786326661494e-8,  -9.5546136937787832877e-9,   -5.0594921367199688094e-9,
    5.8790390130854181352e-10, 5.0763981691062722878e-10};

struct ProbitTail {
  static constexpr double lowest = -37, highest = 37;

  template <typename Pack>
  JUDICIOUS_INLINE void at(const typename Pack::Real& x, PackTail<Pack>& out) const {
    using Real = typename Pack::Real;
    Real u, over, under, sum;
    out.low = x < 0.0;
    choose<Pack>(out.low, -x, x, u);
    exp_ratio<Pack>(-0.5 * x * x, over, under);
    // A single division gives e^(-u^2 / 2) = over / under, 1 / (u + 4) and 1 / (u + 1).
    const Real by_one = u + 1.0, by_four = u + 4.0;
    const Real inverse = 1.0 / (by_one * by_four * under);
    polynomial<Pack>(normal_tail, (normal_alpha * u - 4.0) * (inverse * by_one * under), sum);
    const Real power = over * (inverse * by_one * by_four);
    out.tail = power * sum * (inverse * by_four * under);
    out.density = power * 0.39894228040143267794;
    out.slope = -x;
  }
};

// The distribution of the smallest extreme value, with E = e^x: S = e^-E, f = E S, f' / f = 1 - E.
struct CloglogTail {
  static constexpr double lowest = -690, highest = 6.5;

  template <typename Pack>
  JUDICIOUS_INLINE void at(const typename Pack::Real& x, PackTail<Pack>& out) const {
    using Real = typename Pack::Real;
    Real over, under, lower;
    exp_ratio<Pack>(x, over, under);
    const Real power = over / under;
    exp_ratio<Pack>(-power, over, under);
    const Real survival = over / under;
    small_exp<Pack>(-power, over, under);
    choose<Pack>(power < 0.34, under / (over + under), 1.0 - survival, lower);
    out.low = power < log_two;
    choose<Pack>(out.low, lower, survival, out.tail);
    out.density = power * survival;
    out.slope = 1.0 - power;
  }
};

// atan(q) / (pi q) as a polynomial in q^2, |q| <= tan(pi / 8): an interpolant in Chebyshev points.
constexpr double arc_tangent[] = {0.31830988618379067152,   -0.10610329539459686233,
                                  0.063661977236748870803,  -0.045472840882200686314,
                                  0.0353677650509084605,    -0.028937259144193962318,
                                  0.024485292228844939055,  -0.021219204377526580379,
                                  0.018706672547358240475,  -0.016608005851243619393,
                                  0.014325380820136436583,  -0.010634380217290058296,
                                  0.0048173646662589762473, 0};

struct CauchitTail {
  static constexpr double lowest = -1e100, highest = 1e100;

  template <typename Pack>
  JUDICIOUS_INLINE void at(const typename Pack::Real& x, PackTail<Pack>& out) const {
    using Real = typename Pack::Real;
    using Bits = typename Pack::Bits;
    constexpr double tan_eighth = 0.4142135623730950488, tan_three_eighths = 2.4142135623730950488;
    Real u, above, below, start, angle;
    const Real none{};
    out.low = x < 0.0;
    choose<Pack>(out.low, -x, x, u);
    // atan(u) = pi / 4 + atan((u - 1) / (u + 1)) = pi / 2 - atan(1 / u).
    const Bits middle = u > tan_eighth, far = u > tan_three_eighths;
    choose<Pack>(middle, u - 1.0, u, above);
    choose<Pack>(far, none - 1.0, above, above);
    choose<Pack>(middle, u + 1.0, none + 1.0, below);
    choose<Pack>(far, u, below, below);
    choose<Pack>(middle, none + 0.25, none + 0.5, start);
    choose<Pack>(far, none, start, start);
    const Real q = above / below, share = 1.0 / (1.0 + x * x);
    polynomial<Pack>(arc_tangent, q * q, angle);
    out.tail = start - q * angle;
    out.density = share * (1 / pi);
    out.slope = -2.0 * x * share;
  }
};

struct OtherTail {
  static constexpr double lowest = -1e300, highest = 1e300;
  const Link& link;

  template <typename Pack>
  JUDICIOUS_INLINE void at(const typename Pack::Real& x, PackTail<Pack>& out) const {
    for (int l = 0; l < Pack::size; ++l) {
      const NearTail end = link.near_tail(x[l]);
      out.tail[l] = end.tail;
      out.density[l] = end.density;
      out.slope[l] = end.slope;
      out.low[l] = end.is_lower ? -1 : 0;
    }
  }
};

// Computes the terms of one row by the link's scalar functions, which are accurate in any tail.
inline void accurate_row(const Link& link, double a, double b, int i, RowTerms& out) {
  const Interval at = link.interval(a, b);
  out.log_prob[i] = at.log_prob;
  out.score_below[i] = -at.first.lower;
  out.score_above[i] = at.first.upper;
  out.score[i] = -at.shift;
  out.below[i] = -at.second.lower;
  out.above[i] = -at.second.upper;
  out.gap[i] = out.score_below[i] * out.score_above[i];
}

// Computes the logarithms of the probabilities. Rows that need more accuracy are computed again, one by one.
template <typename Pack>
JUDICIOUS_INLINE void finish_rows(const Link& link, const double* a, const double* b, int i,
                                  const typename Pack::Real& prob, const typename Pack::Bits& careful, RowTerms& out) {
  typename Pack::Real log_prob;
  logarithm<Pack>(prob, log_prob);
  packed<Pack>(out.log_prob + i).value = log_prob;
  const typename Pack::Bits all = careful | ~(prob > 1e-300);
  for (int l = 0; l < Pack::size; ++l) {
    if (all[l] != 0) accurate_row(link, a[i + l], b[i + l], i + l, out);
  }
}

// The smallest share of a tail that may be computed as a difference of probabilities; a smaller one would be too
// imprecise.
constexpr double min_share = 1.0 / 2048;

template <typename Pack, typename Tail>
JUDICIOUS_INLINE void all_rows(const Link& link, const Tail& tail, const double* a, const double* b, RowTerms& out) {
  using Real = typename Pack::Real;
  using Bits = typename Pack::Bits;
  constexpr double huge = std::numeric_limits<double>::max();
  for (int i = 0; i < RowTerms::size; i += Pack::size) {
    const Real at_a = packed<Pack>(a + i).value, at_b = packed<Pack>(b + i).value;
    const Bits has_a = at_a >= -huge, has_b = at_b <= huge;
    Bits careful = (has_a & ((at_a < Tail::lowest) | (at_a > Tail::highest))) |
                   (has_b & ((at_b < Tail::lowest) | (at_b > Tail::highest)));
    Real x;
    PackTail<Pack> lower, upper;
    choose<Pack>((at_a > Tail::lowest) & (at_a < Tail::highest), at_a, Real{} + Tail::lowest, x);
    tail.template at<Pack>(x, lower);
    choose<Pack>((at_b > Tail::lowest) & (at_b < Tail::highest), at_b, Real{} + Tail::highest, x);
    tail.template at<Pack>(x, upper);
    keep_where<Pack>(has_a, lower);
    keep_where<Pack>(has_b, upper);
    Real prob, larger;
    choose<Pack>(lower.low, 1.0 - (lower.tail + upper.tail), lower.tail - upper.tail, prob);
    choose<Pack>(upper.low, upper.tail - lower.tail, prob, prob);
    choose<Pack>(lower.tail > upper.tail, lower.tail, upper.tail, larger);
    careful |= ~(prob >= min_share * larger);
    const Real inverse = 1.0 / prob;
    const Real by_a = lower.density * inverse, by_b = upper.density * inverse;
    const Real shift = by_b - by_a;
    packed<Pack>(out.score_below + i).value = by_a;
    packed<Pack>(out.score_above + i).value = by_b;
    packed<Pack>(out.score + i).value = by_a - by_b;
    packed<Pack>(out.below + i).value = by_a * (lower.slope - shift);
    packed<Pack>(out.above + i).value = by_b * (shift - upper.slope);
    packed<Pack>(out.gap + i).value = by_a * by_b;
    finish_rows<Pack>(link, a, b, i, prob, careful, out);
  }
}

struct Logistic {
  static constexpr double highest = 600;
};

// P = F(b) F(-a) (1 - e^-(b-a)): see logit.hpp. The divisions by 1 + e^-|a|, 1 + e^-|b| and 1 - e^-(b-a) are combined
// into one.
template <typename Pack>
JUDICIOUS_INLINE void all_rows(const Link& link, const Logistic&, const double* a, const double* b, RowTerms& out) {
  using Real = typename Pack::Real;
  using Bits = typename Pack::Bits;
  constexpr double huge = std::numeric_limits<double>::max(), highest = Logistic::highest;
  const Real none{}, one = none + 1.0, lowest = none - highest;
  for (int i = 0; i < RowTerms::size; i += Pack::size) {
    const Real at_a = packed<Pack>(a + i).value, at_b = packed<Pack>(b + i).value;
    const Bits has_a = at_a >= -huge, has_b = at_b <= huge, has_both = has_a & has_b;
    const Bits careful =
        (has_a & ~((at_a > -highest) & (at_a < highest))) | (has_b & ~((at_b > -highest) & (at_b < highest)));
    const Bits low_a = at_a < 0.0, low_b = at_b < 0.0;
    // e^-|a| = over_a / under_a, e^(a - b) = over / full and 1 - e^(a - b) = complement / full.
    Real x, over_a, under_a, over_b, under_b, over, under, complement, small_over, small_complement;
    choose<Pack>(low_a, at_a, -at_a, x);
    choose<Pack>(x > -highest, x, lowest, x);
    exp_ratio<Pack>(x, over_a, under_a);
    choose<Pack>(low_b, at_b, -at_b, x);
    choose<Pack>(x > -highest, x, lowest, x);
    exp_ratio<Pack>(x, over_b, under_b);
    choose<Pack>(has_both & (at_a - at_b > -highest), at_a - at_b, lowest, x);
    exp_ratio<Pack>(x, over, under);
    small_exp<Pack>(x, small_over, small_complement);
    choose<Pack>(x > -0.34, small_complement, under - over, complement);
    choose<Pack>(x > -0.34, small_over, over, over);
    const Real by_a = over_a + under_a, by_b = over_b + under_b;
    const Real full = over + complement, of_width = 1.0 / (by_a * by_b * complement * full);
    const Real of_gone = of_width * by_a * by_b, inverse = of_width * complement * full;
    const Real of_a = inverse * by_b, of_b = inverse * by_a, left = of_gone * complement * complement;
    Real below, not_below, above, not_above, slope = of_gone * full * over;
    choose<Pack>(low_a, over_a * of_a, under_a * of_a, below);  // F(a)
    choose<Pack>(low_a, under_a * of_a, over_a * of_a, not_below);
    choose<Pack>(low_b, under_b * of_b, over_b * of_b, above);  // F(-b)
    choose<Pack>(low_b, over_b * of_b, under_b * of_b, not_above);
    keep_where<Pack>(has_a, below);
    choose<Pack>(has_a, not_below, one, not_below);
    keep_where<Pack>(has_b, above);
    choose<Pack>(has_b, not_above, one, not_above);
    keep_where<Pack>(has_both, slope);
    packed<Pack>(out.score_below + i).value = below + slope;
    packed<Pack>(out.score_above + i).value = above + slope;
    packed<Pack>(out.score + i).value = below - above;
    packed<Pack>(out.below + i).value = below * not_below;
    packed<Pack>(out.above + i).value = above * not_above;
    packed<Pack>(out.gap + i).value = slope * (1.0 + slope);
    finish_rows<Pack>(link, a, b, i, not_above * not_below * left, careful, out);
  }
}

#if JUDICIOUS_HAS_AVX2_PASS
template <typename Tail>
JUDICIOUS_AVX2 void avx2_rows(const Link& link, const Tail& tail, const double* a, const double* b, RowTerms& out) {
  all_rows<Pack4>(link, tail, a, b, out);
}
#endif

template <typename Tail>
void best_rows(const Link& link, const Tail& tail, const double* a, const double* b, RowTerms& out) {
#if JUDICIOUS_HAS_AVX2_PASS
  if (has_avx2()) return avx2_rows(link, tail, a, b, out);
#endif
  all_rows<Pack2>(link, tail, a, b, out);
}

}  // namespace

void logit_rows(const Link& link, const double* a, const double* b, RowTerms& out) {
  best_rows(link, Logistic(), a, b, out);
}

void probit_rows(const Link& link, const double* a, const double* b, RowTerms& out) {
  best_rows(link, ProbitTail(), a, b, out);
}

void cloglog_rows(const Link& link, const double* a, const double* b, RowTerms& out) {
  best_rows(link, CloglogTail(), a, b, out);
}

void cauchit_rows(const Link& link, const double* a, const double* b, RowTerms& out) {
  best_rows(link, CauchitTail(), a, b, out);
}

void Link::rows(const double* a, const double* b, RowTerms& out) const {
  all_rows<Pack2>(*this, OtherTail{*this}, a, b, out);
}

}  // namespace judicious::ordinal
