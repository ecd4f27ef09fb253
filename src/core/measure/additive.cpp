// Measures that are sums over documents: the weight of a document depends on its level and rank
// only.
#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/kernel.hpp"

namespace judicious {

bool MeasureKernel::additive() const {
  switch (spec_.kind) {
    case MeasureKind::cumulated_gain:
    case MeasureKind::average_gain:
    case MeasureKind::dcg:
    case MeasureKind::ndcg:
    case MeasureKind::andcg:
    case MeasureKind::adr:
    case MeasureKind::precision:
    case MeasureKind::recall:
    case MeasureKind::f_beta:
    case MeasureKind::relative_precision:
    case MeasureKind::r_precision:
    case MeasureKind::rbp:
    case MeasureKind::rbp_residual:
    case MeasureKind::judged:
    case MeasureKind::unjudged:
    case MeasureKind::n_relevant_retrieved:
    case MeasureKind::n_nonrelevant_judged:
      return true;
    default:
      return false;
  }
}

// The rank up to which documents count.
int MeasureKernel::depth(const RankedList& list, const QueryFacts& facts) const {
  switch (spec_.kind) {
    case MeasureKind::r_precision:
      // A multiple of the number of relevant documents, rounded up from a tenth on.
      return static_cast<int>(std::min(spec_.parameter[0] * facts.relevant + 0.9,
                                       static_cast<double>(std::numeric_limits<int>::max())));
    case MeasureKind::adr: {
      const auto judged = facts.relevant + facts.nonrelevant;
      return spec_.cutoff == no_cutoff ? judged : spec_.cutoff;
    }
    case MeasureKind::andcg:
      return spec_.cutoff == no_cutoff ? list.retrieved : spec_.cutoff;
    default:
      return spec_.cutoff;
  }
}

double MeasureKernel::scale(const RankedList& list, const QueryFacts& facts) const {
  const double size = spec_.cutoff == no_cutoff ? list.retrieved : spec_.cutoff;
  switch (spec_.kind) {
    case MeasureKind::average_gain:
    case MeasureKind::precision:
    case MeasureKind::unjudged:
      return size;
    case MeasureKind::judged:
      return std::min<double>(spec_.cutoff, list.retrieved);
    case MeasureKind::relative_precision:
      return std::min<double>(size, facts.relevant);
    case MeasureKind::recall:
      return facts.relevant;
    case MeasureKind::f_beta: {
      // (1 + b^2) P R / (b^2 P + R) = found (1 + b^2) / (b^2 relevant + size).
      const double weight = spec_.parameter[0] * spec_.parameter[0];
      return facts.relevant > 0 ? (weight * facts.relevant + size) / (1 + weight) : 0;
    }
    case MeasureKind::ndcg:
      return facts.ideal;
    case MeasureKind::andcg:
      return facts.ideal_at.empty() ? 0 : depth(list, facts);
    case MeasureKind::rbp:
      // Gains relative to the highest one among the query's judgments, where the measure asks for
      // it.
      return spec_.parameter[1] != 0 && !facts.ideal_gain.empty()
                 ? std::max(1.0, facts.ideal_gain.front())
                 : 1;
    case MeasureKind::adr:
    case MeasureKind::r_precision:
      return depth(list, facts);
    default:
      return 1;
  }
}

double MeasureKernel::weight(const ListItem& item, std::int32_t rank, const RankedList& list,
                             const QueryFacts& facts) const {
  const int cut = depth(list, facts);
  if (rank > cut) return 0;
  switch (spec_.kind) {
    case MeasureKind::cumulated_gain:
    case MeasureKind::average_gain:
      return gain(item);
    case MeasureKind::dcg:
    case MeasureKind::ndcg:
      return discount_.apply(gain(item), rank);
    case MeasureKind::andcg: {
      const double g = discount_.apply(gain(item), rank);
      if (g == 0) return 0;
      const auto n = static_cast<std::int32_t>(facts.ideal_at.size());
      double sum = 0;
      for (std::int32_t i = rank; i <= std::min(cut, n); ++i)
        sum += g / facts.ideal_at[static_cast<std::size_t>(i) - 1];
      return sum + std::max(0, cut - std::max(n, rank - 1)) * (g / facts.ideal_at.back());
    }
    case MeasureKind::adr: {
      if (item.level < 0) return 0;
      double sum = 0;
      for (std::int32_t i = std::max(rank, facts.first_rank[static_cast<std::size_t>(item.level)]);
           i <= cut; ++i) {
        sum += 1.0 / i;
      }
      return sum;
    }
    case MeasureKind::rbp:
      return gain(item) * (1 - spec_.parameter[0]) * std::pow(spec_.parameter[0], rank - 1);
    case MeasureKind::rbp_residual:
      return item.level < 0 ? 0
                            : -(1 - spec_.parameter[0]) * std::pow(spec_.parameter[0], rank - 1);
    case MeasureKind::judged:
      return item.level >= 0 ? 1 : 0;
    case MeasureKind::unjudged:
      return item.level >= 0 ? -1 : 0;
    case MeasureKind::n_nonrelevant_judged:
      return item.level >= 0 && !is_relevant(item) ? 1 : 0;
    default:
      return is_relevant(item) ? 1 : 0;
  }
}

double MeasureKernel::additive_value(const RankedList& list, const QueryFacts& facts) const {
  const double below = scale(list, facts);
  if (!(below > 0)) return std::numeric_limits<double>::quiet_NaN();
  // What is left over when nothing is judged: the whole residual, every document unjudged.
  double sum = 0;
  if (spec_.kind == MeasureKind::rbp_residual) sum = 1;
  if (spec_.kind == MeasureKind::unjudged) sum = std::min<double>(spec_.cutoff, list.retrieved);
  for (const ListItem& item : list.item) {
    if (item.first == item.last) {
      sum += weight(item, item.rank, list, facts);
      continue;
    }
    double group = 0;
    for (std::int32_t rank = item.first; rank <= item.last; ++rank)
      group += weight(item, rank, list, facts);
    sum += group / (item.last - item.first + 1);
  }
  return sum / below;
}

}  // namespace judicious
