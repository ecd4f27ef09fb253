// Measures that count pairs of documents that are in the right order.
#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

// The numbers of relevant and of other documents above the current one.
struct Above {
  std::int32_t relevant = 0;
  std::int32_t nonrelevant = 0;
};

// Calls visit() for the relevant documents that count, with the numbers of documents above each. Returns these numbers
// for the whole list.
template <class Visit>
Above visit_with_above(const ListView& v, Visit visit) {
  Above above;
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    if (!v.is_relevant(item)) {
      above.nonrelevant += item.level >= 0;
    } else {
      visit(item, above);
      ++above.relevant;
    }
  }
  return above;
}

// The credit of a relevant document with `nonrelevant` judged nonrelevant documents above it.
double bpref_credit(const ListView& v, std::int32_t nonrelevant) {
  const double limit = std::min(v.facts.nonrelevant, v.facts.relevant);
  return nonrelevant > 0 ? 1 - std::min(nonrelevant, v.facts.relevant) / limit : 1;
}

double bpref(const ListView& v) {
  double sum = 0;
  visit_with_above(v, [&](const ListItem&, const Above& above) { sum += bpref_credit(v, above.nonrelevant); });
  return ratio(sum, v.facts.relevant);
}

// Within a tied group, the number of other documents above a relevant one is uniformly distributed.
double expected_bpref(const ListView& v, const std::vector<TiedGroup>& groups) {
  if (v.facts.relevant == 0) return undefined;
  double sum = 0;
  std::int32_t nonrelevant = 0;
  for (const TiedGroup& group : groups) {
    const double relevant = count_relevant(v, group);
    std::int32_t others = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      const ListItem& item = v.list.item[i];
      others += item.level >= 0 && !v.is_relevant(item);
    }
    for (std::int32_t x = nonrelevant; x <= nonrelevant + others; ++x)
      sum += relevant / (others + 1) * bpref_credit(v, x);
    nonrelevant += others;
  }
  return sum / v.facts.relevant;
}

// The share of pairs of a relevant and another document, judged or retrieved, that are in the right order. Documents
// that are not retrieved count as tied at the end of the list.
double auc(const ListView& v) {
  double others_above = 0;
  const Above all = visit_with_above(
      v, [&](const ListItem& item, const Above& above) { others_above += item.rank - 1 - above.relevant; });
  const double found = all.relevant;
  const double others_found = std::min<std::int32_t>(v.list.retrieved, v.depth) - found;
  const double others_left = v.facts.nonrelevant - all.nonrelevant;
  const double wins =
      found * others_found - others_above + found * others_left + (v.facts.relevant - found) * others_left / 2;
  return ratio(wins, v.facts.relevant * (others_found + others_left));
}

// The share of pairs of a relevant and another document of the list that are in the right order.
double accuracy(const ListView& v) {
  double others_above = 0;
  const double found = visit_with_above(v, [&](const ListItem& item, const Above& above) {
                         others_above += item.rank - 1 - above.relevant;
                       }).relevant;
  const double others = std::min<std::int32_t>(v.list.retrieved, v.depth) - found;
  return found * others > 0 ? 1 - others_above / (others * found) : undefined;
}

}  // namespace

const std::vector<Kernel>& preference_kernels() {
  static const std::vector<Kernel> kernels{
      value_kernel("AUC", auc),
      value_kernel("bpref", bpref, expected_bpref),
      value_kernel("pair_accuracy", accuracy),
  };
  return kernels;
}

}  // namespace judicious
