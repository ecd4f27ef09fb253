
#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/distributions.hpp"

// Both integrals are over the whole real line, of analytic functions that decrease at both ends, for which the
// trapezoidal rule converges exponentially: its error is exp(-(2 pi / step)^2 / (2 c)) if the function grows like exp(c
// y^2 / 2) away from the real axis. All terms are positive and on the log scale, so there is neither cancellation nor
// underflow.
namespace judicious {
namespace {

// The step for which the error of the rule is at most exp(-45).
double trapezoid_step(double growth) { return 2 * pi / std::sqrt(90 * growth); }

// The logarithm of the integral of exp(f). Steps from `start` to both sides are added until the terms decrease and are
// too small to change the last digit.
template <class LogF>
double log_integral(double start, double step, LogF log_f) {
  double scale = log_f(start);
  if (!(scale > -infinity)) return -infinity;
  double sum = 1;
  for (const double side : {-step, step}) {
    double before = scale;
    for (double i = 1;; ++i) {
      const double value = log_f(start + i * side);
      if (value > scale + 30) {  // the largest terms are further away
        sum *= std::exp(scale - value);
        scale = value;
      }
      const double term = std::exp(value - scale);
      sum += term;
      if (term < 1e-18 * sum && value <= before) break;
      before = value;
    }
  }
  return scale + std::log(sum * std::abs(step));
}

// log(P(range > r)). The integrand is the density of the largest variable at z, times the probability that not all
// other variables are between z - r and z.
double log_range(double r, double groups) {
  if (r <= 0) return 0;
  // The sum starts at r / 2: if the range is long, this is about where the largest variable is.
  const double log_sum = log_integral(r / 2, trapezoid_step(groups), [=](double z) {
    const double below = normal_log_cdf(z);
    const double outside = std::exp(normal_log_cdf(z - r) - below);
    const double inside = outside < 1 ? (groups - 1) * std::log1p(-outside) : -infinity;
    return normal_log_density(z) + (groups - 1) * below + std::log(-std::expm1(inside));
  });
  return std::log(groups) + log_sum;
}

// The log density at 0 of log(s), where s^2 is the variance estimate with df = 2 a degrees of freedom.
double log_density_at_one(double a) {
  if (a < 100) return std::log(2.0) + a * std::log(a) - a - std::lgamma(a);
  const double b = 1 / (a * a);
  const double correction = (1.0 / 12 - b * (1.0 / 360 - b * (1.0 / 1260 - b / 1680))) / a;
  return std::log(2.0) + 0.5 * std::log(a / (2 * pi)) - correction;
}

}  // namespace

double studentised_range_survival(double q, double groups, double df) {
  if (!(q >= 0) || !(groups >= 2) || !(df > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (q == 0 || std::isinf(q)) return q > 0 ? 0 : 1;
  if (std::isinf(df)) return std::min(1.0, std::exp(log_range(q, groups)));
  const double a = df / 2;
  // The integrand has its maximum near this point.
  const double start = -0.5 * std::log1p(q * q / (2 * df));
  const double step = std::min(trapezoid_step(4 * (df + groups)), 0.1);
  const double log_sum = log_integral(
      start, step, [=](double u) { return -a * (std::expm1(2 * u) - 2 * u) + log_range(q * std::exp(u), groups); });
  return std::min(1.0, std::exp(log_density_at_one(a) + log_sum));
}

// Bisection on log scale, then secant steps: log P decreases monotonically.
double studentised_range_critical(double p, double groups, double df) {
  const auto excess = [=](double log_q) {
    return std::log(studentised_range_survival(std::exp(log_q), groups, df)) - std::log(p);
  };
  double low = 0;
  double high = 0;
  while (excess(low) < 0) low -= 1;
  while (excess(high) > 0) high += 1;
  double at_low = excess(low);
  double at_high = excess(high);
  double last_width = high - low;
  for (int i = 0; i < 200 && high - low > 1e-13; ++i) {
    const bool slow = i % 3 == 2 && high - low > last_width / 4;
    const double secant = (low * at_high - high * at_low) / (at_high - at_low);
    const double next = slow || !(secant > low && secant < high) ? (low + high) / 2 : secant;
    const double value = excess(next);
    if (i % 3 == 2) last_width = high - low;
    if (std::abs(value) < 1e-13) return std::exp(next);
    if (value > 0) {
      low = next;
      at_low = value;
    } else {
      high = next;
      at_high = value;
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace judicious
