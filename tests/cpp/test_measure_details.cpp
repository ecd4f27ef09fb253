// Measures of judgments with details: samples of strata of the pool, subtopics and nuggets.
#include <cmath>

#include "catch.hpp"
#include "measure/evaluate.hpp"
#include "measure_case.hpp"

using namespace judicious;
using namespace measure_case;

namespace {

// A list of these judgments by rank; -1 is a document without a judgment.
RankedList list_of_judgments(const std::vector<std::int32_t>& judgment, const JudgmentDetails& details) {
  RankedList list;
  list.retrieved = static_cast<std::int32_t>(judgment.size());
  std::int32_t rank = 0;
  for (const std::int32_t j : judgment) {
    ++rank;
    if (j >= 0) list.item.push_back({rank, details.level.at(j), rank, rank, j});
  }
  return list;
}

double value_with(const JudgmentDetails& details, const MeasureSpec& spec, const std::vector<std::int32_t>& list) {
  std::vector<std::int32_t> known;
  for (const std::int32_t level : details.level) {
    if (level >= 0) known.push_back(level);
  }
  Judged judged = judged_of(known);
  judged.details = &details;
  for (std::size_t j = 0; j < details.level.size(); ++j) judged.judgment.push_back(static_cast<std::int32_t>(j));
  const MeasureKernel kernel(spec);
  return kernel.value(list_of_judgments(list, details), kernel.facts(judged));
}

// Stratum 0 is completely judged: a relevant document and another one. Of the four documents of stratum 1, two are
// judged, of which one is relevant.
const JudgmentDetails sample{{1, 0, 1, -1, 0, -1}, {0, 0, 1, 1, 1, 1}, {}, {}, {}};
const std::vector<std::int32_t> sampled_list{0, 3, 2, -1, 4};

// Documents 0 and 2 have one subtopic each, document 1 the same as document 2, document 3 a third.
const JudgmentDetails subtopics{{1, 1, 1, 1}, {}, {}, {0, 1, 2, 3, 4}, {{0, 1}, {1, 1}, {1, 1}, {2, 1}}};
const std::vector<std::int32_t> diverse_list{0, 2, -1, 1};

MeasureSpec novelty(const std::string& name, int cutoff = no_cutoff) {
  return spec_of(name, cutoff, {{"rel", {1}}, {"alpha", {0.5}}, {"beta", {0.5}}});
}

}  // namespace

TEST_CASE("infAP, infNDCG and statAP of a sampled pool have values computed by hand") {
  // Each judged document of stratum 1 stands for two, so that there are three relevant ones.
  const double epsilon = 0.00001;
  const double above = (1 + epsilon) / (1 + 3 * epsilon);
  CHECK(value_with(sample, spec_of("infAP"), sampled_list) == Approx((1 + 2 * (1.0 / 3 + above / 3 + 1.0 / 9)) / 3));
  // Of the three documents of stratum 1 in the list, two are judged.
  CHECK(value_with(sample, spec_of("infNDCG"), sampled_list) == Approx((1 + 1.5 * 0.5) / (1 + 1 / std::log2(3) + 0.5)));
  CHECK(value_with(sample, spec_of("infNDCG", 2), sampled_list) == Approx(1 / (1 + 1 / std::log2(3))));
  CHECK(value_with(sample, spec_of("statAP"), sampled_list) == Approx((1 + 2 * 2.0 / 3) / 3));
  JudgmentDetails stated = sample;
  stated.stratum = {};
  stated.probability = {1, 1, 0.25, 1, 0.5, 1};
  CHECK(value_with(stated, spec_of("statAP"), sampled_list) == Approx((1 + 4 * 2.0 / 3) / 5));
  JudgmentDetails none = sample;
  none.level = {0, 0, 0, -1, 0, -1};
  for (const char* name : {"infAP", "statAP"}) CHECK(std::isnan(value_with(none, spec_of(name), sampled_list)));
}

