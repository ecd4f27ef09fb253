// Wilcoxon's signed-rank test of paired differences over many subsets of the queries.
#pragma once
#include <vector>

#include "execution/index.hpp"
#include "stats/scores.hpp"

namespace judicious {

enum class Zeros { drop, pratt };
// `as_r`: as in R's wilcox.test(), exact for fewer than 50 differences without ties and zeros, otherwise normal with
// continuity correction. `exact`: the distribution over all signs of the observed mid-ranks, with or without ties.
enum class SignedRankMethod { as_r, exact, normal };

struct SignedRankOptions {
  Zeros zeros = Zeros::drop;
  SignedRankMethod method = SignedRankMethod::as_r;
};

// The results: a column per subset, and a row per column of the differences.
struct SignedRankResults {
  std::vector<double> statistic;  // sum of the ranks of the positive differences
  std::vector<double> expected;   // its mean under the null hypothesis
  std::vector<double> greater;    // P(statistic >= observed)
  std::vector<double> less;       // P(statistic <= observed)
  std::vector<double> two_sided;
};

// If all differences are zero, the statistic and its mean are 0 and every p-value is 1.
SignedRankResults signed_rank_tests(ScoreView differences, SubsetView subsets, SignedRankOptions options);

// Of the n(n+1)/2 means (d_i + d_j)/2, i <= j: the k-th smallest, the k-th largest (k from 1), and the median, which is
// the Hodges-Lehmann estimate; the others are its distribution-free interval.
struct WalshSummary {
  double lower = 0, median = 0, upper = 0;
};
WalshSummary walsh_averages(const double* difference, Index n, Index k);

}  // namespace judicious
