#include "features/labels.hpp"

#include <algorithm>

namespace judicious {
namespace {

std::size_t n_codes(const std::vector<std::int32_t>& code) {
  return code.empty() ? 0
                      : static_cast<std::size_t>(*std::max_element(code.begin(), code.end()) + 1);
}

// The pairs in order of their queries.
std::vector<std::size_t> sorted_by_query(const std::vector<std::int32_t>& query) {
  std::vector<std::size_t> next(n_codes(query) + 1, 0);
  for (std::int32_t q : query) ++next[q + 1];
  for (std::size_t q = 1; q < next.size(); ++q) next[q] += next[q - 1];
  std::vector<std::size_t> order(query.size());
  for (std::size_t i = 0; i < query.size(); ++i) order[next[query[i]]++] = i;
  return order;
}

}  // namespace

Groups group_by_query(const std::vector<std::int32_t>& query,
                      const std::vector<std::int32_t>& label) {
  Groups groups;
  groups.of_pair.assign(query.size(), -1);
  const std::size_t n_labels = n_codes(label);
  std::vector<std::int32_t> last_query(n_labels, -1);  // the query a label was last seen in ...
  std::vector<std::int32_t> group(n_labels, -1);       // ... and its group there
  for (std::size_t i : sorted_by_query(query)) {
    if (label[i] < 0) continue;
    const std::size_t l = label[i];
    if (last_query[l] != query[i]) {
      last_query[l] = query[i];
      group[l] = static_cast<std::int32_t>(groups.n_groups++);
    }
    groups.of_pair[i] = group[l];
  }
  return groups;
}

}  // namespace judicious
