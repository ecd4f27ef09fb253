#include <algorithm>
#include <functional>
#include <utility>

#include "measure/run_file.hpp"

namespace judicious {
JudgmentIndex::JudgmentIndex(std::vector<std::string> query_ids,
                             const std::vector<std::int32_t>& query,
                             const std::vector<std::string>& doc,
                             const std::vector<std::int32_t>& level)
    : query_ids_(std::move(query_ids)),
      known_(doc.size()),
      judged_(query_ids_.size()),
      query_index_(query_ids_.size()) {
  // For each query, the number of rows, and of bytes of their ids, before its own.
  std::vector<std::size_t> row_of(query_ids_.size() + 1, 0), byte_of(query_ids_.size() + 1, 0);
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto q = static_cast<std::size_t>(query[row]);
    ++row_of[q + 1];
    byte_of[q + 1] += doc[row].size();
  }
  for (std::size_t q = 0; q < query_ids_.size(); ++q) {
    doc_index_.emplace_back(row_of[q + 1]);
    query_index_.insert(hash_bytes(query_ids_[q]), static_cast<std::int32_t>(q),
                        is_query(query_ids_[q]));
    row_of[q + 1] += row_of[q];
    byte_of[q + 1] += byte_of[q];
  }
  text_.resize(byte_of.back());
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto q = static_cast<std::size_t>(query[row]);
    const std::size_t at = row_of[q]++;
    std::copy(doc[row].begin(), doc[row].end(),
              text_.begin() + static_cast<std::ptrdiff_t>(byte_of[q]));
    known_[at] = {{text_.data() + byte_of[q], doc[row].size()}, level[row]};
    byte_of[q] += doc[row].size();
    if (level[row] >= 0) judged_[q].level.push_back(level[row]);
    const std::uint64_t hash = hash_bytes(doc[row]);
    doc_index_[q].filter.insert(hash);
    doc_index_[q].index.insert(hash, static_cast<std::int32_t>(at), is_doc(doc[row]));
  }
  for (Judged& one : judged_)
    std::sort(one.level.begin(), one.level.end(), std::greater<std::int32_t>());
}

std::int32_t JudgmentIndex::find_query(std::string_view id) const {
  return query_index_.find(hash_bytes(id), is_query(id));
}

std::int32_t JudgmentIndex::level(std::int32_t query, std::string_view doc,
                                  std::uint64_t hash) const {
  const Documents& documents = doc_index_[static_cast<std::size_t>(query)];
  if (!documents.filter.may_have(hash)) return unknown;
  const std::int32_t at = documents.index.find(hash, is_doc(doc));
  return at < 0 ? unknown : known_[static_cast<std::size_t>(at)].level;
}

}  // namespace judicious
