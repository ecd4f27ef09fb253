// Labels of the pairs of a pool.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "execution/index.hpp"

namespace judicious {

// The value of a feature whose input is unknown.
inline constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

// Codes per pair, from 0; -1 for an unknown label.
struct PoolLabels {
  std::vector<std::int32_t> query;
  std::vector<std::int32_t> genre;        // of the document
  std::vector<std::int32_t> artist;       // of the document
  std::vector<std::int32_t> query_genre;  // of the query itself
};

// Pairs of a query with the same label form a group. A pair without a label is in no group (-1).
struct Groups {
  std::vector<std::int32_t> of_pair;
  Index n_groups = 0;
};

// The time is linear in the number of pairs: pairs are sorted by query with a counting sort, and all queries use the
// same table of labels.
Groups group_by_query(const std::vector<std::int32_t>& query, const std::vector<std::int32_t>& label);

}  // namespace judicious
