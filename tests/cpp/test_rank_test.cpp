#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "stats/rank_test.hpp"

using namespace judicious;

TEST_CASE("Friedman's statistic is 12 if six queries order three systems alike") {
  std::vector<double> scores;
  for (const double s : {3.0, 2.0, 1.0}) scores.insert(scores.end(), 6, s);
  const RankTable ranks = rank_within_queries({scores.data(), 6, 3});
  const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5};
  const FriedmanResult f = friedman(ranks, all.data(), 6, true);
  CHECK(f.chi2 == Approx(12).epsilon(1e-14));
  CHECK(f.mean_rank == std::vector<double>{3, 2, 1});
  const auto q = studentised_rank_differences(ranks, {all.data(), 6, 1}, true);
  CHECK(q[0] == Approx(std::sqrt(6.0)));
  CHECK(q[1] == Approx(2 * std::sqrt(6.0)));
  CHECK(q[2] == Approx(std::sqrt(6.0)));
}

TEST_CASE("ranks, tie corrections and the variance of ranks equal explicit counts on random subsets") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 2 + index(random() % 12), m = 2 + index(random() % 6), values = 1 + random() % 5;
    std::vector<double> x(n * m);
    for (double& v : x) v = static_cast<double>(random() % values);
    const RankTable ranks = rank_within_queries({x.data(), n, m});
    for (Index q = 0; q < n; ++q) {
      double ties = 0;
      for (Index s = 0; s < m; ++s) {
        double below = 0, equal = 0;
        for (Index o = 0; o < m; ++o) {
          below += x[o * n + q] < x[s * n + q];
          equal += !(x[o * n + q] < x[s * n + q]) && !(x[o * n + q] > x[s * n + q]);
        }
        CHECK(ranks.rank[q * m + s] == below + (equal + 1) / 2);
        ties += equal * equal - 1;  // each of t tied systems adds t^2 - 1: t^3 - t together
      }
      CHECK(ranks.tie_term[q] == ties);
    }
    std::vector<std::int32_t> some(n);
    std::iota(some.begin(), some.end(), 0);
    std::shuffle(some.begin(), some.end(), random);
    some.resize(1 + random() % n);
    const FriedmanResult f = friedman(ranks, some.data(), some.size(), true);
    // The variance that the correction for ties gives: that of the ranks within a query, with divisor m - 1, averaged
    // over queries.
    double variance = 0;
    for (const std::int32_t q : some) {
      for (Index s = 0; s < m; ++s) {
        const double r = ranks.rank[q * m + s] - (static_cast<double>(m) + 1) / 2;
        variance += r * r / static_cast<double>(m - 1) / static_cast<double>(some.size());
      }
    }
    CHECK(f.sigma2 == Approx(variance).margin(1e-12));
    if (variance <= 0) CHECK(f.chi2 == 0);
  }
}

TEST_CASE("the p-value of Friedman's test equals R's") {
  // The p-value of friedman.test(rbind(c(1, 2, 3), c(2, 1, 3), c(1, 2, 3), c(1, 3, 2))).
  const std::vector<double> scores{1, 2, 1, 1, 2, 1, 2, 3, 3, 3, 3, 2};
  const std::vector<std::int32_t> query{0, 1, 2, 3};
  const FriedmanResult f = friedman(rank_within_queries({scores.data(), 4, 3}), query.data(), 4, true);
  CHECK(f.chi2 == Approx(4.5).epsilon(1e-14));
  CHECK(f.p_value() == Approx(0.10539922456186433).epsilon(1e-12));
}
