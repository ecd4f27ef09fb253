#include <algorithm>
#include <memory>
#include <random>
#include <set>

#include "catch.hpp"
#include "judging/independent.hpp"

using namespace judicious;

namespace {

struct Case {
  Incidence incidence;
  std::vector<double> weight, mean, variance;
  std::size_t n = 0, m = 0;

  // The weight of the pair in the system's score; 0 if the system did not retrieve it.
  double at(std::size_t pair, std::size_t system) const {
    const auto view = incidence.view();
    for (const std::int32_t* s = view.begin(pair); s != view.end(pair); ++s) {
      if (static_cast<std::size_t>(*s) != system) continue;
      return weight.empty() ? 1 : weight[static_cast<std::size_t>(s - view.system)];
    }
    return 0;
  }
};

Case random_case(std::mt19937& random, bool weighted) {
  Case c;
  c.m = 2 + random() % 5;
  c.n = 5 + random() % 30;
  c.incidence.n_systems = c.m;
  c.incidence.offset.push_back(0);
  for (std::size_t i = 0; i < c.n; ++i) {
    std::set<std::int32_t> systems{static_cast<std::int32_t>(random() % c.m)};
    for (std::size_t s = 0; s < c.m; ++s) {
      if (random() % 3 == 0) systems.insert(static_cast<std::int32_t>(s));
    }
    c.incidence.system.insert(c.incidence.system.end(), systems.begin(), systems.end());
    c.incidence.offset.push_back(static_cast<std::int32_t>(c.incidence.system.size()));
    c.mean.push_back(static_cast<double>(random() % 1000) / 10);
    c.variance.push_back(1 + static_cast<double>(random() % 800));
  }
  // Few different weights, so that some systems give a pair the same weight.
  for (std::size_t r = 0; weighted && r < c.incidence.system.size(); ++r) {
    c.weight.push_back(1.0 / static_cast<double>(1 + random() % 3));
  }
  return c;
}

// The sum over pairs of variance times the squared difference of the weights in systems a and b. If b is m, the weights
// in b are 0.
double spread(const Case& c, const std::vector<double>& variance, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t i = 0; i < c.n; ++i) {
    const double apart = c.at(i, a) - (b < c.m ? c.at(i, b) : 0);
    sum += variance[i] * apart * apart;
  }
  return sum;
}

}  // namespace

TEST_CASE("after every judgment, the updated sums equal sums recomputed from all pairs") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 30; ++trial) {
    const Case c = random_case(random, trial % 2 == 1);
    std::vector<double> mean = c.mean, variance = c.variance;
    IndependentGains gains(c.incidence, c.weight, 5, mean, variance, std::vector<char>(c.n, 0));
    std::vector<std::size_t> order(c.n);
    for (std::size_t i = 0; i < c.n; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t pair : order) {
      if (random() % 4 == 0) {
        gains.assume_judged(pair);
      } else {
        // Some pairs are judged again: the last gain counts.
        for (std::size_t times = 1 + random() % 2; times > 0; --times) {
          mean[pair] = static_cast<double>(random() % 101);
          gains.judge(pair, mean[pair]);
        }
      }
      variance[pair] = 0;
      const SystemEstimates got = gains.systems();
      for (std::size_t a = 0; a < c.m; ++a) {
        double sum = 0;
        for (std::size_t i = 0; i < c.n; ++i) sum += c.at(i, a) * mean[i];
        CHECK(got.mean[a] == Approx(sum / 5));
        CHECK(got.covariance(a, a) == Approx(spread(c, variance, a, c.m) / 25).margin(1e-9));
        for (std::size_t b = 0; b < a; ++b) {
          const double expected = spread(c, variance, a, b) / 25;
          CHECK(got.difference_variance(a, b) == Approx(expected).margin(1e-9));
          if (expected == 0) CHECK(got.difference_variance(a, b) == 0);
          CHECK(got.covariance(a, a) + got.covariance(b, b) - 2 * got.covariance(a, b) ==
                Approx(expected).margin(1e-8));
        }
      }
    }
    CHECK(gains.mean() == mean);
  }
}

TEST_CASE("judge_in_turn() equals calls of judge() for each pair, and leaves copies of the object unchanged") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 10; ++trial) {
    const Case c = random_case(random, trial % 2 == 1);
    auto first =
        std::make_unique<IndependentGains>(c.incidence, c.weight, 5, c.mean, c.variance, std::vector<char>(c.n, 0));
    IndependentGains single = *first, many = *first;
    // Copies must remain valid after the original is deleted.
    first.reset();
    const std::vector<std::int32_t> pairs{3, 0, 4, 1};
    const std::vector<double> gain{10, 0, 55.5, 100};
    const std::size_t count = c.m * (c.m - 1) / 2, all = count * pairs.size();
    std::vector<double> difference(all), variance(all), confidence(all);
    many.judge_in_turn(pairs, gain.data(), 1.5, 1e-10, {difference.data(), variance.data(), confidence.data()});
    std::size_t at = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      single.judge(static_cast<std::size_t>(pairs[i]), gain[i]);
      const SystemEstimates e = single.systems();
      for (std::size_t a = 0; a < c.m; ++a) {
        for (std::size_t b = a + 1; b < c.m; ++b, ++at) {
          CHECK(difference[at] == e.mean[a] - e.mean[b]);
          CHECK(variance[at] == e.difference_variance(a, b));
          CHECK(confidence[at] == sign_confidence(difference[at], variance[at], 1.5, 1e-10));
        }
      }
    }
    CHECK(many.mean() == single.mean());
    CHECK(many.variance() == single.variance());
  }
}

