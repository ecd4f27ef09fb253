#include "ordinal/link.hpp"

#include <cmath>

#include "ordinal/logit.hpp"
#include "stats/distributions.hpp"
#include "text/enum_of.hpp"

namespace judicious::ordinal {
namespace {

// log(e^u - e^v), u >= v.
double log_difference(double u, double v) {
  if (std::isinf(v) && v < 0) return u;
  return u + log_one_minus_exp(u - v);
}

class SymmetricLink : public Link {
 public:
  double survival(double x) const override { return cdf(-x); }
  double log_survival(double x) const override { return log_cdf(-x); }
  double upper_quantile(double p) const override { return -quantile(p); }
  double mean() const override { return 0; }
};

class Logit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return logistic(x); }
  double log_cdf(double x) const override { return log_logistic(x); }
  double log_density(double x) const override {
    return -std::fabs(x) - 2 * std::log1p(std::exp(-std::fabs(x)));
  }
  double density_slope(double x) const override { return -std::tanh(x / 2); }
  double quantile(double p) const override { return std::log(p / (1 - p)); }
  double log_interval(double a, double b) const override { return logit_row(a, b).log_prob; }
};

class Probit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return normal_cdf(x); }
  double log_cdf(double x) const override { return normal_log_cdf(x); }
  double log_density(double x) const override { return normal_log_density(x); }
  double density_slope(double x) const override { return -x; }
  double quantile(double p) const override { return normal_quantile(p); }
};

class Cauchit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return std::atan2(1.0, -x) / pi; }
  double log_cdf(double x) const override { return std::log(cdf(x)); }
  double log_density(double x) const override {
    const double size = std::fabs(x);
    return -log_pi - (size > 1e8 ? 2 * std::log(size) : std::log1p(x * x));
  }
  double density_slope(double x) const override { return -2 * x / (1 + x * x); }
  double quantile(double p) const override {
    return p < 0.25   ? -1 / std::tan(pi * p)
           : p > 0.75 ? 1 / std::tan(pi * (1 - p))
                      : std::tan(pi * (p - 0.5));
  }
};

// The smallest extreme value, whose hazard is proportional: 1 - F(x) = exp(-e^x).
class ComplementaryLogLog final : public Link {
 public:
  double cdf(double x) const override { return -std::expm1(-std::exp(x)); }
  double survival(double x) const override { return std::exp(-std::exp(x)); }
  double log_cdf(double x) const override {
    return std::isinf(x) ? (x > 0 ? 0.0 : x) : log_one_minus_exp(std::exp(x));
  }
  double log_survival(double x) const override { return -std::exp(x); }
  double log_density(double x) const override { return x - std::exp(x); }
  double density_slope(double x) const override { return -std::expm1(x); }
  double quantile(double p) const override { return std::log(-std::log1p(-p)); }
  double upper_quantile(double p) const override { return std::log(-std::log(p)); }
  double mean() const override { return -euler; }
};

// The largest extreme value: F(x) is the survival of the complementary log-log link at -x.
class LogLog final : public Link {
 public:
  double cdf(double x) const override { return mirror_.survival(-x); }
  double survival(double x) const override { return mirror_.cdf(-x); }
  double log_cdf(double x) const override { return mirror_.log_survival(-x); }
  double log_survival(double x) const override { return mirror_.log_cdf(-x); }
  double log_density(double x) const override { return mirror_.log_density(-x); }
  double density_slope(double x) const override { return -mirror_.density_slope(-x); }
  double quantile(double p) const override { return -mirror_.upper_quantile(p); }
  double upper_quantile(double p) const override { return -mirror_.quantile(p); }
  double mean() const override { return -mirror_.mean(); }

 private:
  ComplementaryLogLog mirror_;
};

const Logit logit;
const Probit probit;
const ComplementaryLogLog cloglog;
const LogLog loglog;
const Cauchit cauchit;

constexpr Named<const Link*> links[] = {{"logit", &logit},
                                        {"probit", &probit},
                                        {"cloglog", &cloglog},
                                        {"loglog", &loglog},
                                        {"cauchit", &cauchit}};

}  // namespace

double Link::log_interval(double a, double b) const {
  if (std::isinf(a) && std::isinf(b)) return 0;
  if (std::isinf(a)) return log_cdf(b);
  if (std::isinf(b)) return log_survival(a);
  const double width = b - a;
  if (width < 1e-6) return log_density(a + width / 2) + std::log(width);
  const double upper_a = log_survival(a), lower_b = log_cdf(b);
  return lower_b < upper_a ? log_difference(lower_b, log_cdf(a))
                           : log_difference(upper_a, log_survival(b));
}

const Link& link_named(std::string_view name) { return *enum_of(name, links, "link"); }

std::vector<std::string_view> link_names() { return names_of(links); }

}  // namespace judicious::ordinal
