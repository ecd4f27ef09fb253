#include "measure/run_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"
#include "text/lines.hpp"
#include "text/number.hpp"

namespace judicious {
namespace {

struct Record {
  double key = 0;  // higher comes first
  std::string_view doc;
  std::uint64_t hash = 0;
  std::int32_t level = JudgmentIndex::unknown;
};

bool comes_first(const Record& a, const Record& b) {
  return a.key != b.key ? a.key > b.key : a.doc > b.doc;
}

// The number of fields of a line of a run file.
constexpr std::size_t n_run_fields = 6;
using RunFields = std::array<std::string_view, n_run_fields>;

// Iterates over the lines that are neither blank nor comments.
class RunLines {
 public:
  explicit RunLines(std::string_view bytes) : lines_(bytes) {}

  // False at the end. `n_fields` is set to the number of fields of the line, plus one if more words
  // follow.
  bool next(RunFields& field, std::size_t& n_fields) {
    std::string_view line;
    while (lines_.next(line)) {
      const bool may_be_comment = starts_comment(line);
      for (n_fields = 0; n_fields < n_run_fields; ++n_fields) {
        field[n_fields] = take_field(line);
        if (field[n_fields].empty()) break;
      }
      double score = 0;
      if (may_be_comment && (n_fields < n_run_fields || !parse_number(field[4], score))) {
        if (n_comments_++ == 0) first_comment_ = lines_.number();
        continue;
      }
      if (n_fields == n_run_fields && !take_field(line).empty()) ++n_fields;
      if (n_fields > 0) return true;
    }
    return false;
  }

  std::size_t number() const { return lines_.number(); }
  std::size_t n_comments() const { return n_comments_; }
  std::size_t first_comment() const { return first_comment_; }

 private:
  Lines lines_;
  std::size_t n_comments_ = 0;
  std::size_t first_comment_ = 0;
};

// Detects repeated documents in a list.
class Duplicates {
 public:
  const Record* find(const std::vector<Record>& records) {
    index_.clear(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      const auto own = static_cast<std::int32_t>(i);
      const std::int32_t first = index_.insert(record.hash, own, [&](std::int32_t other) {
        return records[static_cast<std::size_t>(other)].doc == record.doc;
      });
      if (first != own) return &record;
    }
    return nullptr;
  }

 private:
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
  RunLists read(std::string_view bytes, bool gather, bool& scattered) {
    out_ = RunLists{};
    out_.list.resize(judgments_.n_queries());
    out_.present.assign(judgments_.n_queries(), 0);
    std::vector<std::vector<Record>> all(gather ? judgments_.n_queries() : 1);
    RunLines lines(bytes);
    RunFields field;
    std::size_t n_fields = 0;
    std::string_view query_id;
    std::int32_t query = -1;
    std::vector<std::string_view> unknown;
    while (lines.next(field, n_fields)) {
      ++out_.n_lines;
      check_interrupt_at(out_.n_lines, std::size_t{1} << 18);
      if (n_fields < n_run_fields) return fail(RunProblem::bad_line, lines.number());
      if (n_fields > n_run_fields) return fail(RunProblem::other_text, lines.number());
      if (out_.n_lines == 1)
        out_.system = std::string(field[5]);
      else if (field[5] != out_.system)
        return fail(RunProblem::mixed_systems, lines.number());
      if (field[0] != query_id) {
        if (!gather && !finish(query, all[0])) return std::move(out_);
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
      record.doc = field[2];
      const std::string_view number = by_ == RankBy::rank ? field[3] : field[4];
      if (!parse_number(number, record.key)) {
        out_.doc = std::string(number);
        return fail(RunProblem::bad_number, lines.number());
      }
      if (query < 0) continue;
      if (by_ == RankBy::rank)
        record.key = -record.key;
      else if (precision_ == Precision::single)
        record.key = static_cast<float>(record.key);
      record.hash = hash_bytes(record.doc);
      record.level = judgments_.level(query, record.doc, record.hash);
      all[gather ? static_cast<std::size_t>(query) : 0].push_back(record);
    }
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

  bool fail_at(RunProblem problem, std::int32_t query, const Record& record) {
    out_.problem = problem;
    out_.query = judgments_.query_id(static_cast<std::size_t>(query));
    out_.doc = std::string(record.doc);
    return false;
  }

  // Sorts the records of a query's list, keeps the judged documents, and clears the records.
  bool finish(std::int32_t query, std::vector<Record>& records) {
    if (query < 0 || records.empty()) return true;
    if (const Record* twice = duplicates_.find(records))
      return fail_at(RunProblem::duplicate, query, *twice);
    if (!std::is_sorted(records.begin(), records.end(), comes_first)) {
      std::sort(records.begin(), records.end(), comes_first);
    }
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
        if (records[i].level == JudgmentIndex::unknown) continue;
        const auto rank = static_cast<std::int32_t>(i) + 1;
        const bool open = by_ == RankBy::open;
        list.item.push_back(
            {rank, records[i].level, open ? static_cast<std::int32_t>(first) + 1 : rank,
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

RunLists read_run(std::string_view bytes, const JudgmentIndex& judgments, RankBy by,
                  std::int32_t depth, bool ties_are_errors, Precision precision) {
  if (!is_text(bytes)) {
    RunLists other;
    other.problem = RunProblem::other_text;
    return other;
  }
  Reader reader(judgments, by, depth, ties_are_errors, precision);
  bool scattered = false;
  RunLists lists = reader.read(bytes, false, scattered);
  if (scattered) lists = reader.read(bytes, true, scattered);
  return lists;
}

}  // namespace judicious
