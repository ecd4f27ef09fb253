#include "collection/incidence.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious {
namespace {

// Open addressing from a (query, doc) key to the pair that first had it.
class PairTable {
 public:
  explicit PairTable(std::size_t expected) {
    std::size_t size = 16;
    while (size < 2 * expected) size *= 2;
    slot_.assign(size, -1);
  }

  // The slot of the key: it holds the pair, or -1 where the key is new.
  template <typename SameKey>
  std::int32_t& find(std::int32_t query, std::int32_t doc, SameKey same) {
    const std::size_t mask = slot_.size() - 1;
    std::size_t at = hash(query, doc) & mask;
    while (slot_[at] >= 0 && !same(slot_[at])) at = (at + 1) & mask;
    return slot_[at];
  }

 private:
  static std::size_t hash(std::int32_t query, std::int32_t doc) {
    std::uint64_t h = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(query)) << 32) |
                      static_cast<std::uint32_t>(doc);
    h ^= h >> 31;
    h *= 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29;
    return static_cast<std::size_t>(h);
  }

  std::vector<std::int32_t> slot_;
};

}  // namespace

bool is_valid(const Incidence& incidence) {
  const auto& offset = incidence.offset;
  if (offset.empty() || offset.front() != 0) return false;
  if (!std::is_sorted(offset.begin(), offset.end())) return false;
  if (static_cast<std::size_t>(offset.back()) != incidence.system.size()) return false;
  return std::all_of(incidence.system.begin(), incidence.system.end(), [&](std::int32_t s) {
    return s >= 0 && static_cast<std::size_t>(s) < incidence.n_systems;
  });
}

Pool build_pool(const std::int32_t* system, const std::int32_t* query, const std::int32_t* doc,
                std::size_t n, std::size_t n_systems) {
  if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::invalid_argument("more than 2^31 - 1 results");
  }
  Pool pool;
  PairTable table(n);
  std::vector<std::int32_t> pair_of(n);
  for (std::size_t r = 0; r < n; ++r) {
    check_interrupt_at(r, std::size_t{1} << 20);
    std::int32_t& pair = table.find(query[r], doc[r], [&](std::int32_t p) {
      const auto at = static_cast<std::size_t>(p);
      return pool.query[at] == query[r] && pool.doc[at] == doc[r];
    });
    if (pair < 0) {
      pair = static_cast<std::int32_t>(pool.query.size());
      pool.query.push_back(query[r]);
      pool.doc.push_back(doc[r]);
    }
    pair_of[r] = pair;
  }

  const std::size_t n_pairs = pool.query.size();
  pool.offset.assign(n_pairs + 1, 0);
  for (std::int32_t p : pair_of) ++pool.offset[static_cast<std::size_t>(p) + 1];
  for (std::size_t p = 0; p < n_pairs; ++p) pool.offset[p + 1] += pool.offset[p];
  pool.result.resize(n);
  std::vector<std::int32_t> next(pool.offset.begin(), pool.offset.end() - 1);
  for (std::size_t r = 0; r < n; ++r) {
    const auto p = static_cast<std::size_t>(pair_of[r]);
    pool.result[static_cast<std::size_t>(next[p]++)] = static_cast<std::int32_t>(r);
  }

  std::vector<std::int32_t> seen_in(n_systems, -1);   // the last result of each system ...
  std::vector<std::int32_t> seen_for(n_systems, -1);  // ... and the pair it was for
  for (std::size_t p = 0; p < n_pairs; ++p) {
    for (std::int32_t at = pool.offset[p]; at < pool.offset[p + 1]; ++at) {
      const std::int32_t r = pool.result[static_cast<std::size_t>(at)];
      const auto s = static_cast<std::size_t>(system[r]);
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

std::vector<std::int32_t> match_pairs(const std::int32_t* pool_query, const std::int32_t* pool_doc,
                                      std::size_t n_pool, const std::int32_t* query,
                                      const std::int32_t* doc, std::size_t n) {
  // The table is of what is looked up, which mostly is much less than the pool.
  PairTable table(std::max(n, std::size_t{512}));
  const auto slot_for = [&](std::int32_t q, std::int32_t d) -> std::int32_t& {
    return table.find(q, d, [&](std::int32_t i) { return query[i] == q && doc[i] == d; });
  };
  std::vector<std::int32_t> first(n);  // the same pair's first place in the lookup
  for (std::size_t i = 0; i < n; ++i) {
    std::int32_t& slot = slot_for(query[i], doc[i]);
    if (slot < 0) slot = static_cast<std::int32_t>(i);
    first[i] = slot;
  }
  std::vector<std::int32_t> found(n, -1);
  for (std::size_t p = 0; p < n_pool; ++p) {
    const std::int32_t i = slot_for(pool_query[p], pool_doc[p]);
    if (i >= 0 && found[static_cast<std::size_t>(i)] < 0)
      found[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(p);
  }
  for (std::size_t i = 0; i < n; ++i) found[i] = found[static_cast<std::size_t>(first[i])];
  return found;
}

}  // namespace judicious
