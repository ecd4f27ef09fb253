// Statistics of the differences of mean scores over many subsets of the queries.
#pragma once
#include <cstddef>
#include <vector>

#include "stats/scores.hpp"

namespace judicious {

// Paired differences of every pair of systems, over each subset (one column per subset).
struct PairedStatistics {
  std::vector<double> mean;
  std::vector<double> sd;
  std::vector<double> positive;  // how many differences are above 0
  std::vector<double> negative;
};
PairedStatistics paired_statistics(ScoreView differences, SubsetView subsets);

// Residual mean square of the additive model system + query, for each subset.
std::vector<double> residual_mean_square(ScoreView scores, SubsetView subsets);

}  // namespace judicious
