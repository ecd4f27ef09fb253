#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "measure/run_file.hpp"

namespace judicious {
JudgmentIndex::JudgmentIndex(std::vector<std::string> query_ids,
                             const std::vector<std::int32_t>& query,
                             const std::vector<std::string>& doc,
                             const std::vector<std::int32_t>& level)
    : query_ids_(std::move(query_ids)),
      judged_(query_ids_.size()),
      query_index_(query_ids_.size()) {
  // For each query, its number of documents, and the bytes that the queries before it need.
  std::vector<std::size_t> count(query_ids_.size(), 0), start(query_ids_.size() + 1, 0);
  constexpr std::size_t limit = std::numeric_limits<std::int32_t>::max();
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto q = static_cast<std::size_t>(query[row]);
    ++count[q];
    start[q + 1] += 8 + doc[row].size();
    if (start[q + 1] > limit) throw std::length_error("the judgments of a query need over 2 GB");
  }
  for (std::size_t q = 0; q < query_ids_.size(); ++q) start[q + 1] += start[q];
  text_.resize(start.back());
  documents_.reserve(query_ids_.size());
  for (std::size_t q = 0; q < query_ids_.size(); ++q) {
    documents_.emplace_back(count[q], text_.data() + start[q]);
    query_index_.insert(hash_bytes(query_ids_[q]), static_cast<std::int32_t>(q),
                        is_query(query_ids_[q]));
  }
  std::vector<std::int32_t> next(query_ids_.size(), 0);
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto q = static_cast<std::size_t>(query[row]);
    const auto size = static_cast<std::int32_t>(doc[row].size());
    char* const to = text_.data() + start[q] + next[q];
    std::memcpy(to, &level[row], 4);
    std::memcpy(to + 4, &size, 4);
    std::copy(doc[row].begin(), doc[row].end(), to + 8);
    const std::uint64_t hash = hash_bytes(doc[row]);
    documents_[q].filter.insert(hash);
    documents_[q].index.insert(hash, next[q], documents_[q].is(doc[row]));
    next[q] += 8 + size;
    if (level[row] >= 0) judged_[q].level.push_back(level[row]);
  }
  for (Judged& one : judged_)
    std::sort(one.level.begin(), one.level.end(), std::greater<std::int32_t>());
}

std::int32_t JudgmentIndex::find_query(std::string_view id) const {
  return query_index_.find(hash_bytes(id), is_query(id));
}

std::int32_t JudgmentIndex::level(std::int32_t query, std::string_view doc,
                                  std::uint64_t hash) const {
  const Documents& documents = documents_[static_cast<std::size_t>(query)];
  if (!documents.filter.may_have(hash)) return unknown;
  const std::int32_t at = documents.index.find(hash, documents.is(doc));
  return at < 0 ? unknown : documents.number(at);
}

}  // namespace judicious
