// Values of measures for ranked lists.
//
// Every measure is one entry of type Kernel in the table of one of the files kernels_*.cpp. To add a measure, add an
// entry to the table of the most similar measures, under the name of its entry in R/measure-registry.R.
#pragma once
#include <string>
#include <vector>

#include "measure/discount.hpp"
#include "measure/spec.hpp"

namespace judicious {

// Properties of a query that a measure requires. They do not depend on the system.
struct QueryFacts {
  std::int32_t relevant = 0;
  std::int32_t nonrelevant = 0;          // judged, not relevant
  double ideal = 0;                      // ideal DCG at the cutoff
  std::vector<double> ideal_gain;        // positive gains, highest first
  std::vector<double> ideal_at;          // ideal DCG at every rank up to the number of ideal gains
  std::vector<std::int32_t> first_rank;  // by level: the rank from which on ADR allows documents of the level
  const JudgmentDetails* details = nullptr;
  std::int32_t query = 0;          // the query's number, if there are details
  double total = 0;                // an estimate of the number of relevant documents, or the number of subtopics
  std::vector<double> scale;       // by stratum: number of pooled documents per judged one; or by
                                   // subtopic: its relevant documents, or its weight
  std::vector<double> pair_scale;  // the same for a second judged document of the stratum
};

// The input of a kernel: a ranked list, the settings of the measure and the properties of the query.
struct ListView {
  const MeasureSpec& spec;
  const RankDiscount& discount;
  const RankedList& list;
  const QueryFacts& facts;
  int depth;  // the last rank that counts

  bool is_relevant(const ListItem& item) const { return item.level >= 0 && spec.relevant[item.level] != 0; }
  double gain(const ListItem& item) const { return item.level < 0 ? 0.0 : spec.gain[item.level]; }
  // A parameter that is a number or, if it is a word, the column of the queries with this name.
  double number(const std::string& parameter) const {
    const auto name = spec.words.find(parameter);
    return name == spec.words.end() ? spec.number(parameter) : facts.details->of_query.at(name->second)[facts.query];
  }
  // The cutoff, or without one the length of the list.
  double size() const { return spec.cutoff == no_cutoff ? list.retrieved : spec.cutoff; }
};

// A list without ties in several draws of the levels of its documents, for measures that are computed for all draws at
// once.
struct DrawnList {
  std::vector<const std::int32_t*> level;  // at each rank, in every draw
  const QueryFacts* facts;                 // the properties of the query in every draw
  int draws;
};

// The judged documents of a tied group: items [begin, end), which span ranks first to last.
struct TiedGroup {
  std::size_t begin, end;
  std::int32_t first, last;
  double size() const { return last - first + 1; }
};

// The computation of one measure. A measure that is a sum over documents has `weight`; any other
// measure has `value`; the rest is optional. A value of NaN means that the measure is not defined.
struct Kernel {
  const char* name;
  // The value is (start + sum of the documents' weights at ranks up to `depth`) / scale; it is not defined if the scale
  // is not positive. The defaults are start 0, depth the cutoff, and scale 1.
  double (*weight)(const ListView&, const ListItem&, std::int32_t rank) = nullptr;
  double (*scale)(const ListView&) = nullptr;
  int (*depth)(const ListView&) = nullptr;
  double (*start)(const ListView&) = nullptr;
  // The value for a list without ties, whose items are sorted by rank.
  double (*value)(const ListView&) = nullptr;
  // The expectation if tied documents are in random order; by default, the mean over orders.
  double (*expected)(const ListView&, const std::vector<TiedGroup>&) = nullptr;
  // Adds properties of a query that only this measure needs.
  void (*prepare)(const MeasureSpec&, const Judged&, QueryFacts&) = nullptr;
  // Adds to `out` the values for all draws of a list, equal to those of `value`. `gain` and `relevant` (0 or 1) are
  // tables by level that begin with level -1. Optional: it makes rankings by draws faster.
  void (*in_draws)(const DrawnList&, int depth, const double* gain, const double* relevant, double* out) = nullptr;
  // Whether the weights depend only on the level and the rank.
  bool by_level = false;
};

// The tables of kernels, by the information that the measures use.
const std::vector<Kernel>& sum_kernels();         // sums over documents
const std::vector<Kernel>& set_kernels();         // counts and sets of the first documents
const std::vector<Kernel>& rank_kernels();        // ranks of the relevant documents
const std::vector<Kernel>& preference_kernels();  // order of documents in pairs
const std::vector<Kernel>& sampled_kernels();     // estimates from judgments of samples
const std::vector<Kernel>& subtopic_kernels();    // gains by subtopic or nugget
const std::vector<Kernel>& graded_kernels();      // gains along the list
const std::vector<Kernel>& user_kernels();        // users who read from the top and stop at some rank

std::vector<std::string> kernel_names();

class MeasureKernel {
 public:
  // Throws std::invalid_argument if no kernel has the measure's name.
  MeasureKernel(MeasureSpec spec);

  QueryFacts facts(const Judged& judged) const;
  // Like facts(), but reuses the memory of `facts`.
  void set_facts(const Judged& judged, QueryFacts& facts) const;

  // The value of the measure for a list whose items are sorted by rank; NaN if it is not defined.
  double value(const RankedList& list, const QueryFacts& facts) const;

  // The values of the measure for the draws of a list.
  void values(const DrawnList& list, double* out);

  // The expectation of the measure if the documents of every tied group are in random order. It is exact if the measure
  // is a sum over documents, or if its kernel has `expected`. Otherwise, it is the mean over all orders if there are
  // few of them, or else over `n_orders` random orders drawn from `seed`. Orders for which the measure is not defined
  // count as 0, or are left out if `skip_undefined`; NaN if all orders are left out.
  double expected_over_ties(const RankedList& list, const QueryFacts& facts, std::uint64_t seed,
                            bool skip_undefined = false, std::size_t n_orders = 2000) const;

  const MeasureSpec& spec() const { return spec_; }

 private:
  ListView view(const RankedList& list, const QueryFacts& facts) const;
  double sum_over_documents(const ListView& view) const;
  const double* weights_at(std::size_t rank);

  MeasureSpec spec_;
  const Kernel& kernel_;
  RankDiscount discount_;
  // Tables by level. They begin with level -1, unjudged, which counts nothing.
  std::vector<double> gain_, relevant_;
  std::vector<std::vector<double>> weight_;  // by rank and level, if the weights of the kernel depend on nothing else
  RankedList list_;                          // a draw of a list
};

}  // namespace judicious
