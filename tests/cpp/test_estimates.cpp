#include <cmath>
#include <random>

#include "catch.hpp"
#include "ranking/estimates.hpp"

using namespace judicious;

namespace {

// The incidence as a dense matrix, pairs by systems.
using Dense = std::vector<std::vector<int>>;

Incidence from_dense(const Dense& dense, std::size_t m) {
  Incidence x;
  x.n_systems = m;
  x.offset.push_back(0);
  for (const auto& row : dense) {
    for (std::size_t s = 0; s < m; ++s) {
      if (row[s]) x.system.push_back(static_cast<std::int32_t>(s));
    }
    x.offset.push_back(static_cast<std::int32_t>(x.system.size()));
  }
  return x;
}

}  // namespace

TEST_CASE(
    "system estimates equal dense matrix products, and sums over the pairs that only one of two systems returned") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t m = 1 + random() % 7, n = random() % 50;
    Dense dense(n, std::vector<int>(m, 0));
    std::vector<double> mean(n), variance(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (auto& cell : dense[i]) cell = random() % 2;
      mean[i] = 100 * uniform(random);
      variance[i] = 900 * uniform(random);
    }
    const Incidence x = from_dense(dense, m);
    const SystemEstimates e = estimate_systems(x.view(), mean, variance, 20);
    for (std::size_t a = 0; a < m; ++a) {
      double mean_a = 0;
      for (std::size_t i = 0; i < n; ++i) mean_a += dense[i][a] * mean[i];
      CHECK(e.mean[a] == Approx(mean_a / 20));
      for (std::size_t b = 0; b < m; ++b) {
        double covariance = 0, apart = 0;
        for (std::size_t i = 0; i < n; ++i) {
          covariance += dense[i][a] * variance[i] * dense[i][b];
          const int weight = dense[i][a] - dense[i][b];
          apart += weight * weight * variance[i];
        }
        CHECK(e.covariance(a, b) == Approx(covariance / 400));
        CHECK(e.difference_variance(a, b) == Approx(apart / 400));
        CHECK(difference_variance(e.covariance)(a, b) == Approx(apart / 400).margin(1e-9));
      }
    }
  }
}

TEST_CASE("a weight for each result enters the means, covariances and differences of systems") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t m = 2 + random() % 5, n = 1 + random() % 40;
    Dense dense(n, std::vector<int>(m, 0));
    std::vector<std::vector<double>> weight(n, std::vector<double>(m, 0));
    std::vector<double> mean(n), variance(n), of_result;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t s = 0; s < m; ++s) {
        if (random() % 3 == 0) continue;
        dense[i][s] = 1;
        weight[i][s] = static_cast<double>(random() % 4) / 2;  // Some weights are 0, and some are equal.
        of_result.push_back(weight[i][s]);
      }
      mean[i] = static_cast<double>(random() % 100);
      variance[i] = static_cast<double>(random() % 100);
    }
    const Incidence x = from_dense(dense, m);
    const SystemEstimates e = estimate_systems(x.view(), mean, variance, 2, of_result);
    for (std::size_t a = 0; a < m; ++a) {
      double mean_a = 0;
      for (std::size_t i = 0; i < n; ++i) mean_a += weight[i][a] * mean[i] / 2;
      CHECK(e.mean[a] == Approx(mean_a));
      for (std::size_t b = 0; b < m; ++b) {
        double covariance = 0, apart = 0;
        for (std::size_t i = 0; i < n; ++i) {
          covariance += weight[i][a] * weight[i][b] * variance[i] / 4;
          apart += std::pow(weight[i][a] - weight[i][b], 2) * variance[i] / 4;
        }
        CHECK(e.covariance(a, b) == Approx(covariance));
        CHECK(e.difference_variance(a, b) == Approx(apart));
      }
    }
  }
}

TEST_CASE("systems with equal lists have a difference of variance 0, however large their own variances are") {
  const Incidence x{{0, 2, 4, 6, 7}, {0, 1, 0, 1, 0, 1, 2}, 3};
  const SystemEstimates e = estimate_systems(x.view(), {.1, .2, .3, .4}, {1e12, 1.0 / 3, 1e-12, 7}, 3);
  CHECK(e.difference_variance(0, 1) == 0);
  CHECK(difference_variance(e.covariance)(0, 1) == 0);
  CHECK(difference_of_means(e.mean[0], e.mean[1], 0) == 0);
}

TEST_CASE("differences within rounding error are 0") {
  CHECK(difference_of_means(.1 + .2, .3, 1e-12) == 0);
  CHECK(difference_of_means(.3, .300001, 1e-12) == Approx(-1e-6));
  CHECK(difference_of_means(1e-300, 0, 1e-12) == 0);
  CHECK(difference_of_means(1e-300, 0, 0) == 1e-300);
}

TEST_CASE("sign_confidence() is a normal probability; with variance 0 it is 0, 0.5 or 1") {
  CHECK(sign_confidence(0, 4, 0, 1e-10) == .5);
  CHECK(sign_confidence(3.9199279690801087, 4, 0, 1e-10) == Approx(.975).epsilon(1e-12));
  CHECK(sign_confidence(-3.9199279690801087, 4, 0, 1e-10) == Approx(.975).epsilon(1e-12));
  CHECK(sign_confidence(5, 4, 5, 1e-10) == .5);
  CHECK(sign_confidence(1, 4, 3, 1e-10) == Approx(.15865525393145707).epsilon(1e-12));
  CHECK(sign_confidence(1, 0, 0, 1e-10) == 1);
  CHECK(sign_confidence(0, 0, 0, 1e-10) == .5);
  CHECK(sign_confidence(-2, 0, 2, 1e-10) == .5);
  // A difference from delta that equals the resolution counts as 0.
  CHECK(sign_confidence(0, 0, .25, .25) == .5);
  CHECK(sign_confidence(.5, 0, .25, .25) == .5);
  CHECK(sign_confidence(1, 0, 2, 1e-10) == 0);
  CHECK(sign_confidence(2 + 1e-11, 0, 2, 1e-10) == .5);
}

TEST_CASE("share_of_draws() counts the draws beyond delta on the side of the difference, and half of those at delta") {
  // Three systems in four draws: differences of the first two -1, 2, 0, 3; of the first and the last -4, 0, 1, 1.
  const std::vector<double> scores{1, 2, 5, 3, 1, 3, 2, 2, 1, 4, 1, 3};
  const std::vector<double> difference{1, -2, 0};
  std::vector<double> share(3);
  share_of_draws(scores.data(), 3, 4, difference.data(), 0, 1e-10, share.data());
  CHECK(share == std::vector<double>{2.5 / 4, 1.5 / 4, 1.0 / 4});
  share_of_draws(scores.data(), 3, 4, difference.data(), 2, 1e-10, share.data());
  CHECK(share == std::vector<double>{1.5 / 4, 1.0 / 4, 0});
}

TEST_CASE("system_totals() sums the values of each system's results") {
  const std::vector<double> value{1, 2, 4, 8};
  CHECK(system_totals({2, 0, 2, 0}, value.data(), 3) == std::vector<double>{10, 0, 5});
}
