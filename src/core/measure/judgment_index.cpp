#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "measure/run_file.hpp"

namespace judicious {
namespace {

std::uint64_t mix(std::uint64_t a) {
  a ^= a >> 32;
  a *= 0xd6e8feb86659fd93ULL;
  a ^= a >> 29;
  return a;
}

std::size_t table_size(std::size_t n) {
  std::size_t size = 4;
  while (size < 2 * n) size *= 2;
  return size;
}

}  // namespace

std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ text.size();
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    h = mix(h ^ word) * 0x9fb21c651e98df25ULL;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, text.size() - at);
  return mix(mix(h ^ word) * 0x9fb21c651e98df25ULL);
}

JudgmentIndex::JudgmentIndex(std::vector<std::string> query_ids,
                             const std::vector<std::int32_t>& query, std::vector<std::string> doc,
                             std::vector<std::int32_t> level)
    : query_ids_(std::move(query_ids)),
      doc_(std::move(doc)),
      level_(std::move(level)),
      judged_(query_ids_.size()) {
  std::vector<std::size_t> count(query_ids_.size(), 0);
  for (std::int32_t q : query) ++count[static_cast<std::size_t>(q)];
  start_.push_back(0);
  for (std::size_t n : count) start_.push_back(start_.back() + table_size(n));
  slot_.resize(start_.back());
  for (std::size_t row = 0; row < query.size(); ++row) {
    const auto q = static_cast<std::size_t>(query[row]);
    if (level_[row] >= 0) judged_[q].level.push_back(level_[row]);
    const std::uint64_t hash = hash_bytes(doc_[row]);
    const std::size_t mask = start_[q + 1] - start_[q] - 1;
    std::size_t at = hash & mask;
    while (slot_[start_[q] + at].row >= 0) at = (at + 1) & mask;
    slot_[start_[q] + at] = {hash, static_cast<std::int32_t>(row)};
  }
  for (Judged& one : judged_)
    std::sort(one.level.begin(), one.level.end(), std::greater<std::int32_t>());
  query_slot_.resize(table_size(query_ids_.size()));
  const std::size_t mask = query_slot_.size() - 1;
  for (std::size_t q = 0; q < query_ids_.size(); ++q) {
    const std::uint64_t hash = hash_bytes(query_ids_[q]);
    std::size_t at = hash & mask;
    while (query_slot_[at].row >= 0) at = (at + 1) & mask;
    query_slot_[at] = {hash, static_cast<std::int32_t>(q)};
  }
}

std::int32_t JudgmentIndex::find_query(std::string_view id) const {
  const std::uint64_t hash = hash_bytes(id);
  const std::size_t mask = query_slot_.size() - 1;
  for (std::size_t at = hash & mask; query_slot_[at].row >= 0; at = (at + 1) & mask) {
    const Slot& slot = query_slot_[at];
    if (slot.hash == hash && query_ids_[static_cast<std::size_t>(slot.row)] == id) return slot.row;
  }
  return -1;
}

std::int32_t JudgmentIndex::level(std::int32_t query, std::string_view doc,
                                  std::uint64_t hash) const {
  const auto q = static_cast<std::size_t>(query);
  const Slot* table = slot_.data() + start_[q];
  const std::size_t mask = start_[q + 1] - start_[q] - 1;
  for (std::size_t at = hash & mask; table[at].row >= 0; at = (at + 1) & mask) {
    const auto row = static_cast<std::size_t>(table[at].row);
    if (table[at].hash == hash && doc_[row] == doc) return level_[row];
  }
  return unknown;
}

}  // namespace judicious
