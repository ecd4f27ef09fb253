// Borrowed views of the input of the tests: scores of systems for queries, and subsets of queries.
#pragma once
#include <cstddef>
#include <cstdint>

namespace judicious {

// Column-major: one column per system (or per pair of systems, for differences), one row per query.
struct ScoreView {
  const double* value = nullptr;
  std::size_t n_queries = 0;
  std::size_t n_columns = 0;

  const double* column(std::size_t j) const { return value + j * n_queries; }
};

// `count` consecutive subsets of `size` queries each; queries count from 0.
struct SubsetView {
  const std::int32_t* query = nullptr;
  std::size_t size = 0;
  std::size_t count = 0;

  const std::int32_t* subset(std::size_t t) const { return query + t * size; }
};

// Pairs (a, b) with a < b are numbered (0,1), (0,2), ..., (0,m-1), (1,2), ...
inline std::size_t n_pairs_of(std::size_t n_systems) { return n_systems * (n_systems - 1) / 2; }

}  // namespace judicious
