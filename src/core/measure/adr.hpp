// Average dynamic recall against a partially ordered ideal list (Urbano et al. 2011, equations 5 and 6).
//
// At rank i of the ideal list, every document up to the end of the group of rank i is allowed, so
// the set of allowed documents is "ideal group <= group of rank i", and
//   ADR@k = 1/k sum_{i=1..k} (number of allowed documents among the first i retrieved) / i.
// A document of ideal group g at position p counts from rank max(p, first rank of g) on. It adds tail(max(p, first(g)))
// / k, where tail(x) = 1/x + ... + 1/k, independently of the others. Therefore, the measure is linear in the documents,
// and its expectation and bounds over permutations within the result's own groups are exact.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace judicious {

struct AdrRange {
  double expected = 0;  // mean over all permutations within the result's groups
  double lowest = 0;    // the worst and the best order within the groups of the result
  double highest = 0;
};

// `ideal_group`: the group of each rank of the ideal list, from 0 and not decreasing. Ranks after its end (k beyond the
// number of judged documents) allow all documents of the list. `result_group`: for each retrieved document, in order,
// its group in the ideal list, or -1 if it is not in the ideal list. `result_block`: the group of each retrieved
// document in the result; adjacent documents of the same group may be permuted.
AdrRange average_dynamic_recall(const std::vector<std::int32_t>& ideal_group,
                                const std::vector<std::int32_t>& result_group,
                                const std::vector<std::int32_t>& result_block, std::size_t k);

}  // namespace judicious
