// Measures of judgments by subtopic, as ndeval computes them (Clarke et al. 2008, 2009, 2011), and
// of nuggets of generated answers.
#include <cmath>

#include "execution/index.hpp"
#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

// Calls visit(gain) for the gain of each subtopic of a judged document.
template <class Visit>
void visit_subtopics(const JudgmentDetails* details, std::int32_t judgment, Visit visit) {
  if (details == nullptr || details->start.empty() || judgment < 0) return;
  for (std::size_t i = details->start[judgment]; i < details->start[judgment + 1]; ++i) visit(details->subtopic[i]);
}

// The gain of a document with novelty: the sum over its subtopics, each multiplied by 1 - alpha for every document
// above that is relevant to the subtopic.
class Novelty {
 public:
  Novelty(const MeasureSpec& spec, const JudgmentDetails* details, std::size_t n_subtopics)
      : rel_(spec.number("rel")), keep_(1 - spec.number("alpha", 0)), details_(details), left_(n_subtopics, 1) {}

  double gain(std::int32_t judgment) const {
    double sum = 0;
    visit_subtopics(details_, judgment, [&](const SubtopicGain& one) {
      if (one.gain >= rel_) sum += left_[one.subtopic];
    });
    return sum;
  }
  void see(std::int32_t judgment) {
    visit_subtopics(details_, judgment, [&](const SubtopicGain& one) {
      if (one.gain >= rel_) left_[one.subtopic] *= keep_;
    });
  }

 private:
  double rel_, keep_;
  const JudgmentDetails* details_;
  std::vector<double> left_;
};

// Calls set(scale, gain) for the scale of each subtopic and the gain of each of its judged documents.
template <class Set>
void scale_subtopics(const Judged& judged, QueryFacts& facts, Set set) {
  for (const std::int32_t judgment : judged.judgment) {
    visit_subtopics(judged.details, judgment, [&](const SubtopicGain& one) {
      const std::size_t s = one.subtopic;
      facts.scale.resize(std::max(facts.scale.size(), s + 1), 0);
      set(facts.scale[s], one);
    });
  }
}

// Counts the relevant documents of each subtopic, and the subtopics that have relevant documents.
void count_subtopics(const MeasureSpec& spec, const Judged& judged, QueryFacts& facts) {
  const double rel = spec.number("rel");
  scale_subtopics(judged, facts, [&](double& n, const SubtopicGain& one) { n += one.gain >= rel; });
  for (const double n : facts.scale) facts.total += n > 0;
}

// Also computes the gains of the ideal list, greedily: the next document is the one with the highest gain, and among
// equal gains the last one in the order of documents.
void order_ideally(const MeasureSpec& spec, const Judged& judged, QueryFacts& facts) {
  count_subtopics(spec, judged, facts);
  Novelty novelty(spec, judged.details, facts.scale.size());
  std::vector<std::int32_t> left;
  for (const std::int32_t judgment : judged.judgment) {
    if (novelty.gain(judgment) > 0) left.push_back(judgment);
  }
  facts.ideal_gain.clear();
  while (!left.empty() && length(facts.ideal_gain) < spec.cutoff) {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double gain = novelty.gain(left[i]);
      if (gain < highest) continue;
      highest = gain;
      best = i;
    }
    facts.ideal_gain.push_back(highest);
    novelty.see(left[best]);
    left.erase(left.begin() + index(best));
  }
}

using Weight = double (*)(const MeasureSpec&, int rank);
double log_discount(const MeasureSpec&, int rank) { return 1 / std::log2(rank + 1.0); }
double reciprocal(const MeasureSpec&, int rank) { return 1.0 / rank; }
double rank_power(const MeasureSpec& spec, int rank) { return std::pow(spec.number("beta"), rank - 1); }

// The sum of the gains with novelty, each multiplied by the weight of its rank.
double novelty_sum(const ListView& v, Weight weight) {
  Novelty novelty(v.spec, v.facts.details, v.facts.scale.size());
  double sum = 0;
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    const double gain = novelty.gain(item.judgment);
    if (gain > 0) sum += gain * weight(v.spec, item.rank);
    novelty.see(item.judgment);
  }
  return sum;
}

double ideal_novelty(const ListView& v, Weight weight) {
  double sum = 0;
  int rank = 0;
  for (const double gain : v.facts.ideal_gain) sum += gain * weight(v.spec, ++rank);
  return sum;
}

