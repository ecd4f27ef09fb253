// Minimal test collections: which pair to judge next, and what the judgments made so far say.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"
#include "judging/weights.hpp"

namespace judicious {

// When enough is judged: the mean confidence, or every comparison's, has reached the threshold.
enum class StopRule { mean, all, never };

struct MtcOptions {
  double divisor = 1;       // k times the number of queries
  double threshold = 0.95;  // the confidence asked for
  double delta = 0;         // the smallest difference of interest
  double resolution = 0;    // differences up to this size are rounding
  Weighting weighting = Weighting::all;
  StopRule stop = StopRule::mean;
};

// What is known of the ranking after some number of judgments.
struct MtcRecord {
  std::size_t judged = 0;
  double confidence = 0;    // mean over the comparisons
  std::size_t decided = 0;  // comparisons at or above the threshold
  double agreement = 0;     // mean over comparisons: 1 sign right, 0 a tie, -1 sign wrong
};

class Mtc {
 public:
  // `tie_order` lists all pairs: of equal weights the earliest is judged first. Pairs that are not
  // `candidate` are never selected. `true_mean`, per system, may be empty; with it records have an
  // agreement.
  Mtc(Incidence incidence, const MtcOptions& options, std::vector<std::int32_t> tie_order,
      std::vector<char> candidate, std::vector<double> true_mean);

  // Means and variances of all pairs; those of judged pairs are ignored. Everything is summed anew,
  // so that the rounding of single updates does not add up.
  void set_gains(const std::vector<double>& mean, const std::vector<double>& variance);

  // The pair of the largest weight, or -1 where no candidate is left.
  std::ptrdiff_t next();
  // O(m^2) for m systems.
  void judge(std::size_t pair, double gain);
  // The pair is not selected any more.
  void skip(std::size_t pair) { candidate_[pair] = 0; }

  // Writes down what is known now.
  const MtcRecord& record();
  // The last record satisfies the stopping rule ...
  bool enough() const;
  // ... or no judgment can change any comparison.
  bool settled() const { return open_total_ == 0; }

  // Judges by `gain` (per pair) until the stopping rule holds, candidates end or `n` are judged;
  // records after each but the n-th, before which the caller may have new gains to set. Returns
  // their number.
  std::size_t run(const std::vector<double>& gain, std::size_t n);

  const std::vector<std::size_t>& judged_pairs() const { return judged_pairs_; }
  const std::vector<double>& judged_gains() const { return judged_gains_; }
  const std::vector<MtcRecord>& records() const { return records_; }

 private:
  void sum_up();
  std::ptrdiff_t next_by_comparisons();
  std::ptrdiff_t next_by_weight();

  Incidence incidence_;
  IncidenceView view_;
  MtcOptions options_;
  std::vector<std::int32_t> order_;  // by number of comparisons, then by tie order
  std::size_t cursor_ = 0;           // everything before it in order_ is judged or no candidate
  std::vector<char> candidate_;      // may still be selected
  std::vector<char> judged_;
  std::vector<double> true_mean_;
  std::vector<double> mean_, variance_;  // per pair
  // Sums over pairs, not yet divided.
  std::vector<double> system_sum_;
  SystemMatrix difference_variance_;
  std::vector<std::int32_t> open_;  // m x m: unjudged pairs that tell two systems apart
  std::int64_t open_total_ = 0;
  SystemMatrix confidence_;
  std::vector<char> retrieved_;  // scratch: all 0 between calls
  std::vector<std::size_t> judged_pairs_;
  std::vector<double> judged_gains_;
  std::vector<MtcRecord> records_;
};

}  // namespace judicious
