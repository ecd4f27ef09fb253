// Evaluates all measures for many lists, or for run files, several files at a time.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "measure/kernel.hpp"
#include "measure/run_file.hpp"

namespace judicious {

// How to treat retrieved documents that are not judged. `zero`: they count as not relevant. `condensed`: they are
// removed from the lists. `best`: they count as judged with the highest level, also in the ideal list.
enum class Unjudged { zero, condensed, best };

struct EvaluateOptions {
  Unjudged unjudged = Unjudged::zero;
  bool expect_ties = false;
  bool skip_undefined = false;  // whether orders of ties for which a measure is not defined are left out of its mean
  std::uint64_t seed = 0;
};

class Evaluator {
 public:
  Evaluator(const std::vector<MeasureSpec>& specs, JudgedQueries judged, EvaluateOptions options);

  std::size_t n_measures() const { return kernels_.size(); }
  std::size_t n_queries() const { return judged_.kind_of.size(); }

  // Writes one value per measure to `out`; NaN if a measure is not defined.
  void values(const RankedList& list, std::size_t query, double* out) const;
  // The values of a query without results.
  void missing_values(std::size_t query, double* out) const;

 private:
  std::size_t kind_of(std::size_t query) const { return judged_.kind_of[query]; }
  double one_value(std::size_t measure, const RankedList& list, const QueryFacts& facts, std::size_t query) const;

  std::vector<MeasureKernel> kernels_;
  JudgedQueries judged_;
  std::vector<std::vector<QueryFacts>> facts_;  // per measure and kind
  std::vector<double> missing_;                 // kinds x measures; the measure varies fastest
  EvaluateOptions options_;
  std::int32_t best_level_ = 0;
  bool judged_only_ = false;  // whether any measure ignores unjudged documents
};

struct RunValues {
  RunLists lists;             // without the lists themselves
  std::vector<double> value;  // queries x measures; the measure varies fastest; NaN if not defined
};

// Evaluates several files at a time. The calling thread is one of the workers and checks for
// interrupts; the others stop after their current file.
std::vector<RunValues> evaluate_runs(const std::vector<RunSource>& runs, const JudgmentIndex& judgments,
                                     const Evaluator& evaluator, const ReadOptions& options);

}  // namespace judicious
