#include <algorithm>
#include <set>

#include "catch.hpp"
#include "stats/subsets.hpp"

using namespace judicious;

TEST_CASE("random streams are reproducible and differ by seed and by index") {
  RandomStream a(1, 2), b(1, 2), c(1, 3), d(2, 2), swapped(2, 1);
  const std::uint64_t first = a();
  CHECK(first == b());
  CHECK(first != c());
  CHECK(first != d());
  CHECK(first != swapped());
}

TEST_CASE("random integers below a bound are uniform") {
  RandomStream random(5, 0);
  std::vector<double> count(7, 0.0);
  for (int i = 0; i < 70000; ++i) ++count[random.below(7)];
  double chi2 = 0;
  for (const double c : count) chi2 += (c - 10000) * (c - 10000) / 10000;
  CHECK(chi2 < 27.9);  // exceeded with probability 1e-4 at 6 degrees of freedom
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
  }
  CHECK(sum / 10000 == Approx(0.5).margin(0.015));
}

TEST_CASE("sampled subsets are disjoint, and balanced over strata until a stratum is exhausted") {
  const std::vector<std::int32_t> stratum{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2};
  for (Index size = 1; size <= 6; ++size) {
    for (Index trial = 0; trial < 50; ++trial) {
      const auto drawn = draw_subsets(stratum, {size, trial, 1, 2, 77});
      REQUIRE(length(drawn) == 2 * size);
      CHECK(length(std::set<std::int32_t>(drawn.begin(), drawn.end())) == 2 * size);
      std::vector<Index> count(3, 0);
      for (Index i = 0; i < size; ++i) ++count[stratum[drawn[i]]];
      const Index highest = *std::max_element(count.begin(), count.end());
      for (Index s = 0; s < 3; ++s) {
        CHECK((count[s] + 1 >= highest || count[s] == (s == 2 ? 2U : 5U)));
      }
    }
  }
}

TEST_CASE("the first subset of a trial depends neither on the block of trials nor on the second subset") {
  const std::vector<std::int32_t> stratum(30, 0);
  const auto all = draw_subsets(stratum, {10, 0, 20, 1, 9});
  const auto late = draw_subsets(stratum, {10, 15, 5, 1, 9});
  CHECK(std::equal(late.begin(), late.end(), all.begin() + 150));
  const auto pairs = draw_subsets(stratum, {10, 0, 20, 2, 9});
  CHECK(std::equal(all.begin(), all.end(), pairs.begin()));
}

TEST_CASE("drawing more queries than exist throws std::invalid_argument") {
  StratifiedSampler sampler({0, 0, 1});
  RandomStream random(1, 1);
  std::vector<std::int32_t> out(4);
  CHECK_THROWS_AS(sampler.draw(4, random, out.data()), std::invalid_argument);
  sampler.draw(3, random, out.data());
  CHECK(sampler.left() == 0);
  sampler.reset();
  CHECK(sampler.left() == 3);
}
