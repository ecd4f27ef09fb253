// Values of measures for ranked lists: all measures of a list from one pass over what is judged in
// it.
#pragma once
#include <vector>

#include "measure/discount.hpp"
#include "measure/spec.hpp"

namespace judicious {

// What a measure needs to know of a query, whatever the system.
struct QueryFacts {
  std::int32_t relevant = 0;
  std::int32_t nonrelevant = 0;          // judged, not relevant
  double ideal = 0;                      // ideal DCG at the cutoff
  std::vector<double> ideal_gain;        // positive gains, highest first
  std::vector<double> ideal_at;          // ideal DCG at every rank up to the number of ideal gains
  std::vector<std::int32_t> first_rank;  // by level: the rank from which ADR allows it
};

class MeasureKernel {
 public:
  MeasureKernel(MeasureSpec spec);

  QueryFacts facts(const Judged& judged) const;

  // The measure's value for the list, its items sorted by rank; NaN where it is not defined.
  double value(const RankedList& list, const QueryFacts& facts) const;

  // Its expectation when the documents of every tied group are in random order. Exact where the
  // measure is a sum over documents, by all orders where these are few, else by `n_orders` random
  // orders drawn from `seed`.
  double expected_over_ties(const RankedList& list, const QueryFacts& facts, std::uint64_t seed,
                            std::size_t n_orders = 2000) const;

  const MeasureSpec& spec() const { return spec_; }

 private:
  bool is_relevant(const ListItem& item) const {
    return item.level >= 0 && spec_.relevant[static_cast<std::size_t>(item.level)] != 0;
  }
  double gain(const ListItem& item) const {
    return item.level < 0 ? 0.0 : spec_.gain[static_cast<std::size_t>(item.level)];
  }

  // Measures that are (a sum over documents of a weight of level and rank) / scale.
  bool additive() const;
  double scale(const RankedList& list, const QueryFacts& facts) const;
  double weight(const ListItem& item, std::int32_t rank, const RankedList& list,
                const QueryFacts& facts) const;
  double additive_value(const RankedList& list, const QueryFacts& facts) const;
  int depth(const RankedList& list, const QueryFacts& facts) const;

  double set_value(const RankedList& list, const QueryFacts& facts) const;
  double binary_value(const RankedList& list, const QueryFacts& facts) const;
  double preference_value(const RankedList& list, const QueryFacts& facts) const;
  double graded_value(const RankedList& list, const QueryFacts& facts) const;
  double interpolated(const RankedList& list, const QueryFacts& facts) const;
  double cascade(const RankedList& list) const;

  MeasureSpec spec_;
  RankDiscount discount_;
};

}  // namespace judicious
