// Every link of the table against its definition, Boost.Math's distribution in 50 digits.
#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/extreme_value.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/logistic.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "catch.hpp"
#include "every_link.hpp"
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

Definition mirror_image(const Definition& f) {
  return {[=](const Exact& x) { return f.survival(-x); }, [=](const Exact& x) { return f.cdf(-x); },
          [=](const Exact& x) { return f.density(-x); }};
}

// The distribution of log(G / k) / lambda, where G has a gamma distribution with shape k = lambda^-2.
Definition log_gamma(const Exact& lambda) {
  const Exact shape = 1 / (lambda * lambda);
  const Definition gamma = defined_by(boost::math::gamma_distribution<Exact>(shape, 1 / shape));
  return {[=](const Exact& x) { return gamma.cdf(exp(lambda * x)); },
          [=](const Exact& x) { return gamma.survival(exp(lambda * x)); },
          [=](const Exact& x) {
            const Exact value = exp(lambda * x);
            return gamma.density(value) * lambda * value;
          }};
}

const std::map<std::string, Definition>& definitions() {
  using namespace boost::math;
  static const Definition gumbel = defined_by(extreme_value_distribution<Exact>());
  static const std::map<std::string, Definition> all{
      {"logit", defined_by(logistic_distribution<Exact>())},
      {"probit", defined_by(normal_distribution<Exact>())},
      {"cauchit", defined_by(cauchy_distribution<Exact>())},
      {"loglog", gumbel},
      {"cloglog", mirror_image(gumbel)},
      {"log-gamma(-0.7)", mirror_image(log_gamma(Exact(0.7)))},
      {"log-gamma(0.1)", log_gamma(Exact(0.1))},
      {"log-gamma(1.3)", log_gamma(Exact(1.3))},
      {"robit(0.8)", defined_by(students_t_distribution<Exact>(Exact(0.8)))},
      {"robit(4)", defined_by(students_t_distribution<Exact>(4))},
      {"robit(50)", defined_by(students_t_distribution<Exact>(50))}};
  return all;
}

// log(p), where q = 1 - p. It is computed from the smaller of both, which has all its digits.
Exact log_of(const Exact& p, const Exact& q) { return p < 0.5 ? log(p) : log1p(-q); }

double relative(double x, const Exact& exact) { return static_cast<double>(abs(Exact(x) - exact) / abs(exact)); }

}  // namespace

TEST_CASE("the list of tested links is complete, and an unknown link name throws") {
  CHECK(every_link().size() == definitions().size());
  for (const std::string& name : every_link()) CHECK(definitions().count(name) == 1);
  CHECK_THROWS_AS(link_named("logistic"), std::invalid_argument);
  CHECK_THROWS_WITH(link_named("logistic"),
                    contains("Unknown link \"logistic\"") && contains("\"probit\", \"cloglog\""));
}

TEST_CASE("the functions of every link agree with the definition of its distribution") {
  for (const auto& [name, exact] : definitions()) {
    const LinkPointer pointer = link_named(name);
    const Link& link = *pointer;
    INFO(name);
    for (double x = -5; x < 5; x += 0.37) {
      INFO(x);
      // The number is computed from its logarithm, which goes down to -150. An error of one unit in the last place of
      // the logarithm is a relative error of the number.
      const auto far = [](double log) { return 5e-14 * std::fmax(1, std::fabs(log) / 50); };
      const double log_density = link.log_density(x);
      CHECK(relative(link.cdf(x), exact.cdf(x)) < 1e-14);
      CHECK(relative(link.survival(x), exact.survival(x)) < far(link.log_survival(x)));
      CHECK(relative(link.log_cdf(x), log_of(exact.cdf(x), exact.survival(x))) < 1e-13);
      CHECK(relative(link.log_survival(x), log_of(exact.survival(x), exact.cdf(x))) < 1e-13);
      CHECK(relative(std::exp(log_density), exact.density(x)) < far(log_density));
      const Exact h("1e-15");
      const Exact slope = (exact.density(x + h) - exact.density(x - h)) / (2 * h * exact.density(x));
      CHECK(relative(link.density_slope(x), slope) < 1e-13);
    }
  }
}

