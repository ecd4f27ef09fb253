// The systems that retrieved each query-document pair: the pool as compressed rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "execution/index.hpp"

namespace judicious {

// Borrowed view: row i holds the systems (0-based, in order of appearance) that retrieved pair i.
struct IncidenceView {
  const std::int32_t* offset = nullptr;  // n_pairs + 1 elements
  const std::int32_t* system = nullptr;  // offset[n_pairs] elements
  Index n_pairs = 0;
  Index n_systems = 0;

  const std::int32_t* begin(Index pair) const { return system + offset[pair]; }
  const std::int32_t* end(Index pair) const { return system + offset[pair + 1]; }
  Index count(Index pair) const { return offset[pair + 1] - offset[pair]; }
};

struct Incidence {
  std::vector<std::int32_t> offset;
  std::vector<std::int32_t> system;
  Index n_systems = 0;

  IncidenceView view() const {
    return {offset.data(), system.data(), offset.empty() ? 0 : length(offset) - 1, n_systems};
  }
};

// Whether the rows are consecutive and contain valid systems only; otherwise, other code would read outside the arrays.
bool is_valid(const Incidence& incidence);

// The pool of a set of results. Pairs are numbered in order of first appearance.
struct Pool {
  std::vector<std::int32_t> query;  // per pair
  std::vector<std::int32_t> doc;    // per pair
  std::vector<std::int32_t> offset;
  std::vector<std::int32_t> result;  // results (input positions) grouped by pair
  std::ptrdiff_t duplicate = -1;     // first result that repeats an earlier system-query-document
  std::ptrdiff_t duplicate_of = -1;  // the result it repeats
  Index n_duplicates = 0;
};

// Groups results by (query, doc) in one pass with an open-addressing hash table; the time is linear in n.
Pool build_pool(const std::int32_t* system, const std::int32_t* query, const std::int32_t* doc, Index n,
                Index n_systems);

// For each (query, doc), the position of the same pair in the pool, or -1.
std::vector<std::int32_t> match_pairs(const std::int32_t* pool_query, const std::int32_t* pool_doc, Index n_pool,
                                      const std::int32_t* query, const std::int32_t* doc, Index n);

}  // namespace judicious
