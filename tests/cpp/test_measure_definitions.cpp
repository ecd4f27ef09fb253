// Measures that are not sums over documents, against their definitions on the whole list.
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "measure_case.hpp"

using namespace judicious;
using namespace measure_case;

namespace {

struct Case {
  std::vector<int> list;    // levels by rank: -1 if the document is pooled but not judged, -2 if it is not pooled
  std::vector<int> judged;  // levels of all judged documents, retrieved or not
};

Case random_case(std::mt19937& random) {
  Case out;
  const std::size_t n = 1 + random() % 12;
  for (std::size_t i = 0; i < n; ++i) out.list.push_back(static_cast<int>(random() % 6) - 2);
  for (const int level : out.list) {
    if (level >= 0) out.judged.push_back(level);
  }
  for (std::size_t i = random() % 5; i > 0; --i) out.judged.push_back(static_cast<int>(random() % 4));
  return out;
}

double value_of(const MeasureSpec& spec, const Case& c) {
  return measure_case::value_of(spec, c.list, judged_of({c.judged.begin(), c.judged.end()}));
}

void check_same(double got, double expected) {
  if (std::isnan(expected)) {
    CHECK(std::isnan(got));
  } else {
    CHECK(got == Approx(expected).margin(1e-12));
  }
}

double count(const std::vector<int>& levels, std::size_t first, bool (*is)(int)) {
  double n = 0;
  for (std::size_t i = 0; i < std::min(first, levels.size()); ++i) n += is(levels[i]);
  return n;
}
bool relevant(int level) { return level > 0; }
bool nonrelevant(int level) { return level == 0; }

double gain_of(int level) { return std::max(level, 0); }

// Discounted cumulated gain of the first k.
double dcg(const std::vector<int>& levels, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(k, levels.size()); ++i)
    sum += gain_of(levels[i]) / std::log2(static_cast<double>(i) + 2);
  return sum;
}

std::vector<int> ideal_of(const Case& c) {
  std::vector<int> out;
  for (const int level : c.judged) {
    if (level > 0) out.push_back(level);
  }
  std::sort(out.begin(), out.end(), std::greater<int>());
  return out;
}

}  // namespace

TEST_CASE("set-based measures of the first k documents agree with their definitions") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = random_case(random);
    const double all = count(c.judged, c.judged.size(), relevant);
    const auto n = static_cast<double>(c.list.size());
    for (const int k : {1, 3, 20}) {
      const double found = count(c.list, static_cast<std::size_t>(k), relevant);
      check_same(value_of(spec_of("set_AP", k), c), all > 0 ? found / k * (found / all) : NAN);
      check_same(value_of(spec_of("success", k), c), all > 0 ? found > 0 : NAN);
      check_same(value_of(spec_of("relative_P", k), c), all > 0 ? found / std::min<double>(k, all) : NAN);
      check_same(value_of(spec_of("IDCG", k), c), dcg(ideal_of(c), static_cast<std::size_t>(k)));
    }
    const double found = count(c.list, c.list.size(), relevant);
    const double at_r = count(c.list, static_cast<std::size_t>(all), relevant);
    check_same(value_of(spec_of("BEP"), c), at_r > 0 ? at_r / all : NAN);
    check_same(value_of(spec_of("Rprec", no_cutoff, {{"x", {1}}}), c), all > 0 ? at_r / all : NAN);
    check_same(value_of(spec_of("num_ret"), c), n);
    check_same(value_of(spec_of("num_rel"), c), all);
    check_same(value_of(spec_of("num_rel_ret"), c), found);
    check_same(value_of(spec_of("num_nonrel_judged_ret"), c), count(c.list, c.list.size(), nonrelevant));
    check_same(
        value_of(spec_of("utility", no_cutoff, {{"a", {1}}, {"b", {-2}}, {"c", {-3}}, {"d", {0.5}}, {"n", {100}}}), c),
        found - 2 * (n - found) - 3 * (all - found) + 0.5 * (100 - n - (all - found)));
  }
}

TEST_CASE("Rprec with a multiple too large for an integer has the largest integer as its cutoff") {
  const Case c{{0, 1, 0, 2}, {0, 1, 0, 2}};
  const double value = value_of(spec_of("Rprec", no_cutoff, {{"x", {1e10}}}), c);
  CHECK(value == Approx(2.0 / std::numeric_limits<int>::max()));
}

TEST_CASE("measures that depend on the ranks of relevant documents agree with their definitions") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = random_case(random);
    const double all = count(c.judged, c.judged.size(), relevant);
    double found = 0, precisions = 0, first = 0, best = 0, g = 0;
    std::vector<double> precision, hits;  // the values after each rank
    for (std::size_t i = 0; i < c.list.size(); ++i) {
      const auto rank = static_cast<double>(i + 1);
      const double above = rank - 1 - found;
      if (c.list[i] > 0) {
        ++found;
        precisions += found / rank;
        g += 1 / std::log2(2 + above);
        if (found == 1) first = 1 / rank;
      }
      const double p = found / rank, r = found / all;
      if (found > 0) best = std::max(best, 2 * p * r / (p + r));
      precision.push_back(p);
      hits.push_back(found);
    }
    const double none = all > 0 ? 0 : NAN;
    check_same(value_of(spec_of("AP"), c), none + precisions / all);
    check_same(value_of(spec_of("RR"), c), none + first);
    check_same(value_of(spec_of("Fmax"), c), none + best);
    check_same(value_of(spec_of("binG"), c), none + g / all);
    check_same(value_of(spec_of("yaap"), c), std::log((1 + precisions) / (1 + all - precisions)));
    for (const bool nearest : {false, true}) {
      const std::vector<double> points{0, 0.3, 0.5, 1};
      double sum = 0;
      for (const double point : points) {
        const double share = point * all;
        const double needed = std::max(1.0, nearest ? std::floor(share + 0.5) : std::floor(share + 0.9));
        double highest = 0;
        for (std::size_t i = 0; i < precision.size(); ++i) {
          if (hits[i] >= needed) highest = std::max(highest, precision[i]);
        }
        sum += highest / 4;
      }
      MeasureSpec spec = spec_of("iprec", no_cutoff, {{"recall", points}});
      spec.words["rounding"] = nearest ? "nearest" : "up";
      check_same(value_of(spec, c), none + sum);
    }
  }
}

