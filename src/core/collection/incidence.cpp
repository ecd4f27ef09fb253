#include "collection/incidence.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "execution/hash_index.hpp"
#include "execution/index.hpp"
#include "execution/interrupt.hpp"

namespace judicious {
bool is_valid(const Incidence& incidence) {
  const auto& offset = incidence.offset;
  if (offset.empty() || offset.front() != 0) return false;
  if (!std::is_sorted(offset.begin(), offset.end())) return false;
  if (offset.back() != length(incidence.system)) return false;
  return std::all_of(incidence.system.begin(), incidence.system.end(),
                     [&](std::int32_t s) { return s >= 0 && s < incidence.n_systems; });
}

Pool build_pool(const std::int32_t* system, const std::int32_t* query, const std::int32_t* doc, Index n,
                Index n_systems) {
  if (n > static_cast<Index>(std::numeric_limits<std::int32_t>::max())) {
    throw std::invalid_argument("more than 2^31 - 1 results");
  }
  Pool pool;
  HashIndex<NoHash> table(n);
  std::vector<std::int32_t> pair_of(n);
  for (Index r = 0; r < n; ++r) {
    check_interrupt_at(r, Index{1} << 20);
    const auto next = static_cast<std::int32_t>(pool.query.size());
    pair_of[r] = table.insert(hash_pair(query[r], doc[r]), next, [&](std::int32_t p) {
      const Index at = p;
      return pool.query[at] == query[r] && pool.doc[at] == doc[r];
    });
    if (pair_of[r] == next) {
      pool.query.push_back(query[r]);
      pool.doc.push_back(doc[r]);
    }
  }

  const Index n_pairs = length(pool.query);
  pool.offset.assign(n_pairs + 1, 0);
  for (std::int32_t p : pair_of) ++pool.offset[p + 1];
  for (Index p = 0; p < n_pairs; ++p) pool.offset[p + 1] += pool.offset[p];
  pool.result.resize(n);
  std::vector<std::int32_t> next(pool.offset.begin(), pool.offset.end() - 1);
  for (Index r = 0; r < n; ++r) {
    const Index p = pair_of[r];
    pool.result[next[p]++] = static_cast<std::int32_t>(r);
  }

  std::vector<std::int32_t> seen_in(n_systems, -1);   // for each system, its last result seen so far ...
  std::vector<std::int32_t> seen_for(n_systems, -1);  // ... and the pair of that result
  for (Index p = 0; p < n_pairs; ++p) {
    for (std::int32_t at = pool.offset[p]; at < pool.offset[p + 1]; ++at) {
      const std::int32_t r = pool.result[at];
      const Index s = system[r];
      if (seen_for[s] == static_cast<std::int32_t>(p)) {
        if (pool.duplicate < 0 || r < pool.duplicate) {
          pool.duplicate = r;
          pool.duplicate_of = seen_in[s];
        }
        ++pool.n_duplicates;
      }
      seen_for[s] = static_cast<std::int32_t>(p);
      seen_in[s] = r;
    }
  }
  return pool;
}

std::vector<std::int32_t> match_pairs(const std::int32_t* pool_query, const std::int32_t* pool_doc, Index n_pool,
                                      const std::int32_t* query, const std::int32_t* doc, Index n) {
  if (n == 0) return {};
  if (n == 1) {
    for (Index p = 0; p < n_pool; ++p)
      if (pool_query[p] == *query && pool_doc[p] == *doc) return {static_cast<std::int32_t>(p)};
    return {-1};
  }
  // The table contains the pairs to look up, because they are usually far fewer than the pairs of the pool.
  HashIndex<NoHash> table(std::max(n, Index{512}));
  const auto holds = [&](std::int32_t q, std::int32_t d) {
    return [=](std::int32_t i) { return query[i] == q && doc[i] == d; };
  };
  std::vector<std::int32_t> first(n);  // for each pair to look up, the first position of an equal pair
  for (Index i = 0; i < n; ++i) {
    const Index later = std::min<Index>(i + table.ahead, n - 1);
    table.prefetch(hash_pair(query[later], doc[later]));
    first[i] = table.insert(hash_pair(query[i], doc[i]), static_cast<std::int32_t>(i), holds(query[i], doc[i]));
  }
  std::vector<std::int32_t> found(n, -1);
  for (Index p = 0; p < n_pool; ++p) {
    const Index later = std::min<Index>(p + table.ahead, n_pool - 1);
    table.prefetch(hash_pair(pool_query[later], pool_doc[later]));
    const std::int32_t i = table.find(hash_pair(pool_query[p], pool_doc[p]), holds(pool_query[p], pool_doc[p]));
    if (i >= 0 && found[i] < 0) found[i] = static_cast<std::int32_t>(p);
  }
  for (Index i = 0; i < n; ++i) found[i] = found[first[i]];
  return found;
}

}  // namespace judicious
