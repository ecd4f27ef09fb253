#include "measure/run_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"
#include "text/blocks.hpp"
#include "text/lines.hpp"
#include "text/number.hpp"

namespace judicious {
namespace {

struct Record {
  double key = 0;  // higher comes first
  const char* text = nullptr;
  std::uint32_t size = 0;
  std::uint32_t half_hash = 0;

  std::string_view doc() const { return {text, size}; }
  // The hash table uses only the upper half.
  std::uint64_t hash() const { return static_cast<std::uint64_t>(half_hash) << 32; }
};

// Sorts by key, descending, and equal keys by document, descending. Most files are already sorted
// by score, so that only documents with equal scores need sorting.
void sort(std::vector<Record>& records) {
  const auto higher = [](const Record& a, const Record& b) { return a.key > b.key; };
  if (!std::is_sorted(records.begin(), records.end(), higher))
    std::sort(records.begin(), records.end(), higher);
  auto last = records.begin();
  for (auto first = last; first != records.end(); first = last) {
    while (last != records.end() && last->key == first->key) ++last;
    if (last - first > 1)
      std::sort(first, last, [](const Record& a, const Record& b) { return a.doc() > b.doc(); });
  }
}

// The number of fields of a line of a run file.
constexpr std::size_t n_run_fields = 6;
using RunFields = std::array<std::string_view, n_run_fields>;

// Iterates over the lines that are neither blank nor comments.
class RunLines {
 public:
  explicit RunLines(LineBlocks& blocks) : blocks_(blocks) {}

  // False at the end, and if a block is not text. `n_fields` is set to the number of fields of the
  // line, plus one if more words follow.
  bool next(RunFields& field, std::size_t& n_fields) {
    while (at_ != end_ || next_block()) {
      ++number_;
      if (split_plain(field))
        n_fields = n_run_fields;
      else
        n_fields = split(field);
      if (n_fields == 0) continue;
      double score = 0;
      if (field[0].front() == '#' && (n_fields < n_run_fields || !parse_number(field[4], score))) {
        if (n_comments_++ == 0) first_comment_ = number_;
        continue;
      }
      return true;
    }
    return false;
  }

  bool is_text() const { return is_text_; }
  std::size_t number() const { return number_; }
  std::size_t n_comments() const { return n_comments_; }
  std::size_t first_comment() const { return first_comment_; }

 private:
  bool next_block() {
    std::string_view block;
    if (!blocks_.next(block)) return false;
    at_ = block.data();
    end_ = at_ + block.size();
    is_text_ = judicious::is_text(block);
    return is_text_;
  }

  // Splits a line like most lines; otherwise returns false and does nothing.
  bool split_plain(RunFields& field) {
    const char* const next = split_plain_line(at_, n_run_fields, true, field.data());
    if (next == nullptr) return false;
    // The line feed may be the one that follows the block.
    at_ = std::min(next, end_);
    return true;
  }

  // Splits any line, and returns its number of fields, plus one if more words follow.
  std::size_t split(RunFields& field) {
    std::size_t n_fields = 0;
    for (; n_fields < n_run_fields && skip_blanks(); ++n_fields) {
      const char* const start = at_;
      do {
        at_ = find_low_byte(at_ + 1);
      } while (!is_blank(*at_) && !at_line_end());
      field[n_fields] = {start, static_cast<std::size_t>(at_ - start)};
    }
    if (skip_blanks()) ++n_fields;
    skip_line();
    return n_fields;
  }

  // If the block does not end in a line end, a line feed follows it.
  bool at_line_end() const { return *at_ == '\n' || *at_ == '\r'; }

  // Skips blanks; false at the end of the line.
  bool skip_blanks() {
    while (is_blank(*at_)) ++at_;
    return !at_line_end();
  }

  void skip_line() {
    while (!at_line_end()) at_ = find_low_byte(at_ + 1);
    if (at_ != end_) at_ += at_ + 1 != end_ && at_[0] == '\r' && at_[1] == '\n' ? 2 : 1;
  }