TEST_CASE("measures of pairwise order agree with their definitions") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = random_case(random);
    const double all = count(c.judged, c.judged.size(), relevant);
    const double others = count(c.judged, c.judged.size(), nonrelevant);
    const double none = all > 0 ? 0 : NAN;
    double bpref = 0, inferred = 0;
    for (std::size_t i = 0; i < c.list.size(); ++i) {
      if (c.list[i] <= 0) continue;
      const double worse = count(c.list, i, nonrelevant), better = count(c.list, i, relevant);
      bpref += worse > 0 ? 1 - std::min(worse, all) / std::min(others, all) : 1;
      const auto rank = static_cast<double>(i + 1);
      const double pooled = better + worse + count(c.list, i, [](int level) { return level == -1; });
      // Yilmaz and Aslam (2006): the chance that this document or a random one above is relevant.
      inferred += 1 / rank +
                  (i > 0 ? (rank - 1) / rank * (pooled / (rank - 1)) * ((better + 1e-5) / (better + worse + 2e-5)) : 0);
    }
    check_same(value_of(spec_of("bpref"), c), none + bpref / all);
    check_same(value_of(spec_of("infAP"), c), none + inferred / all);
    // Judged documents that are not retrieved are tied below the list.
    std::vector<std::pair<bool, double>> documents;
    const auto end = static_cast<double>(c.list.size()) + 1;
    for (std::size_t i = 0; i < c.list.size(); ++i) documents.emplace_back(c.list[i] > 0, static_cast<double>(i));
    std::vector<int> left = c.judged;
    for (const int level : c.list) {
      if (level >= 0) left.erase(std::find(left.begin(), left.end(), level));
    }
    for (const int level : left) documents.emplace_back(level > 0, end);
    double wins = 0, pairs = 0;
    for (const auto& a : documents) {
      for (const auto& b : documents) {
        if (!a.first || b.first) continue;
        ++pairs;
        wins += a.second < b.second ? 1 : a.second > b.second ? 0 : 0.5;
      }
    }
    check_same(value_of(spec_of("AUC"), c), pairs > 0 ? wins / pairs : NAN);
  }
}

TEST_CASE("measures of graded relevance agree with their definitions") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = random_case(random);
    const std::vector<int> ideal = ideal_of(c);
    const std::size_t n = ideal.size();
    const double none = n > 0 ? 0 : NAN;
    double at_relevant = 0, g = 0, cost = 0, gains = 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < c.list.size(); ++i) {
      cost += i < n ? ideal[i] : 1;
      gains += gain_of(c.list[i]);
      if (c.list[i] <= 0) continue;
      ++found;
      at_relevant += dcg(c.list, i + 1) / dcg(ideal, i + 1);
      g += c.list[i] / std::log2(2 + cost - gains);
    }
    const double whole = dcg(c.list, c.list.size()) / dcg(ideal, n);
    at_relevant += static_cast<double>(n - found) * whole;
    check_same(value_of(spec_of("ndcg_rel"), c), none + at_relevant / static_cast<double>(n));
    check_same(value_of(spec_of("G"), c), none + g / std::accumulate(ideal.begin(), ideal.end(), 0.0));
    double at_levels = 0, points = 0;
    for (std::size_t i = 1; i <= n; ++i) {
      if (i < n && ideal[i] == ideal[i - 1]) continue;
      at_levels += dcg(c.list, i) / dcg(ideal, i);
      ++points;
    }
    if (c.list.size() > n + 1) {
      at_levels += whole;
      ++points;
    }
    check_same(value_of(spec_of("Rndcg"), c), none + at_levels / points);
  }
}

TEST_CASE("DCG discounts by the logarithm to a given base or by a given table, at very deep ranks too") {
  MeasureSpec spec = spec_of("DCG");
  spec.discount = Discount::log_base;
  const Case c{{3, 2, 1, 0, 2}, {3, 2, 1, 0, 2}};
  CHECK(value_of(spec, c) == Approx(3 + 2 + 1 / std::log2(3.0) + 2 / std::log2(5.0)));
  spec.discount_base = 3;
  CHECK(value_of(spec, c) == Approx(3 + 2 + 1 + 2 / (std::log(5.0) / std::log(3.0))));
  spec.discount_table = {1, 0.5, 0.25};
  CHECK(value_of(spec, c) == Approx(3 + 1 + 0.25));
  Case deep{std::vector<int>(5000, -2), {2}};
  deep.list[4999] = 2;
  CHECK(value_of(spec_of("DCG"), deep) == Approx(2 / std::log2(5001.0)));
}

TEST_CASE("with the ideal set to maximum, nDCG is normalised by a full list of the highest gain") {
  MeasureSpec spec = spec_of("nDCG", 3);
  spec.ideal_is_maximum = true;
  spec.max_gain = 3;
  const double ideal = 3 * (1 + 1 / std::log2(3.0) + 0.5);
  CHECK(value_of(spec, {{2, 0, 1}, {2, 0, 1}}) == Approx((2 + 0.5) / ideal));
  CHECK(value_of(spec, {{0}, {0}}) == 0);
}