TEST_CASE("log probabilities and derivatives computed by blocks of rows agree with their definitions") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const auto& definition : definitions()) {
    const auto& exact = definition.second;
    const LinkPointer link = link_named(definition.first);
    INFO(definition.first);
    double a[RowTerms::size], b[RowTerms::size];
    RowTerms terms;
    for (int i = 0; i < RowTerms::size; ++i) {
      a[i] = i % 8 == 0 ? -inf : -4.3 + 0.13 * i;
      b[i] = i % 8 == 7 ? inf : -4.3 + 0.13 * i + (i % 4 == 0 ? 1e-5 : i % 4 == 1 ? 0.02 : 1.5);
    }
    link->rows(a, b, terms);
    for (int i = 0; i < RowTerms::size; ++i) {
      INFO(a[i] << " .. " << b[i]);
      const bool has_a = i % 8 != 0, has_b = i % 8 != 7;
      const Exact one = 1, none = 0;
      const Exact below = has_a ? exact.cdf(Exact(a[i])) : none;
      const Exact above = has_b ? exact.survival(Exact(b[i])) : none;
      // The difference is taken in the nearer tail, so that 50 digits are sufficient.
      const Exact prob = below > 0.5 ? exact.survival(Exact(a[i])) - above
                         : has_b     ? Exact(exact.cdf(Exact(b[i])) - below)
                                     : Exact(one - below);
      const Exact h("1e-15");
      const auto density = [&](double x) { return exact.density(Exact(x)); };
      const auto slope = [&](double x) -> Exact {
        return (exact.density(Exact(x) + h) - exact.density(Exact(x) - h)) / (2 * h);
      };
      const Exact at_a = has_a ? Exact(density(a[i]) / prob) : none;
      const Exact at_b = has_b ? Exact(density(b[i]) / prob) : none;
      const Exact own_a = has_a ? Exact(slope(a[i]) / prob - at_a * (at_b - at_a)) : none;
      const Exact own_b = has_b ? Exact(at_b * (at_b - at_a) - slope(b[i]) / prob) : none;
      const auto near = [](double x, const Exact& want, const Exact& size) {
        return static_cast<double>(abs(Exact(x) - want)) <= 2e-12 * static_cast<double>(size) + 1e-300;
      };
      const Exact larger = at_a > at_b ? at_a : at_b;
      CHECK(near(terms.log_prob[i], log(prob), one));
      CHECK(near(terms.score_below[i], at_a, larger));
      CHECK(near(terms.score_above[i], at_b, larger));
      CHECK(near(terms.score[i], at_a - at_b, larger));
      CHECK(near(terms.gap[i], at_a * at_b, larger * larger));
      const Exact size = larger * larger + 10 * larger;
      CHECK(near(terms.below[i], own_a, size));
      CHECK(near(terms.above[i], own_b, size));
    }
  }
}

