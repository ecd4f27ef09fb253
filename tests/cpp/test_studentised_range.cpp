// Tests the studentised range against its definition in many digits, and against Student's t.
#include <boost/math/distributions/students_t.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "stats/distributions.hpp"

using namespace judicious;
namespace mp = boost::multiprecision;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

template <class Real>
Real normal_cdf(const Real& z) {
  return erfc(Real(-z / sqrt(Real(2)))) / 2;
}

// groups times the integral of phi(z) (Phi(z)^(groups - 1) - (Phi(z) - Phi(z - r))^(groups - 1)) from `from` to `end`,
// by fine steps. Real must have so many digits that the difference keeps enough of them.
template <class Real>
double reference_survival(double r, int groups, double from, double end) {
  const Real step = Real(1) / 12;
  Real sum = 0;
  for (Real z = from; z < end; z += step) {
    const Real to = normal_cdf<Real>(z);
    const Real inside = to - normal_cdf<Real>(z - r);
    sum += exp(Real(-z * z / 2)) * (pow(to, groups - 1) - pow(inside, groups - 1));
  }
  const Real root_two_pi = sqrt(Real(8) * atan(Real(1)));
  return static_cast<double>(Real(groups * sum * step / root_two_pi));
}

using Digits50 = mp::cpp_bin_float_50;
using Digits350 = mp::number<mp::cpp_bin_float<350>>;

}  // namespace

TEST_CASE("tail probabilities of the range of normal variables agree with their definition") {
  CHECK(studentised_range_survival(12, 18, infinite) == Approx(3.29248197180529891e-15).epsilon(1e-12));
  for (const int groups : {2, 3, 18, 40}) {
    for (const double r : {0.3, 4.0, 12.0}) {
      CHECK(studentised_range_survival(r, groups, infinite) ==
            Approx(reference_survival<Digits50>(r, groups, -10, r + 10)).epsilon(1e-12));
    }
  }
  // The probability is about 1e-297; nearly all of the integral comes from z between 18 and 34.
  const double exact = reference_survival<Digits350>(52.3, 18, 18, 34);
  CHECK(exact < 1e-290);
  CHECK(studentised_range_survival(52.3, 18, infinite) / exact == Approx(1).epsilon(1e-11));
}

TEST_CASE("the studentised range of two groups agrees with Student's t") {
  using Digits = mp::cpp_bin_float_50;
  for (const double df : {1.0, 2.5, 7.0, 40.0, 1e3, 1e6}) {
    for (const double q : {1e-3, 0.5, 3.0, 25.0, 1e4}) {
      const boost::math::students_t_distribution<Digits> t{Digits(df)};
      const auto exact = static_cast<double>(2 * cdf(complement(t, Digits(Digits(q) / sqrt(Digits(2))))));
      if (exact < 1e-300) continue;
      CHECK(studentised_range_survival(q, 2, df) / exact == Approx(1).epsilon(1e-10));
    }
  }
}

TEST_CASE("critical values of the studentised range have the requested tail probability") {
  for (const double groups : {2.0, 5.0, 40.0}) {
    for (const double df : {3.0, 20.0, 1911.0, infinite}) {
      for (const double p : {0.5, 0.05, 1e-3, 1e-20}) {
        const double q = studentised_range_critical(p, groups, df);
        CHECK(studentised_range_survival(q, groups, df) == Approx(p).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("the tail probability of the studentised range is 1 at 0, 0 at infinity and NaN for invalid arguments") {
  CHECK(studentised_range_survival(0, 5, 10) == 1);
  CHECK(studentised_range_survival(infinite, 5, 10) == 0);
  CHECK(std::isnan(studentised_range_survival(-1, 5, 10)));
  CHECK(std::isnan(studentised_range_survival(1, 1, 10)));
  CHECK(std::isnan(studentised_range_survival(1, 5, 0)));
}
