// Statistics of the differences of mean scores over many subsets of the queries.
#pragma once
#include <vector>

#include "stats/scores.hpp"

namespace judicious {

// Statistics of the paired differences of every pair of systems, over each subset (one column per subset).
struct PairedStatistics {
  std::vector<double> mean;
  std::vector<double> sd;
  std::vector<double> positive;  // number of differences above 0
  std::vector<double> negative;
};

// A mean of at most `rounding` is 0, and so is the standard deviation of differences that deviate from their mean by at
// most that.
PairedStatistics paired_statistics(ScoreView differences, SubsetView subsets, double rounding = 0);

// P-values for the alternatives that the mean difference, or the probability of a positive
// difference, is greater than, less than, or different from that under the null hypothesis.
struct PairedTests {
  std::vector<double> statistic, greater, less, two_sided;
};
// Student's paired t test over n queries. If all differences are 0, every p-value is 1.
PairedTests t_tests(const PairedStatistics& differences, Index n);
// The exact sign test. Differences of 0 are left out.
PairedTests sign_tests(const PairedStatistics& differences);

// Residual mean square of the additive model system + query, for each subset.
std::vector<double> residual_mean_square(ScoreView scores, SubsetView subsets, double rounding = 0);

}  // namespace judicious
