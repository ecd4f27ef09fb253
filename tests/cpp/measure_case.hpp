// Measures, lists and judgments of levels 0 to 3.
#pragma once
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "measure/kernel.hpp"

namespace measure_case {

using namespace judicious;

// A measure whose gains are the levels 0 to 3 themselves. All levels but 0 are relevant.
inline MeasureSpec spec_of(const std::string& name, int cutoff = no_cutoff,
                           decltype(MeasureSpec::numbers) numbers = {}) {
  MeasureSpec spec;
  spec.name = name;
  spec.cutoff = cutoff;
  spec.gain = {0, 1, 2, 3};
  spec.relevant = {0, 1, 1, 1};
  spec.numbers = std::move(numbers);
  return spec;
}

// A list with these levels by rank: -1 for a document that is pooled but not judged, -2 for one that is not pooled.
inline RankedList list_of(const std::vector<int>& level) {
  RankedList list;
  list.retrieved = static_cast<std::int32_t>(level.size());
  for (std::size_t i = 0; i < level.size(); ++i) {
    const auto rank = static_cast<std::int32_t>(i) + 1;
    if (level[i] > -2) list.item.push_back({rank, level[i], rank, rank});
  }
  return list;
}

inline Judged judged_of(std::vector<std::int32_t> level) {
  std::sort(level.begin(), level.end(), std::greater<std::int32_t>());
  return {std::move(level), {}};
}

inline double value_of(const MeasureSpec& spec, const std::vector<int>& level, const Judged& judged) {
  const MeasureKernel kernel(spec);
  return kernel.value(list_of(level), kernel.facts(judged));
}

}  // namespace measure_case
