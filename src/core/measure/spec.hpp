// The input for evaluation: the specification of a measure, and judgments.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "text/enum_of.hpp"

namespace judicious {

enum class Discount { log2_next, log_base };

constexpr int no_cutoff = std::numeric_limits<int>::max();

// A measure. Gains are represented by levels, which are positions in the sorted list of the distinct gains of the
// judgments. The measure's gain function and relevance threshold are tables over the levels.
struct MeasureSpec {
  std::string name;  // of its kernel
  int cutoff = no_cutoff;
  std::vector<double> gain;                                         // per level
  std::vector<std::uint8_t> relevant;                               // per level
  std::map<std::string, std::vector<double>, std::less<>> numbers;  // parameters by name
  std::map<std::string, std::string, std::less<>> words;
  Discount discount = Discount::log2_next;
  double discount_base = 2;
  std::vector<double> discount_table;  // weights per rank; if not empty, used instead of `discount`
  bool ideal_is_maximum = false;       // the ideal list is `cutoff` documents of gain `max_gain`
  double max_gain = 0;
  bool judged_only = false;  // unjudged documents are removed from the lists
  // The value for a query without results: 0; NaN if the measure is not defined for the query; or the value of the
  // measure for an empty list.
  enum class Unanswered { zero, undefined, value } unanswered = Unanswered::zero;

  // Throws std::out_of_range for a parameter that the measure does not have.
  double number(const std::string& parameter) const { return numbers.at(parameter).at(0); }
  double number(const std::string& parameter, double otherwise) const {
    const auto found = numbers.find(parameter);
    return found == numbers.end() ? otherwise : found->second.at(0);
  }
  // The choice of a parameter that is a word; `otherwise` if the parameter is a number or missing.
  template <typename T, std::size_t N>
  T choice(const char* parameter, const Named<T> (&table)[N], T otherwise) const {
    const auto found = words.find(parameter);
    return found == words.end() ? otherwise : enum_of(found->second, table, parameter);
  }
};

// A document's gain for a subtopic, or an answer's support of a nugget. Subtopics and nuggets are numbered from 0
// within their query.
struct SubtopicGain {
  std::int32_t subtopic = 0;
  double gain = 0;
  bool vital = true;  // of a nugget
};

// Properties of judgments in addition to levels: for each judgment (of all queries), and for each query.
struct JudgmentDetails {
  std::vector<std::int32_t> level;    // -1: in the pool but not judged
  std::vector<std::int32_t> stratum;  // of the pool, from 0; empty if there is only one
  std::vector<double> probability;    // probability of being judged; empty to use the share of judged documents
  // where the subtopics of each judgment start in `subtopic`, and its size at the end; or empty
  std::vector<std::size_t> start;
  std::vector<SubtopicGain> subtopic;
  std::map<std::string, std::vector<double>, std::less<>> of_query{};  // columns of the queries that measures use
};

// The judgments of a query. `level` has the levels of its judged documents, highest first. If there are details,
// `query` is its number, and `judgment` has the numbers of its judgments, including those of documents of the pool that
// are not judged.
struct Judged {
  std::vector<std::int32_t> level;
  std::vector<std::int32_t> judgment;
  const JudgmentDetails* details = nullptr;
  std::int32_t query = 0;
};

// One document of a ranked list that has a judgment. `first` and `last` are the first and the last rank of its group of
// equal scores; without ties, both equal `rank`. Level -1 means that the gain in the judgments is negative, that is,
// the document is in the pool but not judged.
struct ListItem {
  std::int32_t rank = 0;
  std::int32_t level = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int32_t judgment = -1;  // its number, if known
};

// A system's list for one query: the documents that have judgments, by rank, and the length of the list.
struct RankedList {
  std::vector<ListItem> item;
  std::int32_t retrieved = 0;
};

}  // namespace judicious
