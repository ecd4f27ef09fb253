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
  double alpha = 0.05;      // for the critical value
  bool studentise = false;  // for the bootstrap: whether to use t statistics instead of means
};

// Results for each pair of systems. A difference of the mean scores (or its t statistic, if studentised) is significant
// in a two-sided test if its size exceeds `critical`.
struct ResampledTails {
  std::vector<double> greater, less, two_sided, critical;
  Index replicates = 0;
  bool exact = false;  // whether all 2^n changes of signs were evaluated
};

// The test is exact if there are at most `replicates` changes of signs.
ResampledTails permutation_tests(ScoreView scores, const ResampleOptions& options);

// The bootstrap test: differences are shifted to mean 0, and queries are drawn with replacement.
ResampledTails bootstrap_tests(ScoreView scores, const ResampleOptions& options);

// For each replicate, the range of the systems' mean scores, after the scores of every query have been assigned to the
// systems at random. Ranges are in ascending order.
std::vector<double> randomised_ranges(ScoreView scores, const ResampleOptions& options);

}  // namespace judicious
