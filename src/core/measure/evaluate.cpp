#include "measure/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"

namespace judicious {
namespace {

RankedList condensed(const RankedList& list) {
  RankedList out;
  for (std::size_t i = 0; i < list.item.size();) {
    const std::int32_t first = list.item[i].first;
    const std::size_t start = out.item.size();
    for (; i < list.item.size() && list.item[i].first == first; ++i) {
      if (list.item[i].level >= 0) out.item.push_back(list.item[i]);
    }
    const bool tied = start < out.item.size() && out.item[start].first != out.item[start].last;
    for (std::size_t j = start; j < out.item.size(); ++j) {
      ListItem& item = out.item[j];
      item.rank = static_cast<std::int32_t>(j) + 1;
      item.first = tied ? static_cast<std::int32_t>(start) + 1 : item.rank;
      item.last = tied ? static_cast<std::int32_t>(out.item.size()) : item.rank;
    }
  }
  out.retrieved = static_cast<std::int32_t>(out.item.size());
  return out;
}

// A copy of the list in which unjudged documents have `level`. A tied group without judged documents is not stored as
// tied, because its documents then all have the same level.
RankedList with_unjudged_level(const RankedList& list, std::int32_t level, Judged& judged) {
  RankedList out;
  out.retrieved = list.retrieved;
  std::vector<ListItem> at(list.retrieved + 1, {0, -1});
  for (const ListItem& item : list.item) {
    for (std::int32_t rank = item.first; rank <= std::min(item.last, list.retrieved); ++rank) {
      at[rank].first = item.first;
      at[rank].last = item.last;
    }
  }
  std::size_t known = 0;
  for (const ListItem& item : list.item) {
    at[item.rank].level = item.level;
    known += item.level >= 0;
  }
  for (std::int32_t rank = 1; rank <= list.retrieved; ++rank) {
    ListItem item = at[rank];
    item.rank = rank;
    if (item.first == 0) item.first = item.last = rank;
    if (item.level < 0) item.level = level;
    out.item.push_back(item);
  }
  judged.level.insert(judged.level.begin(), out.item.size() - known, level);
  return out;
}

RunValues evaluate_run(const RunSource& run, const JudgmentIndex& judgments, const Evaluator& evaluator,
                       const ReadOptions& options) {
  RunValues out;
  out.lists = read_run(run, judgments, options);
  if (out.lists.problem != RunProblem::none) return out;
  const std::size_t n = evaluator.n_measures();
  out.value.resize(evaluator.n_queries() * n);
  for (std::size_t q = 0; q < evaluator.n_queries(); ++q) {
    double* const value = out.value.data() + q * n;
    if (out.lists.answers(q))
      evaluator.values(out.lists[q], q, value);
    else
      evaluator.missing_values(q, value);
  }
  out.lists.list = {};
  return out;
}

}  // namespace

Evaluator::Evaluator(const std::vector<MeasureSpec>& specs, JudgedQueries judged, EvaluateOptions options)
    : judged_(std::move(judged)), options_(options) {
  const std::size_t n_kinds = judged_.kind.size();
  missing_.resize(n_kinds * specs.size());
  for (const MeasureSpec& spec : specs) {
    kernels_.emplace_back(spec);
    judged_only_ = judged_only_ || spec.judged_only;
    best_level_ = static_cast<std::int32_t>(spec.gain.size()) - 1;
    std::vector<QueryFacts> facts;
    facts.reserve(n_kinds);
    const std::size_t m = facts_.size();
    for (std::size_t k = 0; k < n_kinds; ++k) {
      facts.push_back(kernels_.back().facts(judged_.kind[k]));
      double& value = missing_[k * specs.size() + m];
      if (spec.unanswered == MeasureSpec::Unanswered::zero) continue;
      value = kernels_.back().value({}, facts.back());
      if (spec.unanswered == MeasureSpec::Unanswered::undefined && !std::isnan(value)) value = 0;
    }
    facts_.push_back(std::move(facts));
  }
}

void Evaluator::missing_values(std::size_t query, double* out) const {
  std::copy_n(missing_.data() + kind_of(query) * n_measures(), n_measures(), out);
}

double Evaluator::one_value(std::size_t measure, const RankedList& list, const QueryFacts& facts,
                            std::size_t query) const {
  const MeasureKernel& kernel = kernels_[measure];
  if (!options_.expect_ties) return kernel.value(list, facts);
  const std::uint64_t seed = options_.seed + 0x9e3779b97f4a7c15ULL * (query + 1);
  return kernel.expected_over_ties(list, facts, seed, options_.skip_undefined);
}

void Evaluator::values(const RankedList& list, std::size_t query, double* out) const {
  const bool best = options_.unjudged == Unjudged::best;
  const bool shorten = options_.unjudged == Unjudged::condensed;
  const RankedList shorter = shorten || judged_only_ ? condensed(list) : RankedList{};
  Judged judged = best ? judged_.of(query) : Judged{};
  const RankedList full = best ? with_unjudged_level(list, best_level_, judged) : RankedList{};
  for (std::size_t m = 0; m < kernels_.size(); ++m) {
    const bool short_list = shorten || kernels_[m].spec().judged_only;
    if (best && !short_list)
      out[m] = one_value(m, full, kernels_[m].facts(judged), query);
    else
      out[m] = one_value(m, short_list ? shorter : list, facts_[m][kind_of(query)], query);
  }
}

std::vector<RunValues> evaluate_runs(const std::vector<RunSource>& runs, const JudgmentIndex& judgments,
                                     const Evaluator& evaluator, const ReadOptions& options) {
  check_interrupt();  // checked here too, because workers may take all files before the calling thread gets one
  std::vector<RunValues> out(runs.size());
  parallel_for(length(runs), options.n_threads, [&](Index i) {
    check_interrupt();
    out[i] = evaluate_run(runs[i], judgments, evaluator, options);
  });
  return out;
}

}  // namespace judicious
