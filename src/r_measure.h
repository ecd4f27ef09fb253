// Converts R's measures, judgments and lists to the core's.
#pragma once
#include <Rcpp.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "measure/evaluate.hpp"
#include "r_convert.h"

namespace judicious {

constexpr Named<Discount> discounts[] = {{"log2", Discount::log2_next}, {"log_b", Discount::log_base}};
// The names of ideal lists: of the query's judged documents, or only of documents with the highest gain.
constexpr Named<bool> ideal_is_maximum[] = {{"judged", false}, {"maximum", true}};

constexpr Named<MeasureSpec::Unanswered> unanswered_queries[] = {{"zero", MeasureSpec::Unanswered::zero},
                                                                 {"undefined", MeasureSpec::Unanswered::undefined},
                                                                 {"query", MeasureSpec::Unanswered::value}};

inline MeasureSpec from_r_measure(const Rcpp::List& x) {
  MeasureSpec spec;
  spec.name = Rcpp::as<std::string>(x["name"]);
  const int cutoff = Rcpp::as<int>(x["cutoff"]);
  spec.cutoff = cutoff == NA_INTEGER ? no_cutoff : cutoff;
  spec.gain = Rcpp::as<std::vector<double>>(x["gain"]);
  for (int relevant : Rcpp::as<Rcpp::IntegerVector>(x["relevant"])) {
    spec.relevant.push_back(static_cast<std::uint8_t>(relevant));
  }
  const Rcpp::List parameters = x["parameters"];
  for (R_xlen_t i = 0; i < parameters.size(); ++i) {
    const SEXP value = parameters[i];
    const std::string name(Rcpp::CharacterVector(parameters.names())[i]);
    if (TYPEOF(value) == STRSXP) {
      spec.words[name] = Rcpp::as<std::string>(value);
    } else {
      spec.numbers[name] = Rcpp::as<std::vector<double>>(value);
    }
  }
  if (parameters.containsElementNamed("discount")) {
    spec.discount = from_r_name(parameters["discount"], discounts, "discount");
    spec.discount_base = spec.number("b");
  }
  spec.discount_table = Rcpp::as<std::vector<double>>(x["discount_table"]);
  if (parameters.containsElementNamed("ideal")) {
    spec.ideal_is_maximum = from_r_name(parameters["ideal"], ideal_is_maximum, "ideal list");
  }
  spec.max_gain = Rcpp::as<double>(x["max_gain"]);
  spec.judged_only = spec.number("judged_only") != 0;
  spec.unanswered = from_r_name(x["unanswered"], unanswered_queries, "value of missing lists");
  return spec;
}

inline std::vector<MeasureSpec> from_r_measures(const Rcpp::List& measures) {
  std::vector<MeasureSpec> specs;
  for (R_xlen_t i = 0; i < measures.size(); ++i) specs.push_back(from_r_measure(measures[i]));
  return specs;
}

constexpr Named<Unjudged> unjudged_documents[] = {
    {"zero", Unjudged::zero}, {"condensed", Unjudged::condensed}, {"best", Unjudged::best}};

// How to treat documents with equal scores.
struct Ties {
  RankBy by;
  bool expected, errors;
};
constexpr Named<Ties> tied_scores[] = {{"trec_eval", {RankBy::score, false, false}},
                                       {"rank", {RankBy::rank, false, false}},
                                       {"expected", {RankBy::open, true, false}},
                                       {"error", {RankBy::score, false, true}}};

constexpr Named<Precision> precisions[] = {{"double", Precision::double_}, {"single", Precision::single}};

inline EvaluateOptions from_r_evaluate_options(const Rcpp::List& x) {
  EvaluateOptions options;
  options.unjudged = from_r_name(x["unjudged"], unjudged_documents, "treatment of unjudged documents");
  options.expect_ties = from_r_name(x["ties"], tied_scores, "treatment of ties").expected;
  options.skip_undefined = Rcpp::as<std::string>(x["undefined"]) == "NA";
  options.seed = static_cast<std::uint64_t>(Rcpp::as<double>(x["seed"]));
  return options;
}

inline ReadOptions from_r_read_options(const Rcpp::List& x) {
  const Ties ties = from_r_name(x["ties"], tied_scores, "treatment of ties");
  ReadOptions options;
  options.by = ties.by;
  options.ties_are_errors = ties.errors;
  options.precision = from_r_name(x["precision"], precisions, "precision");
  const double depth = Rcpp::as<double>(x["depth"]);
  if (depth < options.depth) options.depth = static_cast<std::int32_t>(depth);
  options.n_threads = Rcpp::as<int>(x["threads"]);
  return options;
}

// Judgments from R: `query` (from 1), `level` (from 1; 0 not judged), the number of queries, and `details`. This is a
// list that may have `stratum` (from 1) and `probability`; `subtopic` (from 1), `gain` and `vital`, of which judgment i
// has those from start[i] to start[i + 1] - 1 (from 0); and `of_query`, columns of the queries by name.
struct RJudgments {
  explicit RJudgments(const Rcpp::List& x)
      : n_queries(static_cast<std::size_t>(Rcpp::as<double>(x["n_queries"]))),
        query(from_r_index(x["query"])),
        level(from_r_index(x["level"])) {
    const Rcpp::List more = x["details"];
    if (more.size() == 0) return;
    has_details = true;
    details.level = level;
    if (more.containsElementNamed("stratum")) details.stratum = from_r_index(more["stratum"]);
    if (more.containsElementNamed("probability"))
      details.probability = Rcpp::as<std::vector<double>>(more["probability"]);
    if (more.containsElementNamed("of_query")) {
      const Rcpp::List columns = more["of_query"];
      const Rcpp::CharacterVector names = columns.names();
      for (R_xlen_t i = 0; i < columns.size(); ++i)
        details.of_query[Rcpp::as<std::string>(names[i])] = Rcpp::as<std::vector<double>>(columns[i]);
    }
    if (!more.containsElementNamed("start")) return;
    details.start = Rcpp::as<std::vector<std::size_t>>(more["start"]);
    const Rcpp::IntegerVector subtopic = more["subtopic"];
    const Rcpp::NumericVector gain = more["gain"];
    const Rcpp::LogicalVector vital = more["vital"];
    for (R_xlen_t i = 0; i < subtopic.size(); ++i)
      details.subtopic.push_back({subtopic[i] - 1, gain[i], vital[i] != 0});
  }
  JudgedQueries by_query() const { return judged_by_query(n_queries, query, level, has_details ? &details : nullptr); }

