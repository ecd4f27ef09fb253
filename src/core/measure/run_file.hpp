// Reads ranked lists directly from a TREC run file. The text of a query is kept until its list is
// complete; of the list, only the judgments of its documents are kept.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "execution/hash_filter.hpp"
#include "execution/hash_index.hpp"
#include "measure/spec.hpp"

namespace judicious {

// The order of the documents of a list. `score`: by descending score, and equal scores by
// descending document id, as in trec_eval. `rank`: by the rank column, ascending. `open`: by score,
// with equal scores as a tied group.
enum class RankBy { score, rank, open };

// How scores are compared: in double precision, or rounded to single precision.
enum class Precision { double_, single };

// An index of the judgments for the reader: codes of queries, ids of documents, levels.
class JudgmentIndex {
 public:
  JudgmentIndex(std::vector<std::string> query_ids, const std::vector<std::int32_t>& query,
                const std::vector<std::string>& doc, const std::vector<std::int32_t>& level);
  JudgmentIndex(const JudgmentIndex&) = delete;  // it has views into its own text
  JudgmentIndex& operator=(const JudgmentIndex&) = delete;

  std::size_t n_queries() const { return query_ids_.size(); }
  const std::string& query_id(std::size_t query) const { return query_ids_[query]; }
  std::int32_t find_query(std::string_view id) const;  // -1 where there is none

  static constexpr std::int32_t unknown = -2;
  // The level of the document for the query; -1 if in the pool but not judged, otherwise `unknown`.
  std::int32_t level(std::int32_t query, std::string_view doc, std::uint64_t hash) const;
  // Loads what level() will need for the document.
  void prefetch(std::int32_t query, std::uint64_t hash) const {
    const Documents& documents = documents_[static_cast<std::size_t>(query)];
    if (documents.filter.may_have(hash)) documents.index.prefetch(hash);
  }
  const Judged& judged(std::size_t query) const { return judged_[query]; }

 private:
  auto is_query(std::string_view id) const {
    return [=](std::int32_t q) { return same_text(query_ids_[static_cast<std::size_t>(q)], id); };
  }

  // The judged documents of a query. Each is stored as its level, the size of its id, and the id,
  // so that a look-up touches few lines of the processor's cache.
  struct Documents {
    Documents(std::size_t n, const char* from) : filter(n), index(n), text(from) {}
    std::int32_t number(std::int32_t at) const {
      std::int32_t value = 0;
      std::memcpy(&value, text + at, sizeof value);
      return value;
    }
    auto is(std::string_view id) const {
      return [this, id](std::int32_t at) {
        return same_text({text + at + 8, static_cast<std::size_t>(number(at + 4))}, id);
      };
    }
    HashFilter filter;
    HashIndex<NoHash> index;  // of places in the text
    const char* text;
  };

  std::vector<std::string> query_ids_;
  std::vector<char> text_;
  std::vector<Judged> judged_;
  HashIndex<HalfHash> query_index_;
  std::vector<Documents> documents_;  // of each query
};

// `not_plain`: the file must be read as a table, which tells what is wrong: it cannot be read, has
// several tags or tags of several words, is not UTF-8, or a line has too few fields or no score.
enum class RunProblem { none, not_plain, duplicate, tie };

struct RunLists {
  std::string system;
  std::vector<RankedList> list;       // per query of the judgments
  std::vector<std::uint8_t> present;  // whether the run answers the query
  std::size_t n_lines = 0;
  std::size_t n_unknown_queries = 0;
  std::size_t n_comments = 0;
  std::size_t first_comment = 0;  // its line, from 1
  std::size_t n_tied = 0;         // documents whose score another document of their list has
  RunProblem problem = RunProblem::none;
};

struct RunSource {
  std::string path;        // read from here ...
  std::string_view bytes;  // ... or, if the path is empty, from here
  // The number of bytes that a gzipped file may have.
  double limit = std::numeric_limits<double>::infinity();
};

// Six columns: query, an ignored word, document, rank, score, system. Lines that start with # and
// have no score are comments. `depth` cuts the lists. Stops at the first problem. If the lines of a
// query are not contiguous, the whole text is kept in memory.
RunLists read_run(const RunSource& source, const JudgmentIndex& judgments, RankBy by,
                  std::int32_t depth, bool ties_are_errors,
                  Precision precision = Precision::double_);

}  // namespace judicious
