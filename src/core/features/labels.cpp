#include "features/labels.hpp"

#include <algorithm>

namespace judicious {
namespace {

Index n_codes(const std::vector<std::int32_t>& code) {
  return code.empty() ? 0 : static_cast<Index>(*std::max_element(code.begin(), code.end()) + 1);
}

// The pairs in order of their queries.
std::vector<Index> sorted_by_query(const std::vector<std::int32_t>& query) {
  std::vector<Index> next(n_codes(query) + 1, 0);
  for (std::int32_t q : query) ++next[q + 1];
  for (Index q = 1; q < length(next); ++q) next[q] += next[q - 1];
  std::vector<Index> order(query.size());
  for (Index i = 0; i < length(query); ++i) order[next[query[i]]++] = i;
  return order;
}

}  // namespace

Groups group_by_query(const std::vector<std::int32_t>& query, const std::vector<std::int32_t>& label) {
  Groups groups;
  groups.of_pair.assign(query.size(), -1);
  const Index n_labels = n_codes(label);
  std::vector<std::int32_t> last_query(n_labels, -1);  // the query in which a label was seen last ...
  std::vector<std::int32_t> group(n_labels, -1);       // ... and its group there
  for (Index i : sorted_by_query(query)) {
    if (label[i] < 0) continue;
    const Index l = label[i];
    if (last_query[l] != query[i]) {
      last_query[l] = query[i];
      group[l] = static_cast<std::int32_t>(groups.n_groups++);
    }
    groups.of_pair[i] = group[l];
  }
  return groups;
}

}  // namespace judicious
