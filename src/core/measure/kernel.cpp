#include "measure/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace judicious {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double ratio(double above, double below) { return below > 0 ? above / below : undefined; }

}  // namespace

MeasureKernel::MeasureKernel(MeasureSpec spec) : spec_(std::move(spec)), discount_(spec_) {}

QueryFacts MeasureKernel::facts(const Judged& judged) const {
  QueryFacts out;
  for (std::int32_t level : judged.level) {
    const auto l = static_cast<std::size_t>(level);
    ++(spec_.relevant[l] ? out.relevant : out.nonrelevant);
    if (spec_.gain[l] > 0) out.ideal_gain.push_back(spec_.gain[l]);
  }
  std::sort(out.ideal_gain.begin(), out.ideal_gain.end(), std::greater<double>());
  if (spec_.ideal_is_maximum) {
    out.ideal_gain.assign(static_cast<std::size_t>(spec_.cutoff), spec_.max_gain);
  }
  double sum = 0;
  for (std::size_t i = 0; i < out.ideal_gain.size(); ++i) {
    sum += discount_.apply(out.ideal_gain[i], static_cast<int>(i) + 1);
    out.ideal_at.push_back(sum);
    if (i < static_cast<std::size_t>(spec_.cutoff)) out.ideal = sum;
  }
  if (spec_.kind == MeasureKind::adr) {
    out.first_rank.assign(spec_.gain.size(), 0);
    std::vector<double> gains;
    for (std::int32_t level : judged.level)
      gains.push_back(spec_.gain[static_cast<std::size_t>(level)]);
    std::sort(gains.begin(), gains.end(), std::greater<double>());
    for (std::size_t l = 0; l < spec_.gain.size(); ++l) {
      const auto above =
          std::lower_bound(gains.begin(), gains.end(), spec_.gain[l], std::greater<double>());
      out.first_rank[l] = static_cast<std::int32_t>(above - gains.begin()) + 1;
    }
  }
  return out;
}

double MeasureKernel::value(const RankedList& list, const QueryFacts& facts) const {
  if (additive()) return additive_value(list, facts);
  switch (spec_.kind) {
    case MeasureKind::set_ap:
    case MeasureKind::success:
    case MeasureKind::break_even:
    case MeasureKind::utility:
    case MeasureKind::ideal_dcg:
    case MeasureKind::n_retrieved:
    case MeasureKind::n_relevant:
      return set_value(list, facts);
    case MeasureKind::auc:
    case MeasureKind::bpref:
    case MeasureKind::inferred_ap:
      return preference_value(list, facts);
    case MeasureKind::normalized_g:
    case MeasureKind::ndcg_at_relevant:
    case MeasureKind::ndcg_at_levels:
    case MeasureKind::err:
      return graded_value(list, facts);
    default:
      return binary_value(list, facts);
  }
}

// Measures of the set of the first documents, whatever their order among themselves.
double MeasureKernel::set_value(const RankedList& list, const QueryFacts& facts) const {
  const int cut = spec_.kind == MeasureKind::break_even ? facts.relevant : spec_.cutoff;
  std::int32_t found = 0;
  for (const ListItem& item : list.item) {
    if (item.rank > cut) break;
    found += is_relevant(item);
  }
  const double size = spec_.cutoff == no_cutoff ? list.retrieved : spec_.cutoff;
  switch (spec_.kind) {
    case MeasureKind::set_ap:
      return ratio(static_cast<double>(found) * found, size * facts.relevant);
    case MeasureKind::success:
      return facts.relevant > 0 ? (found > 0 ? 1 : 0) : undefined;
    case MeasureKind::break_even:
      return found > 0 ? static_cast<double>(found) / facts.relevant : undefined;
    case MeasureKind::utility: {
      const std::vector<double>& a = spec_.parameter;
      return a[0] * found + a[1] * (list.retrieved - found) + a[2] * (facts.relevant - found) +
             a[3] * (a[4] + found - list.retrieved - facts.relevant);
    }
    case MeasureKind::ideal_dcg:
      return facts.ideal;
    case MeasureKind::n_retrieved:
      return list.retrieved;
    default:
      return facts.relevant;
  }
}

// Measures of the ranks of the relevant documents.
double MeasureKernel::binary_value(const RankedList& list, const QueryFacts& facts) const {
  if (spec_.kind == MeasureKind::interpolated_precision) return interpolated(list, facts);
  double sum = 0;
  double best = 0;
  double first = 0;
  std::int32_t found = 0;
  for (const ListItem& item : list.item) {
    if (item.rank > spec_.cutoff) break;
    if (!is_relevant(item)) continue;
    ++found;
    if (found == 1) first = 1.0 / item.rank;
    if (spec_.kind == MeasureKind::binary_g) {
      sum += 1.0 / std::log2(2.0 + item.rank - found);
    } else {
      sum += static_cast<double>(found) / item.rank;
    }
    best = std::max(best, 2.0 * found / (item.rank + facts.relevant));
  }
  switch (spec_.kind) {
    case MeasureKind::yaap:
      return std::log((1 + sum) / (1 + facts.relevant - sum));
    case MeasureKind::reciprocal_rank:
      return facts.relevant > 0 ? first : undefined;
    case MeasureKind::maximal_f:
      return facts.relevant > 0 ? best : undefined;
    default:
      return ratio(sum, facts.relevant);
  }
}

