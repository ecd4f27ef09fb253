#include <algorithm>
#include <functional>
#include <utility>

#include "measure/run_file.hpp"

namespace judicious {

JudgmentIndex::JudgmentIndex(std::vector<std::string> query_ids,
                             const std::vector<std::int32_t>& query, std::vector<std::string> doc,
                             std::vector<std::int32_t> level)
    : query_ids_(std::move(query_ids)),
      doc_(std::move(doc)),
      level_(std::move(level)),
      judged_(query_ids_.size()),
      query_index_(query_ids_.size()) {
  std::vector<std::size_t> count(query_ids_.size(), 0);
  for (std::int32_t q : query) ++count[static_cast<std::size_t>(q)];
  for (std::size_t q = 0; q < query_ids_.size(); ++q) {
    doc_index_.emplace_back(count[q]);
    query_index_.insert(hash_bytes(query_ids_[q]), static_cast<std::int32_t>(q),
                        is_query(query_ids_[q]));
  }
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto q = static_cast<std::size_t>(query[row]);
    if (level_[row] >= 0) judged_[q].level.push_back(level_[row]);
    doc_index_[q].insert(hash_bytes(doc_[row]), static_cast<std::int32_t>(row), is_doc(doc_[row]));
  }
  for (Judged& one : judged_)
    std::sort(one.level.begin(), one.level.end(), std::greater<std::int32_t>());
}

std::int32_t JudgmentIndex::find_query(std::string_view id) const {
  return query_index_.find(hash_bytes(id), is_query(id));
}

std::int32_t JudgmentIndex::level(std::int32_t query, std::string_view doc,
                                  std::uint64_t hash) const {
  const std::int32_t row = doc_index_[static_cast<std::size_t>(query)].find(hash, is_doc(doc));
  return row < 0 ? unknown : level_[static_cast<std::size_t>(row)];
}

}  // namespace judicious
