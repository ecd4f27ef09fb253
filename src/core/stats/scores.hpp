// Views of the input of tests, which callers own: scores of systems for queries, and subsets of queries.
#pragma once
#include <cstdint>

#include "execution/index.hpp"

namespace judicious {

// Scores in column-major order: one column per system (for differences, per pair of systems), and one row per query.
struct ScoreView {
  const double* value = nullptr;
  Index n_queries = 0;
  Index n_columns = 0;

  const double* column(Index j) const { return value + j * n_queries; }
};

// `count` consecutive subsets of `size` queries each. Queries are numbered from 0.
struct SubsetView {
  const std::int32_t* query = nullptr;
  Index size = 0;
  Index count = 0;

  const std::int32_t* subset(Index t) const { return query + t * size; }
};

// Pairs (a, b) with a < b are numbered (0,1), (0,2), ..., (0,m-1), (1,2), ...
inline Index n_pairs_of(Index n_systems) { return n_systems * (n_systems - 1) / 2; }

}  // namespace judicious
