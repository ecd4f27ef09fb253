// Measures of the ranks of the relevant documents. The expectations over ties of AP and RR are those of McSherry and
// Najork (2008), "Computing information retrieval performance measures efficiently in the presence of tied scores".
#include <cmath>

#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

double sum_of_precisions(const ListView& v) {
  double sum = 0;
  visit_relevant(v, [&](const ListItem& item, std::int32_t found) { sum += static_cast<double>(found) / item.rank; });
  return sum;
}

double average_precision(const ListView& v) { return ratio(sum_of_precisions(v), v.facts.relevant); }

void precisions_in_draws(const DrawnList& list, int depth, const double*, const double* relevant, double* out) {
  std::vector<double> found(list.draws, 0);
  for (int r = 0; r < depth; ++r) {
    for (int t = 0; t < list.draws; ++t) {
      const double here = relevant[list.level[r][t]];
      found[t] += here;
      out[t] += here * found[t] / (r + 1);
    }
  }
  for (int t = 0; t < list.draws; ++t) out[t] = ratio(out[t], list.facts[t].relevant);
}

double expected_average_precision(const ListView& v, const std::vector<TiedGroup>& groups) {
  double sum = 0;
  double found = 0;
  for (const TiedGroup& group : groups) {
    const double r = count_relevant(v, group);
    const double n = group.size();
    for (std::int32_t rank = group.first; rank <= std::min(group.last, v.depth); ++rank) {
      const double before = rank - group.first;
      sum += r / n * (found + 1 + (n > 1 ? before * (r - 1) / (n - 1) : 0)) / rank;
    }
    found += r;
  }
  return ratio(sum, v.facts.relevant);
}

double reciprocal_rank(const ListView& v) {
  if (v.facts.relevant == 0) return undefined;
  double value = 0;
  visit_relevant(v, [&](const ListItem& item, std::int32_t found) {
    if (found == 1) value = 1.0 / item.rank;
  });
  return value;
}

void reciprocal_ranks_in_draws(const DrawnList& list, int depth, const double*, const double* relevant, double* out) {
  for (int r = depth; r-- > 0;) {
    const double value = 1.0 / (r + 1);
    // `here` is 0 or 1, and a factor instead of a condition, because branches would often be mispredicted.
    for (int t = 0; t < list.draws; ++t) {
      const double here = relevant[list.level[r][t]];
      out[t] = here * value + (1 - here) * out[t];
    }
  }
  for (int t = 0; t < list.draws; ++t)
    if (list.facts[t].relevant == 0) out[t] = undefined;
}

double expected_reciprocal_rank(const ListView& v, const std::vector<TiedGroup>& groups) {
  return expected_at_first_relevant(v, groups, [](std::int32_t rank) { return 1.0 / rank; });
}

double maximal_f(const ListView& v) {
  if (v.facts.relevant == 0) return undefined;
  double best = 0;
  visit_relevant(v, [&](const ListItem& item, std::int32_t found) {
    best = std::max(best, 2.0 * found / (item.rank + v.facts.relevant));
  });
  return best;
}

// The measure of trec_eval called yaap: average precision as smoothed log odds.
double smoothed_log_odds(const ListView& v) {
  const double sum = sum_of_precisions(v);
  return std::log((1 + sum) / (1 + v.facts.relevant - sum));
}

double binary_g(const ListView& v) {
  double sum = 0;
  visit_relevant(v, [&](const ListItem& item, std::int32_t found) { sum += 1.0 / std::log2(2.0 + item.rank - found); });
  return ratio(sum, v.facts.relevant);
}

// The mean over recall points of the highest precision at that recall or more. A recall point is converted to a number
// of relevant documents, its share of all: up to version 9 of trec_eval, rounded up if the fraction is at least a
// tenth; from version 10 on, rounded to the nearest number.
constexpr Named<bool> rounds_to_nearest[] = {{"up", false}, {"nearest", true}};

double interpolated_precision(const ListView& v) {
  if (v.facts.relevant == 0) return undefined;
  std::vector<double> precision;
  visit_relevant(v, [&](const ListItem& item, std::int32_t found) {
    precision.push_back(static_cast<double>(found) / item.rank);
  });
  for (std::size_t i = precision.size(); i-- > 1;) precision[i - 1] = std::max(precision[i - 1], precision[i]);
  const bool nearest = v.spec.choice("rounding", rounds_to_nearest, false);
  const std::vector<double>& points = v.spec.numbers.find("recall")->second;
  double sum = 0;
  for (const double point : points) {
    const double share = point * v.facts.relevant;
    const auto count = nearest ? std::lround(share) : static_cast<long>(share + 0.9);
    const std::size_t at = std::max(count, 1L);
    if (at <= precision.size()) sum += precision[at - 1];
  }
  return sum / static_cast<double>(points.size());
}

}  // namespace

const std::vector<Kernel>& rank_kernels() {
  static const std::vector<Kernel> kernels{
      in_draws(value_kernel("AP", average_precision, expected_average_precision), precisions_in_draws),
      in_draws(value_kernel("RR", reciprocal_rank, expected_reciprocal_rank), reciprocal_ranks_in_draws),
      value_kernel("Fmax", maximal_f),
      value_kernel("iprec", interpolated_precision),
      value_kernel("yaap", smoothed_log_odds),
      value_kernel("binG", binary_g),
  };
  return kernels;
}

}  // namespace judicious
