// Concordant, discordant and tied pairs of an ordered response and a predictor.
#pragma once
#include <cstddef>
#include <cstdint>

namespace judicious::ordinal {

struct Concordance {
  double concordant = 0;
  double discordant = 0;
  double tied = 0;  // different responses, equal predictors
};

// Weighted numbers of pairs of observations with different categories. `rank` orders the predictors from 0; equal
// predictors have equal ranks; all are below n_ranks. `category` is below n_categories. Takes O(n log n), by a Fenwick
// tree over the ranks.
Concordance concordance(const std::int32_t* rank, const std::int32_t* category, const double* weight, std::size_t n,
                        std::size_t n_ranks, std::size_t n_categories);

}  // namespace judicious::ordinal
