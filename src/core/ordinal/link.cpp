#include "ordinal/link.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "ordinal/link_flexible.hpp"
#include "ordinal/logit.hpp"
#include "stats/distributions.hpp"
#include "text/enum_of.hpp"
#include "text/number.hpp"

namespace judicious::ordinal {
namespace {

// log(e^u - e^v), u >= v.
double log_difference(double u, double v) {
  if (std::isinf(v) && v < 0) return u;
  return u + log_one_minus_exp(u - v);
}

class Logit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return logistic(x); }
  double log_cdf(double x) const override { return log_logistic(x); }
  double log_density(double x) const override {
    return -std::fabs(x) - 2 * std::log1p(std::exp(-std::fabs(x)));
  }
  double density_slope(double x) const override { return -std::tanh(x / 2); }
  double density_curvature(double x) const override { return -2 * logistic_density(x); }
  double quantile(double p) const override { return std::log(p / (1 - p)); }
  double log_interval(double a, double b) const override { return logit_row(a, b).log_prob; }
  // F(b) F(-a) (1 - e^-(b-a)): see logit.hpp.
  Interval interval(double a, double b) const override {
    const LogisticTail below(-a), above(b);
    Interval out;
    out.log_prob = below.exponent + above.exponent - std::log(below.factor * above.factor);
    out.first = {-below.complement, above.complement};
    out.second = {-below.density, -above.density};
    out.third = {below.slope, -above.slope};
    return out;
  }
  void rows(const double* a, const double* b, RowTerms& out) const override {
    for (int i = 0; i < RowTerms::size; ++i) {
      const LogisticTail below(-a[i]), above(b[i]);
      out.log_prob[i] = below.exponent + above.exponent - std::log(below.factor * above.factor);
      out.score_below[i] = below.complement;
      out.score_above[i] = above.complement;
      out.below[i] = below.density;
      out.above[i] = above.density;
      out.gap[i] = 0;
    }
  }
  double log_gap(double width) const override { return log_one_minus_exp(width); }
  double log_gap_slope(double width) const override { return gap_slope(width); }
  bool is_logit() const override { return true; }

 private:
  // At x, which may be +infinity: F = e^exponent / factor, 1 - F, f and f'.
  struct LogisticTail {
    double exponent, factor, complement, density, slope;

    explicit LogisticTail(double x) {
      const double e = std::exp(-std::fabs(x)), large = 1 / (1 + e), small = e * large;
      exponent = std::fmin(x, 0.0);
      factor = 1 + e;
      complement = x < 0 ? large : small;
      density = large * small;
      slope = density * (2 * complement - 1);
    }
  };
};

class Probit final : public SymmetricLink {
 public:
  double cdf(double x) const override { return normal_cdf(x); }
  double log_cdf(double x) const override { return normal_log_cdf(x); }
  double log_density(double x) const override { return normal_log_density(x); }
  double density_slope(double x) const override { return -x; }
  double density_curvature(double) const override { return -1; }
  double quantile(double p) const override { return normal_quantile(p); }
  void rows(const double* a, const double* b, RowTerms& out) const override {
    probit_rows(*this, a, b, out);
  }
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
    return p < 0.25   ? -1 / std::tan(pi * p)
           : p > 0.75 ? 1 / std::tan(pi * (1 - p))
                      : std::tan(pi * (p - 0.5));
  }
  void rows(const double* a, const double* b, RowTerms& out) const override {
    cauchit_rows(*this, a, b, out);
  }
  bool is_log_concave() const override { return false; }
};

// The distribution of the smallest extreme value: 1 - F(x) = exp(-e^x), with proportional hazards.
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
  double density_curvature(double x) const override { return -std::exp(x); }
  double quantile(double p) const override { return std::log(-std::log1p(-p)); }
  double upper_quantile(double p) const override { return std::log(-std::log(p)); }
  double mean() const override { return -euler; }
  void rows(const double* a, const double* b, RowTerms& out) const override {
    cloglog_rows(*this, a, b, out);
  }
};

class Mirrored final : public Link {
 public:
  explicit Mirrored(LinkPointer original) : original_(std::move(original)) {}

  double cdf(double x) const override { return original_->survival(-x); }
  double survival(double x) const override { return original_->cdf(-x); }
  double log_cdf(double x) const override { return original_->log_survival(-x); }
  double log_survival(double x) const override { return original_->log_cdf(-x); }
  double log_density(double x) const override { return original_->log_density(-x); }
  double density_slope(double x) const override { return -original_->density_slope(-x); }
  double density_curvature(double x) const override { return original_->density_curvature(-x); }
  double quantile(double p) const override { return -original_->upper_quantile(p); }
  double upper_quantile(double p) const override { return -original_->quantile(p); }
  double mean() const override { return -original_->mean(); }
  bool is_log_concave() const override { return original_->is_log_concave(); }
  void rows(const double* a, const double* b, RowTerms& out) const override {
    double low[RowTerms::size], high[RowTerms::size];
    for (int i = 0; i < RowTerms::size; ++i) {
      low[i] = -b[i];
      high[i] = -a[i];
    }
    original_->rows(low, high, out);
    std::swap(out.score_below, out.score_above);
    std::swap(out.below, out.above);
  }

