// Random subsets of queries: simple or stratified, single or as disjoint pairs.
#pragma once
#include <cstdint>
#include <vector>

#include "execution/index.hpp"
#include "stats/random.hpp"

namespace judicious {

// Draws queries without replacement from strata. A sample has the same number of queries from every stratum, as long as
// the stratum has enough; the rest come from strata that are selected at random. A second sample from the same sampler
// is disjoint from the first.
class StratifiedSampler {
 public:
  // `stratum`: 0-based, one per query.
  explicit StratifiedSampler(const std::vector<std::int32_t>& stratum);

  Index left() const;
  // Makes all queries available again.
  void reset();
  // Writes `size` queries to `out`; throws std::invalid_argument if fewer are left.
  void draw(Index size, RandomStream& random, std::int32_t* out);

 private:
  std::vector<std::vector<std::int32_t>> queries_;  // by stratum; available ones come first
  std::vector<Index> left_;                         // number of available queries of each stratum
};

struct SubsetPlan {
  Index size = 0;
  Index first_trial = 0;
  Index trials = 0;
  Index samples = 1;  // 2: each trial has a pair of disjoint subsets
  std::uint64_t seed = 0;
};

// The subsets of all trials, `samples` x `trials` of them: the first samples of all trials, then the second ones. Trial
// t uses the random stream (size, t), so first samples are the same with or without second ones.
std::vector<std::int32_t> draw_subsets(const std::vector<std::int32_t>& stratum, const SubsetPlan& plan);

}  // namespace judicious
