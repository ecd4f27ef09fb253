// Converts R's measures, judgments and lists to those of the core.
#pragma once
#include <Rcpp.h>

#include <string>
#include <vector>

#include "measure/evaluate.hpp"
#include "r_convert.h"

namespace judicious {

constexpr Named<Discount> discounts[] = {{"log2", Discount::log2_next},
                                         {"log_b", Discount::log_base}};
// The ideal list: the query's judged documents, or only documents with the highest gain.
constexpr Named<bool> ideal_is_maximum[] = {{"judged", false}, {"maximum", true}};

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
  return spec;
}

inline std::vector<MeasureSpec> from_r_measures(const Rcpp::List& measures) {
  std::vector<MeasureSpec> specs;
  for (R_xlen_t i = 0; i < measures.size(); ++i) specs.push_back(from_r_measure(measures[i]));
  return specs;
}

constexpr Named<Unjudged> unjudged_documents[] = {
    {"zero", Unjudged::zero}, {"condensed", Unjudged::condensed}, {"best", Unjudged::best}};

// How to treat equal scores.
struct Ties {
  RankBy by;
  bool expected, errors;
};
constexpr Named<Ties> tied_scores[] = {{"trec_eval", {RankBy::score, false, false}},
                                       {"rank", {RankBy::rank, false, false}},
                                       {"expected", {RankBy::open, true, false}},
                                       {"error", {RankBy::score, false, true}}};

constexpr Named<Precision> precisions[] = {{"double", Precision::double_},
                                           {"single", Precision::single}};

inline EvaluateOptions from_r_evaluate_options(const Rcpp::List& x) {
  EvaluateOptions options;
  options.unjudged =
      from_r_name(x["unjudged"], unjudged_documents, "treatment of unjudged documents");
  options.expect_ties = from_r_name(x["ties"], tied_scores, "treatment of ties").expected;
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

inline Rcpp::List to_r_run_values(const RunValues& run, std::size_t n_measures) {
  const auto n_queries = static_cast<int>(n_measures == 0 ? 0 : run.value.size() / n_measures);
  Rcpp::NumericMatrix value(static_cast<int>(n_measures), n_queries);
  std::copy(run.value.begin(), run.value.end(), value.begin());
  return Rcpp::List::create(
      Rcpp::_["system"] = run.lists.system, Rcpp::_["value"] = value,
      Rcpp::_["present"] = Rcpp::LogicalVector(run.lists.present.begin(), run.lists.present.end()),
      Rcpp::_["n_lines"] = static_cast<double>(run.lists.n_lines),
      Rcpp::_["n_unknown_queries"] = static_cast<double>(run.lists.n_unknown_queries),
      Rcpp::_["n_comments"] = static_cast<double>(run.lists.n_comments),
      Rcpp::_["first_comment"] = static_cast<double>(run.lists.first_comment),
      Rcpp::_["n_tied"] = static_cast<double>(run.lists.n_tied),
      Rcpp::_["is_read"] = run.lists.problem == RunProblem::none);
}

}  // namespace judicious
