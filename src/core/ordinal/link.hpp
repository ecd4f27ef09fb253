// Distribution functions behind the links: F in P(Y <= j) = F(theta_j - eta). All by logarithms, so
// that ratios such as f(x) / (F(b) - F(a)) keep their digits far in the tails.
#pragma once
#include <cmath>
#include <limits>

#include "logit.hpp"

namespace judicious::ordinal {

enum class Link { logit, probit, cloglog, loglog, cauchit };

// log(e^u - e^v), u >= v.
inline double log_difference(double u, double v) {
  if (std::isinf(v) && v < 0) return u;
  return u + log_one_minus_exp(u - v);
}

// log F(x).
inline double log_cdf(Link link, double x) {
  constexpr double pi = 3.141592653589793;
  switch (link) {
    case Link::logit:
      return log_logistic(x);
    case Link::probit:
      // Below -37 erfc underflows; Mills' ratio by its asymptotic series is exact to the last digit
      // there.
      if (x < -37) {
        const double t = 1 / (x * x);
        return -x * x / 2 - 0.9189385332046728 - std::log(-x) +
               std::log1p(t * (-1 + t * (3 + t * (-15 + t * (105 - t * 945)))));
      }
      return x > 0 ? std::log1p(-std::erfc(x / std::sqrt(2.0)) / 2)
                   : std::log(std::erfc(-x / std::sqrt(2.0)) / 2);
    case Link::cloglog:
      return std::isinf(x) ? (x > 0 ? 0.0 : x) : log_one_minus_exp(std::exp(x));
    case Link::loglog:
      return -std::exp(-x);
    case Link::cauchit:
      return std::log(std::atan2(1.0, -x) / pi);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// log(1 - F(x)).
inline double log_survival(Link link, double x) {
  switch (link) {
    case Link::cloglog:
      return -std::exp(x);
    case Link::loglog:
      return log_cdf(Link::cloglog, -x);
    default:
      return log_cdf(link, -x);
  }
}

// log f(x).
inline double log_density(Link link, double x) {
  constexpr double pi = 3.141592653589793;
  switch (link) {
    case Link::logit:
      return -std::fabs(x) - 2 * std::log1p(std::exp(-std::fabs(x)));
    case Link::probit:
      return -x * x / 2 - 0.9189385332046728;
    case Link::cloglog:
      return x - std::exp(x);
    case Link::loglog:
      return -x - std::exp(-x);
    case Link::cauchit:
      return -std::log(pi) - (std::fabs(x) > 1e8 ? 2 * std::log(std::fabs(x)) : std::log1p(x * x));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// f'(x) / f(x).
inline double density_slope(Link link, double x) {
  switch (link) {
    case Link::logit:
      return -std::tanh(x / 2);
    case Link::probit:
      return -x;
    case Link::cloglog:
      return -std::expm1(x);
    case Link::loglog:
      return std::expm1(-x);
    case Link::cauchit:
      return -2 * x / (1 + x * x);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// log(F(b) - F(a)), a < b, either may be infinite. From the tail that is nearer; over a very short
// interval from the density in its middle, where the difference would have no digits.
inline double log_interval(Link link, double a, double b) {
  if (std::isinf(a) && std::isinf(b)) return 0;
  if (std::isinf(a)) return log_cdf(link, b);
  if (std::isinf(b)) return log_survival(link, a);
  if (link == Link::logit) return logit_row(a, b).log_prob;
  const double width = b - a;
  if (width < 1e-6) return log_density(link, a + width / 2) + std::log(width);
  const double upper_a = log_survival(link, a), lower_b = log_cdf(link, b);
  return lower_b < upper_a ? log_difference(lower_b, log_cdf(link, a))
                           : log_difference(upper_a, log_survival(link, b));
}

}  // namespace judicious::ordinal
