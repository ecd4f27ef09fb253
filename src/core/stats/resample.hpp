// Tests by resampling: sign-flip permutation, bootstrap, and the randomised version of Tukey's HSD.
// Replicate r uses the stream (seed, r) and resamples all systems together.
#pragma once
#include <cstdint>
#include <vector>

#include "stats/scores.hpp"

namespace judicious {

struct ResampleOptions {
  Index replicates = 10000;
  std::uint64_t seed = 0;
  double alpha = 0.05;      // of the critical value
  bool studentise = false;  // bootstrap: t statistics instead of means
};

// Per pair of systems. A difference of the mean scores (its t statistic, if studentised) is
// significant, two-sided, if its size exceeds `critical`.
struct ResampledTails {
  std::vector<double> greater, less, two_sided, critical;
  Index replicates = 0;
  bool exact = false;  // all 2^n sign changes were evaluated
};

// Exact if there are at most `replicates` sign changes.
ResampledTails permutation_tests(ScoreView scores, const ResampleOptions& options);

// Differences are shifted to mean 0 and queries are drawn with replacement.
ResampledTails bootstrap_tests(ScoreView scores, const ResampleOptions& options);

// The range of the systems' mean scores in each replicate, in which every query's scores are
// assigned to the systems at random; in ascending order.
std::vector<double> randomised_ranges(ScoreView scores, const ResampleOptions& options);

}  // namespace judicious
