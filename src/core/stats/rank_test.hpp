// Friedman's test and the studentised differences of its mean ranks.
#pragma once
#include <vector>

#include "stats/scores.hpp"

namespace judicious {

// Ranks of the systems within each query (1 = lowest score, mid-ranks for ties).
struct RankTable {
  std::vector<double> rank;      // n_queries x n_systems, row-major: the ranks of a query are adjacent
  std::vector<double> tie_term;  // per query: sum of t^3 - t over its groups of t equal scores
  Index n_queries = 0;
  Index n_systems = 0;
};

RankTable rank_within_queries(ScoreView scores);

struct FriedmanResult {
  std::vector<double> mean_rank;  // per system
  double sigma2 = 0;              // variance of a rank under the null hypothesis, corrected for ties on request
  double chi2 = 0;                // 0 if all systems are tied for every query

  double p_value() const;  // by the chi-squared distribution of chi2 for many queries
};

FriedmanResult friedman(const RankTable& ranks, const std::int32_t* query, Index size, bool correct_ties);

// For each pair and subset, (mean rank of a - mean rank of b) sqrt(n) / sigma, which is compared with the studentised
// range. Subsets are in columns.
std::vector<double> studentised_rank_differences(const RankTable& ranks, SubsetView subsets, bool correct_ties);

}  // namespace judicious
