#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "link.hpp"
#include "logit.hpp"
#include "stats/constants.hpp"
#include "stats/distributions.hpp"
#include "text/enum_of.hpp"
#include "text/number.hpp"

namespace judicious::ordinal {
namespace {

class Logit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return logistic(x); }
  double log_cdf(double x) const override { return log_logistic(x); }
  double log_density(double x) const override { return -std::fabs(x) - 2 * std::log1p(std::exp(-std::fabs(x))); }
  double density_slope(double x) const override { return -std::tanh(x / 2); }
  double density_curvature(double x) const override { return -2 * logistic_density(x); }
  double quantile(double p) const override { return std::log(p / (1 - p)); }
  double variance() const override { return pi * pi / 3; }
  double log_interval(double a, double b) const override {
    if (!(b > a)) return -infinity;
    const double gap = std::isinf(b - a) ? 0 : log_one_minus_exp(b - a);
    return log_logistic(b) + log_logistic(-a) + gap;
  }
  // Uses P = F(b) F(-a) (1 - e^-(b-a)): see logit.hpp.
  Interval interval(double a, double b) const override {
    const double width_slope = std::isfinite(b - a) ? gap_slope(b - a) : 0, over = logistic(-b), under = logistic(a),
                 at_a = logistic_density(a), at_b = logistic_density(b);
    Interval out;
    out.log_prob = log_interval(a, b);
    out.first = {-under - width_slope, over + width_slope};
    out.shift = over - under;
    out.second = {-at_a, -at_b};
    out.third = {at_a * (2 * under - 1), at_b * (1 - 2 * over)};
    return out;
  }
  void rows(const double* a, const double* b, RowTerms& out) const override { logit_rows(*this, a, b, out); }
  bool is_logit() const override { return true; }
};

class Probit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return normal_cdf(x); }
  double log_cdf(double x) const override { return normal_log_cdf(x); }
  double log_density(double x) const override { return normal_log_density(x); }
  double density_slope(double x) const override { return -x; }
  double density_curvature(double) const override { return -1; }
  double quantile(double p) const override { return normal_quantile(p); }
  double variance() const override { return 1; }
  void rows(const double* a, const double* b, RowTerms& out) const override { probit_rows(*this, a, b, out); }
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
  double density_curvature(double x) const override {
    const double share = 1 / (1 + x * x);
    return 2 * share * (1 - 2 * share);
  }
  double quantile(double p) const override {
    return p < 0.25 ? -1 / std::tan(pi * p) : p > 0.75 ? 1 / std::tan(pi * (1 - p)) : std::tan(pi * (p - 0.5));
  }
  double variance() const override { return std::numeric_limits<double>::quiet_NaN(); }
  void rows(const double* a, const double* b, RowTerms& out) const override { cauchit_rows(*this, a, b, out); }
  bool is_log_concave() const override { return false; }
};

// The distribution of the smallest extreme value: 1 - F(x) = exp(-e^x), with proportional hazards.
class ComplementaryLogLog final : public Link {
 public:
  double cdf(double x) const override { return -std::expm1(-std::exp(x)); }
  double survival(double x) const override { return std::exp(-std::exp(x)); }
  double log_cdf(double x) const override { return std::isinf(x) ? (x > 0 ? 0.0 : x) : log_one_minus_exp(std::exp(x)); }
  double log_survival(double x) const override { return -std::exp(x); }
  double log_density(double x) const override { return x - std::exp(x); }
  double density_slope(double x) const override { return -std::expm1(x); }
  double density_curvature(double x) const override { return -std::exp(x); }
  double quantile(double p) const override { return std::log(-std::log1p(-p)); }
  double upper_quantile(double p) const override { return std::log(-std::log(p)); }
  double mean() const override { return -euler; }
  double variance() const override { return pi * pi / 6; }
  void rows(const double* a, const double* b, RowTerms& out) const override { cloglog_rows(*this, a, b, out); }
};

template <typename OneLink>
LinkPointer make_link(double) {
  return std::make_shared<OneLink>();
}

// The distribution of the largest extreme value.
LinkPointer make_loglog(double) { return mirrored(std::make_shared<ComplementaryLogLog>()); }

LinkPointer make_log_gamma(double lambda) {
  if (!std::isfinite(lambda)) throw std::invalid_argument("lambda of \"log-gamma\" must be finite");
  // At this distance from 0, the link differs from the probit only by rounding errors.
  if (std::fabs(lambda) < 1e-10) return std::make_shared<Probit>();
  return lambda > 0 ? log_gamma_link(lambda) : mirrored(log_gamma_link(-lambda));
}

LinkPointer make_robit(double df) {
  if (!(df > 0)) throw std::invalid_argument("df of \"robit\" must be positive");
  if (std::isinf(df)) return std::make_shared<Probit>();
  return student_t_link(df);
}

struct LinkEntry {
  std::string_view parameter;  // empty if the link has no parameter
  LinkPointer (*make)(double parameter);
};

constexpr Named<LinkEntry> links[] = {{"logit", {"", make_link<Logit>}},
                                      {"probit", {"", make_link<Probit>}},
                                      {"cloglog", {"", make_link<ComplementaryLogLog>}},
                                      {"loglog", {"", make_loglog}},
                                      {"cauchit", {"", make_link<Cauchit>}},
                                      {"log-gamma", {"lambda", make_log_gamma}},
                                      {"robit", {"df", make_robit}}};

}  // namespace

LinkPointer link_named(std::string_view name) {
  const std::size_t open = name.find('(');
  const LinkEntry entry = enum_of(name.substr(0, open), links, "link");
  const bool has_value = open != std::string_view::npos && name.back() == ')';
  if (has_value == entry.parameter.empty() || has_value != (open != std::string_view::npos)) {
    throw std::invalid_argument("link \"" + std::string(name) + "\" " +
                                (entry.parameter.empty() ? "has no parameter" : "needs a parameter"));
  }
  if (!has_value) return entry.make(0);
  double parameter = 0;
  if (!parse_number(name.substr(open + 1, name.size() - open - 2), parameter)) {
    throw std::invalid_argument("the parameter of link \"" + std::string(name) + "\" is not a number");
  }
  return entry.make(parameter);
}

std::vector<LinkName> link_names() {
  std::vector<LinkName> out;
  for (const auto& entry : links) out.push_back({entry.name, entry.value.parameter});
  return out;
}

}  // namespace judicious::ordinal
