// Every link of the table against its definition, Boost.Math's distribution in 50 digits.
#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/extreme_value.hpp>
#include <boost/math/distributions/logistic.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "ordinal/link.hpp"

using namespace judicious::ordinal;
using Exact = boost::multiprecision::cpp_bin_float_50;

namespace {

struct Definition {
  std::function<Exact(const Exact&)> cdf, survival, density;
};

template <typename Distribution>
Definition defined_by(const Distribution& f) {
  return {[=](const Exact& x) { return boost::math::cdf(f, x); },
          [=](const Exact& x) { return boost::math::cdf(boost::math::complement(f, x)); },
          [=](const Exact& x) { return boost::math::pdf(f, x); }};
}

Definition mirrored(const Definition& f) {
  return {[=](const Exact& x) { return f.survival(-x); }, [=](const Exact& x) { return f.cdf(-x); },
          [=](const Exact& x) { return f.density(-x); }};
}

const std::map<std::string_view, Definition>& definitions() {
  using namespace boost::math;
  static const Definition gumbel = defined_by(extreme_value_distribution<Exact>());
  static const std::map<std::string_view, Definition> all{
      {"logit", defined_by(logistic_distribution<Exact>())},
      {"probit", defined_by(normal_distribution<Exact>())},
      {"cauchit", defined_by(cauchy_distribution<Exact>())},
      {"loglog", gumbel},
      {"cloglog", mirrored(gumbel)}};
  return all;
}

// log(p) where q = 1 - p: of the smaller, which has all its digits.
Exact log_of(const Exact& p, const Exact& q) { return p < 0.5 ? log(p) : log1p(-q); }

double relative(double x, const Exact& exact) {
  return static_cast<double>(abs(Exact(x) - exact) / abs(exact));
}

}  // namespace

TEST_CASE("every link of the table is tested, and an unknown name throws") {
  CHECK(link_names().size() == definitions().size());
  for (const std::string_view name : link_names()) CHECK(definitions().count(name) == 1);
  CHECK_THROWS_AS(link_named("logistic"), std::invalid_argument);
  CHECK_THROWS_WITH(link_named("logistic"), Catch::Contains("Unknown link \"logistic\"") &&
                                                Catch::Contains("\"probit\", \"cloglog\""));
}

TEST_CASE("links agree with their definitions") {
  for (const auto& [name, exact] : definitions()) {
    const Link& link = link_named(name);
    INFO(name);
    for (double x = -5; x < 5; x += 0.37) {
      INFO(x);
      CHECK(relative(link.cdf(x), exact.cdf(x)) < 1e-14);
      CHECK(relative(link.survival(x), exact.survival(x)) < 5e-14);
      CHECK(relative(link.log_cdf(x), log_of(exact.cdf(x), exact.survival(x))) < 1e-13);
      CHECK(relative(link.log_survival(x), log_of(exact.survival(x), exact.cdf(x))) < 1e-13);
      CHECK(relative(std::exp(link.log_density(x)), exact.density(x)) < 5e-14);
      const Exact h("1e-15");
      const Exact slope =
          (exact.density(x + h) - exact.density(x - h)) / (2 * h * exact.density(x));
      CHECK(relative(link.density_slope(x), slope) < 1e-13);
    }
  }
}

TEST_CASE("quantiles of either tail are the inverses of its probabilities") {
  for (const auto& [name, exact] : definitions()) {
    const Link& link = link_named(name);
    INFO(name);
    for (const double p : {1e-300, 1e-20, 1e-5, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999}) {
      INFO(p);
      // The error of a quantile moves the probability by its product with the density.
      const double low = link.quantile(p), high = link.upper_quantile(p);
      const double error = 4 * std::numeric_limits<double>::epsilon();
      CHECK(abs(exact.cdf(low) - p) <=
            error * (p + exact.density(low) * std::fmax(1, std::fabs(low))));
      CHECK(abs(exact.survival(high) - p) <=
            error * (p + exact.density(high) * std::fmax(1, std::fabs(high))));
    }
    CHECK(link.quantile(0) == -std::numeric_limits<double>::infinity());
    CHECK(link.upper_quantile(0) == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("means of the links are those of their distributions") {
  const boost::math::extreme_value_distribution<double> gumbel;
  CHECK(link_named("loglog").mean() == Approx(boost::math::mean(gumbel)).epsilon(1e-15));
  CHECK(link_named("cloglog").mean() == Approx(-boost::math::mean(gumbel)).epsilon(1e-15));
  for (const char* name : {"logit", "probit", "cauchit"}) CHECK(link_named(name).mean() == 0);
}

TEST_CASE("probabilities of intervals, also of far and very short ones, keep their digits") {
  for (const auto& [name, exact] : definitions()) {
    const Link& link = link_named(name);
    INFO(name);
    for (const double a : {-6.0, -2.5, -0.1, 0.0, 0.4, 3.0, 5.5}) {
      INFO(a);
      for (const double width : {1e-9, 1e-3, 0.5, 4.0}) {
        const double b = a + width;
        const Exact probability =
            a > 0 ? exact.survival(a) - exact.survival(b) : exact.cdf(b) - exact.cdf(a);
        CHECK(std::fabs(link.log_interval(a, b) - static_cast<double>(log(probability))) < 1e-10);
      }
    }
  }
  const Link& probit = link_named("probit");
  const Exact far = boost::math::cdf(boost::math::normal_distribution<Exact>(), Exact(-40));
  CHECK(relative(probit.log_cdf(-40), log(far)) < 1e-15);
}
