#include <catch2/catch.hpp>
#include <random>

#include "ordinal/cumulative_link.hpp"

using namespace judicious::ordinal;

namespace {

const Link all_links[] = {Link::logit, Link::probit, Link::cloglog, Link::loglog, Link::cauchit};

// The definitions, in long double.
long double cdf(Link link, long double x) {
  switch (link) {
    case Link::logit:
      return 1 / (1 + std::exp(-x));
    case Link::probit:
      return std::erfc(-x / std::sqrt(2.0L)) / 2;
    case Link::cloglog:
      return -std::expm1(-std::exp(x));
    case Link::loglog:
      return std::exp(-std::exp(-x));
    case Link::cauchit:
      return std::atan2(1.0L, -x) / 3.14159265358979323846L;
  }
  return 0;
}

long double survival(Link link, long double x) {
  switch (link) {
    case Link::cloglog:
      return std::exp(-std::exp(x));
    case Link::loglog:
      return -std::expm1(-std::exp(-x));
    default:
      return cdf(link, -x);
  }
}

// From the nearer tail, where the difference keeps its digits.
long double interval(Link link, long double a, long double b) {
  return a > 0 ? survival(link, a) - survival(link, b) : cdf(link, b) - cdf(link, a);
}

}  // namespace

TEST_CASE("log probabilities, densities and their slopes follow the distribution functions") {
  for (Link link : all_links) {
    for (double a = -6; a < 6; a += 0.37) {
      CHECK(log_cdf(link, a) ==
            Approx(static_cast<double>(std::log(cdf(link, a)))).epsilon(1e-12).margin(1e-15));
      CHECK(std::exp(log_cdf(link, a)) + std::exp(log_survival(link, a)) ==
            Approx(1).epsilon(1e-13));
      const long double h = 1e-5L;
      const double slope = static_cast<double>((cdf(link, a + h) - cdf(link, a - h)) / (2 * h));
      CHECK(std::exp(log_density(link, a)) == Approx(slope).epsilon(1e-7).margin(1e-13));
      const double bend = (log_density(link, a + 1e-5) - log_density(link, a - 1e-5)) / 2e-5;
      CHECK(density_slope(link, a) == Approx(bend).epsilon(1e-6).margin(1e-6));
      for (double width : {1e-3, 0.5, 4.0}) {
        const auto exact = static_cast<double>(std::log(interval(link, a, a + width)));
        CHECK(log_interval(link, a, a + width) == Approx(exact).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("far tails and very short intervals keep their digits") {
  CHECK(log_cdf(Link::probit, -40) ==
        Approx(-804.608442013754).epsilon(1e-12));  // R: pnorm(-40, log.p = TRUE)
  CHECK(log_cdf(Link::probit, -10) == Approx(-53.2312851505125).epsilon(1e-12));
  for (Link link : all_links) {
    const double log_prob = log_interval(link, 1.0, 1.0 + 1e-9);
    CHECK(log_prob == Approx(log_density(link, 1.0) + std::log(1e-9)).epsilon(1e-7));
  }
}

TEST_CASE("gradient, information and row gradients agree with finite differences") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const Eigen::Index n = 40, m = 3;
  Eigen::MatrixXd nominal = Eigen::MatrixXd::Ones(n, 2), x(n, 2), z(n, 1);
  Eigen::VectorXd weight(n), offset(n);
  std::vector<std::int32_t> category(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    nominal(i, 1) = 0.3 * normal(random);
    x.row(i) << normal(random), normal(random);
    z(i, 0) = 0.5 * normal(random);
    weight[i] = 0.5 + static_cast<double>(random() % 3);
    offset[i] = 0.1 * normal(random);
    category[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(random() % 4);
  }
  const Eigen::MatrixXd flexible = Eigen::MatrixXd::Identity(m, m);
  for (Link link : all_links) {
    const CumulativeLinkModel model{link, flexible, nominal, x, z, category.data(), weight, offset};
    CumulativeLinkLikelihood likelihood(model);
    Eigen::VectorXd at(model.n_parameters());
    at << -1, 0.1, 1.2, 0.2, 0.1, 0.3, 0.4, -0.3, 0.2;
    likelihood.evaluate(at);
    const Eigen::VectorXd gradient = likelihood.gradient();
    const Eigen::MatrixXd information = likelihood.information();
    CHECK((row_gradients(model, at).transpose() * weight - gradient).norm() < 1e-10);
    for (Eigen::Index k = 0; k < at.size(); ++k) {
      Eigen::VectorXd up = at, down = at;
      up[k] += 1e-5;
      down[k] -= 1e-5;
      const double value_up = likelihood.evaluate(up);
      const Eigen::VectorXd gradient_up = likelihood.gradient();
      const double value_down = likelihood.evaluate(down);
      const Eigen::VectorXd gradient_down = likelihood.gradient();
      CHECK(gradient[k] == Approx((value_up - value_down) / 2e-5).epsilon(1e-5).margin(1e-5));
      CHECK((information.col(k) + (gradient_up - gradient_down) / 2e-5).norm() <
            1e-5 * (1 + information.col(k).norm()));
    }
  }
}

TEST_CASE("crossed thresholds have no likelihood, and no probability") {
  const Eigen::MatrixXd structure = Eigen::MatrixXd::Identity(2, 2),
                        nominal = Eigen::MatrixXd::Ones(1, 1), none(1, 0);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1), zero = Eigen::VectorXd::Zero(1);
  const std::int32_t category = 1;
  const CumulativeLinkModel model{Link::probit, structure, nominal, none, none, &category, one, zero};
  CumulativeLinkLikelihood likelihood(model);
  CHECK(std::isinf(likelihood.evaluate(Eigen::Vector2d(1, 0))));
  const Eigen::MatrixXd crossed = (Eigen::MatrixXd(1, 2) << 1, 0).finished();
  CHECK(interval_probabilities(Link::probit, crossed)(0, 1) == 0);
}
