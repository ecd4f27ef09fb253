#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "judging/mtc.hpp"

using namespace judicious;

namespace {

struct Case {
  Incidence incidence;
  std::vector<double> mean, variance, gain;
  std::vector<std::int32_t> order;
  std::size_t n = 0, m = 0;

  bool has(std::size_t i, std::size_t s) const {
    const auto v = incidence.view();
    return std::find(v.begin(i), v.end(i), static_cast<std::int32_t>(s)) != v.end(i);
  }
};

Case random_case(std::mt19937& random) {
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
    c.gain.push_back(static_cast<double>(random() % 101));
    c.order.push_back(static_cast<std::int32_t>(i));
  }
  std::shuffle(c.order.begin(), c.order.end(), random);
  return c;
}

// Everything from the pairs, at once: what Mtc keeps up to date step by step.
struct Slow {
  const Case& c;
  MtcOptions options;
  std::vector<char> judged;
  std::vector<double> mean, variance;

  Slow(const Case& given, const MtcOptions& o)
      : c(given), options(o), judged(given.n, 0), mean(given.mean), variance(given.variance) {}

  double confidence(std::size_t a, std::size_t b) const {
    double e = 0, v = 0;
    for (std::size_t i = 0; i < c.n; ++i) {
      const int w = int{c.has(i, a)} - int{c.has(i, b)};
      e += w * mean[i];
      v += w * w * variance[i];
    }
    e = std::round(e * 1e6) / 1e6 / options.divisor;
    const double beyond = std::abs(e) - options.delta;
    if (v > 0) return 0.5 * std::erfc(-beyond / (std::sqrt(v) / options.divisor) / std::sqrt(2.0));
    return beyond > 0 ? 1 : beyond < 0 ? 0 : .5;
  }

  double mean_confidence() const {
    double sum = 0, n = 0;
    for (std::size_t a = 0; a < c.m; ++a) {
      for (std::size_t b = 0; b < a; ++b, ++n) sum += confidence(a, b);
    }
    return sum / n;
  }

  // The largest weight, then most comparisons, then the earliest in the order of ties.
  std::size_t next() const {
    double best_weight = -1, best_all = -1;
    std::size_t best = 0;
    for (std::int32_t at : c.order) {
      const auto i = static_cast<std::size_t>(at);
      if (judged[i]) continue;
      double weight = 0, all = 0;
      for (std::size_t a = 0; a < c.m; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          if (c.has(i, a) == c.has(i, b)) continue;
          ++all;
          const double conf = confidence(a, b);
          if (options.weighting == Weighting::all) {
            ++weight;
          } else if (conf < options.threshold) {
            weight +=
                options.weighting == Weighting::undecided ? 1 : std::round(std::ldexp(conf, 30));
          }
        }
      }
      if (weight > best_weight || (weight == best_weight && all > best_all)) {
        best_weight = weight;
        best_all = all;
        best = i;
      }
    }
    return best;
  }

  void judge(std::size_t i) {
    judged[i] = 1;
    mean[i] = c.gain[i];
    variance[i] = 0;
  }
};

}  // namespace

TEST_CASE("every step agrees with computing everything anew") {
  std::mt19937 random(5);
  for (const Weighting weighting :
       {Weighting::all, Weighting::undecided, Weighting::proportional}) {
    for (int trial = 0; trial < 15; ++trial) {
      const Case c = random_case(random);
      MtcOptions options;
      options.divisor = 5;
      options.threshold = .9;
      options.delta = trial % 3;
      options.resolution = 1e-10;
      options.weighting = weighting;
      options.stop = StopRule::never;
      Mtc mtc(c.incidence, options, c.order, std::vector<char>(c.n, 1), {});
      Slow slow(c, options);
      mtc.set_gains(c.mean, c.variance);
      CHECK(mtc.record().confidence == Approx(slow.mean_confidence()));
      for (std::size_t step = 0; step < c.n; ++step) {
        const std::ptrdiff_t pair = mtc.next();
        REQUIRE(pair == static_cast<std::ptrdiff_t>(slow.next()));
        mtc.judge(static_cast<std::size_t>(pair), c.gain[static_cast<std::size_t>(pair)]);
        slow.judge(static_cast<std::size_t>(pair));
        if (step % 7 == 6) {  // new estimates
          for (std::size_t i = 0; i < c.n; ++i) {
            if (!slow.judged[i]) slow.mean[i] += 1 + static_cast<double>(i % 3);
          }
          mtc.set_gains(slow.mean, std::vector<double>(slow.variance));
        }
        CHECK(mtc.record().confidence == Approx(slow.mean_confidence()));
      }
      CHECK(mtc.next() == -1);
      CHECK(mtc.settled());
    }
  }
}

