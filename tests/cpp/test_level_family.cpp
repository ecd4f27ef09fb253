// Tests distributions over levels against their definitions and numerical integrals, and leave-one-out predictions of
// judged gains against a dense computation.
#include <algorithm>
#include <cmath>
#include <random>

#include "belief/leave_one_out.hpp"
#include "belief/level_family.hpp"
#include "catch.hpp"
#include "joint_case.hpp"
#include "stats/distributions.hpp"

using namespace judicious;
using namespace joint_case;

namespace {

std::vector<double> even_levels(int n) {
  std::vector<double> out;
  for (int l = 0; l < n; ++l) out.push_back(l / (n - 1.0));
  return out;
}

const std::vector<std::vector<double>> scales{even_levels(2), even_levels(3),  {0, 0.1, 1},
                                              even_levels(4), even_levels(10), even_levels(101)};

std::vector<double> probabilities(const LevelFamily& family, double location) {
  std::vector<double> out;
  double above = 1;
  for (const double cut : family.cuts()) {
    const double next = 1 / (1 + std::exp(cut - location));
    out.push_back(above - next);
    above = next;
  }
  out.push_back(above);
  return out;
}

}  // namespace

TEST_CASE("location() returns the location whose level distribution has the given mean") {
  for (const auto& levels : scales) {
    const LevelFamily family(levels);
    CHECK(family.cuts().size() == levels.size() - 1);
    for (const double mean : {0.001, 0.02, 0.3, 0.5, 0.9, 0.999}) {
      CAPTURE(levels.size(), mean);
      const double location = family.location(mean);
      const std::vector<double> p = probabilities(family, location);
      double first = 0;
      for (std::size_t l = 0; l < levels.size(); ++l) first += p[l] * levels[l];
      CHECK(first == Approx(mean).epsilon(1e-8));
      CHECK(family.location(mean, location + 3) == Approx(location).epsilon(1e-8));
    }
    CHECK(family.location(0) == family.location(LevelFamily::margin));
    CHECK(family.location(1.2) == family.location(1 - LevelFamily::margin));
  }
}

TEST_CASE("levels cut from a normal variable have their probabilities and their covariance with that variable") {
  for (const auto& levels : scales) {
    const LevelFamily family(levels);
    for (const double mean : {0.02, 0.4, 0.8}) {
      CAPTURE(levels.size(), mean);
      const double location = family.location(mean);
      std::vector<double> cut(levels.size() - 1);
      const double covariance = family.normal_cuts(location, cut.data());
      double loading = 0;
      const int n = 100000;
      for (int i = 0; i < n; ++i) {
        const double z = normal_quantile((i + 0.5) / n);
        const auto level = std::lower_bound(cut.begin(), cut.end(), z) - cut.begin();
        loading += levels[static_cast<std::size_t>(level)] * z / n;
      }
      const std::vector<double> p = probabilities(family, location);
      for (std::size_t l = 0; l < levels.size(); ++l) {
        const double below = l == 0 ? 0 : normal_cdf(cut[l - 1]),
                     above = l + 1 == levels.size() ? 1 : normal_cdf(cut[l]);
        CHECK(above - below == Approx(p[l]).margin(1e-12));
      }
      CHECK(covariance == Approx(loading).epsilon(1e-3));
    }
  }
}

TEST_CASE("the shape of the level family is learned from 20,000 levels, and unchanged without data") {
  const std::vector<double> levels = even_levels(4), cuts{0, 0.6, 3.5};
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(0, 1);
  const int n = 20000;
  Eigen::VectorXd mean(n);
  std::vector<std::int32_t> level(n);
  for (int i = 0; i < n; ++i) {
    const double location = 6 * unit(random) - 2;
    mean[i] = 0;
    const double drawn = unit(random);
    for (std::size_t j = 0; j < cuts.size(); ++j) {
      const double at_least = 1 / (1 + std::exp(cuts[j] - location));
      mean[i] += at_least / 3;
      level[static_cast<std::size_t>(i)] += drawn < at_least;
    }
  }
  LevelFamily family(levels);
  const std::vector<double> expected = family.cuts();
  CHECK(expected[1] == Approx(std::exp(0.4)));
  family.learn(Eigen::VectorXd(), {});
  CHECK(family.cuts() == expected);
  family.learn(mean, level);
  CHECK(family.cuts()[1] == Approx(0.6).margin(0.06));
  CHECK(family.cuts()[2] - family.cuts()[1] == Approx(2.9).margin(0.15));
}

TEST_CASE("a leave-one-out prediction is conditioned on all other judgments") {
  const Case c = random_case(3, 5, 6, 5, 2);
  JointPosterior posterior(JointPrior(c.pool, c.par));
  const std::vector<std::int32_t> judged{0, 1, 2, 5, 6, 11, 14, 20, 25};
  for (const std::int32_t i : judged) posterior.judge(static_cast<std::size_t>(i), 0.1 * (i % 7));
  const LeaveOneOut predicted = leave_one_out(posterior);
  const Eigen::MatrixXd covariance = dense_covariance(c);
  REQUIRE(predicted.pair.size() == judged.size());
  for (std::size_t a = 0; a < judged.size(); ++a) {
    const Index i = predicted.pair[a];
    std::vector<Index> other;
    for (const std::int32_t j : judged)
      if (j != i) other.push_back(j);
    const auto n = static_cast<Index>(other.size());
    Eigen::MatrixXd k(n, n);
    Eigen::VectorXd with(n), deviation(n);
    for (Index b = 0; b < n; ++b) {
      const Index j = other[static_cast<std::size_t>(b)];
      with[b] = covariance(i, j);
      deviation[b] = 0.1 * static_cast<double>(j % 7) - from(c.par.mean, j);
      for (Index d = 0; d < n; ++d) k(b, d) = covariance(j, other[static_cast<std::size_t>(d)]);
    }
    const Eigen::VectorXd weights = k.ldlt().solve(with);
    CHECK(predicted.mean[index(a)] == Approx(from(c.par.mean, i) + weights.dot(deviation)).epsilon(1e-8));
    CHECK(predicted.variance[index(a)] == Approx(covariance(i, i) - weights.dot(with)).epsilon(1e-8));
  }
}
