#include <algorithm>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "measure/adr.hpp"

using namespace judicious;
using Ints = std::vector<std::int32_t>;

namespace {

// Equations 5 and 6 of Urbano et al. (2011), without shortcuts: the allowed documents are counted anew at every rank.
double slow_adr(const Ints& ideal, const Ints& result, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 1; i <= k; ++i) {
    const std::int32_t limit = ideal[std::min(i, ideal.size()) - 1];
    int allowed = 0;
    for (std::size_t j = 0; j < std::min(i, result.size()); ++j) allowed += result[j] >= 0 && result[j] <= limit;
    sum += allowed / static_cast<double>(i);
  }
  return sum / static_cast<double>(k);
}

// The mean and the bounds of ADR over every permutation within the blocks.
AdrRange slow_range(const Ints& ideal, const Ints& result, const Ints& block, std::size_t k) {
  Ints order(result.size());
  std::iota(order.begin(), order.end(), 0);
  AdrRange range{0, 2, -1};
  double n = 0;
  do {
    Ints permuted(result.size());
    bool inside = true;
    for (std::size_t j = 0; j < order.size(); ++j) {
      permuted[j] = result[static_cast<std::size_t>(order[j])];
      inside = inside && block[static_cast<std::size_t>(order[j])] == block[j];
    }
    if (!inside) continue;
    const double adr = slow_adr(ideal, permuted, k);
    range = {range.expected + adr, std::min(range.lowest, adr), std::max(range.highest, adr)};
    ++n;
  } while (std::next_permutation(order.begin(), order.end()));
  range.expected /= n;
  return range;
}

// ADR of a list without ties, for which the mean and both bounds are equal.
double fixed_adr(const Ints& ideal, const Ints& result, std::size_t k) {
  Ints apart(result.size());
  std::iota(apart.begin(), apart.end(), 0);
  const AdrRange range = average_dynamic_recall(ideal, result, apart, k);
  CHECK(range.lowest == Approx(range.expected).margin(1e-14));
  CHECK(range.highest == Approx(range.expected).margin(1e-14));
  return range.expected;
}

}  // namespace

TEST_CASE("average dynamic recall has the value of the published example") {
  const Ints ideal{0, 0, 0, 1, 1};  // (A, B, C), (D, E)
  CHECK(fixed_adr(ideal, {0, 0, 1, 1, 0}, 5) == Approx(0.9333333333333333).epsilon(1e-15));
  CHECK(fixed_adr(ideal, {0, 0, 0, 1, 1}, 5) == Approx(1).epsilon(1e-15));
  // L2 = (A, B), (D, E, C) has L3 = (A, B), (C, D, E) among its permutations.
  const AdrRange range = average_dynamic_recall(ideal, {0, 0, 1, 1, 0}, {0, 0, 1, 1, 1}, 5);
  CHECK(range.highest == Approx(1).epsilon(1e-15));
  CHECK(range.lowest == Approx(0.9333333333333333).epsilon(1e-15));
}

TEST_CASE("average dynamic recall, its mean over ties and its bounds equal an enumeration of all orders") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random() % 7, m = random() % 7;
    Ints ideal{0}, result(m), block(m);
    for (std::size_t i = 1; i < n; ++i) ideal.push_back(ideal.back() + static_cast<std::int32_t>(random() % 2));
    std::int32_t b = 0;
    for (std::size_t j = 0; j < m; ++j) {
      result[j] = static_cast<std::int32_t>(random() % static_cast<unsigned>(ideal.back() + 2)) - 1;
      block[j] = b += static_cast<std::int32_t>(random() % 3 == 0);
    }
    for (std::size_t k = 1; k <= n + 2; ++k) {
      CHECK(fixed_adr(ideal, result, k) == Approx(slow_adr(ideal, result, k)).margin(1e-14));
      const AdrRange got = average_dynamic_recall(ideal, result, block, k), want = slow_range(ideal, result, block, k);
      CHECK(got.expected == Approx(want.expected).margin(1e-13));
      CHECK(got.lowest == Approx(want.lowest).margin(1e-13));
      CHECK(got.highest == Approx(want.highest).margin(1e-13));
    }
  }
}

TEST_CASE("invalid lists, groups and depths throw std::invalid_argument") {
  CHECK_THROWS_AS(fixed_adr({0, 0}, {0}, 0), std::invalid_argument);
  CHECK_THROWS_AS(fixed_adr({1, 0}, {0}, 1), std::invalid_argument);
  CHECK_THROWS_AS(fixed_adr({0, 0}, {1}, 1), std::invalid_argument);
  CHECK_THROWS_AS(average_dynamic_recall({0, 0}, {0}, {0, 1}, 1), std::invalid_argument);
}
