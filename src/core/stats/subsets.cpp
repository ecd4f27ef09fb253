#include "stats/subsets.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"

namespace judicious {

namespace {

// Selects `count` of the first `n` elements at random, and moves them to the end of these.
template <class T>
void choose_last(std::vector<T>& x, Index n, Index count, RandomStream& random) {
  for (Index i = 0; i < count; ++i) {
    const Index last = n - 1 - i;
    std::swap(x[random.below(static_cast<std::uint32_t>(last + 1))], x[last]);
  }
}

}  // namespace

StratifiedSampler::StratifiedSampler(const std::vector<std::int32_t>& stratum) {
  const auto highest = std::max_element(stratum.begin(), stratum.end());
  queries_.resize(highest == stratum.end() ? 0 : *highest + 1);
  left_.resize(queries_.size());
  for (Index q = 0; q < length(stratum); ++q) {
    queries_[stratum[q]].push_back(static_cast<std::int32_t>(q));
  }
  reset();
}

Index StratifiedSampler::left() const { return std::accumulate(left_.begin(), left_.end(), Index{0}); }

void StratifiedSampler::reset() {
  for (Index s = 0; s < length(queries_); ++s) {
    std::sort(queries_[s].begin(), queries_[s].end());
    left_[s] = length(queries_[s]);
  }
}

void StratifiedSampler::draw(Index size, RandomStream& random, std::int32_t* out) {
  if (size > left()) throw std::invalid_argument("a sample cannot be larger than what is left");
  std::vector<Index> take(queries_.size(), 0), open;
  for (Index missing = size; missing > 0;) {
    open.clear();
    for (Index s = 0; s < length(queries_); ++s) {
      if (take[s] < left_[s]) open.push_back(s);
    }
    const Index round = std::min(missing, length(open));
    if (round < length(open)) choose_last(open, length(open), round, random);
    for (Index i = length(open) - round; i < length(open); ++i) ++take[open[i]];
    missing -= round;
  }
  for (Index s = 0; s < length(queries_); ++s) {
    choose_last(queries_[s], left_[s], take[s], random);
    for (Index i = 0; i < take[s]; ++i) *out++ = queries_[s][--left_[s]];
  }
}

std::vector<std::int32_t> draw_subsets(const std::vector<std::int32_t>& stratum, const SubsetPlan& plan) {
  StratifiedSampler sampler(stratum);
  const Index block = plan.size * plan.trials;
  std::vector<std::int32_t> out(block * plan.samples);
  for (Index t = 0; t < plan.trials; ++t) {
    check_interrupt_at(t, 64);
    RandomStream random(plan.seed, (static_cast<std::uint64_t>(plan.size) << 32) + plan.first_trial + t);
    sampler.reset();
    for (Index k = 0; k < plan.samples; ++k) {
      sampler.draw(plan.size, random, out.data() + k * block + t * plan.size);
    }
  }
  return out;
}

}  // namespace judicious
