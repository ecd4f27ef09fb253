// Estimates from judgments of random samples of strata of the pool. Without strata, all judged and
// pooled documents of a query are one stratum.
#include <cmath>
#include <numeric>

#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

std::size_t stratum_of(const ListView& v, const ListItem& item) {
  const JudgmentDetails* details = v.facts.details;
  if (details == nullptr || details->stratum.empty() || item.judgment < 0) return 0;
  return details->stratum[item.judgment];
}

// Counts the pooled and the judged documents of each stratum, and estimates the number of relevant documents, and the
// ideal list.
void estimate_pool(const MeasureSpec& spec, const Judged& judged, QueryFacts& facts) {
  facts.scale = facts.pair_scale = {1};
  facts.total = facts.relevant;
  const JudgmentDetails* details = judged.details;
  if (details == nullptr || details->stratum.empty()) return;
  std::vector<double> pooled, known;
  for (const std::int32_t j : judged.judgment) {
    const std::size_t s = details->stratum[j];
    pooled.resize(std::max(pooled.size(), s + 1), 0);
    known.resize(pooled.size(), 0);
    ++pooled[s];
    known[s] += details->level[j] >= 0;
  }
  facts.scale.assign(pooled.size(), 0);
  facts.pair_scale = facts.scale;
  for (std::size_t s = 0; s < pooled.size(); ++s) {
    if (known[s] > 0) facts.scale[s] = pooled[s] / known[s];
    if (known[s] > 1) facts.pair_scale[s] = (pooled[s] - 1) / (known[s] - 1);
  }
  std::vector<double> documents(spec.gain.size(), 0);  // by level
  facts.total = 0;
  for (const std::int32_t j : judged.judgment) {
    const std::int32_t level = details->level[j];
    if (level < 0) continue;
    const double scale = facts.scale[details->stratum[j]];
    documents[level] += scale;
    facts.total += spec.relevant[level] ? scale : 0;
  }
  // Numbers of documents are rounded, as in NIST's sample_eval.pl.
  facts.ideal_gain.clear();
  for (std::size_t l = 0; l < documents.size(); ++l) {
    if (spec.gain[l] > 0) facts.ideal_gain.insert(facts.ideal_gain.end(), std::lround(documents[l]), spec.gain[l]);
  }
  std::sort(facts.ideal_gain.begin(), facts.ideal_gain.end(), std::greater<>());
}

bool has_strata(const ListView& v) { return v.facts.details != nullptr && !v.facts.details->stratum.empty(); }

// The numbers of pooled, judged and relevant documents of a stratum in a list; in place of the last, some measures use
// the sum of gains.
struct InList {
  double pooled = 0, judged = 0, relevant = 0;
};

double inferred_ap(const ListView& v) {
  // The smoothing constants are those of trec_eval and, with strata, of sample_eval.pl.
  constexpr double epsilon = 0.00001;
  const double added = (has_strata(v) ? 3 : 2) * epsilon;
  std::vector<InList> above(v.facts.scale.size());
  double sum = 0;
  for (const ListItem& item : v.list.item) {
    const std::size_t s = stratum_of(v, item);
    if (v.is_relevant(item)) {
      const double before = item.rank - 1;
      double precision = 1.0 / item.rank;
      for (const InList& one : above) {
        if (one.pooled == 0) continue;
        precision += before / item.rank * (one.pooled / before) * ((one.relevant + epsilon) / (one.judged + added));
      }
      sum += v.facts.scale[s] * precision;
      ++above[s].relevant;
    }
    ++above[s].pooled;
    above[s].judged += item.level >= 0;
  }
  return ratio(sum, v.facts.total);
}

// In a list, the judged documents of a stratum represent all documents of this stratum.
double inferred_ndcg(const ListView& v) {
  std::vector<InList> strata(v.facts.scale.size());
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    InList& own = strata[stratum_of(v, item)];
    ++own.pooled;
    if (item.level < 0) continue;
    ++own.judged;
    own.relevant += v.discount.apply(v.gain(item), item.rank);
  }
  double sum = 0, ideal = 0;
  for (const InList& one : strata) {
    if (one.judged > 0) sum += one.relevant * (has_strata(v) ? one.pooled / one.judged : 1);
  }
  int rank = 0;
  for (const double gain : v.facts.ideal_gain) {
    if (++rank > v.depth) break;
    ideal += v.discount.apply(gain, rank);
  }
  return ratio(sum, ideal);
}

// There are two scaling factors: the inverse of the probability that a document was judged, and the inverse of this
// probability given that another document of the same stratum was judged. If probabilities are stated, the second one
// equals the first.
double statistical_ap(const ListView& v) {
  const JudgmentDetails* details = v.facts.details;
  const bool stated = details != nullptr && !details->probability.empty();
  const auto scale = [&](std::int32_t judgment, std::size_t stratum) {
    return stated ? 1 / details->probability[judgment] : v.facts.scale[stratum];
  };
  const std::vector<double>& scales = v.facts.scale;
  const double total = stated ? std::accumulate(scales.begin(), scales.end(), 0.0) : v.facts.total;
  std::vector<double> found(v.facts.pair_scale.size(), 0);  // relevant documents by stratum
  double sum = 0, above = 0;
  for (const ListItem& item : v.list.item) {
    if (!v.is_relevant(item)) continue;
    const std::size_t s = stated ? 0 : stratum_of(v, item);
    double relevant_to_here = 1 + above;
    if (!stated) relevant_to_here += found[s] * (v.facts.pair_scale[s] - v.facts.scale[s]);
    sum += scale(item.judgment, s) * relevant_to_here / item.rank;
    above += scale(item.judgment, s);
    ++found[s];
  }
  return ratio(sum, total);
}

// If probabilities are stated, each relevant document is scaled by the inverse of its own probability.
void estimate_relevant(const MeasureSpec& spec, const Judged& judged, QueryFacts& facts) {
  const JudgmentDetails* details = judged.details;
  if (details == nullptr || details->probability.empty()) return estimate_pool(spec, judged, facts);
  facts.pair_scale = {1};
  for (const std::int32_t j : judged.judgment) {
    const std::int32_t level = details->level[j];
    if (level >= 0 && spec.relevant[level]) facts.scale.push_back(1 / details->probability[j]);
  }
}

}  // namespace

const std::vector<Kernel>& sampled_kernels() {
  static const std::vector<Kernel> kernels{
      prepared_kernel("infAP", inferred_ap, estimate_pool),
      prepared_kernel("infNDCG", inferred_ndcg, estimate_pool),
      prepared_kernel("statAP", statistical_ap, estimate_relevant),
  };
  return kernels;
}

}  // namespace judicious
