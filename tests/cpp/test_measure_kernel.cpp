#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "catch.hpp"
#include "measure/evaluate.hpp"
#include "measure_case.hpp"

using namespace judicious;
using namespace measure_case;

TEST_CASE("measures of a small list have values computed by hand") {
  const Judged judged = judged_of({3, 2, 1, 1, 0, 0});
  const std::vector<int> list{2, -2, 0, 3};
  CHECK(value_of(spec_of("CG", 3), list, judged) == 2);
  CHECK(value_of(spec_of("AG", 5), list, judged) == 1);
  CHECK(value_of(spec_of("P", 10), list, judged) == Approx(0.2));
  CHECK(value_of(spec_of("P"), list, judged) == 0.5);
  CHECK(value_of(spec_of("recall"), list, judged) == 0.5);
  CHECK(value_of(spec_of("F", no_cutoff, {{"beta", {2}}}), list, judged) == Approx(5 * .5 * .5 / (4 * .5 + .5)));
  CHECK(value_of(spec_of("AP"), list, judged) == Approx((1 + .5) / 4));
  CHECK(value_of(spec_of("nDCG", 2), list, judged) == Approx(2 / (3 + 2 / std::log2(3.0))));
  CHECK(value_of(spec_of("judged", 3), list, judged) == Approx(2.0 / 3));
  CHECK(value_of(spec_of("RBP", no_cutoff, {{"p", {.5}}}), list, judged) == Approx(.5 * (2 + 3 / 8.0)));
  CHECK(value_of(spec_of("RBPresidual", no_cutoff, {{"p", {.5}}}), list, judged) == Approx(.25 + .0625));
  // Of the pairs of 4 relevant and 3 other documents, the first relevant document wins 3 and the second 1. The two that
  // are not retrieved are tied with the other document that is not retrieved.
  CHECK(value_of(spec_of("AUC"), list, judged) == Approx((3 + 1 + 2 * .5) / (4 * 3)));
}

TEST_CASE("average dynamic recall with two relevance groups has the value computed by hand") {
  const Judged judged = judged_of({2, 2, 2, 1, 1});
  CHECK(value_of(spec_of("ADR", 5), {2, 2, 1, 1, 2}, judged) == Approx((1 + 1 + 2.0 / 3 + 1 + 1) / 5));
  CHECK(value_of(spec_of("ADR"), {2, 2, 2, 1, 1}, judged) == Approx(1));
}

TEST_CASE("evaluating several draws of a list at once equals evaluating each draw") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = random() % 12;
    const int draws = static_cast<int>(1 + random() % 8);
    std::vector<std::vector<std::int32_t>> level(n, std::vector<std::int32_t>(8));
    for (auto& of_rank : level)
      for (auto& one : of_rank) one = static_cast<std::int32_t>(random() % 5) - 1;
    MeasureSpec err = spec_of("ERR", 6);
    err.gain = {0, 1 / 8.0, 3 / 8.0, 7 / 8.0};
    for (const MeasureSpec& spec :
         {spec_of("nDCG", 5), spec_of("nDCG"), spec_of("recall", 4), spec_of("P", 7), spec_of("AG"), spec_of("CG"),
          spec_of("DCG", 3), spec_of("relative_P", 5), spec_of("F", 3, {{"beta", {1}}}), spec_of("AP"),
          spec_of("AP", 4), spec_of("RR"), spec_of("RR", 2), err, spec_of("bpref"),
          spec_of("RBP", no_cutoff, {{"p", {.8}}})}) {
      INFO(spec.name << " at " << spec.cutoff << ", trial " << trial);
      MeasureKernel kernel(spec);
      std::vector<QueryFacts> facts(8);
      DrawnList list{{}, facts.data(), draws};
      for (const auto& of_rank : level) list.level.push_back(of_rank.data());
      for (int t = 0; t < draws; ++t) {
        // In every third draw, no document outside the ranking is relevant.
        std::vector<std::int32_t> pool{t % 3 == 0 ? 0 : 2, 0};
        for (const auto& of_rank : level)
          if (of_rank[t] >= 0) pool.push_back(of_rank[t]);
        kernel.set_facts(judged_of(pool), facts[t]);
      }
      std::vector<double> found(8);
      kernel.values(list, found.data());
      for (int t = 0; t < draws; ++t) {
        RankedList one;
        one.retrieved = static_cast<std::int32_t>(n);
        for (std::size_t r = 0; r < n; ++r) {
          const auto rank = static_cast<std::int32_t>(r) + 1;
          one.item.push_back({rank, level[r][t], rank, rank});
        }
        const double expected = kernel.value(one, facts[t]);
        if (std::isnan(expected)) {
          CHECK(std::isnan(found[t]));
        } else {
          CHECK(found[t] == Approx(expected).epsilon(1e-15));
        }
      }
    }
  }
}

TEST_CASE("without relevant documents, recall, AP and nDCG are NaN, and precision is 0") {
  const Judged nothing = judged_of({0, 0});
  for (const char* name : {"recall", "AP", "nDCG", "AUC", "bpref", "BEP", "RR"}) {
    CHECK(std::isnan(value_of(spec_of(name), {0, -2, 0}, nothing)));
  }
  CHECK(value_of(spec_of("P", 3), {0, -2, 0}, nothing) == 0);
}

