#include "measure/adr.hpp"

#include <algorithm>
#include <stdexcept>

#include "execution/index.hpp"

namespace judicious {
namespace {

// The contribution of a document to ADR by the rank from which it counts (from 1); 0 for ranks beyond k.
class TailSums {
 public:
  explicit TailSums(std::size_t k) : tail_(k + 2, 0.0), sum_(k + 2, 0.0) {
    for (std::size_t i = k; i >= 1; --i) tail_[i] = tail_[i + 1] + 1.0 / static_cast<double>(i);
    for (std::size_t i = 1; i <= k + 1; ++i) sum_[i] = sum_[i - 1] + tail_[i];
  }
  double at(std::size_t rank) const { return tail_[clamp(rank)]; }
  // The sum of at(p) for p from `first` to `last`.
  double sum(std::size_t first, std::size_t last) const {
    return first > last ? 0.0 : sum_[clamp(last)] - sum_[clamp(first - 1)];
  }

 private:
  std::size_t clamp(std::size_t rank) const { return std::min(rank, tail_.size() - 1); }
  std::vector<double> tail_, sum_;
};

// The first rank (from 1) of each ideal group.
std::vector<std::size_t> first_ranks(const std::vector<std::int32_t>& ideal_group) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < ideal_group.size(); ++i) {
    const std::size_t g = ideal_group[i];
    if (ideal_group[i] < 0 || (i > 0 && ideal_group[i] < ideal_group[i - 1])) {
      throw std::invalid_argument("the groups of the ideal list must not decrease");
    }
    if (g >= first.size()) first.resize(g + 1, i + 1);
  }
  return first;
}

// The first rank from which each document can count. Beyond the rank `never`, it never counts.
std::vector<std::size_t> counting_ranks(const std::vector<std::int32_t>& ideal_group,
                                        const std::vector<std::int32_t>& result_group, std::size_t never) {
  const auto first = first_ranks(ideal_group);
  std::vector<std::size_t> from(result_group.size());
  for (std::size_t j = 0; j < result_group.size(); ++j) {
    if (result_group[j] >= static_cast<std::int32_t>(first.size())) {
      throw std::invalid_argument("a retrieved document is in no group of the ideal list");
    }
    from[j] = result_group[j] < 0 ? never : first[result_group[j]];
  }
  return from;
}

}  // namespace

AdrRange average_dynamic_recall(const std::vector<std::int32_t>& ideal_group,
                                const std::vector<std::int32_t>& result_group,
                                const std::vector<std::int32_t>& result_block, std::size_t k) {
  if (k == 0) throw std::invalid_argument("k must be at least 1");
  if (result_block.size() != result_group.size()) {
    throw std::invalid_argument("one block per retrieved document is needed");
  }
  const TailSums tails(k);
  auto from = counting_ranks(ideal_group, result_group, k + 1);
  AdrRange range;
  for (std::size_t begin = 0, end = 0; begin < from.size(); begin = end) {
    while (end < from.size() && result_block[end] == result_block[begin]) ++end;
    const std::size_t size = end - begin;
    // The function min(tail(p), tail(from)) is supermodular, so it is best to pair early positions with documents that
    // count early, and worst to do the reverse.
    std::sort(from.begin() + index(begin), from.begin() + index(end));
    for (std::size_t j = begin; j < end; ++j) {
      range.highest += tails.at(std::max(j + 1, from[j]));
      range.lowest += tails.at(std::max(begin + end - j, from[j]));
      // Averaged over the positions of the group: at positions up to from[j], the document counts only from rank
      // from[j] on.
      const std::size_t last_delayed = std::clamp(from[j], begin, end);
      const double delayed_sum = static_cast<double>(last_delayed - begin) * tails.at(from[j]);
      range.expected += (delayed_sum + tails.sum(last_delayed + 1, end)) / static_cast<double>(size);
    }
  }
  const auto n = static_cast<double>(k);
  return {range.expected / n, range.lowest / n, range.highest / n};
}

}  // namespace judicious
