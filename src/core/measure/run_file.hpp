// Reads ranked lists directly from a TREC run file. The text of a query is kept until its list is complete; then only
// the judgments of the documents in the list are kept.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "execution/hash_index.hpp"
#include "measure/spec.hpp"
#include "text/texts.hpp"

namespace judicious {

// The order of the documents of a list. `score`: by descending score, and equal scores by descending document
// identifier, as in trec_eval. `rank`: by ascending rank. `open`: by descending score, with equal scores as a tied
// group.
enum class RankBy { score, rank, open };

// How scores are compared: in double precision, or rounded to single precision.
enum class Precision { double_, single };

// The judgments of queries. Queries with equal judgments share one `kind`, as in collections with one relevant document
// per query. If there are details, each query has a separate kind.
struct JudgedQueries {
  std::vector<Judged> kind;
  std::vector<std::int32_t> kind_of;  // per query

  const Judged& of(std::size_t query) const { return kind[kind_of[query]]; }
};

// `query` and `level`: one of each per judgment; level -1 means not judged.
JudgedQueries judged_by_query(std::size_t n_queries, const std::vector<std::int32_t>& query,
                              const std::vector<std::int32_t>& level, const JudgmentDetails* details = nullptr);

// An index of the judgments for the reader: codes of queries, ids of documents, levels.
class JudgmentIndex {
 public:
  // The texts of the ids need to exist only during the construction.
  JudgmentIndex(const std::vector<std::string_view>& query_ids, const std::vector<std::int32_t>& query,
                const std::vector<std::string_view>& doc, const std::vector<std::int32_t>& level);
  JudgmentIndex(const JudgmentIndex&) = delete;  // it has views into its own text
  JudgmentIndex& operator=(const JudgmentIndex&) = delete;

  std::size_t n_queries() const { return place_.size(); }
  bool has_repeated() const { return has_repeated_; }  // whether a document of a query is judged twice
  std::int32_t find_query(std::string_view id) const;  // -1 where there is none

  static constexpr std::int32_t unknown = -2;
  // The level of the document for the query, or -1 if it is in the pool but not judged, or `unknown` for other
  // documents; and the number of its judgment.
  struct Found {
    std::int32_t level, judgment;
  };
  Found find(std::int32_t query, std::string_view doc, std::uint64_t hash) const;
  // Starts to load the data that find() requires for the document.
  void prefetch(std::int32_t query, std::uint64_t hash) const {
    const std::int32_t at = place_[query].documents;
    if (at < 0) return;
    const Documents& documents = documents_[at];
    if (documents.filter.may_have(hash)) documents.index.prefetch(hash);
  }

 private:
  auto is_query(std::string_view id) const {
    return [this, id](std::int32_t q) { return same_text(query_ids_[q], id); };
  }

  // The data that are stored in front of each judged document's identifier, so that a look-up touches few cache lines.
  struct Head {
    std::int32_t level, judgment, size;
    std::uint32_t half_hash;
  };
  static Head head_at(const char* at) {
    Head head;
    std::memcpy(&head, at, sizeof head);
    return head;
  }
  static std::string_view id_at(const char* at) {
    return {at + sizeof(Head), static_cast<std::size_t>(head_at(at).size)};
  }
  static const char* after(const char* at) { return at + sizeof(Head) + head_at(at).size; }

  // An index of the documents of a query.
  struct Documents {
    Documents(std::size_t n, const char* from) : filter(n), index(n), text(from) {}
    auto is(std::string_view id) const {
      return [this, id](std::int32_t at) { return same_text(id_at(text + at), id); };
    }
    HashFilter filter;
    HashIndex<NoHash> index;  // of positions in the text
    const char* text;
  };

  // For each query: where its documents start in the text, their number, and if they are many, the number of their
  // index.
  struct Place {
    std::size_t start = 0;
    std::int32_t n = 0, documents = -1;
  };

  Texts query_ids_;
  std::vector<char> text_;
  std::vector<Place> place_;
  HashIndex<HalfHash> query_index_;
  std::vector<Documents> documents_;
  bool has_repeated_ = false;
};

// `not_plain`: the fast reader cannot read the file, and the caller must read it as a table, which explains the
// problem. This applies if the file cannot be opened, has several run tags or tags of several words, or is not UTF-8,
// or if a line has too few fields or no score.
enum class RunProblem { none, not_plain, duplicate, tie };

// Facts about the ranks in a list, like those of list_facts() in R. Scores are compared in single precision.
struct RankFacts {
  std::int32_t n = 0, repeated = 0, rises = 0;
  double lowest = 0, highest = 0;
  bool level = false;

  bool in_order() const { return lowest == 1 && highest == n && repeated == 0 && rises == 0 && !level; }
};

struct RunLists {
  std::string system;
  std::vector<RankedList> list;       // of the queries that the run answers
  std::vector<RankFacts> ranks;       // of the same lists; empty if a rank is not a number
  std::vector<std::int32_t> list_of;  // per query of the judgments, -1 if it is not answered
  std::size_t n_lines = 0;
  std::size_t n_unknown_queries = 0;
  std::vector<std::string> unknown_queries;  // some of them, for messages
  bool any_judged = false;                   // whether any result of a query with judgments is judged
  std::size_t n_comments = 0;
  std::size_t first_comment = 0;  // line of the first comment, from 1
  std::size_t n_tied = 0;         // number of documents with the same score as another document of their list
  RunProblem problem = RunProblem::none;

  bool answers(std::size_t query) const { return list_of[query] >= 0; }
  const RankedList& operator[](std::size_t query) const { return list[list_of[query]]; }
};

struct RunSource {
  std::string path;        // read this file ...
  std::string_view bytes;  // ... or, if the path is empty, from here
  // The largest number of bytes to which a gzipped file may expand.
  double limit = std::numeric_limits<double>::infinity();
};

struct ReadOptions {
  RankBy by = RankBy::score;
  std::int32_t depth = std::numeric_limits<std::int32_t>::max();  // lists are cut at this rank
  bool ties_are_errors = false;
  Precision precision = Precision::double_;
  int n_threads = 1;
};

// Reads a file of six columns: query, an ignored word, document, rank, score, system. Lines that start with # and have
// no score are comments. Reading stops at the first problem. If the lines of a query are not contiguous, the whole text
// is kept in memory.
RunLists read_run(const RunSource& source, const JudgmentIndex& judgments, const ReadOptions& options);

}  // namespace judicious