// Mean over recall points of the highest precision at that recall or more. The number of relevant
// documents a point stands for is its share of all, rounded up (trec_eval up to version 9: from a
// tenth on) or to the nearest (from version 10 on).
double MeasureKernel::interpolated(const RankedList& list, const QueryFacts& facts) const {
  if (facts.relevant == 0) return undefined;
  std::vector<double> precision;
  for (const ListItem& item : list.item) {
    if (item.rank > spec_.cutoff) break;
    if (is_relevant(item))
      precision.push_back(static_cast<double>(precision.size() + 1) / item.rank);
  }
  for (std::size_t i = precision.size(); i-- > 1;)
    precision[i - 1] = std::max(precision[i - 1], precision[i]);
  const bool nearest = spec_.parameter[0] != 0;
  double sum = 0;
  for (std::size_t j = 1; j < spec_.parameter.size(); ++j) {
    const double share = spec_.parameter[j] * facts.relevant;
    const auto count = nearest ? std::lround(share) : static_cast<long>(share + 0.9);
    const auto at = static_cast<std::size_t>(std::max(count, 1L));
    if (at <= precision.size()) sum += precision[at - 1];
  }
  return sum / static_cast<double>(spec_.parameter.size() - 1);
}

// Measures that count which documents are above which.
double MeasureKernel::preference_value(const RankedList& list, const QueryFacts& facts) const {
  if (facts.relevant == 0) return undefined;
  constexpr double epsilon = 0.00001;  // of inferred AP, as in trec_eval
  const double limit = std::min(facts.nonrelevant, facts.relevant);
  double sum = 0;
  std::int32_t found = 0;
  std::int32_t nonrelevant = 0;
  std::int32_t pooled = 0;
  const std::int32_t retrieved = std::min<std::int32_t>(list.retrieved, spec_.cutoff);
  double above = 0;
  for (const ListItem& item : list.item) {
    if (item.rank > spec_.cutoff) break;
    if (item.level < 0) {
      ++pooled;
    } else if (!is_relevant(item)) {
      ++nonrelevant;
    } else {
      ++found;
      above += item.rank - found;
      if (spec_.kind == MeasureKind::bpref) {
        sum += nonrelevant > 0 ? 1 - std::min(nonrelevant, facts.relevant) / limit : 1;
      } else if (spec_.kind == MeasureKind::inferred_ap) {
        const double before = item.rank - 1;
        sum += 1.0 / item.rank;
        if (before > 0) {
          sum += before / item.rank * ((found - 1 + nonrelevant + pooled) / before) *
                 ((found - 1 + epsilon) / (found - 1 + nonrelevant + 2 * epsilon));
        }
      }
    }
  }
  if (spec_.kind != MeasureKind::auc) return sum / facts.relevant;
  // Pairs of a relevant and another document, known or retrieved; what is not retrieved is tied
  // below.
  const double others_found = retrieved - found;
  const double others_left = facts.nonrelevant - nonrelevant;
  const double others = others_found + others_left;
  const double wins = found * others_found - above + found * others_left +
                      (facts.relevant - found) * others_left / 2;
  return ratio(wins, facts.relevant * others);
}

double MeasureKernel::cascade(const RankedList& list) const {
  double sum = 0;
  double going_on = 1;
  for (const ListItem& item : list.item) {
    if (item.rank > spec_.cutoff) break;
    sum += going_on * gain(item) / item.rank;
    going_on *= 1 - gain(item);
  }
  return sum;
}

// trec_eval's experimental measures of graded relevance, and ERR.
double MeasureKernel::graded_value(const RankedList& list, const QueryFacts& facts) const {
  if (spec_.kind == MeasureKind::err) return cascade(list);
  const std::vector<double>& ideal = facts.ideal_at;
  const auto n_ideal = static_cast<std::int32_t>(ideal.size());
  const auto ideal_until = [&](std::int32_t rank) {
    return ideal[static_cast<std::size_t>(std::min(rank, n_ideal)) - 1];
  };
  if (n_ideal == 0) return undefined;
  double sum = 0;
  double total = 0;
  if (spec_.kind == MeasureKind::normalized_g) {
    double gains = 0;
    for (double g : facts.ideal_gain) total += g;
    // A rank costs its ideal gain, one at least.
    double cost = 0;
    std::int32_t at = 0;
    for (const ListItem& item : list.item) {
      for (; at < item.rank; ++at) {
        cost += at < n_ideal ? std::max(facts.ideal_gain[static_cast<std::size_t>(at)], 1.0) : 1.0;
      }
      const double g = gain(item);
      gains += g;
      if (g != 0) sum += g / std::log2(2 + cost - gains);
    }
    return sum / total;
  }
  double dcg = 0;
  if (spec_.kind == MeasureKind::ndcg_at_relevant) {
    std::int32_t found = 0;
    for (const ListItem& item : list.item) {
      const double g = gain(item);
      dcg += discount_.apply(g, item.rank);
      if (g > 0) {
        ++found;
        sum += dcg / ideal_until(item.rank);
      }
    }
    return (sum + (n_ideal - found) * dcg / ideal.back()) / n_ideal;
  }
  // At the ranks where the ideal list goes to a lower gain, and at the end of the list.
  if (facts.relevant == 0) return undefined;
  std::size_t next = 0;
  std::int32_t points = 0;
  const auto advance = [&](std::int32_t rank) {
    while (next < list.item.size() && list.item[next].rank <= rank) {
      dcg += discount_.apply(gain(list.item[next]), list.item[next].rank);
      ++next;
    }
  };
  for (std::int32_t i = 1; i <= n_ideal; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i < n_ideal && facts.ideal_gain[at] == facts.ideal_gain[at - 1]) continue;
    advance(i);
    sum += dcg / ideal_until(i);
    ++points;
  }
  // trec_eval counts the end where the list goes on for two documents or more.
  if (list.retrieved > n_ideal + 1) {
    advance(list.retrieved);
    sum += dcg / ideal.back();
    ++points;
  }
  return sum / points;
}

}  // namespace judicious