TEST_CASE("subtopic measures have values computed by hand") {
  const double third = 1 / std::log2(3.0), fifth = 1 / std::log2(5.0);
  // The gains are 1, 1, 0, .5; the ideal gains are 1, 1, 1, .5; and a list of documents that are relevant to all
  // subtopics has the gains 3, 1.5, ...
  CHECK(value_with(subtopics, novelty("alpha_nDCG", 4), diverse_list) ==
        Approx((1 + third + 0.5 * fifth) / (1 + third + 0.5 + 0.5 * fifth)));
  CHECK(value_with(subtopics, novelty("alpha_DCG", 2), diverse_list) == Approx((1 + third) / (3 + 1.5 * third)));
  CHECK(value_with(subtopics, novelty("ERR_IA", 2), diverse_list) == Approx(1.5 / 3.75));
  CHECK(value_with(subtopics, novelty("nERR_IA", 4), diverse_list) == Approx((1.5 + 0.125) / (1.5 + 1.0 / 3 + 0.125)));
  CHECK(value_with(subtopics, novelty("NRBP"), diverse_list) == Approx((1 + 0.5 + 0.0625) * 0.75 / 3));
  CHECK(value_with(subtopics, novelty("nNRBP"), diverse_list) ==
        Approx((1 + 0.5 + 0.0625) / (1 + 0.5 + 0.25 + 0.0625)));
  CHECK(value_with(subtopics, novelty("AP_IA"), diverse_list) == Approx((1 + (0.5 + 2.0 / 4) / 2) / 3));
  CHECK(value_with(subtopics, spec_of("P_IA", 5, {{"rel", {1}}}), diverse_list) == Approx(3.0 / 15));
  CHECK(value_with(subtopics, novelty("StRecall", 1), diverse_list) == Approx(1.0 / 3));
  CHECK(value_with(subtopics, novelty("StRecall", 4), diverse_list) == Approx(2.0 / 3));
}

TEST_CASE("nugget measures weight full, partial and no support as defined") {
  const JudgmentDetails nuggets{{1}, {}, {}, {0, 4}, {{0, 2}, {1, 1}, {2, 0, false}, {3, 2, false}}};
  const auto recall = [&](double okay, double strict) {
    const auto spec = spec_of("nugget_recall", 1, {{"okay", {okay}}, {"strict", {strict}}, {"full", {2}}});
    return value_with(nuggets, spec, {0});
  };
  CHECK(recall(0.5, 0) == Approx((1 + 0.5 + 0.5) / 3));
  CHECK(recall(1, 0) == Approx(2.5 / 4));
  CHECK(recall(0, 0) == Approx(1.5 / 2));
  CHECK(recall(0, 1) == Approx(1.0 / 2));
}

TEST_CASE("compatibility sums to the end of the longer list, and has the value computed by hand") {
  // The relevant document is the second of two: it is in both lists from rank 2 on, and in the ideal list from rank 1
  // on.
  const JudgmentDetails judged{{0, 1}, {}, {}, {}, {}};
  const auto spec = [](double normalize) {
    return spec_of("Compat", no_cutoff, {{"p", {0.8}}, {"normalize", {normalize}}});
  };
  CHECK(value_with(judged, spec(1), {0, 1}) == Approx(0.8 / 2 / (1 + 0.8 / 2)));
  CHECK(value_with(judged, spec(0), {0, 1}) == Approx(0.8 / 2 / (1 + 0.8)));
  CHECK(value_with(judged, spec(1), {1, 0}) == Approx(1));
}

TEST_CASE("a measure's parameter given as a column name takes each query's value in that column") {
  JudgmentDetails details;
  details.of_query["persistence"] = {0.5, 0.8};
  const JudgedQueries judged = judged_by_query(2, {0, 1}, {1, 1}, &details);
  MeasureSpec spec = spec_of("RBP");
  spec.words["p"] = "persistence";
  spec.unanswered = MeasureSpec::Unanswered::zero;
  for (const Unjudged unjudged : {Unjudged::zero, Unjudged::best}) {
    const Evaluator evaluator({spec}, judged, {unjudged});
    double value[2];
    for (std::size_t q = 0; q < 2; ++q) evaluator.values(list_of({-1, 1}), q, value + q);
    CHECK(value[0] == Approx(0.5 * 0.5 + (unjudged == Unjudged::best ? 3 * 0.5 : 0)));
    CHECK(value[1] == Approx(0.2 * 0.8 + (unjudged == Unjudged::best ? 3 * 0.2 : 0)));
  }
  // A parameter that is a number is the same for every query. The name of a column that does not exist throws.
  const MeasureKernel number(spec_of("RBP", no_cutoff, {{"p", {0.5}}}));
  CHECK(number.value(list_of({1}), number.facts(judged.of(1))) == Approx(0.5));
  spec.words["p"] = "other";
  CHECK_THROWS_AS(Evaluator({spec}, judged, {}).values(list_of({1}), 0, nullptr), std::out_of_range);
}
