#include <algorithm>
#include <cmath>
#include <random>

#include "catch.hpp"
#include "stats/resample.hpp"

using namespace judicious;

namespace {

std::vector<double> random_scores(std::size_t n, std::size_t m, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> x(n * m);
  for (double& v : x) v = static_cast<double>(random() % 9) / 10;
  return x;
}

}  // namespace

TEST_CASE("exact permutation tests enumerate all changes of signs") {
  const std::size_t n = 8, m = 4;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const auto x = random_scores(n, m, seed);
    const ResampledTails tails = permutation_tests({x.data(), n, m}, {256, 1, 0.05, false});
    REQUIRE(tails.exact);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = a + 1; b < m; ++b, ++pair) {
        double seen = 0, above = 0, beyond = 0;
        for (std::size_t q = 0; q < n; ++q) seen += x[a * n + q] - x[b * n + q];
        for (unsigned w = 0; w < 256; ++w) {
          double sum = 0;
          for (std::size_t q = 0; q < n; ++q) sum += ((w >> q) & 1 ? -1 : 1) * (x[a * n + q] - x[b * n + q]);
          above += sum >= seen - 1e-9;
          beyond += std::fabs(sum) >= std::fabs(seen) - 1e-9;
        }
        CHECK(tails.greater[pair] == above / 256);
        CHECK(tails.two_sided[pair] == beyond / 256);
        CHECK((tails.two_sided[pair] <= 0.05) == (std::fabs(seen) / n > tails.critical[pair] + 1e-9));
      }
    }
  }
}

TEST_CASE("resampled p-values are at least 1 / (samples + 1), and an unattainable level has no critical value") {
  const std::size_t n = 30, m = 3;
  const auto x = random_scores(n, m, 99);
  for (const bool studentise : {false, true}) {
    const ResampleOptions options{999, 5, 0.1, studentise};
    const ResampledTails b = bootstrap_tests({x.data(), n, m}, options);
    for (std::size_t pair = 0; pair < 3; ++pair) {
      CHECK(b.two_sided[pair] >= 1.0 / 1000);
      CHECK(b.two_sided[pair] <= 1);
      CHECK(b.greater[pair] + b.less[pair] >= 1);
    }
  }
  CHECK(permutation_tests({x.data(), n, m}, {999, 5, 1e-4, false}).critical[0] ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("systems with equal scores have p-values of 1") {
  std::vector<double> x;
  const std::vector<double> column{.3, .1, .7, .2, .9};
  for (int s = 0; s < 3; ++s) x.insert(x.end(), column.begin(), column.end());
  CHECK(permutation_tests({x.data(), 5, 3}, {1000, 1, 0.05, false}).two_sided == std::vector<double>(3, 1.0));
  CHECK(bootstrap_tests({x.data(), 5, 3}, {1000, 1, 0.05, true}).two_sided == std::vector<double>(3, 1.0));
  CHECK(randomised_ranges({x.data(), 5, 3}, {100, 1, 0.05, false}) == std::vector<double>(100, 0.0));
}

TEST_CASE("randomised_ranges() returns sorted ranges of systems' means over permuted queries") {
  // With one query, every permutation has the same range.
  const std::vector<double> x{.1, .5, .9};
  for (const double r : randomised_ranges({x.data(), 1, 3}, {50, 3, 0.05, false})) CHECK(r == Approx(0.8));
  const auto y = random_scores(10, 4, 3);
  const auto ranges = randomised_ranges({y.data(), 10, 4}, {500, 3, 0.05, false});
  CHECK(std::is_sorted(ranges.begin(), ranges.end()));
}
