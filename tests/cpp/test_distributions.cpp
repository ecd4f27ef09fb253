// The core's distributions against Boost.Math in 50 digits.
#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "catch.hpp"
#include "stats/distributions.hpp"

using namespace judicious;
using Exact = boost::multiprecision::cpp_bin_float_50;

namespace {

double relative(double x, const Exact& exact) { return static_cast<double>(abs(Exact(x) - exact) / abs(exact)); }

}  // namespace

TEST_CASE("mathematical constants are exact to the last digit of a double") {
  namespace exact = boost::math::constants;
  CHECK(pi == exact::pi<double>());
  CHECK(euler == exact::euler<double>());
  CHECK(log_two == exact::ln_two<double>());
  CHECK(root_half == exact::half_root_two<double>());
  CHECK(log_pi == static_cast<double>(log(exact::pi<Exact>())));
  CHECK(log_root_two_pi == static_cast<double>(log(exact::root_two_pi<Exact>())));
}

TEST_CASE("normal tail probabilities and quantiles agree with 50 digits up to rounding") {
  const boost::math::normal_distribution<Exact> normal;
  for (double x = -37; x < 8; x += 0.731) {
    INFO(x);
    const Exact p = cdf(normal, Exact(x));
    // The argument x / sqrt(2) is rounded twice, as a constant and as a product, and each rounding
    // (2^-53) changes the probability by x^2 times as much; erfc itself is right to 4 units.
    const double bound = 0x1p-53 * (2 * x * x + 8);
    CHECK(relative(normal_cdf(x), p) < bound);
    CHECK(relative(normal_survival(-x), p) < bound);
    // The logarithm of a probability near 1 is minus the probability of the other tail, and has its relative error.
    CHECK(relative(normal_log_cdf(x), log(p)) < bound + 0x1p-51);
    CHECK(relative(normal_quantile(static_cast<double>(p)), quantile(normal, Exact(static_cast<double>(p)))) < 5e-16);
  }
  CHECK(normal_quantile(0) == -infinity);
  CHECK(normal_quantile(1) == infinity);
  CHECK(normal_quantile(0.5) == 0);
  CHECK(std::isnan(normal_quantile(1.1)));
}

TEST_CASE("tail probabilities of test statistics agree with computations in 50 digits") {
  for (const double df : {1.0, 2.0, 9.0, 49.0, 500.0}) {
    INFO(df);
    const boost::math::students_t_distribution<Exact> t(df);
    const boost::math::chi_squared_distribution<Exact> chi_squared(df);
    for (const double x : {0.01, 0.4, 1.0, 2.5, 8.0, 40.0}) {
      INFO(x);
      CHECK(relative(student_t_survival(x, df), cdf(complement(t, Exact(x)))) < 1e-13);
      CHECK(relative(student_t_survival(-x, df), cdf(complement(t, Exact(-x)))) < 1e-13);
      const Exact tail = cdf(complement(chi_squared, Exact(x * df)));
      if (tail > 1e-300) CHECK(relative(chi_squared_survival(x * df, df), tail) < 1e-12);
    }
  }
  CHECK(student_t_survival(infinity, 3) == 0);
  CHECK(student_t_survival(-infinity, 3) == 1);
  CHECK(student_t_survival(0, 3) == 0.5);
  CHECK(std::isnan(student_t_survival(std::nan(""), 3)));
  CHECK(std::isnan(chi_squared_survival(-1, 3)));
}

TEST_CASE("the distribution of the number of heads in fair coin tosses is exact, for 0 tosses too") {
  for (const double trials : {1.0, 7.0, 100.0}) {
    const boost::math::binomial_distribution<Exact> binomial(trials, 0.5);
    for (double k = 0; k <= trials; ++k) {
      CHECK(relative(fair_binomial_cdf(k, trials), cdf(binomial, Exact(k))) < 1e-13);
    }
  }
  CHECK(fair_binomial_cdf(-1, 7) == 0);
  CHECK(fair_binomial_cdf(0, 0) == 1);
}
