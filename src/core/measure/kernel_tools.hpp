// Functions that the kernels of several tables share.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "measure/kernel.hpp"

namespace judicious {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

inline double ratio(double above, double below) { return below > 0 ? above / below : undefined; }

inline double relevant_documents(const ListView& v) { return v.facts.relevant; }
inline double ideal_sum(const ListView& v) { return v.facts.ideal; }

inline double discounted_gain(const ListView& v, const ListItem& item, std::int32_t rank) {
  return v.discount.apply(v.gain(item), rank);
}

// A kernel for a measure that is not a sum over documents.
inline Kernel value_kernel(const char* name, double (*value)(const ListView&),
                           double (*expected)(const ListView&, const std::vector<TiedGroup>&) = nullptr,
                           int (*depth)(const ListView&) = nullptr) {
  Kernel kernel{name};
  kernel.value = value;
  kernel.expected = expected;
  kernel.depth = depth;
  return kernel;
}

// Adds the function that computes a measure for many draws of a list at once.
inline Kernel in_draws(Kernel kernel, decltype(Kernel::in_draws) values) {
  kernel.in_draws = values;
  return kernel;
}

// A kernel for a measure that requires further properties of the query.
inline Kernel prepared_kernel(const char* name, double (*value)(const ListView&),
                              void (*prepare)(const MeasureSpec&, const Judged&, QueryFacts&)) {
  Kernel kernel = value_kernel(name, value);
  kernel.prepare = prepare;
  return kernel;
}

// Calls visit(item, n) for the relevant documents that count, where n is the number of such documents up to this one.
template <class Visit>
void visit_relevant(const ListView& v, Visit visit) {
  std::int32_t found = 0;
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    if (v.is_relevant(item)) visit(item, ++found);
  }
}

inline double count_relevant(const ListView& v, const TiedGroup& group) {
  double count = 0;
  for (std::size_t i = group.begin; i < group.end; ++i) count += v.is_relevant(v.list.item[i]);
  return count;
}

// The expectation over ties of value_at(rank), where `rank` is that of the first relevant document.
template <class ValueAt>
double expected_at_first_relevant(const ListView& v, const std::vector<TiedGroup>& groups, ValueAt value_at) {
  if (v.facts.relevant == 0) return undefined;
  double sum = 0;
  double none = 1;  // probability that there is no relevant document so far
  for (const TiedGroup& group : groups) {
    const double relevant = count_relevant(v, group);
    for (std::int32_t rank = group.first; rank <= std::min(group.last, v.depth); ++rank) {
      const double here = none * std::min(1.0, relevant / (group.size() - (rank - group.first)));
      sum += here * value_at(rank);
      none -= here;
    }
    if (relevant > 0) break;
  }
  return sum;
}

}  // namespace judicious
