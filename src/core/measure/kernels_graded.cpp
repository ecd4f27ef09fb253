// Measures of the gains along the list: ERR, and trec_eval's experimental measures of graded relevance.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

// The model of ERR: a user continues to the next rank with probability 1 - gain.
double expected_reciprocal_rank(const ListView& v) {
  double sum = 0;
  double reached = 1;
  for (const ListItem& item : v.list.item) {
    if (item.rank > v.depth) break;
    sum += reached * v.gain(item) / item.rank;
    reached *= 1 - v.gain(item);
  }
  return sum;
}

void err_in_draws(const DrawnList& list, int depth, const double* gain, const double*, double* out) {
  std::vector<double> reached(list.draws, 1);
  for (int r = 0; r < depth; ++r) {
    for (int t = 0; t < list.draws; ++t) {
      const double here = gain[list.level[r][t]];
      out[t] += reached[t] * here / (r + 1);
      reached[t] *= 1 - here;
    }
  }
}

double expected_err(const ListView& v, const std::vector<TiedGroup>& groups) {
  double sum = 0;
  double reached = 1;
  for (const TiedGroup& group : groups) {
    // continuation[m] is the expected product of (1 - gain) over m random documents of the group: the probability that
    // the user continues after them.
    std::vector<double> continuation(static_cast<std::size_t>(group.size()) + 1, 1.0);
    double n = group.size() - static_cast<double>(group.end - group.begin);
    for (std::size_t i = group.begin; i < group.end; ++i) {
      ++n;
      const double stay = 1 - v.gain(v.list.item[i]);
      for (std::size_t m = static_cast<std::size_t>(n); m >= 1; --m) {
        const double share = static_cast<double>(m) / n;
        continuation[m] = (1 - share) * continuation[m] + share * stay * continuation[m - 1];
      }
    }
    for (std::int32_t rank = group.first; rank <= std::min(group.last, v.depth); ++rank) {
      const std::size_t m = rank - group.first;
      sum += reached * (continuation[m] - continuation[m + 1]) / rank;
    }
    reached *= continuation.back();
  }
  return sum;
}

std::int32_t ideal_length(const ListView& v) { return static_cast<std::int32_t>(v.facts.ideal_at.size()); }

// The ideal DCG of the first `rank` documents.
double ideal_until(const ListView& v, std::int32_t rank) {
  return v.facts.ideal_at[std::min(rank, ideal_length(v)) - 1];
}

// The measure G of trec_eval. Each rank costs its ideal gain, but at least 1; a gain is discounted by the logarithm of
// the sum of the costs so far, less the sum of the gains so far.
double normalised_g(const ListView& v) {
  const std::int32_t n_ideal = ideal_length(v);
  double sum = 0;
  double gains = 0;
  double cost = 0;
  std::int32_t at = 0;
  for (const ListItem& item : v.list.item) {
    for (; at < item.rank; ++at) {
      cost += at < n_ideal ? std::max(v.facts.ideal_gain[at], 1.0) : 1.0;
    }
    const double g = v.gain(item);
    gains += g;
    if (g != 0) sum += g / std::log2(2 + cost - gains);
  }
  return ratio(sum, std::accumulate(v.facts.ideal_gain.begin(), v.facts.ideal_gain.end(), 0.0));
}

// The mean of nDCG at the ranks of the relevant documents. A relevant document that is not retrieved contributes the
// nDCG of the whole list.
double ndcg_at_relevant(const ListView& v) {
  const std::int32_t n_ideal = ideal_length(v);
  if (n_ideal == 0) return undefined;
  double dcg = 0;
  double sum = 0;
  std::int32_t found = 0;
  for (const ListItem& item : v.list.item) {
    const double g = v.gain(item);
    dcg += v.discount.apply(g, item.rank);
    if (g > 0) {
      ++found;
      sum += dcg / ideal_until(v, item.rank);
    }
  }
  return (sum + (n_ideal - found) * dcg / v.facts.ideal_at.back()) / n_ideal;
}

// The mean of nDCG at the ranks where the ideal list changes to a lower gain, and at the end of the list.
double ndcg_at_levels(const ListView& v) {
  const std::int32_t n_ideal = ideal_length(v);
  if (n_ideal == 0 || v.facts.relevant == 0) return undefined;
  const std::vector<ListItem>& items = v.list.item;
  double dcg = 0;
  double sum = 0;
  std::size_t next = 0;
  std::int32_t points = 0;
  const auto add_point = [&](std::int32_t rank) {
    for (; next < items.size() && items[next].rank <= rank; ++next)
      dcg += v.discount.apply(v.gain(items[next]), items[next].rank);
    sum += dcg / ideal_until(v, rank);
    ++points;
  };
  for (std::int32_t i = 1; i <= n_ideal; ++i) {
    const std::size_t at = i;
    if (i == n_ideal || v.facts.ideal_gain[at] != v.facts.ideal_gain[at - 1]) add_point(i);
  }
  // trec_eval also counts the end of the list, if the list continues for at least two documents.
  if (v.list.retrieved > n_ideal + 1) add_point(v.list.retrieved);
  return sum / points;
}

// The sum over ranks i of p^(i-1) / i times the number of documents that both lists have in their first i ranks.
// `arrivals`: how many documents this number increases by at each rank.
double weighted_overlap(double p, const std::vector<std::int32_t>& arrivals) {
  double sum = 0;
  double weight = 1;
  double common = 0;
  for (std::size_t i = 1; i < arrivals.size(); ++i, weight *= p) {
    common += arrivals[i];
    sum += weight * common / static_cast<double>(i);
  }
  return sum;
}

// The rank-biased overlap of the list with the most similar ideal order, in which documents with equal gains are
// ordered as in the list. It is defined by Clarke, Vtyurina and Smucker (2021). The sum ends at the end of the longer
// list, or at the parameter `depth`.
double compatibility(const ListView& v) {
  const std::vector<double>& ideal = v.facts.ideal_gain;
  const auto longer = static_cast<double>(std::max<std::size_t>(v.list.retrieved, ideal.size()));
  const auto depth = static_cast<std::size_t>(v.spec.number("depth", longer));
  std::vector<std::int32_t> arrivals(depth + 1, 0);
  // For each gain, at the first ideal rank of its documents: how many of these have an ideal rank already.
  std::vector<std::int32_t> used(ideal.size(), 0);
  for (const ListItem& item : v.list.item) {
    const double gain = v.gain(item);
    if (!(gain > 0)) continue;
    const std::size_t above =
        std::lower_bound(ideal.begin(), ideal.end(), gain, std::greater<double>()) - ideal.begin();
    const auto ideal_rank = static_cast<std::int32_t>(above) + ++used[above];
    const std::size_t rank = std::max(item.rank, ideal_rank);
    if (rank <= depth) ++arrivals[rank];
  }
  const double p = v.spec.number("p");
  const bool normalised = v.spec.number("normalize") != 0;
  std::vector<std::int32_t> best(depth + 1, 0);
  std::fill_n(best.begin() + 1, normalised ? std::min(ideal.size(), depth) : depth, 1);
  return ratio(weighted_overlap(p, arrivals), weighted_overlap(p, best));
}

}  // namespace

const std::vector<Kernel>& graded_kernels() {
  static const std::vector<Kernel> kernels{
      value_kernel("Compat", compatibility),
      in_draws(value_kernel("ERR", expected_reciprocal_rank, expected_err), err_in_draws),
      value_kernel("G", normalised_g),
      value_kernel("ndcg_rel", ndcg_at_relevant),
      value_kernel("Rndcg", ndcg_at_levels),
  };
  return kernels;
}

}  // namespace judicious