// The sum for a list in which every document is relevant to every subtopic. If there is no cutoff, it is as long as the
// longer of the list and the ideal list.
double full_sum(const ListView& v, Weight weight) {
  const auto n_ideal = static_cast<std::int32_t>(v.facts.ideal_gain.size());
  const int end = v.spec.cutoff == no_cutoff ? std::max(v.list.retrieved, n_ideal) : v.depth;
  double gain = v.facts.total, sum = 0;
  for (int rank = 1; rank <= end; ++rank) {
    sum += gain * weight(v.spec, rank);
    gain *= 1 - v.spec.number("alpha");
  }
  return sum;
}

template <Weight weight>
double over_full(const ListView& v) {
  return ratio(novelty_sum(v, weight), full_sum(v, weight));
}
template <Weight weight>
double over_ideal(const ListView& v) {
  return ratio(novelty_sum(v, weight), ideal_novelty(v, weight));
}

double novelty_rbp(const ListView& v) {
  const double keep = (1 - v.spec.number("alpha")) * v.spec.number("beta");
  return ratio(novelty_sum(v, rank_power) * (1 - keep), v.facts.total);
}

double intent_aware_ap(const ListView& v) {
  std::vector<double> found(v.facts.scale.size(), 0);
  double sum = 0;
  for (const ListItem& item : v.list.item) {
    visit_subtopics(v.facts.details, item.judgment, [&](const SubtopicGain& one) {
      if (one.gain < v.spec.number("rel")) return;
      sum += ++found[one.subtopic] / item.rank / v.facts.scale[one.subtopic];
    });
  }
  return ratio(sum, v.facts.total);
}

double intent_aware_precision(const ListView& v) {
  return ratio(novelty_sum(v, [](const MeasureSpec&, int) { return 1.0; }), v.facts.total * v.size());
}

double subtopic_recall(const ListView& v) {
  std::vector<bool> found(v.facts.scale.size(), false);
  double n = 0;
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    visit_subtopics(v.facts.details, item.judgment, [&](const SubtopicGain& one) {
      if (one.gain < v.spec.number("rel") || found[one.subtopic]) return;
      found[one.subtopic] = true;
      ++n;
    });
  }
  return ratio(n, v.facts.total);
}

// Sets the weights of the nuggets of a query: 1 if vital, otherwise the parameter `okay`.
void weigh_nuggets(const MeasureSpec& spec, const Judged& judged, QueryFacts& facts) {
  const double okay = spec.number("okay");
  scale_subtopics(judged, facts, [&](double& weight, const SubtopicGain& one) { weight = one.vital ? 1 : okay; });
  for (const double weight : facts.scale) facts.total += weight;
}

double nugget_recall(const ListView& v) {
  const double full = v.spec.number("full");
  const double partial = v.spec.number("strict") != 0 ? 0 : 0.5;
  std::vector<double> credit(v.facts.scale.size(), 0);
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    visit_subtopics(v.facts.details, item.judgment, [&](const SubtopicGain& one) {
      double& here = credit[one.subtopic];
      here = std::max(here, one.gain >= full ? 1 : one.gain > 0 ? partial : 0);
    });
  }
  double sum = 0;
  for (std::size_t s = 0; s < credit.size(); ++s) sum += credit[s] * v.facts.scale[s];
  return ratio(sum, v.facts.total);
}

}  // namespace

const std::vector<Kernel>& subtopic_kernels() {
  static const std::vector<Kernel> kernels{
      prepared_kernel("alpha_DCG", over_full<log_discount>, order_ideally),
      prepared_kernel("alpha_nDCG", over_ideal<log_discount>, order_ideally),
      prepared_kernel("ERR_IA", over_full<reciprocal>, order_ideally),
      prepared_kernel("nERR_IA", over_ideal<reciprocal>, order_ideally),
      prepared_kernel("NRBP", novelty_rbp, count_subtopics),
      prepared_kernel("nNRBP", over_ideal<rank_power>, order_ideally),
      prepared_kernel("AP_IA", intent_aware_ap, count_subtopics),
      prepared_kernel("P_IA", intent_aware_precision, count_subtopics),
      prepared_kernel("StRecall", subtopic_recall, count_subtopics),
      prepared_kernel("nugget_recall", nugget_recall, weigh_nuggets),
  };
  return kernels;
}

}  // namespace judicious
