// Random subsets of queries: simple or stratified with equal priors, singly or as disjoint pairs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/random.hpp"

namespace judicious {

// Draws without replacement from queries with strata. A sample has the same number of queries from
// every stratum, as long as the stratum has some left; the remaining ones come from strata selected
// at random. A second sample from the same sampler is disjoint from the first.
class StratifiedSampler {
 public:
  // `stratum`: 0-based, one per query.
  explicit StratifiedSampler(const std::vector<std::int32_t>& stratum);

  std::size_t left() const;
  // Makes all queries available again.
  void reset();
  // Writes `size` queries to `out`; throws std::invalid_argument if fewer are left.
  void draw(std::size_t size, RandomStream& random, std::int32_t* out);

 private:
  std::vector<std::vector<std::int32_t>> queries_;  // by stratum, those left first
  std::vector<std::size_t> left_;                   // how many of each stratum are left
};

struct SubsetPlan {
  std::size_t size = 0;
  std::size_t first_trial = 0;
  std::size_t trials = 0;
  std::size_t samples = 1;  // 2: each trial gives a pair of disjoint subsets
  std::uint64_t seed = 0;
};

// The subsets of some trials, `samples` x `trials` of them: first all first samples, then all
// second ones. Trial t uses the stream of (size, t), so first samples are the same with or without
// second ones.
std::vector<std::int32_t> draw_subsets(const std::vector<std::int32_t>& stratum,
                                       const SubsetPlan& plan);

}  // namespace judicious
