#include "measure/run_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"
#include "text/blocks.hpp"
#include "text/number.hpp"
#include "text/rows.hpp"

namespace judicious {
namespace {

struct Record {
  Record(double order, std::string_view doc_id)
      : key(order),
        text(doc_id.data()),
        size(static_cast<std::uint32_t>(doc_id.size())),
        half_hash(static_cast<std::uint32_t>(hash_bytes(doc_id) >> 32)) {}

  double key;  // higher keys come first
  const char* text;
  std::uint32_t size;
  std::uint32_t half_hash;

  std::string_view doc() const { return {text, size}; }
  // The hash in the form for the hash table, which uses only the upper half.
  std::uint64_t hash() const { return static_cast<std::uint64_t>(half_hash) << 32; }
};

// Sorts by key, descending, and equal keys by document, descending. Most files are already sorted by score, so only
// documents with equal scores have to be sorted.
void sort(std::vector<Record>& records) {
  const auto higher = [](const Record& a, const Record& b) { return a.key > b.key; };
  if (!std::is_sorted(records.begin(), records.end(), higher)) std::sort(records.begin(), records.end(), higher);
  auto last = records.begin();
  for (auto first = last; first != records.end(); first = last) {
    while (last != records.end() && last->key == first->key) ++last;
    if (last - first > 1) std::sort(first, last, [](const Record& a, const Record& b) { return a.doc() > b.doc(); });
  }
}

// The number of fields of a line of a run file.
constexpr std::size_t n_run_fields = 6;
using RunFields = std::array<std::string_view, n_run_fields>;

// Iterates over the rows of a text that is read block by block.
class RunRows {
 public:
  explicit RunRows(LineBlocks& blocks) : blocks_(blocks) {
    options_.format.rest_field = n_run_fields;
    options_.number_field = 5;
  }

  // False at the end, if a row has fewer fields, and if a block is not text.
  bool next(RunFields& field) {
    while (true) {
      if (rows_.next_plain(n_run_fields, field.data())) return true;
      if (rows_.next(fields_)) {
        is_short_ = fields_.size() < n_run_fields;
        if (!is_short_) std::copy(fields_.begin(), fields_.end(), field.begin());
        return !is_short_;
      }
      if (!next_block()) return false;
    }
  }

  bool is_short() const { return is_short_; }
  bool is_text() const { return is_text_; }
  std::size_t n_comments() const { return rows_.n_comments(); }
  std::size_t first_comment() const { return rows_.first_comment(); }

 private:
  bool next_block() {
    check_interrupt();
    std::string_view block;
    if (!blocks_.next(block)) return false;
    is_text_ = judicious::is_text(block);
    if (is_text_) rows_.continue_with(block);
    return is_text_;
  }

  LineBlocks& blocks_;
  TableOptions options_;
  Rows rows_{{}, options_};
  std::vector<std::string_view> fields_;
  bool is_short_ = false, is_text_ = true;
};

// Detects repeated documents in a list. Documents are compared only if the filter reports that their hash may have
// occurred.
class Duplicates {
 public:
  bool any(const std::vector<Record>& records) {
    seen_.clear(records.size());
    repeated_.clear(records.size());
    bool likely = false;
    for (const Record& record : records) {
      if (!seen_.insert(record.hash())) continue;
      repeated_.insert(record.hash());
      likely = true;
    }
    return likely && has_repeated(records);
  }

 private:
  bool has_repeated(const std::vector<Record>& records) {
    index_.clear(0);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      if (!repeated_.may_have(record.hash())) continue;
      const auto own = static_cast<std::int32_t>(i);
      const std::int32_t first = index_.insert(
          record.hash(), own, [&](std::int32_t other) { return same_text(records[other].doc(), record.doc()); });
      if (first != own) return true;
    }
    return false;
  }

  HashFilter seen_, repeated_;
  HashIndex<HalfHash> index_;
};

// The ranks of a list, and the scores with which they should agree.
class RankColumn {
 public:
  void add(double rank, double score) { rows_.push_back({rank, static_cast<float>(score)}); }

  // Describes the ranks, and clears them for the next list.
  RankFacts describe() {
    const auto before = [](const Row& a, const Row& b) {
      return a.rank < b.rank || (a.rank == b.rank && a.score > b.score);
    };
    if (!std::is_sorted(rows_.begin(), rows_.end(), before)) std::sort(rows_.begin(), rows_.end(), before);
    RankFacts out;
    out.n = static_cast<std::int32_t>(rows_.size());
    out.lowest = rows_.front().rank;
    out.highest = rows_.back().rank;
    out.level = rows_.size() > 1;
    bool in_group = false;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const bool same = rows_[i].rank == rows_[i - 1].rank;
      if (same) out.repeated += in_group ? 1 : 2;
      in_group = same;
      if (rows_[i].score > rows_[i - 1].score) ++out.rises;
      if (rows_[i].score != rows_[i - 1].score) out.level = false;
    }
    rows_.clear();
    return out;
  }

 private:
  struct Row {
    double rank;
    float score;
  };
  std::vector<Row> rows_;
};

class Reader {
 public:
  Reader(const JudgmentIndex& judgments, const ReadOptions& options) : judgments_(judgments), options_(options) {}

