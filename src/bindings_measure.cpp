#include "execution/interrupt.hpp"
#include "r_measure.h"

using namespace judicious;

// Consecutive lists of judged documents: `lists` has `query` (from 1) and `retrieved` per list, and
// `offset` (from 0) into `items`, which has `rank`, `level` (from 1; 0 not judged), `first`,
// `last`.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix evaluate_lists_cpp(Rcpp::List lists, Rcpp::List items, Rcpp::List judged,
                                       Rcpp::List measures, Rcpp::List options) {
  const Rcpp::IntegerVector query = lists["query"], retrieved = lists["retrieved"],
                            offset = lists["offset"];
  const Rcpp::IntegerVector rank = items["rank"], level = items["level"], first = items["first"],
                            last = items["last"];
  std::vector<Judged> known(static_cast<std::size_t>(judged.size()));
  for (R_xlen_t q = 0; q < judged.size(); ++q)
    known[static_cast<std::size_t>(q)].level = from_r_index(judged[q]);
  const Evaluator evaluator(from_r_measures(measures), known, from_r_evaluate_options(options));
  Rcpp::NumericMatrix out(static_cast<int>(evaluator.n_measures()), static_cast<int>(query.size()));
  RankedList list;
  for (R_xlen_t i = 0; i < query.size(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), 4096);
    list.item.clear();
    list.retrieved = retrieved[i];
    for (int j = offset[i]; j < offset[i + 1]; ++j)
      list.item.push_back({rank[j], level[j] - 1, first[j], last[j]});
    evaluator.values(list, static_cast<std::size_t>(query[i] - 1), &out(0, static_cast<int>(i)));
  }
  return out;
}

// `judgments`: `query_ids`, and per judgment `query` (from 1), `doc`, `level` (from 1; 0 not
// judged).
// [[Rcpp::export(rng = false)]]
Rcpp::List evaluate_runs_cpp(Rcpp::CharacterVector runs, Rcpp::List judgments, Rcpp::List measures,
                             Rcpp::List options) {
  const JudgmentIndex index(
      Rcpp::as<std::vector<std::string>>(judgments["query_ids"]), from_r_index(judgments["query"]),
      Rcpp::as<std::vector<std::string>>(judgments["doc"]), from_r_index(judgments["level"]));
  std::vector<Judged> known;
  for (std::size_t q = 0; q < index.n_queries(); ++q) known.push_back(index.judged(q));
  const Evaluator evaluator(from_r_measures(measures), known, from_r_evaluate_options(options));
  std::vector<RunSource> sources;
  const Rcpp::NumericVector limit = options["limit"];
  for (R_xlen_t i = 0; i < runs.size(); ++i)
    sources.push_back({Rcpp::as<std::string>(runs[i]), {}, limit[i]});
  const auto values = evaluate_runs(sources, index, evaluator, from_r_read_options(options));
  Rcpp::List out(runs.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[static_cast<R_xlen_t>(i)] = to_r_run_values(values[i], evaluator.n_measures());
  }
  return out;
}

// The names of the kernels, which must be those of the measures in R/measure-registry.R.
// [[Rcpp::export(rng = false)]]
std::vector<std::string> measure_kernels_cpp() { return kernel_names(); }

// Rounds to single precision, in which trec_eval compares scores up to version 9.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector single_precision_cpp(Rcpp::NumericVector x) {
  Rcpp::NumericVector out(x.size());
  std::transform(x.begin(), x.end(), out.begin(),
                 [](double v) { return static_cast<double>(static_cast<float>(v)); });
  return out;
}