  LineBlocks& blocks_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool is_text_ = true;
  std::size_t number_ = 0;
  std::size_t n_comments_ = 0;
  std::size_t first_comment_ = 0;
};

// Detects repeated documents in a list. Only records whose bits of the filter are set more than
// once are compared.
class Duplicates {
 public:
  const Record* find(const std::vector<Record>& records) {
    seen_.clear(records.size());
    repeated_.clear(records.size());
    bool any = false;
    for (const Record& record : records) {
      if (!seen_.insert(record.hash())) continue;
      repeated_.insert(record.hash());
      any = true;
    }
    return any ? find_repeated(records) : nullptr;
  }

 private:
  const Record* find_repeated(const std::vector<Record>& records) {
    index_.clear(0);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      if (!repeated_.may_have(record.hash())) continue;
      const auto own = static_cast<std::int32_t>(i);
      const std::int32_t first = index_.insert(record.hash(), own, [&](std::int32_t other) {
        return same_text(records[static_cast<std::size_t>(other)].doc(), record.doc());
      });
      if (first != own) return &record;
    }
    return nullptr;
  }

  HashFilter seen_, repeated_;
  HashIndex<HalfHash> index_;
};

class Reader {
 public:
  Reader(const JudgmentIndex& judgments, RankBy by, std::int32_t depth, bool ties_are_errors,
         Precision precision)
      : judgments_(judgments),
        by_(by),
        depth_(depth),
        ties_are_errors_(ties_are_errors),
        precision_(precision) {}

