// Expected values of measures over the orders of documents with equal scores.
#include <algorithm>
#include <cmath>
#include <limits>

#include "execution/interrupt.hpp"
#include "measure/kernel.hpp"
#include "stats/random.hpp"

namespace judicious {
namespace {

std::vector<TiedGroup> groups_of(const RankedList& list) {
  std::vector<TiedGroup> out;
  for (std::size_t i = 0; i < list.item.size(); ++i) {
    const ListItem& item = list.item[i];
    if (!out.empty() && out.back().first == item.first) {
      out.back().end = i + 1;
    } else {
      out.push_back({i, i + 1, item.first, item.last});
    }
  }
  return out;
}

// Iterates over the orders of the tied documents. Each order is a list without ties.
class Orders {
 public:
  Orders(const RankedList& list, const std::vector<TiedGroup>& groups)
      : list_(list), groups_(groups), used_(list.retrieved + 1, 0) {
    group_of_.resize(list.item.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t i = groups[g].begin; i < groups[g].end; ++i) {
        group_of_[i] = g;
        count_ *= groups[g].size() - static_cast<double>(i - groups[g].begin);
      }
    }
  }

  double count() const { return count_; }

  template <class Visit>
  void every(Visit visit, std::size_t i = 0) {
    if (i == list_.item.size()) return visit(sorted());
    const TiedGroup& group = groups_[group_of_[i]];
    for (std::int32_t rank = group.first; rank <= group.last; ++rank) {
      char& used = used_[rank];
      if (used) continue;
      used = 1;
      rank_.push_back(rank);
      every(visit, i + 1);
      rank_.pop_back();
      used = 0;
    }
  }

  template <class Visit>
  void random(Visit visit, std::uint64_t seed, std::size_t n) {
    RandomStream random(seed, 0);
    for (std::size_t trial = 0; trial < n; ++trial) {
      check_interrupt_at(trial, 256);
      rank_.clear();
      std::fill(used_.begin(), used_.end(), 0);
      for (std::size_t i = 0; i < list_.item.size(); ++i) {
        const TiedGroup& group = groups_[group_of_[i]];
        std::int32_t rank = 0;
        do rank = group.first + static_cast<std::int32_t>(random.below(group.last - group.first + 1));
        while (used_[rank]);
        used_[rank] = 1;
        rank_.push_back(rank);
      }
      visit(sorted());
    }
  }

 private:
  RankedList sorted() const {
    RankedList out = list_;
    for (std::size_t i = 0; i < out.item.size(); ++i) {
      ListItem& item = out.item[i];
      item.rank = item.first = item.last = rank_[i];
    }
    std::sort(out.item.begin(), out.item.end(), [](const ListItem& a, const ListItem& b) { return a.rank < b.rank; });
    return out;
  }

  const RankedList& list_;
  const std::vector<TiedGroup>& groups_;
  std::vector<char> used_;
  std::vector<std::size_t> group_of_;
  std::vector<std::int32_t> rank_;
  double count_ = 1;
};

}  // namespace

double MeasureKernel::expected_over_ties(const RankedList& list, const QueryFacts& facts, std::uint64_t seed,
                                         bool skip_undefined, std::size_t n_orders) const {
  const ListView seen = view(list, facts);
  if (kernel_.weight) return sum_over_documents(seen);
  const std::vector<TiedGroup> groups = groups_of(list);
  const bool tied = std::any_of(groups.begin(), groups.end(), [](const TiedGroup& g) { return g.first != g.last; });
  if (!tied) return kernel_.value(seen);
  if (kernel_.expected) return kernel_.expected(seen, groups);
  Orders orders(list, groups);
  double sum = 0;
  double n = 0;
  const auto visit = [&](const RankedList& one) {
    const double v = value(one, facts);
    if (!std::isnan(v)) sum += v;
    if (!std::isnan(v) || !skip_undefined) ++n;
  };
  if (facts.relevant == 0 && std::isnan(value(list, facts))) return std::numeric_limits<double>::quiet_NaN();
  constexpr double few = 5040;
  if (orders.count() <= few)
    orders.every(visit);
  else
    orders.random(visit, seed, n_orders);
  return n > 0 ? sum / n : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace judicious
