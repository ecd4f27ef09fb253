// Simulates final scores: gains are drawn from their distributions.
#pragma once
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"

namespace judicious {

// The gain of a pair is shift + scale x level, with the pair's probabilities of the levels. This represents judged
// pairs (scale 0), and pairs whose mean and variance differ from those of the levels.
struct GainTable {
  const double* probability = nullptr;  // n_pairs x n_levels, column-major
  const double* level = nullptr;
  const double* shift = nullptr;  // per pair
  const double* scale = nullptr;  // per pair
  Index n_levels = 0;
};

struct DrawPlan {
  Index first = 0;  // draw t uses the stream (seed, t)
  Index count = 0;
  std::uint64_t seed = 0;
  const double* weight = nullptr;  // per result: scores are sums of gains so weighted
};

// n_queries x n_systems scores (column-major) per draw, one draw after the other. Gains of different pairs are drawn
// independently; a document that two systems share has one gain in a draw.
std::vector<double> draw_scores(IncidenceView results, const std::int32_t* query_of_pair, Index n_queries,
                                const GainTable& gains, const DrawPlan& plan);

}  // namespace judicious