  // Reads in one pass. Lists are finished as soon as their query ends. If a query appears again
  // later, `scattered` is set, and the caller reads again with `gather`.
  RunLists read(LineBlocks blocks, bool gather, bool& scattered) {
    out_ = RunLists{};
    out_.list.resize(judgments_.n_queries());
    out_.present.assign(judgments_.n_queries(), 0);
    std::vector<std::vector<Record>> all(gather ? judgments_.n_queries() : 1);
    RunLines lines(blocks);
    RunFields field;
    std::size_t n_fields = 0;
    std::string query_id;
    std::int32_t query = -1;
    std::vector<std::string> unknown;
    while (lines.next(field, n_fields)) {
      ++out_.n_lines;
      check_interrupt_at(out_.n_lines, std::size_t{1} << 18);
      if (n_fields < n_run_fields) return fail(RunProblem::bad_line, lines.number());
      if (n_fields > n_run_fields) return fail(RunProblem::other_text, lines.number());
      if (out_.n_lines == 1)
        out_.system = field[5];
      else if (!same_text(field[5], out_.system))
        return fail(RunProblem::mixed_systems, lines.number());
      if (!same_text(field[0], query_id)) {
        if (!gather) {
          if (!finish(query, all[0])) return std::move(out_);
          blocks.forget();
        }
        query_id = field[0];
        query = judgments_.find_query(query_id);
        if (query >= 0) {
          auto& seen = out_.present[static_cast<std::size_t>(query)];
          if (seen && !gather) {
            scattered = true;
            return std::move(out_);
          }
          seen = 1;
        } else {
          unknown.push_back(query_id);
        }
      }
      Record record;
      if (!read_key(field, record.key)) return fail(RunProblem::bad_number, lines.number());
      if (query < 0) continue;
      const std::string_view doc = field[2];
      if (doc.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("a document identifier of more than 2^32 - 1 bytes");
      record.text = doc.data();
      record.size = static_cast<std::uint32_t>(doc.size());
      record.half_hash = static_cast<std::uint32_t>(hash_bytes(doc) >> 32);
      judgments_.prefetch(query, record.hash());
      all[gather ? static_cast<std::size_t>(query) : 0].push_back(record);
    }
    if (blocks.damaged()) return fail(RunProblem::damaged, 0);
    if (blocks.failed()) return fail(RunProblem::unreadable, 0);
    if (!lines.is_text()) return fail(RunProblem::other_text, 0);
    out_.n_comments = lines.n_comments();
    out_.first_comment = lines.first_comment();
    if (gather) {
      for (std::size_t q = 0; q < all.size(); ++q) {
        if (!finish(static_cast<std::int32_t>(q), all[q])) break;
      }
    } else {
      finish(query, all[0]);
    }
    std::sort(unknown.begin(), unknown.end());
    out_.n_unknown_queries =
        static_cast<std::size_t>(std::unique(unknown.begin(), unknown.end()) - unknown.begin());
    return std::move(out_);
  }

 private:
  RunLists fail(RunProblem problem, std::size_t line) {
    out_.problem = problem;
    out_.line = line;
    return std::move(out_);
  }

  // Parses the key by which the list is sorted; false if it is not a number.
  bool read_key(const RunFields& field, double& key) {
    const std::string_view number = by_ == RankBy::rank ? field[3] : field[4];
    if (!parse_number(number, key)) {
      out_.doc = std::string(number);
      return false;
    }
    if (by_ == RankBy::rank)
      key = -key;
    else if (precision_ == Precision::single)
      key = static_cast<float>(key);
    return true;
  }

  bool fail_at(RunProblem problem, std::int32_t query, const Record& record) {
    out_.problem = problem;
    out_.query = judgments_.query_id(static_cast<std::size_t>(query));
    out_.doc = std::string(record.doc());
    return false;
  }

  // Sorts the records of a query's list, keeps the judged documents, and clears the records.
  bool finish(std::int32_t query, std::vector<Record>& records) {
    if (query < 0 || records.empty()) return true;
    if (const Record* twice = duplicates_.find(records))
      return fail_at(RunProblem::duplicate, query, *twice);
    sort(records);
    if (records.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw std::length_error("a list of more than 2^31 - 1 documents");
    RankedList& list = out_.list[static_cast<std::size_t>(query)];
    list.retrieved = std::min(static_cast<std::int32_t>(records.size()), depth_);
    std::size_t last = 0;
    for (std::size_t first = 0; first < records.size(); first = last) {
      last = first + 1;
      while (last < records.size() && records[last].key == records[first].key) ++last;
      if (last - first > 1) {
        if (ties_are_errors_ || by_ == RankBy::rank)
          return fail_at(RunProblem::tie, query, records[first]);
        out_.n_tied += last - first;
      }
      for (std::size_t i = first; i < last && i < static_cast<std::size_t>(list.retrieved); ++i) {
        const std::int32_t level = judgments_.level(query, records[i].doc(), records[i].hash());
        if (level == JudgmentIndex::unknown) continue;
        const auto rank = static_cast<std::int32_t>(i) + 1;
        const bool open = by_ == RankBy::open;
        list.item.push_back(
            {rank, level, open ? static_cast<std::int32_t>(first) + 1 : rank,
             open ? std::min(static_cast<std::int32_t>(last), list.retrieved) : rank});
      }
    }
    records.clear();
    return true;
  }

  const JudgmentIndex& judgments_;
  RankBy by_;
  std::int32_t depth_;
  bool ties_are_errors_;
  Precision precision_;
  RunLists out_;
  Duplicates duplicates_;
};

}  // namespace

RunLists read_run(const RunSource& source, const JudgmentIndex& judgments, RankBy by,
                  std::int32_t depth, bool ties_are_errors, Precision precision) {
  Reader reader(judgments, by, depth, ties_are_errors, precision);
  bool scattered = false;
  const auto blocks = [&] { return LineBlocks(source.path, source.bytes); };
  RunLists lists = reader.read(blocks(), false, scattered);
  if (scattered) lists = reader.read(blocks(), true, scattered);
  return lists;
}

}  // namespace judicious