TEST_CASE("expected values over ties are means over all orders of tied documents") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    // Three groups of one to four documents.
    std::vector<int> level;
    std::vector<std::int32_t> first, last;
    for (int g = 0; g < 3; ++g) {
      const auto n = static_cast<std::int32_t>(1 + random() % 4);
      const auto start = static_cast<std::int32_t>(level.size()) + 1;
      for (std::int32_t i = 0; i < n; ++i) {
        level.push_back(static_cast<int>(random() % 6) - 2);
        first.push_back(start);
        last.push_back(start + n - 1);
      }
    }
    std::vector<std::int32_t> pool{3, 1, 0};
    for (int l : level) {
      if (l >= 0) pool.push_back(l);
    }
    const Judged judged = judged_of(pool);
    RankedList list = list_of(level);
    for (ListItem& item : list.item) {
      const auto at = static_cast<std::size_t>(item.rank) - 1;
      item.first = first[at];
      item.last = last[at];
    }
    MeasureSpec err = spec_of("ERR", 6);
    err.gain = {0, 1 / 8.0, 3 / 8.0, 7 / 8.0};
    for (const MeasureSpec& spec :
         {spec_of("AP"), spec_of("AP", 4), err, spec_of("bpref"), spec_of("RR"), spec_of("success", 3),
          spec_of("nDCG", 5), spec_of("ANDCG", 5), spec_of("ADR", 6), spec_of("F", 3, {{"beta", {1}}}), spec_of("Fmax"),
          spec_of("infAP"), spec_of("RBP", no_cutoff, {{"p", {.8}}})}) {
      const MeasureKernel kernel(spec);
      const QueryFacts facts = kernel.facts(judged);
      // Every permutation of all positions that keeps the groups where they are.
      std::vector<std::size_t> order(level.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      double sum = 0;
      double n = 0;
      do {
        bool within = true;
        for (std::size_t i = 0; i < order.size(); ++i) within = within && first[i] == first[order[i]];
        if (!within) continue;
        std::vector<int> permuted;
        for (std::size_t i : order) permuted.push_back(level[i]);
        const double value = kernel.value(list_of(permuted), facts);
        sum += value;
        ++n;
      } while (level.size() <= 8 && std::next_permutation(order.begin(), order.end()));
      if (level.size() > 8) continue;
      CHECK(kernel.expected_over_ties(list, facts, 1) == Approx(sum / n).epsilon(1e-10));
    }
  }
}

TEST_CASE("if tied documents have too many orders, a random sample of orders is averaged") {
  // Nine tied documents, of which three are relevant: on average, one of the first three is relevant.
  const std::vector<int> level{1, 0, -2, 2, 0, -1, 0, 1, -2};
  RankedList list = list_of(level);
  for (ListItem& item : list.item) {
    item.first = 1;
    item.last = 9;
  }
  const MeasureKernel kernel(spec_of("BEP"));
  const QueryFacts facts = kernel.facts(judged_of({1, 2, 1, 0, 0, 0}));
  const std::size_t orders = 20000;
  // The number of relevant documents among three of nine has a hypergeometric distribution.
  const double sd = std::sqrt(3 * (1 / 3.0) * (2 / 3.0) * (6 / 8.0)) / 3;
  const double value = kernel.expected_over_ties(list, facts, 5, false, orders);
  CHECK(std::fabs(value - 1 / 3.0) < 4.5 * sd / std::sqrt(static_cast<double>(orders)));
  CHECK(value == kernel.expected_over_ties(list, facts, 5, false, orders));
  CHECK(value != kernel.expected_over_ties(list, facts, 6, false, orders));
}

TEST_CASE("an evaluator averages over the orders of tied documents if expect_ties is set") {
  RankedList list = list_of({0, 1});
  for (ListItem& item : list.item) {
    item.first = 1;
    item.last = 2;
  }
  EvaluateOptions options;
  options.expect_ties = true;
  double value = 0;
  Evaluator({spec_of("RR")}, {{judged_of({1, 0})}, {0}}, options).values(list, 0, &value);
  CHECK(value == Approx(0.75));
}

TEST_CASE("unjudged documents are removed from condensed lists, and best cases fill them with relevant ones") {
  const MeasureSpec precision = spec_of("P", 2);
  RankedList list = list_of({-2, 1, -1, 2});
  double value = 0;
  EvaluateOptions options;
  options.unjudged = Unjudged::condensed;
  Evaluator({precision}, {{judged_of({2, 1})}, {0}}, options).values(list, 0, &value);
  CHECK(value == 1);
  options.unjudged = Unjudged::best;
  Evaluator({spec_of("recall", 1)}, {{judged_of({2, 1})}, {0}}, options).values(list, 0, &value);
  CHECK(value == .25);
}

TEST_CASE("an unknown measure name or a missing parameter throws") {
  CHECK_THROWS_AS(MeasureKernel(spec_of("nothing")), std::invalid_argument);
  CHECK_THROWS_AS(value_of(spec_of("RBP"), {1}, judged_of({1})), std::out_of_range);
}

TEST_CASE("an invalid text value of a measure's parameter throws") {
  MeasureSpec persistence = spec_of("RBP");
  persistence.numbers["p"] = {.5};
  persistence.words["max"] = "query";
  CHECK(value_of(persistence, {1}, judged_of({1})) == .5);
  persistence.words["max"] = "topic";
  CHECK_THROWS_AS(value_of(persistence, {1}, judged_of({1})), std::invalid_argument);
  MeasureSpec precision = spec_of("iprec", no_cutoff, {{"recall", {.5}}});
  precision.words["rounding"] = "nearest";
  CHECK(value_of(precision, {1}, judged_of({1})) == 1);
  precision.words["rounding"] = "down";
  CHECK_THROWS_AS(value_of(precision, {1}, judged_of({1})), std::invalid_argument);
}
