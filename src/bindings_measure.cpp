#include "execution/interrupt.hpp"
#include "r_measure.h"

using namespace judicious;

namespace {

// Converts a list of the judged levels of each query.
JudgedQueries from_r_levels(const Rcpp::List& levels) {
  std::vector<std::int32_t> query, level;
  for (R_xlen_t q = 0; q < levels.size(); ++q) {
    const std::vector<std::int32_t> own = from_r_index(levels[q]);
    level.insert(level.end(), own.begin(), own.end());
    query.resize(level.size(), static_cast<std::int32_t>(q));
  }
  return judged_by_query(static_cast<std::size_t>(levels.size()), query, level);
}

Rcpp::NumericMatrix values_of_lists(const Evaluator& evaluator, const Rcpp::List& lists, const Rcpp::List& items) {
  const Rcpp::IntegerVector query = lists["query"], retrieved = lists["retrieved"], offset = lists["offset"];
  const Rcpp::IntegerVector rank = items["rank"], level = items["level"], first = items["first"], last = items["last"];
  const bool numbered = items.containsElementNamed("judgment");
  const Rcpp::IntegerVector judgment = numbered ? Rcpp::IntegerVector(items["judgment"]) : Rcpp::IntegerVector(0);
  Rcpp::NumericMatrix out(static_cast<int>(evaluator.n_measures()), static_cast<int>(query.size()));
  RankedList list;
  for (R_xlen_t i = 0; i < query.size(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), 4096);
    list.item.clear();
    list.retrieved = retrieved[i];
    for (int j = offset[i]; j < offset[i + 1]; ++j)
      list.item.push_back({rank[j], level[j] - 1, first[j], last[j], numbered ? judgment[j] - 1 : -1});
    evaluator.values(list, static_cast<std::size_t>(query[i] - 1), &out(0, static_cast<int>(i)));
  }
  return out;
}

}  // namespace

// Evaluates consecutive lists of judged documents. `lists` has `query` (from 1) and `retrieved` per list, and `offset`
// (from 0) into `items`, which has `rank`, `level` (from 1; 0 not judged), `first`, `last`, and may have `judgment`
// (from 1). `levels`: for each query, the judged levels (from 1).
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix evaluate_lists_cpp(Rcpp::List lists, Rcpp::List items, Rcpp::List levels, Rcpp::List measures,
                                       Rcpp::List options) {
  const Evaluator evaluator(from_r_measures(measures), from_r_levels(levels), from_r_evaluate_options(options));
  return values_of_lists(evaluator, lists, items);
}

// Evaluates lists like evaluate_lists_cpp(), with `judgments` (see r_measure.h) instead of levels. The attribute
// `missing` of the result has the values for a query without results.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix evaluate_judged_cpp(Rcpp::List lists, Rcpp::List items, Rcpp::List judgments, Rcpp::List measures,
                                        Rcpp::List options) {
  const RJudgments given(judgments);
  const Evaluator evaluator(from_r_measures(measures), given.by_query(), from_r_evaluate_options(options));
  Rcpp::NumericMatrix missing(static_cast<int>(evaluator.n_measures()), static_cast<int>(evaluator.n_queries()));
  for (std::size_t q = 0; q < evaluator.n_queries(); ++q)
    evaluator.missing_values(q, missing.begin() + q * evaluator.n_measures());
  Rcpp::NumericMatrix out = values_of_lists(evaluator, lists, items);
  out.attr("missing") = missing;
  return out;
}

// Evaluates run files. `judgments`: see r_measure.h, with `query_ids` and `doc` in addition. Returns NULL if a document
// is judged twice for a query.
// [[Rcpp::export(rng = false)]]
SEXP evaluate_runs_cpp(Rcpp::CharacterVector runs, Rcpp::List judgments, Rcpp::List measures, Rcpp::List options) {
  const RJudgments given(judgments);
  const JudgmentIndex index(views_of(judgments["query_ids"]), given.query, views_of(judgments["doc"]), given.level);
  if (index.has_repeated()) return R_NilValue;
  const Evaluator evaluator(from_r_measures(measures), given.by_query(), from_r_evaluate_options(options));
  std::vector<RunSource> sources;
  const Rcpp::NumericVector limit = options["limit"];
  for (R_xlen_t i = 0; i < runs.size(); ++i) sources.push_back({Rcpp::as<std::string>(runs[i]), {}, limit[i]});
  Rcpp::List out(runs.size());
  R_xlen_t i = 0;
  for (const RunValues& run : evaluate_runs(sources, index, evaluator, from_r_read_options(options)))
    out[i++] = to_r_run_values(run);
  return out;
}

// Codes gains. Returns the distinct gains from 0 on, including `more`, in ascending order, and the code of each gain
// from 1; 0 if the gain is negative. Small whole numbers are coded with a table, which is faster than a binary search.
// [[Rcpp::export(rng = false)]]
Rcpp::List code_gains_cpp(Rcpp::NumericVector gain, Rcpp::NumericVector more) {
  constexpr double few = 1000;
  std::vector<int> code(static_cast<std::size_t>(few), 0);
  const auto small = [&](double g) { return g < few && g == std::trunc(g); };
  const bool all_small = std::all_of(gain.begin(), gain.end(), small) && std::all_of(more.begin(), more.end(), small);
  std::vector<double> levels;
  const auto add = [&](double g) {
    if (g < 0 || (all_small && code[static_cast<std::size_t>(g)]++ > 0)) return;
    levels.push_back(g);
  };
  std::for_each(gain.begin(), gain.end(), add);
  std::for_each(more.begin(), more.end(), add);
  if (levels.empty()) levels.push_back(0);
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  for (std::size_t i = 0; all_small && i < levels.size(); ++i)
    code[static_cast<std::size_t>(levels[i])] = static_cast<int>(i) + 1;
  Rcpp::IntegerVector out(Rcpp::no_init(gain.size()));
  std::transform(gain.begin(), gain.end(), out.begin(), [&](double g) {
    if (g < 0) return 0;
    if (all_small) return code[static_cast<std::size_t>(g)];
    return static_cast<int>(std::lower_bound(levels.begin(), levels.end(), g) - levels.begin()) + 1;
  });
  return Rcpp::List::create(Rcpp::_["code"] = out, Rcpp::_["levels"] = levels);
}

// The names of the kernels, for the test that compares them with the names of the measures in R/measure-registry.R.
// [[Rcpp::export(rng = false)]]
std::vector<std::string> measure_kernels_cpp() { return kernel_names(); }

// Rounds to single precision, in which versions of trec_eval before 10 compare scores.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector single_precision_cpp(Rcpp::NumericVector x) {
  Rcpp::NumericVector out(x.size());
  std::transform(x.begin(), x.end(), out.begin(), [](double v) { return static_cast<double>(static_cast<float>(v)); });
  return out;
}