  std::size_t n_queries;
  std::vector<std::int32_t> query, level;
  bool has_details = false;
  JudgmentDetails details;
};

// The properties of the ranks of those lists whose ranks are not 1, 2, 3, ..., by query (from 1); NULL if there are
// none.
inline SEXP to_r_rank_facts(const RunLists& lists) {
  const auto& ranks = lists.ranks;
  if (std::all_of(ranks.begin(), ranks.end(), [](const RankFacts& list) { return list.in_order(); })) return R_NilValue;
  std::vector<int> query(ranks.size());
  for (std::size_t q = 0; q < lists.list_of.size(); ++q)
    if (lists.answers(q)) query[lists.list_of[q]] = static_cast<int>(q) + 1;
  const auto column = [&](const auto member) {
    Rcpp::NumericVector out(Rcpp::no_init(static_cast<R_xlen_t>(ranks.size())));
    std::transform(ranks.begin(), ranks.end(), out.begin(), [&](const RankFacts& list) { return list.*member; });
    return out;
  };
  Rcpp::LogicalVector level(Rcpp::no_init(static_cast<R_xlen_t>(ranks.size())));
  std::transform(ranks.begin(), ranks.end(), level.begin(), [](const RankFacts& list) { return list.level; });
  return Rcpp::List::create(
      Rcpp::_["query"] = query, Rcpp::_["n"] = column(&RankFacts::n), Rcpp::_["lowest"] = column(&RankFacts::lowest),
      Rcpp::_["highest"] = column(&RankFacts::highest), Rcpp::_["repeated"] = column(&RankFacts::repeated),
      Rcpp::_["rises"] = column(&RankFacts::rises), Rcpp::_["level"] = level);
}

inline Rcpp::List to_r_run_values(const RunValues& run) {
  const auto& list_of = run.lists.list_of;
  Rcpp::LogicalVector present(Rcpp::no_init(static_cast<R_xlen_t>(list_of.size())));
  std::transform(list_of.begin(), list_of.end(), present.begin(), [](int i) { return i >= 0; });
  const std::vector<std::string_view> unknown(run.lists.unknown_queries.begin(), run.lists.unknown_queries.end());
  return Rcpp::List::create(
      Rcpp::_["system"] = run.lists.system, Rcpp::_["value"] = Rcpp::NumericVector(run.value.begin(), run.value.end()),
      Rcpp::_["present"] = present, Rcpp::_["n_lines"] = static_cast<double>(run.lists.n_lines),
      Rcpp::_["n_unknown_queries"] = static_cast<double>(run.lists.n_unknown_queries),
      Rcpp::_["unknown_queries"] = to_r_strings(unknown, CE_UTF8), Rcpp::_["any_judged"] = run.lists.any_judged,
      Rcpp::_["n_comments"] = static_cast<double>(run.lists.n_comments),
      Rcpp::_["first_comment"] = static_cast<double>(run.lists.first_comment),
      Rcpp::_["n_tied"] = static_cast<double>(run.lists.n_tied), Rcpp::_["ranks"] = to_r_rank_facts(run.lists),
      // The reader drops all ranks if one of them is not a number.
      Rcpp::_["text_ranks"] = run.lists.ranks.empty() && Rcpp::is_true(Rcpp::any(present)),
      Rcpp::_["is_read"] = run.lists.problem == RunProblem::none);
}

}  // namespace judicious