 private:
  LinkPointer original_;
};

template <typename OneLink>
LinkPointer make_link(double) {
  return std::make_shared<OneLink>();
}

// The distribution of the largest extreme value.
LinkPointer make_loglog(double) { return mirrored(std::make_shared<ComplementaryLogLog>()); }

LinkPointer make_log_gamma(double lambda) {
  if (!std::isfinite(lambda)) throw std::invalid_argument("lambda of \"log-gamma\" must be finite");
  // At 1e-10, the link differs from the probit by rounding errors.
  if (std::fabs(lambda) < 1e-10) return std::make_shared<Probit>();
  return lambda > 0 ? log_gamma_link(lambda) : mirrored(log_gamma_link(-lambda));
}

LinkPointer make_robit(double df) {
  if (!(df > 0)) throw std::invalid_argument("df of \"robit\" must be positive");
  if (std::isinf(df)) return std::make_shared<Probit>();
  return student_t_link(df);
}

struct LinkEntry {
  std::string_view parameter;  // empty if there is none
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

double Link::log_interval(double a, double b) const {
  if (std::isinf(a) && std::isinf(b)) return 0;
  if (std::isinf(a)) return log_cdf(b);
  if (std::isinf(b)) return log_survival(a);
  double larger = log_survival(a), smaller = 0;
  const double lower_b = log_cdf(b);
  if (lower_b < larger) {
    larger = lower_b;
    smaller = log_cdf(a);
  } else {
    smaller = log_survival(b);
  }
  constexpr double cancels = 1.0 / 1024;
  if (!(larger - smaller < cancels)) return log_difference(larger, smaller);
  // The interval has so small a share of its tail that the density is nearly constant in it:
  // Gauss-Legendre quadrature with three points is exact to rounding.
  const double width = b - a, middle = a + width / 2, step = width * 0.38729833462074168852;
  const double at = log_density(middle);
  const double beside =
      std::exp(log_density(middle - step) - at) + std::exp(log_density(middle + step) - at);
  return at + std::log(width) + std::log((8 + 5 * beside) / 18);
}

NearTail Link::near_tail(double x) const {
  const double lower = cdf(x), upper = survival(x), tail = std::fmin(lower, upper);
  return {tail > 1e-280 ? tail : std::numeric_limits<double>::quiet_NaN(), std::exp(log_density(x)),
          density_slope(x), lower < upper};
}

void Link::rows(const double* a, const double* b, RowTerms& out) const {
  other_rows(*this, a, b, out);
}

// Let A = f(a) / P and B = f(b) / P for P = F(b) - F(a). Their derivatives by a shift of both ends
// are A (g(a) - (B - A)) and B (g(b) - (B - A)), with g = f' / f.
Interval Link::interval(double a, double b) const {
  Interval out;
  out.log_prob = log_interval(a, b);
  struct End {
    double ratio = 0, slope = 0, bend = 0;  // f / P, f' / P, f'' / P
  };
  const auto at = [&](double x) {
    End end;
    if (std::isfinite(x)) end.ratio = std::exp(log_density(x) - out.log_prob);
    // Far in a tail that decreases like exp(-exp(x)), the density is 0 and its slope infinite.
    if (end.ratio > 0) {
      const double slope = density_slope(x);
      end.slope = end.ratio * slope;
      end.bend = end.slope * slope + end.ratio * density_curvature(x);
    }
    return end;
  };
  const End lower = at(a), upper = at(b);
  out.first = {-lower.ratio, upper.ratio};
  const double shift = out.first.sum(), slope = upper.slope - lower.slope;
  out.second = {lower.ratio * shift - lower.slope, upper.slope - upper.ratio * shift};
  out.third = {lower.ratio * slope - lower.bend - 2 * shift * out.second.lower,
               upper.bend - upper.ratio * slope - 2 * shift * out.second.upper};
  return out;
}

LinkPointer mirrored(LinkPointer link) { return std::make_shared<Mirrored>(std::move(link)); }

LinkPointer link_named(std::string_view name) {
  const std::size_t open = name.find('(');
  const LinkEntry entry = enum_of(name.substr(0, open), links, "link");
  const bool has_value = open != std::string_view::npos && name.back() == ')';
  if (has_value == entry.parameter.empty() || has_value != (open != std::string_view::npos)) {
    throw std::invalid_argument(
        "link \"" + std::string(name) + "\" " +
        (entry.parameter.empty() ? "has no parameter" : "needs a parameter"));
  }
  if (!has_value) return entry.make(0);
  double parameter = 0;
  if (!parse_number(name.substr(open + 1, name.size() - open - 2), parameter)) {
    throw std::invalid_argument("the parameter of link \"" + std::string(name) +
                                "\" is not a number");
  }
  return entry.make(parameter);
}

std::vector<LinkName> link_names() {
  std::vector<LinkName> out;
  for (const auto& entry : links) out.push_back({entry.name, entry.value.parameter});
  return out;
}

}  // namespace judicious::ordinal
