// Counts, and measures that depend on the set of the first documents, but not on their order.
#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

double relevant_found(const ListView& v) {
  double count = 0;
  visit_relevant(v, [&](const ListItem&, std::int32_t) { ++count; });
  return count;
}

// The number of all retrieved documents, or, if the measure has a level, of those with at least this gain.
double retrieved(const ListView& v) { return v.spec.numbers.count("rel") > 0 ? relevant_found(v) : v.list.retrieved; }

double success(const ListView& v) {
  if (v.facts.relevant == 0) return undefined;
  return relevant_found(v) > 0 ? 1 : 0;
}

// The probability that the first relevant document of the list has a rank that counts.
double expected_success(const ListView& v, const std::vector<TiedGroup>& groups) {
  return expected_at_first_relevant(v, groups, [](std::int32_t) { return 1.0; });
}

double precision_times_recall(const ListView& v) {
  const double found = relevant_found(v);
  return ratio(found * found, v.size() * v.facts.relevant);
}

// The precision at the rank that equals the number of relevant documents, the depth of this kernel. At this rank,
// precision equals recall.
double break_even(const ListView& v) {
  const double found = relevant_found(v);
  return found > 0 ? found / v.facts.relevant : undefined;
}

// The weighted sum of the four cells of the table of relevant and retrieved documents: `a` times the number of
// documents that are both, `b` retrieved only, `c` relevant only, and `d` neither, in a collection of `n` documents.
double utility(const ListView& v) {
  const double found = relevant_found(v);
  const MeasureSpec& s = v.spec;
  return s.number("a") * found + s.number("b") * (v.list.retrieved - found) +
         s.number("c") * (v.facts.relevant - found) +
         s.number("d") * (s.number("n") + found - v.list.retrieved - v.facts.relevant);
}

}  // namespace

const std::vector<Kernel>& set_kernels() {
  static const std::vector<Kernel> kernels{
      value_kernel("success", success, expected_success),
      value_kernel("set_AP", precision_times_recall),
      value_kernel("BEP", break_even, nullptr, [](const ListView& v) { return int{v.facts.relevant}; }),
      value_kernel("utility", utility),
      value_kernel("IDCG", ideal_sum),
      value_kernel("num_q", [](const ListView&) { return 1.0; }),
      value_kernel("num_ret", retrieved),
      value_kernel("num_rel", relevant_documents),
  };
  return kernels;
}

}  // namespace judicious
