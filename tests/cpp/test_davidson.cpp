#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "preference/davidson.hpp"

using namespace judicious;

namespace {

Comparisons random_comparisons(std::mt19937& random, std::size_t items) {
  Comparisons data;
  data.n_items = items;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(items); ++i) {
    for (std::int32_t j = 0; j < i; ++j) {
      data.first.push_back(i);
      data.second.push_back(j);
      for (auto* count : {&data.win, &data.tie, &data.loss}) count->push_back(1 + static_cast<double>(random() % 5));
    }
  }
  return data;
}

// The model word by word: pi_i / (pi_i + pi_j + nu sqrt(pi_i pi_j)).
double slow_loglik(const Comparisons& data, const Eigen::VectorXd& x) {
  double value = 0;
  const auto pi = [&](std::int32_t i) {
    return i + 1 == static_cast<std::int32_t>(data.n_items) ? 1.0 : std::exp(x[i]);
  };
  const double nu = std::exp(x[x.size() - 1]);
  for (std::size_t r = 0; r < data.first.size(); ++r) {
    const double a = pi(data.first[r]), b = pi(data.second[r]), t = nu * std::sqrt(a * b);
    value += data.win[r] * std::log(a / (a + b + t)) + data.loss[r] * std::log(b / (a + b + t)) +
             data.tie[r] * std::log(t / (a + b + t));
  }
  return value;
}

}  // namespace

TEST_CASE("Davidson's likelihood and its derivatives") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const Comparisons data = random_comparisons(random, 2 + random() % 4);
    DavidsonLikelihood likelihood(data, true);
    Eigen::VectorXd x = Eigen::VectorXd::Random(likelihood.size());
    CHECK(likelihood.evaluate(x) == Approx(slow_loglik(data, x)).epsilon(1e-12));
    const Eigen::VectorXd gradient = likelihood.gradient();
    const Eigen::MatrixXd information = likelihood.information();
    const double h = 1e-5;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Eigen::VectorXd up = x, down = x;
      up[i] += h;
      down[i] -= h;
      CHECK(gradient[i] == Approx((slow_loglik(data, up) - slow_loglik(data, down)) / (2 * h)).margin(1e-5));
      likelihood.evaluate(up);
      const Eigen::VectorXd g = likelihood.gradient();
      likelihood.evaluate(down);
      const Eigen::VectorXd numeric = (likelihood.gradient() - g) / (2 * h);
      CHECK((information.col(i) - numeric).cwiseAbs().maxCoeff() < 1e-6);
    }
  }
}

TEST_CASE("Davidson's model of two items has a closed form") {
  // One pair fits exactly: win : tie : loss = 5 : 3 : 2.
  const Comparisons data{{0}, {1}, {5}, {3}, {2}, 2};
  const DavidsonFit fit = fit_davidson(data, {});
  CHECK(fit.newton.status == ordinal::Status::converged);
  CHECK(fit.strength[0] == Approx(std::log(2.5)).epsilon(1e-12));
  CHECK(fit.tie == Approx(std::log(3 / std::sqrt(10.0))).epsilon(1e-12));
  // log(5/2): the delta method on multinomial counts gives 1/5 + 1/2.
  CHECK(fit.covariance(0, 0) == Approx(0.7).epsilon(1e-10));
}

TEST_CASE("Without a tie it is the Bradley-Terry model") {
  const Comparisons data{{0}, {1}, {6}, {0}, {2}, 2};
  const DavidsonFit fit = fit_davidson(data, {});
  CHECK(fit.strength[0] == Approx(std::log(3.0)).epsilon(1e-12));
  CHECK(std::isinf(fit.tie));
  CHECK(fit.covariance(0, 0) == Approx(1 / 6.0 + 1 / 2.0).epsilon(1e-10));
  CHECK(fit.loglik == Approx(6 * std::log(0.75) + 2 * std::log(0.25)).epsilon(1e-12));
}

TEST_CASE("A comparison of an item with itself is refused") {
  CHECK_THROWS_AS(fit_davidson({{0}, {0}, {1}, {1}, {1}, 2}, {}), std::invalid_argument);
  CHECK_THROWS_AS(fit_davidson({{0}, {1}, {1}, {1}, {}, 2}, {}), std::invalid_argument);
  CHECK_THROWS_AS(fit_davidson({{0}, {1}, {1}, {}, {1}, 2}, {}), std::invalid_argument);
  CHECK_THROWS_AS(fit_davidson({{0}, {1}, {}, {1}, {1}, 2}, {}), std::invalid_argument);
  CHECK_THROWS_AS(fit_davidson({{0}, {}, {1}, {1}, {1}, 2}, {}), std::invalid_argument);
  CHECK_THROWS_AS(fit_davidson({{}, {}, {}, {}, {}, 1}, {}), std::invalid_argument);
}
