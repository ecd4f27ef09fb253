#include "ordinal/link_flexible.hpp"

#include <cmath>
#include <limits>

#include "stats/distributions.hpp"

namespace judicious::ordinal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// Probabilities below this are replaced by an expansion of their logarithm.
constexpr double smallest_probability = 1e-280;

// e^x - 1 - x.
double exp_minus_line(double x) {
  if (std::fabs(x) > 0.5) return std::expm1(x) - x;
  double term = x * x / 2, sum = term;
  for (int n = 3; std::fabs(term) > epsilon * std::fabs(sum); ++n) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

// log Gamma(k) - ((k - 1/2) log k - k + log(2 pi) / 2): the remainder of Stirling's formula.
double stirling_rest(double k) {
  if (k < 15) return std::lgamma(k) - (k - 0.5) * std::log(k) + k - log_root_two_pi;
  const double t = 1 / (k * k);
  return (1.0 / 12 - t * (1.0 / 360 - t * (1.0 / 1260 - t * (1.0 / 1680 - t / 1188)))) / k;
}

// Solves log_probability(x) = log_p for an increasing function with the derivative `slope`, by
// Newton's method within a bracket.
template <typename Value, typename Slope>
double solve(Value log_probability, Slope slope, double log_p) {
  if (std::isnan(log_p)) return log_p;
  if (std::isinf(log_p)) return -std::numeric_limits<double>::infinity();
  double low = -1, high = 1;
  while (log_probability(low) > log_p && std::isfinite(low)) low *= 2;
  while (log_probability(high) < log_p && std::isfinite(high)) high *= 2;
  if (std::isinf(low)) return low;
  if (std::isinf(high)) return high;
  double x = 0.5 * (low + high);
  for (int round = 0; round < 200; ++round) {
    const double difference = log_probability(x) - log_p;
    (difference > 0 ? high : low) = x;
    double next = x - difference / slope(x);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::fabs(next - x) <= 4 * epsilon * std::fabs(x)) return next;
    x = next;
  }
  return x;
}

// A quantile, computed from the nearer tail.
double quantile_of(const Link& link, double p) {
  if (p <= 0.5) {
    return solve([&](double x) { return link.log_cdf(x); },
                 [&](double x) { return std::exp(link.log_density(x) - link.log_cdf(x)); },
                 std::log(p));
  }
  return -solve([&](double x) { return link.log_survival(-x); },
                [&](double x) { return std::exp(link.log_density(-x) - link.log_survival(-x)); },
                std::log1p(-p));
}

double upper_quantile_of(const Link& link, double p) {
  if (p > 0.5) return quantile_of(link, 1 - p);
  return -solve([&](double x) { return link.log_survival(-x); },
                [&](double x) { return std::exp(link.log_density(-x) - link.log_survival(-x)); },
                std::log(p));
}

class LogGamma final : public Link {
 public:
  explicit LogGamma(double lambda)
      : lambda_(lambda),
        shape_(1 / (lambda * lambda)),
        constant_(-log_root_two_pi - stirling_rest(shape_)) {}

  double cdf(double x) const override { return gamma_cdf(gamma(x), shape_); }
  double survival(double x) const override { return gamma_survival(gamma(x), shape_); }
  double log_cdf(double x) const override {
    const double p = cdf(x);
    if (p > 0.5) return std::log1p(-survival(x));
    if (p > smallest_probability || std::isinf(x)) return std::log(p);
    // P(G <= g) = g^k e^-g / Gamma(k + 1) sum_n g^n / ((k + 1) .. (k + n)).
    const double g = gamma(x);
    double term = 1, sum = 1;
    for (double n = 1; term > epsilon * sum; ++n) {
      term *= g / (shape_ + n);
      sum += term;
    }
    return log_density(x) + std::log(lambda_) + std::log(sum);
  }
  double log_survival(double x) const override {
    const double q = survival(x);
    if (q > 0.5) return std::log1p(-cdf(x));
    const double g = gamma(x);
    if (q > smallest_probability || std::isinf(g)) return std::log(q);
    // P(G > g) = g^k e^-g / Gamma(k) / (b_0 + a_1 / (b_1 + a_2 / (b_2 + ..))), a_n = n (k - n),
    // b_n = g - k + 2n + 1: Legendre's continued fraction, by the ratios of its convergents.
    double b = g - shape_ + 1, above = b, below = 0, value = b;
    for (double n = 1, ratio = 2; std::fabs(ratio - 1) > 4 * epsilon; ++n) {
      const double a = n * (shape_ - n);
      b += 2;
      below = 1 / (b + a * below);
      above = b + a / above;
      ratio = above * below;
      value *= ratio;
    }
    return log_density(x) - std::log(lambda_) - std::log(value);
  }
  double log_density(double x) const override {
    return constant_ - shape_ * exp_minus_line(lambda_ * x);
  }
  double density_slope(double x) const override { return -std::expm1(lambda_ * x) / lambda_; }
  double density_curvature(double x) const override { return -std::exp(lambda_ * x); }
  double quantile(double p) const override { return quantile_of(*this, p); }
  double upper_quantile(double p) const override { return upper_quantile_of(*this, p); }
  double mean() const override { return (digamma(shape_) - std::log(shape_)) / lambda_; }

 private:
  double gamma(double x) const { return shape_ * std::exp(lambda_ * x); }

  double lambda_, shape_, constant_;
};

class StudentT final : public SymmetricLink {
 public:
  explicit StudentT(double df) : df_(df), constant_(-0.5 * std::log(df) - log_beta(df / 2, 0.5)) {}

  double cdf(double x) const override { return student_t_survival(-x, df_); }
  double log_cdf(double x) const override {
    if (x > 0) return std::log1p(-cdf(-x));
    const double p = std::isinf(x) ? 0 : cdf(x);
    if (p > smallest_probability || std::isinf(x)) return std::log(p);
    // P(T <= x) = f(x) |x| / df (1 + r) sum_n (-r)^n (1/2 .. n - 1/2) / ((a + 1) .. (a + n)),
    // a = df / 2, r = df / x^2: the incomplete beta function as a hypergeometric series, which
    // becomes that of Mills' ratio as df grows. Here x^2 > 1200, so a few terms are sufficient.
    const double r = df_ / x / x, a = df_ / 2;
    double term = 1, sum = 1;
    for (double n = 1; std::fabs(term) > epsilon; ++n) {
      term *= -r * (n - 0.5) / (a + n);
      sum += term;
    }
    return log_density(x) + std::log(-x) - std::log(df_) + std::log1p(r) + std::log(sum);
  }
  double log_density(double x) const override {
    const double size = std::fabs(x);
    const double spread =
        size > 1e100 ? 2 * std::log(size) - std::log(df_) : std::log1p(x / df_ * x);
    return constant_ - (df_ + 1) / 2 * spread;
  }
  double density_slope(double x) const override { return -(df_ + 1) * x / (df_ + x * x); }
  double density_curvature(double x) const override {
    const double spread = df_ + x * x;
    return (df_ + 1) * (x * x - df_) / spread / spread;
  }
  double quantile(double p) const override { return quantile_of(*this, p); }

 private:
  double df_, constant_;
};

}  // namespace

LinkPointer log_gamma_link(double lambda) { return std::make_shared<LogGamma>(lambda); }

LinkPointer student_t_link(double df) { return std::make_shared<StudentT>(df); }

}  // namespace judicious::ordinal
