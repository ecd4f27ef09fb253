#include "stats/subsets.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"

namespace judicious {

namespace {

// Moves `count` randomly selected elements of the first `n` to the end of those n.
template <class T>
void choose_last(std::vector<T>& x, std::size_t n, std::size_t count, RandomStream& random) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t last = n - 1 - i;
    std::swap(x[random.below(static_cast<std::uint32_t>(last + 1))], x[last]);
  }
}

}  // namespace

StratifiedSampler::StratifiedSampler(const std::vector<std::int32_t>& stratum) {
  const auto highest = std::max_element(stratum.begin(), stratum.end());
  queries_.resize(highest == stratum.end() ? 0 : *highest + 1);
  left_.resize(queries_.size());
  for (std::size_t q = 0; q < stratum.size(); ++q) {
    queries_[stratum[q]].push_back(static_cast<std::int32_t>(q));
  }
  reset();
}

std::size_t StratifiedSampler::left() const {
  return std::accumulate(left_.begin(), left_.end(), std::size_t{0});
}

void StratifiedSampler::reset() {
  for (std::size_t s = 0; s < queries_.size(); ++s) {
    std::sort(queries_[s].begin(), queries_[s].end());
    left_[s] = queries_[s].size();
  }
}

void StratifiedSampler::draw(std::size_t size, RandomStream& random, std::int32_t* out) {
  if (size > left()) throw std::invalid_argument("a sample cannot be larger than what is left");
  std::vector<std::size_t> take(queries_.size(), 0), open;
  for (std::size_t missing = size; missing > 0;) {
    open.clear();
    for (std::size_t s = 0; s < queries_.size(); ++s) {
      if (take[s] < left_[s]) open.push_back(s);
    }
    const std::size_t round = std::min(missing, open.size());
    if (round < open.size()) choose_last(open, open.size(), round, random);
    for (std::size_t i = open.size() - round; i < open.size(); ++i) ++take[open[i]];
    missing -= round;
  }
  for (std::size_t s = 0; s < queries_.size(); ++s) {
    choose_last(queries_[s], left_[s], take[s], random);
    for (std::size_t i = 0; i < take[s]; ++i) *out++ = queries_[s][--left_[s]];
  }
}

std::vector<std::int32_t> draw_subsets(const std::vector<std::int32_t>& stratum,
                                       const SubsetPlan& plan) {
  StratifiedSampler sampler(stratum);
  const std::size_t block = plan.size * plan.trials;
  std::vector<std::int32_t> out(block * plan.samples);
  for (std::size_t t = 0; t < plan.trials; ++t) {
    check_interrupt_at(t, 64);
    RandomStream random(plan.seed,
                        (static_cast<std::uint64_t>(plan.size) << 32) + plan.first_trial + t);
    sampler.reset();
    for (std::size_t k = 0; k < plan.samples; ++k) {
      sampler.draw(plan.size, random, out.data() + k * block + t * plan.size);
    }
  }
  return out;
}

}  // namespace judicious
