// Expected values of measures when equal scores leave the order of documents open. The formulas for
// AP and RR are those of McSherry and Najork (2008), "Computing information retrieval performance
// measures efficiently in the presence of tied scores".
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "execution/interrupt.hpp"
#include "measure/kernel.hpp"

namespace judicious {
namespace {

// The judged documents of a tied group: items [begin, end), which span ranks first to last.
struct Group {
  std::size_t begin, end;
  std::int32_t first, last;
  double size() const { return last - first + 1; }
};

std::vector<Group> groups_of(const RankedList& list) {
  std::vector<Group> out;
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

// Visits orders of the tied documents, as lists without ties.
class Orders {
 public:
  Orders(const RankedList& list, const std::vector<Group>& groups)
      : list_(list), groups_(groups), used_(static_cast<std::size_t>(list.retrieved) + 1, 0) {
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
    const Group& group = groups_[group_of_[i]];
    for (std::int32_t rank = group.first; rank <= group.last; ++rank) {
      char& used = used_[static_cast<std::size_t>(rank)];
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
    std::mt19937_64 random(seed);
    for (std::size_t trial = 0; trial < n; ++trial) {
      check_interrupt_at(trial, 256);
      rank_.clear();
      std::fill(used_.begin(), used_.end(), 0);
      for (std::size_t i = 0; i < list_.item.size(); ++i) {
        const Group& group = groups_[group_of_[i]];
        std::uniform_int_distribution<std::int32_t> pick(group.first, group.last);
        std::int32_t rank = pick(random);
        while (used_[static_cast<std::size_t>(rank)]) rank = pick(random);
        used_[static_cast<std::size_t>(rank)] = 1;
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
    std::sort(out.item.begin(), out.item.end(),
              [](const ListItem& a, const ListItem& b) { return a.rank < b.rank; });
    return out;
  }

  const RankedList& list_;
  const std::vector<Group>& groups_;
  std::vector<char> used_;
  std::vector<std::size_t> group_of_;
  std::vector<std::int32_t> rank_;
  double count_ = 1;
};

}  // namespace

double MeasureKernel::expected_over_ties(const RankedList& list, const QueryFacts& facts,
                                         std::uint64_t seed, std::size_t n_orders) const {
  if (additive()) return additive_value(list, facts);
  const std::vector<Group> groups = groups_of(list);
  const bool tied =
      std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.first != g.last; });
  if (!tied) return value(list, facts);
  const bool binary = spec_.kind == MeasureKind::average_precision ||
                      spec_.kind == MeasureKind::reciprocal_rank ||
                      spec_.kind == MeasureKind::success || spec_.kind == MeasureKind::bpref;
  if (binary && facts.relevant == 0) return std::numeric_limits<double>::quiet_NaN();

  if (binary) {
    double sum = 0;
    double none = 1;  // probability that no relevant document has been met
    double found = 0;
    std::int32_t nonrelevant = 0;
    for (const Group& group : groups) {
      double r = 0;
      std::int32_t others = 0;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        if (is_relevant(list.item[i]))
          ++r;
        else if (list.item[i].level >= 0)
          ++others;
      }
      if (spec_.kind == MeasureKind::bpref) {
        // A relevant document has any number of the group's others above it with equal probability.
        const double limit = std::min(facts.nonrelevant, facts.relevant);
        for (std::int32_t x = nonrelevant; x <= nonrelevant + others; ++x) {
          sum += r / (others + 1) * (x > 0 ? 1 - std::min(x, facts.relevant) / limit : 1);
        }
        nonrelevant += others;
        continue;
      }
      const double n = group.size();
      for (std::int32_t rank = group.first; rank <= std::min(group.last, spec_.cutoff); ++rank) {
        const double before = rank - group.first;
        if (spec_.kind == MeasureKind::average_precision) {
          sum += r / n * (found + 1 + (n > 1 ? before * (r - 1) / (n - 1) : 0)) / rank;
        } else {
          const double here = none * std::min(1.0, r / (n - before));
          sum += spec_.kind == MeasureKind::success ? here : here / rank;
          none -= here;
        }
      }
      found += r;
      if (r > 0 && spec_.kind == MeasureKind::reciprocal_rank) break;
    }
    const bool per_relevant =
        spec_.kind == MeasureKind::average_precision || spec_.kind == MeasureKind::bpref;
    return per_relevant ? sum / facts.relevant : sum;
  }

  if (spec_.kind == MeasureKind::err) {
    double sum = 0;
    double going_on = 1;
    for (const Group& group : groups) {
      // go[m]: expected product of (1 - gain) over m random documents of the group.
      std::vector<double> go(static_cast<std::size_t>(group.size()) + 1, 1.0);
      double n = group.size() - static_cast<double>(group.end - group.begin);
      for (std::size_t i = group.begin; i < group.end; ++i) {
        ++n;
        const double stay = 1 - gain(list.item[i]);
        for (std::size_t m = static_cast<std::size_t>(n); m >= 1; --m) {
          const double share = static_cast<double>(m) / n;
          go[m] = (1 - share) * go[m] + share * stay * go[m - 1];
        }
      }
      for (std::int32_t rank = group.first; rank <= std::min(group.last, spec_.cutoff); ++rank) {
        const auto m = static_cast<std::size_t>(rank - group.first);
        sum += going_on * (go[m] - go[m + 1]) / rank;
      }
      going_on *= go.back();
    }
    return sum;
  }

  Orders orders(list, groups);
  double sum = 0;
  double n = 0;
  const auto visit = [&](const RankedList& one) {
    const double v = value(one, facts);
    if (!std::isnan(v)) sum += v;
    ++n;
  };
  if (facts.relevant == 0 && std::isnan(value(list, facts)))
    return std::numeric_limits<double>::quiet_NaN();
  constexpr double few = 5040;
  if (orders.count() <= few)
    orders.every(visit);
  else
    orders.random(visit, seed, n_orders);
  return sum / n;
}

}  // namespace judicious