TEST_CASE("the predicted variance reduction of a judgment equals the actual one") {
  std::mt19937 random(6);
  for (int trial = 0; trial < 10; ++trial) {
    const Case c = random_case(random, trial % 2 == 1);
    const IndependentGains gains(c.incidence, c.weight, 3, c.mean, c.variance, std::vector<char>(c.n, 0));
    // The directions are system 0 itself, and the difference of each other system from it.
    std::vector<double> directions;
    for (std::size_t d = 0; d < c.m; ++d) {
      for (std::size_t s = 0; s < c.m; ++s) {
        directions.push_back(d == 0 ? (s == 0 ? 1.0 : 0.0) : (s == d ? 1.0 : 0.0) - (s == 0 ? 1.0 : 0.0));
      }
    }
    const std::vector<double> fall = gains.variance_reduction(directions);
    const auto total = [&](const IndependentGains& g) {
      const SystemEstimates e = g.systems();
      double sum = e.covariance(0, 0);
      for (std::size_t s = 1; s < c.m; ++s) sum += e.difference_variance(s, 0);
      return sum;
    };
    for (std::size_t i = 0; i < c.n; ++i) {
      IndependentGains after = gains;
      after.assume_judged(i);
      CHECK(fall[i] == Approx(total(gains) - total(after)).margin(1e-9));
    }
  }
}

// Weights of the comparisons of m systems, and of the systems.
static std::pair<SystemMatrix, std::vector<double>> random_weights(std::mt19937& random, std::size_t m) {
  SystemMatrix comparison(m);
  std::vector<double> system;
  for (std::size_t a = 0; a < m; ++a) {
    system.push_back(static_cast<double>(random() % 3));
    // A comparison of a system with itself does not count.
    for (std::size_t b = 0; b <= a; ++b) comparison.set(a, b, static_cast<double>(random() % 10));
  }
  return {comparison, system};
}

TEST_CASE("weights of pairs equal explicit loops over comparisons of systems") {
  std::mt19937 random(7);
  const Case c = random_case(random, false);
  const auto [comparison, system] = random_weights(random, c.m);
  const std::vector<double> got = pair_weights(c.incidence.view(), comparison, system);
  for (std::size_t i = 0; i < c.n; ++i) {
    double expected = 0;
    for (std::size_t a = 0; a < c.m; ++a) {
      expected += c.at(i, a) * system[a];
      for (std::size_t b = 0; b < a; ++b) {
        if (c.at(i, a) != c.at(i, b)) expected += comparison(a, b);
      }
    }
    CHECK(got[i] == Approx(expected));
  }
}

TEST_CASE("a comparison of systems weights a pair by the squared difference of its rank weights") {
  std::mt19937 random(8);
  const Case c = random_case(random, false);
  const auto [comparison, system] = random_weights(random, c.m);
  std::vector<double> result(c.incidence.system.size());
  for (double& w : result) w = static_cast<double>(random() % 4) / 2;
  const std::vector<double> got = pair_weights(c.incidence.view(), comparison, system, result);
  for (std::size_t i = 0; i < c.n; ++i) {
    std::vector<double> added(c.m, 0);
    for (auto k = static_cast<std::size_t>(c.incidence.offset[i]);
         k < static_cast<std::size_t>(c.incidence.offset[i + 1]); ++k) {
      added[static_cast<std::size_t>(c.incidence.system[k])] = result[k];
    }
    double expected = 0;
    for (std::size_t a = 0; a < c.m; ++a) {
      expected += added[a] * added[a] * system[a];
      for (std::size_t b = 0; b < a; ++b) {
        expected += (added[a] - added[b]) * (added[a] - added[b]) * comparison(a, b);
      }
    }
    CHECK(got[i] == Approx(expected));
  }
}

TEST_CASE("vectors of a wrong length throw std::invalid_argument in IndependentGains") {
  const Incidence x{{0, 1, 2}, {0, 1}, 2};
  CHECK_THROWS_AS(IndependentGains(x, {}, 1, {0}, {1, 1}, {0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(IndependentGains(x, {1}, 1, {0, 0}, {1, 1}, {0, 0}), std::invalid_argument);
}
