#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "stats/signed_rank.hpp"

using namespace judicious;

namespace {

struct Slow {
  double statistic = 0, greater = 1, less = 1, mean = 0, variance = 0;
};

// The signed-rank test by its definition: ranks by counting, and the distribution from every change of signs.
Slow slow_test(std::vector<double> d, Zeros zeros) {
  if (zeros == Zeros::drop) {
    std::vector<double> kept;
    for (const double x : d) {
      if (std::fabs(x) > 0) kept.push_back(x);
    }
    d = kept;
  }
  std::vector<double> rank;
  std::vector<bool> positive;
  for (const double x : d) {
    double below = 0, equal = 0;
    for (const double y : d) {
      below += std::fabs(y) < std::fabs(x);
      equal += !(std::fabs(y) < std::fabs(x)) && !(std::fabs(y) > std::fabs(x));
    }
    if (std::fabs(x) > 0) {
      rank.push_back(below + (equal + 1) / 2);
      positive.push_back(x > 0);
    }
  }
  Slow out;
  for (Index i = 0; i < length(rank); ++i) {
    out.statistic += positive[i] ? rank[i] : 0.0;
    out.mean += rank[i] / 2;
    out.variance += rank[i] * rank[i] / 4;
  }
  const Index ways = Index{1} << rank.size();
  double greater = 0, less = 0;
  for (Index w = 0; w < ways; ++w) {
    double sum = 0;
    for (Index i = 0; i < length(rank); ++i) sum += ((w >> i) & 1) ? rank[i] : 0.0;
    greater += sum >= out.statistic;
    less += sum <= out.statistic;
  }
  out.greater = greater / static_cast<double>(ways);
  out.less = less / static_cast<double>(ways);
  return out;
}

}  // namespace

TEST_CASE("exact signed-rank tests equal an enumeration of all changes of signs, with ties and zeros") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 120; ++trial) {
    const Index n = 1 + random() % 12;
    const int values = 1 + static_cast<int>(random() % 20);
    std::vector<double> d(n);
    for (double& x : d)
      x = static_cast<double>(static_cast<int>(random() % static_cast<unsigned>(2 * values)) - values);
    std::vector<std::int32_t> some(n);
    std::iota(some.begin(), some.end(), 0);
    std::shuffle(some.begin(), some.end(), random);
    some.resize(1 + random() % n);
    std::vector<double> part;
    for (const std::int32_t q : some) part.push_back(d[q]);
    for (const Zeros zeros : {Zeros::drop, Zeros::pratt}) {
      const SignedRankResults r =
          signed_rank_tests({d.data(), n, 1}, {some.data(), length(some), 1}, {zeros, SignedRankMethod::exact});
      const Slow slow = slow_test(part, zeros);
      CHECK(r.statistic[0] == slow.statistic);
      CHECK(r.greater[0] == Approx(slow.greater).epsilon(1e-12));
      CHECK(r.less[0] == Approx(slow.less).epsilon(1e-12));
      CHECK(r.two_sided[0] == Approx(std::min(1.0, 2 * std::min(slow.greater, slow.less))).epsilon(1e-12));
      CHECK(r.expected[0] == slow.mean);
      // The normal approximation has the same mean and the variance of independent signs.
      const SignedRankResults normal =
          signed_rank_tests({d.data(), n, 1}, {some.data(), length(some), 1}, {zeros, SignedRankMethod::normal});
      if (slow.variance > 0) {
        const auto upper = [&](double x) { return 0.5 * std::erfc(x / std::sqrt(2 * slow.variance)); };
        const double above = slow.statistic - slow.mean;
        CHECK(normal.greater[0] == Approx(upper(above - 0.5)));
        CHECK(normal.less[0] == Approx(upper(-above - 0.5)));
        CHECK(normal.two_sided[0] == Approx(std::min(1.0, 2 * upper(std::fabs(above) - (above == 0 ? 0 : 0.5)))));
      } else {
        CHECK(normal.two_sided[0] == 1);
      }
    }
  }
}

TEST_CASE("the automatic signed-rank test is exact below 50 differences and normal from there on, as in R") {
  for (const Index n : {Index{49}, Index{50}}) {
    std::vector<double> d(n);
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    for (Index i = 0; i < n; ++i) d[i] = (i % 3 == 0 ? -1.0 : 1.0) * static_cast<double>(i + 1);
    const auto run = [&](SignedRankMethod method) {
      return signed_rank_tests({d.data(), n, 1}, {all.data(), n, 1}, {Zeros::drop, method}).greater[0];
    };
    CHECK(run(SignedRankMethod::exact) != run(SignedRankMethod::normal));
    CHECK(run(SignedRankMethod::as_r) == run(n < 50 ? SignedRankMethod::exact : SignedRankMethod::normal));
  }
}

TEST_CASE("the k-th smallest and largest Walsh averages equal those of a sorted list") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 1 + random() % 15;
    std::vector<double> d(n), all;
    for (double& x : d) x = normal(random);
    for (Index i = 0; i < n; ++i) {
      for (Index j = i; j < n; ++j) all.push_back((d[i] + d[j]) / 2);
    }
    std::sort(all.begin(), all.end());
    const Index k = 1 + random() % all.size();
    const WalshSummary w = walsh_averages(d.data(), n, k);
    CHECK(w.lower == Approx(all[k - 1]));
    CHECK(w.upper == Approx(all[all.size() - k]));
    CHECK(w.median == Approx((all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2));
  }
}
