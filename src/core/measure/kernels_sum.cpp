// Measures that are sums over documents: the weight of a document depends on its level and rank only.
#include <cmath>
#include <functional>

#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

constexpr Named<bool> is_of_query[] = {{"query", true}};

double gain_at(const ListView& v, const ListItem& item, std::int32_t) { return v.gain(item); }

double relevance(const ListView& v, const ListItem& item, std::int32_t) { return v.is_relevant(item) ? 1 : 0; }

double list_size(const ListView& v) { return v.size(); }
double ranks_that_count(const ListView& v) { return v.depth; }
double retrieved_to_depth(const ListView& v) { return std::min<double>(v.spec.cutoff, v.list.retrieved); }

// The contribution of a document to the mean of nDCG at ranks 1 to `depth`: its discounted gain divided by the ideal
// DCG of each rank from its own on.
double average_ndcg(const ListView& v, const ListItem& item, std::int32_t rank) {
  const double g = discounted_gain(v, item, rank);
  if (g == 0) return 0;
  const std::vector<double>& ideal = v.facts.ideal_at;
  const auto n = static_cast<std::int32_t>(ideal.size());
  double sum = 0;
  for (std::int32_t i = rank; i <= std::min(v.depth, n); ++i) sum += g / ideal[i - 1];
  return sum + std::max(0, v.depth - std::max(n, rank - 1)) * (g / ideal.back());
}

double dynamic_recall(const ListView& v, const ListItem& item, std::int32_t rank) {
  if (item.level < 0) return 0;
  double sum = 0;
  for (std::int32_t i = std::max(rank, v.facts.first_rank[item.level]); i <= v.depth; ++i) {
    sum += 1.0 / i;
  }
  return sum;
}

// For each level, the rank at which its documents begin in the ideal order.
void first_ideal_ranks(const MeasureSpec& spec, const Judged& judged, QueryFacts& facts) {
  std::vector<double> gains;
  for (std::int32_t level : judged.level) gains.push_back(spec.gain[level]);
  std::sort(gains.begin(), gains.end(), std::greater<double>());
  for (double gain : spec.gain) {
    const auto above = std::lower_bound(gains.begin(), gains.end(), gain, std::greater<double>());
    facts.first_rank.push_back(static_cast<std::int32_t>(above - gains.begin()) + 1);
  }
}

// The contribution to rank-biased precision of a document with `gain` at `rank`.
double rbp_contribution(const ListView& v, double gain, std::int32_t rank) {
  const double p = v.number("p");
  return gain * (1 - p) * std::pow(p, rank - 1);
}

// A multiple of the number of relevant documents, rounded up if the fraction is at least a tenth.
int multiple_of_relevant(const ListView& v) {
  constexpr double most = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(v.spec.number("x") * v.facts.relevant + 0.9, most));
}

// The F measure: (1 + b^2) P R / (b^2 P + R) = found (1 + b^2) / (b^2 relevant + size).
double f_scale(const ListView& v) {
  const double weight = v.spec.number("beta") * v.spec.number("beta");
  return v.facts.relevant > 0 ? (weight * v.facts.relevant + v.size()) / (1 + weight) : 0;
}

double rank_biased_gain(const ListView& v, const ListItem& item, std::int32_t rank) {
  return rbp_contribution(v, v.gain(item), rank);
}

double rank_biased_certainty(const ListView& v, const ListItem& item, std::int32_t rank) {
  return item.level < 0 ? 0 : -rbp_contribution(v, 1, rank);
}

// The factor of gains: if the measure requires it, relative to the highest gain among the query's judgments.
double highest_gain(const ListView& v) {
  const bool relative = v.spec.choice("max", is_of_query, false) && !v.facts.ideal_gain.empty();
  return relative ? std::max(1.0, v.facts.ideal_gain.front()) : 1;
}

double judged(const ListView&, const ListItem& item, std::int32_t) { return item.level >= 0 ? 1 : 0; }

double judged_nonrelevant(const ListView& v, const ListItem& item, std::int32_t) {
  return item.level >= 0 && !v.is_relevant(item) ? 1 : 0;
}

Kernel by_level(Kernel kernel) {
  kernel.by_level = true;
  return kernel;
}

double minus_judged(const ListView& v, const ListItem& item, std::int32_t rank) { return -judged(v, item, rank); }

}  // namespace

const std::vector<Kernel>& sum_kernels() {
  static const std::vector<Kernel> kernels{
      by_level({"CG", gain_at}),
      by_level({"AG", gain_at, list_size}),
      by_level({"DCG", discounted_gain}),
      by_level({"nDCG", discounted_gain, ideal_sum}),
      {"ANDCG", average_ndcg, [](const ListView& v) { return v.facts.ideal_at.empty() ? 0 : ranks_that_count(v); },
       [](const ListView& v) { return static_cast<int>(v.size()); }},
      {"ADR", dynamic_recall, ranks_that_count,
       [](const ListView& v) {
         const std::int32_t known = v.facts.relevant + v.facts.nonrelevant;
         return v.spec.cutoff == no_cutoff ? known : v.spec.cutoff;
       },
       nullptr, nullptr, nullptr, first_ideal_ranks},
      by_level({"P", relevance, list_size}),
      by_level({"recall", relevance, relevant_documents}),
      by_level({"F", relevance, f_scale}),
      by_level(
          {"relative_P", relevance, [](const ListView& v) { return std::min<double>(v.size(), v.facts.relevant); }}),
      {"Rprec", relevance, ranks_that_count, multiple_of_relevant},
      {"RBP", rank_biased_gain, highest_gain},
      // The residual: the weight of all ranks, minus that of the ranks with judged documents.
      {"RBPresidual", rank_biased_certainty, nullptr, nullptr, [](const ListView&) { return 1.0; }},
      {"judged", judged, retrieved_to_depth},
      {"unjudged", minus_judged, list_size, nullptr, retrieved_to_depth},
      {"num_rel_ret", relevance},
      {"hits", relevance},
      {"num_nonrel_judged_ret", judged_nonrelevant},
  };
  return kernels;
}

}  // namespace judicious