TEST_CASE("the agreement with the truth counts signs, ties as 0") {
  // Systems 0 and 1 differ by pairs 0 and 1, system 2 has the list of 1.
  const Incidence x{{0, 1, 3}, {0, 1, 2}, 3};
  MtcOptions options;
  Mtc mtc(x, options, {0, 1}, {1, 1}, {3, 1, 1});
  mtc.set_gains({5, 2}, {1, 1});
  CHECK(mtc.record().agreement == Approx(2.0 / 3));
  mtc.set_gains({2, 5}, {1, 1});
  CHECK(mtc.record().agreement == Approx(-2.0 / 3));
}

TEST_CASE(
    "a run stops by its rule, its number or its candidates, and leaves the last record to the "
    "caller") {
  std::mt19937 random(6);
  const Case c = random_case(random);
  MtcOptions options;
  options.divisor = 5;
  options.stop = StopRule::never;
  std::vector<char> candidate(c.n, 1);
  candidate[0] = candidate[3] = 0;
  Mtc mtc(c.incidence, options, c.order, candidate, {});
  mtc.set_gains(c.mean, c.variance);
  mtc.record();
  CHECK(mtc.run(c.gain, 3) == 3);
  CHECK(mtc.judged_pairs().size() == 3);
  CHECK(mtc.records().back().judged == 2);
  mtc.record();
  CHECK(mtc.run(c.gain, 1000) == c.n - 5);
  CHECK(mtc.records().back().judged == c.n - 2);
  for (std::size_t pair : mtc.judged_pairs()) CHECK((pair != 0 && pair != 3));

  options.stop = StopRule::mean;
  Mtc stopping(c.incidence, options, c.order, std::vector<char>(c.n, 1), {});
  stopping.set_gains(std::vector<double>(c.n, 50), std::vector<double>(c.n, 850));
  REQUIRE(stopping.record().confidence < options.threshold);
  stopping.run(c.gain, 1000);
  CHECK((stopping.enough() || stopping.settled()));
  const auto& records = stopping.records();
  for (std::size_t i = 0; i + 1 < records.size(); ++i)
    CHECK(records[i].confidence < options.threshold);
}

TEST_CASE("the rule for every comparison does not wait for equal lists") {
  const Incidence x{{0, 2, 3}, {0, 1, 2}, 3};
  MtcOptions options;
  options.stop = StopRule::all;
  Mtc mtc(x, options, {0, 1}, {1, 1}, {});
  mtc.set_gains({50, 50}, {850, 850});
  mtc.record();
  CHECK_FALSE(mtc.enough());
  mtc.run({90, 10}, 2);
  mtc.record();
  CHECK(mtc.enough());
  CHECK(mtc.records().back().confidence == Approx(2.5 / 3));
  CHECK(mtc.records().back().decided == 2);
}

TEST_CASE("a pair that was skipped is not selected") {
  const Incidence x{{0, 1, 2}, {0, 1}, 2};
  Mtc mtc(x, {}, {1, 0}, {1, 1}, {});
  mtc.set_gains({1, 1}, {1, 1});
  CHECK(mtc.next() == 1);
  mtc.skip(1);
  CHECK(mtc.next() == 0);
  mtc.skip(0);
  CHECK(mtc.next() == -1);
}

TEST_CASE("a broken contract is said") {
  const Incidence x{{0, 1, 2}, {0, 1}, 2};
  CHECK_THROWS_AS(Mtc(x, {}, {0}, {1, 1}, {}), std::invalid_argument);
}
