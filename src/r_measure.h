// R's measures, judgments and lists as the core's.
#pragma once
#include <Rcpp.h>

#include <string>
#include <vector>

#include "measure/evaluate.hpp"
#include "r_convert.h"

namespace judicious {

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
  spec.discount =
      spec.has_word("discount", "log_b") ? Discount::log_base : Discount::log2_next;
  if (spec.discount == Discount::log_base) spec.discount_base = spec.number("b");
  spec.discount_table = Rcpp::as<std::vector<double>>(x["discount_table"]);
  spec.ideal_is_maximum = spec.has_word("ideal", "maximum");
  spec.max_gain = Rcpp::as<double>(x["max_gain"]);
  return spec;
}

inline std::vector<MeasureSpec> from_r_measures(const Rcpp::List& measures) {
  std::vector<MeasureSpec> specs;
  for (R_xlen_t i = 0; i < measures.size(); ++i) specs.push_back(from_r_measure(measures[i]));
  return specs;
}

inline EvaluateOptions from_r_evaluate_options(const Rcpp::List& x) {
  const std::string unjudged = Rcpp::as<std::string>(x["unjudged"]);
  EvaluateOptions options;
  options.unjudged = unjudged == "condensed" ? Unjudged::condensed
                     : unjudged == "best"    ? Unjudged::best
                                             : Unjudged::zero;
  options.expect_ties = Rcpp::as<std::string>(x["ties"]) == "expected";
  options.seed = static_cast<std::uint64_t>(Rcpp::as<double>(x["seed"]));
  return options;
}

inline ReadOptions from_r_read_options(const Rcpp::List& x) {
  const std::string ties = Rcpp::as<std::string>(x["ties"]);
  ReadOptions options;
  options.by = ties == "rank" ? RankBy::rank : ties == "expected" ? RankBy::open : RankBy::score;
  options.ties_are_errors = ties == "error";
  const double depth = Rcpp::as<double>(x["depth"]);
  if (depth < options.depth) options.depth = static_cast<std::int32_t>(depth);
  options.n_threads = Rcpp::as<int>(x["threads"]);
  return options;
}

inline const char* problem_name(RunProblem problem) {
  switch (problem) {
    case RunProblem::none:
      return "";
    case RunProblem::unreadable:
      return "unreadable";
    case RunProblem::bad_line:
      return "bad_line";
    case RunProblem::bad_number:
      return "bad_number";
    case RunProblem::duplicate:
      return "duplicate";
    case RunProblem::mixed_systems:
      return "mixed_systems";
    case RunProblem::tie:
      return "tie";
  }
  return "";
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
      Rcpp::_["n_tied"] = static_cast<double>(run.lists.n_tied),
      Rcpp::_["problem"] = problem_name(run.lists.problem),
      Rcpp::_["line"] = static_cast<double>(run.lists.line), Rcpp::_["query"] = run.lists.query,
      Rcpp::_["doc"] = run.lists.doc);
}

}  // namespace judicious