  // Reads the file in one pass, in which a list is complete as soon as the next query begins. Returns false if a query
  // occurs again later; the caller then reads the file again with `gather`, which keeps the whole text. Also returns
  // false at a problem.
  bool read(LineBlocks blocks, bool gather) {
    out_ = RunLists{};
    out_.list_of.assign(judgments_.n_queries(), -1);
    std::vector<std::vector<Record>> all(gather ? judgments_.n_queries() : 1);
    std::vector<RankColumn> ranks(all.size());
    has_ranks_ = true;
    RunRows rows(blocks);
    RunFields field;
    std::string query_id;
    std::int32_t query = -1;
    std::vector<std::string> unknown;
    while (rows.next(field)) {
      if (out_.n_lines++ == 0) {
        out_.system = field[5];
        if (std::any_of(out_.system.begin(), out_.system.end(), is_blank)) return fail(RunProblem::not_plain);
      } else if (!same_text(field[5], out_.system)) {
        return fail(RunProblem::not_plain);
      }
      if (!same_text(field[0], query_id)) {
        if (!gather) {
          if (!finish(query, all[0], ranks[0])) return false;
          blocks.free_used_blocks();
        }
        query_id = field[0];
        query = judgments_.find_query(query_id);
        if (query >= 0) {
          std::int32_t& list = out_.list_of[query];
          if (list >= 0 && !gather) {
            scattered_ = true;
            return false;
          }
          if (list < 0) {
            list = static_cast<std::int32_t>(out_.list.size());
            out_.list.emplace_back();
            out_.ranks.emplace_back();
          }
        } else {
          unknown.push_back(query_id);
        }
      }
      double rank = 0, score = 0;
      if (!read_numbers(field, rank, score)) return fail(RunProblem::not_plain);
      if (query < 0) continue;
      const std::string_view doc = field[2];
      if (doc.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("a document identifier of more than 2^32 - 1 bytes");
      const std::size_t at = gather ? static_cast<std::size_t>(query) : 0;
      judgments_.prefetch(query, all[at].emplace_back(key_of(rank, score), doc).hash());
      if (has_ranks_) ranks[at].add(rank, score);
    }
    if (blocks.failed() || rows.is_short() || !rows.is_text()) return fail(RunProblem::not_plain);
    out_.n_comments = rows.n_comments();
    out_.first_comment = rows.first_comment();
    if (gather) {
      for (std::size_t q = 0; q < all.size(); ++q) {
        if (!finish(static_cast<std::int32_t>(q), all[q], ranks[q])) break;
      }
    } else {
      finish(query, all[0], ranks[0]);
    }
    if (!has_ranks_) out_.ranks.clear();
    std::sort(unknown.begin(), unknown.end());
    unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
    out_.n_unknown_queries = unknown.size();
    constexpr std::size_t max_shown = 1000;
    unknown.resize(std::min(unknown.size(), max_shown));
    out_.unknown_queries = std::move(unknown);
    return true;
  }

  bool scattered() const { return scattered_; }
  RunLists& lists() { return out_; }

 private:
  bool fail(RunProblem problem) {
    out_.problem = problem;
    return false;
  }

  // Parses rank and score of a line. False if lists are ordered by rank and the rank is invalid, or if they are not and
  // the score is not a finite number.
  bool read_numbers(const RunFields& field, double& rank, double& score) {
    const bool by_rank = options_.by == RankBy::rank;
    if (has_ranks_ && !(parse_number(field[3], rank) && std::isfinite(rank))) has_ranks_ = false;
    if (by_rank && !(has_ranks_ && rank >= 0 && rank == std::trunc(rank))) return false;
    return (parse_number(field[4], score) && std::isfinite(score)) || by_rank;
  }

  double key_of(double rank, double score) const {
    if (options_.by == RankBy::rank) return -rank;
    return options_.precision == Precision::single ? static_cast<float>(score) : score;
  }

  // Completes the list of a query: sorts its records, keeps the judged documents, and clears the records.
  bool finish(std::int32_t query, std::vector<Record>& records, RankColumn& ranks) {
    if (query < 0 || records.empty()) return true;
    if (duplicates_.any(records)) return fail(RunProblem::duplicate);
    sort(records);
    if (records.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw std::length_error("a list of more than 2^31 - 1 documents");
    const std::int32_t number = out_.list_of[query];
    RankedList& list = out_.list[number];
    if (has_ranks_) out_.ranks[number] = ranks.describe();
    list.retrieved = std::min(static_cast<std::int32_t>(records.size()), options_.depth);
    std::size_t last = 0;
    for (std::size_t first = 0; first < records.size(); first = last) {
      last = first + 1;
      while (last < records.size() && records[last].key == records[first].key) ++last;
      if (last - first > 1) {
        if (options_.ties_are_errors || options_.by == RankBy::rank) return fail(RunProblem::tie);
        out_.n_tied += last - first;
      }
      for (std::size_t i = first; i < last && i < static_cast<std::size_t>(list.retrieved); ++i) {
        const auto found = judgments_.find(query, records[i].doc(), records[i].hash());
        if (found.level == JudgmentIndex::unknown) continue;
        out_.any_judged = true;
        const auto rank = static_cast<std::int32_t>(i) + 1;
        const bool open = options_.by == RankBy::open;
        list.item.push_back({rank, found.level, open ? static_cast<std::int32_t>(first) + 1 : rank,
                             open ? std::min(static_cast<std::int32_t>(last), list.retrieved) : rank, found.judgment});
      }
    }
    records.clear();
    return true;
  }

  const JudgmentIndex& judgments_;
  const ReadOptions& options_;
  bool scattered_ = false;
  bool has_ranks_ = true;  // whether all ranks so far are numbers
  RunLists out_;
  Duplicates duplicates_;
};

}  // namespace

RunLists read_run(const RunSource& source, const JudgmentIndex& judgments, const ReadOptions& options) {
  Reader reader(judgments, options);
  const auto blocks = [&] { return LineBlocks(source.path, source.bytes, source.limit); };
  reader.read(blocks(), false);
  if (reader.scattered()) reader.read(blocks(), true);
  return std::move(reader.lists());
}

}  // namespace judicious
