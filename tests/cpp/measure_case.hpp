// Measures, lists and judgments of levels 0 to 3.
#pragma once
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "measure/kernel.hpp"

namespace measure_case {

using namespace judicious;

// Levels 0 to 3, which are the gains themselves.
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

// -2: nobody knows the document.
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
