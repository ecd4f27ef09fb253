#include "link.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "logit.hpp"

namespace judicious::ordinal {
namespace {

// log(e^u - e^v), u >= v.
double log_difference(double u, double v) {
  if (std::isinf(v) && v < 0) return u;
  return u + log_one_minus_exp(u - v);
}

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
  double variance() const override { return original_->variance(); }
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
    for (double& score : out.score) score = -score;
  }

 private:
  LinkPointer original_;
};

}  // namespace

double Link::log_interval(double a, double b) const {
  if (!(b > a)) return -std::numeric_limits<double>::infinity();  // also if both are the same infinity
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
  // The interval has so small a share of its tail that the density is nearly constant, and Gauss-Legendre quadrature
  // with three points is exact up to rounding.
  const double width = b - a, middle = a + width / 2, step = width * 0.38729833462074168852;
  const double at = log_density(middle);
  const double beside = std::exp(log_density(middle - step) - at) + std::exp(log_density(middle + step) - at);
  return at + std::log(width) + std::log((8 + 5 * beside) / 18);
}

NearTail Link::near_tail(double x) const {
  const double lower = cdf(x), upper = survival(x), tail = std::fmin(lower, upper);
  return {tail > 1e-280 ? tail : std::numeric_limits<double>::quiet_NaN(), std::exp(log_density(x)), density_slope(x),
          lower < upper};
}

// Let P = F(b) - F(a), A = f(a) / P, B = f(b) / P, and g = f' / f. The derivatives of A and B with respect to a shift
// of both ends are A (g(a) - (B - A)) and B (g(b) - (B - A)).
Interval Link::interval(double a, double b) const {
  Interval out;
  out.log_prob = log_interval(a, b);
  struct End {
    double ratio = 0, slope = 0, curvature = 0;  // f / P, f' / P, f'' / P
  };
  const auto at = [&](double x) {
    End end;
    if (std::isfinite(x)) end.ratio = std::exp(log_density(x) - out.log_prob);
    // Far in a tail that decreases like exp(-exp(x)), the density is 0, and its slope would be infinite.
    if (end.ratio > 0) {
      const double slope = density_slope(x);
      end.slope = end.ratio * slope;
      end.curvature = end.slope * slope + end.ratio * density_curvature(x);
    }
    return end;
  };
  const End lower = at(a), upper = at(b);
  out.first = {-lower.ratio, upper.ratio};
  out.shift = out.first.sum();
  const double shift = out.shift, slope = upper.slope - lower.slope;
  out.second = {lower.ratio * shift - lower.slope, upper.slope - upper.ratio * shift};
  out.third = {lower.ratio * slope - lower.curvature - 2 * shift * out.second.lower,
               upper.curvature - upper.ratio * slope - 2 * shift * out.second.upper};
  return out;
}

LinkPointer mirrored(LinkPointer link) { return std::make_shared<Mirrored>(std::move(link)); }

}  // namespace judicious::ordinal
