#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "measure/run_file.hpp"

namespace judicious {
namespace {

// For queries with at most this number of documents, a linear search is used.
constexpr std::int32_t scanned_grades = 8;

// The judged levels of all queries are stored in one array. Returns the position at which those of each query start,
// and finally the length of the array.
std::vector<std::size_t> query_starts(std::size_t n_queries, const std::vector<std::int32_t>& query,
                                      const std::vector<std::int32_t>& level) {
  std::vector<std::size_t> start(n_queries + 1, 0);
  for (std::size_t row = 0; row < query.size(); ++row) start[query[row] + 1] += level[row] >= 0;
  std::partial_sum(start.begin(), start.end(), start.begin());
  return start;
}

// The judged levels of each query, highest first.
std::vector<std::int32_t> sorted_levels(const std::vector<std::size_t>& start, const std::vector<std::int32_t>& query,
                                        const std::vector<std::int32_t>& level) {
  std::vector<std::int32_t> out(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t row = 0; row < query.size(); ++row)
    if (level[row] >= 0) out[next[query[row]]++] = level[row];
  for (std::size_t q = 0; q + 1 < start.size(); ++q)
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(start[q]),
              out.begin() + static_cast<std::ptrdiff_t>(start[q + 1]), std::greater<>());
  return out;
}

}  // namespace

JudgedQueries judged_by_query(std::size_t n_queries, const std::vector<std::int32_t>& query,
                              const std::vector<std::int32_t>& level, const JudgmentDetails* details) {
  JudgedQueries out;
  out.kind_of.resize(n_queries);
  const std::vector<std::size_t> start = query_starts(n_queries, query, level);
  const std::vector<std::int32_t> sorted = sorted_levels(start, query, level);
  HashIndex<HalfHash> index;
  for (std::size_t q = 0; q < n_queries; ++q) {
    const auto own = sorted.begin() + static_cast<std::ptrdiff_t>(start[q]);
    const auto n = start[q + 1] - start[q];
    const auto next = static_cast<std::int32_t>(out.kind.size());
    const auto is_equal = [&](std::int32_t other) {
      const auto& known = out.kind[other].level;
      return known.size() == n && std::equal(known.begin(), known.end(), own);
    };
    const std::string_view bytes(reinterpret_cast<const char*>(sorted.data() + start[q]), n * sizeof sorted[0]);
    out.kind_of[q] = details != nullptr ? next : index.insert(hash_bytes(bytes), next, is_equal);
    if (out.kind_of[q] == next) out.kind.push_back({{own, own + n}, {}, details, static_cast<std::int32_t>(q)});
  }
  if (details == nullptr) return out;
  for (std::size_t row = 0; row < query.size(); ++row)
    out.kind[query[row]].judgment.push_back(static_cast<std::int32_t>(row));
  return out;
}

JudgmentIndex::JudgmentIndex(const std::vector<std::string_view>& query_ids, const std::vector<std::int32_t>& query,
                             const std::vector<std::string_view>& doc, const std::vector<std::int32_t>& level)
    : place_(query_ids.size()), query_index_(query_ids.size()) {
  std::vector<std::size_t> size(query_ids.size(), 0);
  constexpr std::size_t limit = std::numeric_limits<std::int32_t>::max();
  for (std::size_t row = 0; row < query.size(); ++row) {
    const std::size_t q = query[row];
    ++place_[q].n;
    size[q] += sizeof(Head) + doc[row].size();
    if (size[q] > limit) throw std::length_error("the judgments of a query need over 2 GB");
  }
  std::size_t start = 0;
  for (std::size_t q = 0; q < query_ids.size(); ++q) {
    place_[q].start = start;
    start += size[q];
    query_ids_.push_back(query_ids[q]);
  }
  for_each_hash(
      query_index_, query_ids.size(), [&](std::size_t q) { return hash_bytes(query_ids[q]); },
      [&](std::size_t q, std::uint64_t hash) {
        query_index_.insert(hash, static_cast<std::int32_t>(q), is_query(query_ids[q]));
      });
  text_.resize(start);
  for (Place& place : place_) {
    if (place.n <= scanned_grades) continue;
    place.documents = static_cast<std::int32_t>(documents_.size());
    documents_.emplace_back(place.n, text_.data() + place.start);
  }
  std::vector<std::int32_t> next(query_ids.size(), 0);
  for (std::size_t row = 0; row < query.size(); ++row) {
    const std::size_t q = query[row];
    const std::uint64_t hash = hash_bytes(doc[row]);
    const Head head{level[row], static_cast<std::int32_t>(row), static_cast<std::int32_t>(doc[row].size()),
                    static_cast<std::uint32_t>(hash >> 32)};
    char* const to = text_.data() + place_[q].start + next[q];
    std::memcpy(to, &head, sizeof head);
    std::copy(doc[row].begin(), doc[row].end(), to + sizeof head);
    if (place_[q].documents >= 0) {
      Documents& documents = documents_[place_[q].documents];
      documents.filter.insert(hash);
      const std::int32_t first = documents.index.insert(hash, next[q], documents.is(doc[row]));
      has_repeated_ = has_repeated_ || first != next[q];
    } else {
      for (const char* at = text_.data() + place_[q].start; at != to; at = after(at))
        has_repeated_ = has_repeated_ || same_text(id_at(at), doc[row]);
    }
    next[q] += static_cast<std::int32_t>(sizeof head + doc[row].size());
  }
}

std::int32_t JudgmentIndex::find_query(std::string_view id) const {
  return query_index_.find(hash_bytes(id), is_query(id));
}

JudgmentIndex::Found JudgmentIndex::find(std::int32_t query, std::string_view doc, std::uint64_t hash) const {
  const Place& place = place_[query];
  if (place.documents >= 0) {
    const Documents& documents = documents_[place.documents];
    if (!documents.filter.may_have(hash)) return {unknown, -1};
    const std::int32_t at = documents.index.find(hash, documents.is(doc));
    if (at < 0) return {unknown, -1};
    const Head head = head_at(documents.text + at);
    return {head.level, head.judgment};
  }
  const char* at = text_.data() + place.start;
  for (std::int32_t i = 0; i < place.n; ++i) {
    const Head head = head_at(at);
    if (head.half_hash == hash >> 32 && same_text(id_at(at), doc)) return {head.level, head.judgment};
    at = after(at);
  }
  return {unknown, -1};
}

}  // namespace judicious