TEST_CASE("quantile functions of both tails invert the tail probabilities") {
  for (const auto& [name, exact] : definitions()) {
    const LinkPointer pointer = link_named(name);
    const Link& link = *pointer;
    INFO(name);
    for (const double p : {1e-300, 1e-20, 1e-5, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999}) {
      INFO(p);
      // The error of a quantile moves the probability by its product with the density.
      const double low = link.quantile(p), high = link.upper_quantile(p);
      if (std::isinf(low)) {
        CHECK(exact.cdf(-std::numeric_limits<double>::max()) > p);
        continue;
      }
      // Links with a parameter solve for log(p), which has an ulp of 1e-13 at p = 1e-300.
      const bool solved = name.back() == ')';
      const double error = solved ? 4e-13 : 4 * std::numeric_limits<double>::epsilon();
      CHECK(abs(exact.cdf(low) - p) <= error * (p + exact.density(low) * std::fmax(1, std::fabs(low))));
      CHECK(abs(exact.survival(high) - p) <= error * (p + exact.density(high) * std::fmax(1, std::fabs(high))));
    }
    CHECK(link.quantile(0) == -std::numeric_limits<double>::infinity());
    CHECK(link.upper_quantile(0) == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("the quantile of a NaN probability is NaN") {
  for (const std::string& name : every_link()) {
    INFO(name);
    CHECK(std::isnan(link_named(name)->quantile(std::numeric_limits<double>::quiet_NaN())));
    CHECK(std::isnan(link_named(name)->upper_quantile(std::numeric_limits<double>::quiet_NaN())));
  }
}

TEST_CASE("log-gamma links are precise in both tails when their parameter approaches 0, the probit link") {
  for (const double lambda : {0.0316, 0.005}) {
    const LinkPointer link = link_named("log-gamma(" + std::to_string(lambda) + ")");
    const Definition exact = log_gamma(Exact(lambda));
    // For lambda = 0.0316, the expansion is used between -12.7 and 12.7.
    for (const double x : {-35.0, -12.6, -8.0, -4.6, -1.0, -1e-3, 0.3, 2.0, 6.0, 12.6, 14.0, 30.0}) {
      INFO(lambda << " at " << x);
      const Exact p = exact.cdf(x), q = exact.survival(x);
      // The smaller probability is computed from its logarithm, whose rounding error is a relative error of the
      // probability.
      const double smaller = static_cast<double>(log(p < q ? p : q));
      const double limit = 5e-14 * std::fmax(1, std::fabs(smaller) / 50);
      CHECK(relative(link->log_cdf(x), log_of(p, q)) < limit);
      CHECK(relative(link->log_survival(x), log_of(q, p)) < limit);
    }
  }
  const auto probit = link_named("probit");
  // The first term of Edgeworth's expansion: F = Phi + lambda (x^2 + 2) phi / 6.
  for (const double x : {-3.0, 0.2, 2.5}) {
    const double density = std::exp(probit->log_density(x));
    CHECK(link_named("log-gamma(1e-9)")->cdf(x) ==
          Approx(probit->cdf(x) + 1e-9 * (x * x + 2) * density / 6).epsilon(1e-14));
  }
}

TEST_CASE("the mean of the log-gamma distribution equals its integral") {
  for (const char* name : {"log-gamma(-0.7)", "log-gamma(0.01)", "log-gamma(0.1)", "log-gamma(1.3)"}) {
    const LinkPointer link = link_named(name);
    double mean = 0;
    for (double x = -60; x < 60; x += 0.01) mean += 0.01 * x * std::exp(link->log_density(x));
    CHECK(link->mean() == Approx(mean).epsilon(1e-10));
  }
}

TEST_CASE("the means of loglog and cloglog are those of Gumbel distributions, and means of symmetric links are 0") {
  const boost::math::extreme_value_distribution<double> gumbel;
  CHECK(link_named("loglog")->mean() == Approx(boost::math::mean(gumbel)).epsilon(1e-15));
  CHECK(link_named("cloglog")->mean() == Approx(-boost::math::mean(gumbel)).epsilon(1e-15));
  for (const char* name : {"logit", "probit", "cauchit", "robit(4)"}) CHECK(link_named(name)->mean() == 0);
}

TEST_CASE("a link's parameter is part of its name, and throws if it is out of range") {
  CHECK_THROWS_WITH(link_named("robit"), contains("needs a parameter"));
  CHECK_THROWS_WITH(link_named("probit(2)"), contains("has no parameter"));
  for (const char* name : {"robit(0)", "robit()", "robit(4", "robit(4x)", "log-gamma(nan)"})
    CHECK_THROWS_AS(link_named(name), std::invalid_argument);
  for (const double x : {-3.0, 0.2, 2.5}) {
    const double probit = link_named("probit")->log_cdf(x);
    CHECK(link_named("robit(inf)")->log_cdf(x) == probit);
    CHECK(link_named("log-gamma(0)")->log_cdf(x) == probit);
    CHECK(link_named("log-gamma(2e-5)")->log_cdf(x) == Approx(probit).epsilon(2e-4));
    CHECK(link_named("log-gamma(1)")->log_cdf(x) == Approx(link_named("cloglog")->log_cdf(x)).epsilon(1e-13));
    CHECK(link_named("robit(1)")->log_cdf(x) == Approx(link_named("cauchit")->log_cdf(x)).epsilon(1e-13));
  }
}

TEST_CASE("log probabilities below the smallest double keep their precision") {
  // The logarithms of these probabilities are between -5,303 and -503.
  const auto check_lower = [](const char* name, const Definition& exact, double x) {
    INFO(name << " at " << x);
    const LinkPointer link = link_named(name);
    CHECK(relative(link->log_cdf(x), log(exact.cdf(x))) < 1e-13);
  };
  const auto check_upper = [](const char* name, const Definition& exact, double x) {
    INFO(name << " at " << x);
    const LinkPointer link = link_named(name);
    CHECK(relative(link->log_survival(x), log(exact.survival(x))) < 1e-13);
  };
  check_lower("log-gamma(0.1)", log_gamma(Exact(0.1)), -60);
  check_upper("log-gamma(0.1)", log_gamma(Exact(0.1)), 30);
  check_lower("log-gamma(1.3)", log_gamma(Exact(1.3)), -2000);
  check_upper("log-gamma(1.3)", log_gamma(Exact(1.3)), 7);
  check_upper("log-gamma(-0.7)", mirror_image(log_gamma(Exact(0.7))), 700);
  check_lower("robit(50)", defined_by(boost::math::students_t_distribution<Exact>(50)), -1e9);
  check_lower("robit(4)", defined_by(boost::math::students_t_distribution<Exact>(4)), -1e90);
  // With many degrees of freedom, the distribution is nearly normal: log F differs by x^4 / (4 df).
  const double nearly = link_named("robit(1e12)")->log_cdf(-40);
  CHECK(nearly == Approx(link_named("probit")->log_cdf(-40) + 6.4e-7).epsilon(1e-11));
}

TEST_CASE("probabilities of intervals in the far tails, and of very short intervals, keep their precision") {
  for (const auto& [name, exact] : definitions()) {
    const LinkPointer pointer = link_named(name);
    const Link& link = *pointer;
    INFO(name);
    for (const double a : {-6.0, -2.5, -0.1, 0.0, 0.4, 3.0, 5.5}) {
      INFO(a);
      for (const double width : {1e-9, 1e-3, 0.5, 4.0}) {
        const double b = a + width;
        const Exact probability = a > 0 ? exact.survival(a) - exact.survival(b) : exact.cdf(b) - exact.cdf(a);
        CHECK(std::fabs(link.log_interval(a, b) - static_cast<double>(log(probability))) < 1e-10);
      }
    }
  }
  const LinkPointer probit = link_named("probit");
  const Exact far = boost::math::cdf(boost::math::normal_distribution<Exact>(), Exact(-40));
  CHECK(relative(probit->log_cdf(-40), log(far)) < 1e-15);
}
