#include "stats/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace judicious {
namespace {

// With this policy, errors give NaN or infinity instead of exceptions, and all computations are in double precision:
// erfc_inv or erfc in long double takes ten times as long, and changes only the last digit.
namespace policies = boost::math::policies;
using Policy =
    policies::policy<policies::promote_double<false>, policies::domain_error<policies::ignore_error>,
                     policies::pole_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;

}  // namespace

double normal_log_cdf(double x) {
  if (x > 0) return std::log1p(-normal_survival(x));
  if (x >= -37) return std::log(normal_cdf(x));
  // erfc underflows here, but the asymptotic series of Mills' ratio is accurate to the last digit.
  const double t = 1 / (x * x);
  return normal_log_density(x) - std::log(-x) + std::log1p(t * (-1 + t * (3 + t * (-15 + t * (105 - t * 945)))));
}

double normal_quantile(double p) { return -boost::math::erfc_inv(2 * p, Policy()) / root_half; }

double student_t_survival(double t, double df) {
  return cdf(complement(boost::math::students_t_distribution<double, Policy>(df), t));
}

double chi_squared_survival(double x, double df) {
  return cdf(complement(boost::math::chi_squared_distribution<double, Policy>(df), x));
}

double gamma_cdf(double g, double shape) { return std::isinf(g) ? 1 : boost::math::gamma_p(shape, g, Policy()); }

double gamma_survival(double g, double shape) { return std::isinf(g) ? 0 : boost::math::gamma_q(shape, g, Policy()); }

double digamma(double x) { return boost::math::digamma(x, Policy()); }

double trigamma(double x) { return boost::math::trigamma(x, Policy()); }

double log_beta(double a, double b) { return std::log(boost::math::beta(a, b, Policy())); }

double fair_binomial_cdf(double successes, double trials) {
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return cdf(boost::math::binomial_distribution<double, Policy>(trials, 0.5), successes);
}

}  // namespace judicious
