#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "link.hpp"
#include "stats/constants.hpp"
#include "stats/distributions.hpp"

namespace judicious::ordinal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// If a probability is smaller than this, an expansion of its logarithm is used.
constexpr double smallest_probability = 1e-280;

// e^x - 1 - x.
double expm1_minus_x(double x) {
  if (std::fabs(x) > 0.5) return std::expm1(x) - x;
  double term = x * x / 2, sum = term;
  for (int n = 3; std::fabs(term) > epsilon * std::fabs(sum); ++n) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

// The remainder of Stirling's formula: log Gamma(k) - ((k - 1/2) log k - k + log(2 pi) / 2).
double stirling_remainder(double k) {
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

// The quantile x in a tail: F(x) = p, or 1 - F(x) = p if `lower` is false, for p up to 1/2.
double tail_quantile(const Link& link, double p, bool lower) {
  const double sign = lower ? 1 : -1;
  const auto tail = [&](double x) { return lower ? link.log_cdf(x) : link.log_survival(-x); };
  return sign * solve(tail, [&](double x) { return std::exp(link.log_density(sign * x) - tail(x)); }, std::log(p));
}

// Temme's uniform expansion of P(G > a e^l), G ~ Gamma(a), for large a (DLMF 8.12): with eta^2 / 2
// = e^l - 1 - l and t = eta sqrt(a), this is Phi(-t) + phi(t) S(eta) / sqrt(a), S = sum_k c_k(eta)
// / a^k. Series and continued fractions would take of the order of sqrt(a) terms.
class TemmeExpansion {
 public:
  static constexpr double smallest_shape = 1000, largest_log = 0.4;

  double sum(double eta, double shape) const {
    double out = 0;
    for (int k = n_powers - 1; k >= 0; --k) {
      double c = 0;
      for (int n = n_terms - 1; n >= 0; --n) c = c * eta + coefficient_[k][n];
      out = out / shape + c;
    }
    return out;
  }

  TemmeExpansion() {
    // l as a power series of eta, from (eta^2 / 2 + l) l' = eta.
    constexpr int last = n_terms + 2 * n_powers;
    double series[last + 1] = {0, 1};
    for (int m = 2; m <= last; ++m) {
      double sum = (m - 1) * series[m - 1] / (m + 1);
      for (int i = 2; i < m; ++i) sum += series[i] * series[m + 1 - i];
      series[m] = -sum / 2;
    }
    // c_0 = l' / eta - 1 / eta and c_k = (c_{k-1}' + g_k (1 + eta c_0)) / eta, g_k the coefficients
    // of the reciprocal of Stirling's series.
    constexpr double reciprocal[n_powers] = {1, -1.0 / 12, 1.0 / 288, 139.0 / 51840};
    double known[n_powers][last] = {};
    for (int k = 0; k < n_powers; ++k) {
      for (int n = 0; n < last - 1 - 2 * k; ++n) {
        const double first = (n + 2) * series[n + 2];
        known[k][n] = k == 0 ? first : (n + 2) * known[k - 1][n + 2] + reciprocal[k] * first;
      }
      for (int n = 0; n < n_terms; ++n) coefficient_[k][n] = known[k][n];
    }
  }

 private:
  static constexpr int n_powers = 4, n_terms = 18;
  double coefficient_[n_powers][n_terms];
};

// A table of a smooth function on an interval that starts at 0. The interval is divided into cells, in each of which
// the function is interpolated at Chebyshev points. The relative error is of the order of rounding if the cells are
// short compared to the distance of the nearest singularity.
class CellTable {
 public:
  template <typename Function>
  CellTable(double end, double longest_cell, Function&& f)
      : n_cells_(static_cast<int>(std::ceil(end / longest_cell))),
        per_unit_(n_cells_ / end),
        coefficient_(static_cast<std::size_t>(n_cells_) * order) {
    double angle[order], polynomial[order][order] = {};
    for (int k = 0; k < order; ++k) angle[k] = pi * (k + 0.5) / order;
    // The coefficients of Chebyshev's polynomials, by powers.
    polynomial[0][0] = polynomial[1][1] = 1;
    for (int j = 2; j < order; ++j) {
      for (int i = 0; i < order; ++i)
        polynomial[j][i] = (i > 0 ? 2 * polynomial[j - 1][i - 1] : 0) - polynomial[j - 2][i];
    }
    for (int c = 0; c < n_cells_; ++c) {
      double value[order], *own = &coefficient_[static_cast<std::size_t>(c) * order];
      for (int k = 0; k < order; ++k) value[k] = f((c + 0.5 + 0.5 * std::cos(angle[k])) / per_unit_);
      for (int j = 0; j < order; ++j) {
        double sum = 0;
        for (int k = 0; k < order; ++k) sum += value[k] * std::cos(j * angle[k]);
        for (int i = 0; i <= j; ++i) own[i] += (j > 0 ? 2 : 1) * sum / order * polynomial[j][i];
      }
    }
  }

  // The value at x >= 0; NaN beyond the end of the table.
  double at(double x) const {
    const double place = x * per_unit_;
    if (!(place < n_cells_)) return std::numeric_limits<double>::quiet_NaN();
    const int cell = static_cast<int>(place);
    const double* own = &coefficient_[static_cast<std::size_t>(cell) * order];
    const double t = 2 * (place - cell) - 1, square = t * t;
    double even = own[order - 2], odd = own[order - 1];
    for (int i = order - 4; i >= 0; i -= 2) {
      even = even * square + own[i];
      odd = odd * square + own[i + 1];
    }
    return even + odd * t;
  }

 private:
  static constexpr int order = 12;
  int n_cells_;
  double per_unit_;
  std::vector<double> coefficient_;
};

// A table that is made when it is first used, by any thread.
class LazyTable {
 public:
  template <typename Make>
  const CellTable& get(Make&& make) const {
    std::call_once(once_, [&] { table_.emplace(make()); });
    return *table_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<CellTable> table_;
};

class LogGamma final : public Link {
 public:
  explicit LogGamma(double lambda)
      : lambda_(lambda), shape_(1 / (lambda * lambda)), constant_(-log_root_two_pi - stirling_remainder(shape_)) {}

  double cdf(double x) const override {
    return is_nearly_normal(x) ? std::exp(nearly_normal(x, -1)) : gamma_cdf(gamma(x), shape_);
  }
  double survival(double x) const override {
    return is_nearly_normal(x) ? std::exp(nearly_normal(x, 1)) : gamma_survival(gamma(x), shape_);
  }
  double log_cdf(double x) const override {
    if (is_nearly_normal(x)) return nearly_normal(x, -1);
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
    if (is_nearly_normal(x)) return nearly_normal(x, 1);
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
  double log_density(double x) const override { return constant_ - shape_ * expm1_minus_x(lambda_ * x); }
  double density_slope(double x) const override { return -std::expm1(lambda_ * x) / lambda_; }
  double density_curvature(double x) const override { return -std::exp(lambda_ * x); }
  // The ratios of the tails to the density are smooth.
  NearTail near_tail(double x) const override {
    const double cell = 0.5 * std::fmin(1, 1 / lambda_), density = std::exp(log_density(x));
    const auto table = [&](const LazyTable& known, double sign) -> const CellTable& {
      return known.get([&] {
        return CellTable(80 * cell, cell, [&](double u) {
          const double at = sign * u;
          return std::exp((sign > 0 ? log_survival(at) : log_cdf(at)) - log_density(at));
        });
      });
    };
    const double ratio = x < 0 ? table(lower_, -1).at(-x) : table(upper_, 1).at(x);
    return {density > smallest_probability ? density * ratio : std::numeric_limits<double>::quiet_NaN(), density,
            density_slope(x), x < 0};
  }
  double mean() const override {
    // For large shapes, the difference of digamma and logarithm would be imprecise.
    if (shape_ >= TemmeExpansion::smallest_shape)
      return -lambda_ * (0.5 + 1 / (12 * shape_) - std::pow(shape_, -3) / 120);
    return (digamma(shape_) - std::log(shape_)) / lambda_;
  }
  double variance() const override { return trigamma(shape_) * shape_; }

 private:
  double gamma(double x) const { return shape_ * std::exp(lambda_ * x); }
  bool is_nearly_normal(double x) const {
    return shape_ >= TemmeExpansion::smallest_shape && std::fabs(lambda_ * x) < TemmeExpansion::largest_log;
  }
  // The logarithm of the survival function (`sign` 1) or of the distribution function (`sign` -1).
  double nearly_normal(double x, double sign) const {
    static const TemmeExpansion expansion;
    const double eta = std::copysign(std::sqrt(2 * expm1_minus_x(lambda_ * x)), x);
    const double t = eta / lambda_, tail = normal_log_cdf(-sign * t);
    const double ratio = std::exp(normal_log_density(t) - tail);
    return tail + std::log1p(sign * lambda_ * expansion.sum(eta, shape_) * ratio);
  }

  double lambda_, shape_, constant_;
  LazyTable lower_, upper_;
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
    const double log_ratio = size > 1e100 ? 2 * std::log(size) - std::log(df_) : std::log1p(x / df_ * x);
    return constant_ - (df_ + 1) / 2 * log_ratio;
  }
  double density_slope(double x) const override { return -(df_ + 1) * x / (df_ + x * x); }
  double density_curvature(double x) const override {
    const double denominator = df_ + x * x;
    return (df_ + 1) * (x * x - df_) / denominator / denominator;
  }
  // The ratio of the tail to the density, divided by u + c, is smooth in u / (u + c), u = |x|.
  NearTail near_tail(double x) const override {
    const double u = std::fabs(x), c = std::fmin(4, std::sqrt(df_));
    const CellTable& table = tail_.get([&] {
      return CellTable(1, 1.0 / 24, [&](double w) {
        const double at = c * w / (1 - w);
        return std::exp(log_cdf(-at) - log_density(at)) / (at + c);
      });
    });
    const double density = std::exp(log_density(x));
    const double ratio = (u + c) * table.at(u / (u + c));
    return {density > smallest_probability ? density * ratio : std::numeric_limits<double>::quiet_NaN(), density,
            density_slope(x), x < 0};
  }
  double variance() const override { return df_ > 2 ? df_ / (df_ - 2) : std::numeric_limits<double>::quiet_NaN(); }
  bool is_log_concave() const override { return false; }

 private:
  double df_, constant_;
  LazyTable tail_;
};

}  // namespace

double Link::quantile(double p) const { return tail_quantile(*this, std::fmin(p, 1 - p), p <= 0.5); }

double Link::upper_quantile(double p) const { return tail_quantile(*this, std::fmin(p, 1 - p), p > 0.5); }

LinkPointer log_gamma_link(double lambda) { return std::make_shared<LogGamma>(lambda); }

LinkPointer student_t_link(double df) { return std::make_shared<StudentT>(df); }

}  // namespace judicious::ordinal
