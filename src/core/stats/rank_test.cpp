#include "stats/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "execution/checked_alloc.hpp"
#include "execution/interrupt.hpp"
#include "stats/distributions.hpp"

namespace judicious {

RankTable rank_within_queries(ScoreView scores) {
  const Index n = scores.n_queries, m = scores.n_columns;
  RankTable out{std::vector<double>(n * m), std::vector<double>(n, 0.0), n, m};
  std::vector<Index> order(m);
  for (Index q = 0; q < n; ++q) {
    check_interrupt_at(q, 1024);
    const auto score = [&](Index s) { return scores.column(s)[q]; };
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return score(a) < score(b); });
    for (Index first = 0; first < m;) {
      Index last = first;
      while (last + 1 < m && score(order[last + 1]) <= score(order[first])) ++last;
      const double mid = 1.0 + static_cast<double>(first + last) / 2.0;
      for (Index i = first; i <= last; ++i) out.rank[q * m + order[i]] = mid;
      const double t = static_cast<double>(last - first + 1);
      out.tie_term[q] += t * t * t - t;
      first = last + 1;
    }
  }
  return out;
}

double FriedmanResult::p_value() const { return chi_squared_survival(chi2, static_cast<double>(mean_rank.size()) - 1); }

FriedmanResult friedman(const RankTable& ranks, const std::int32_t* query, Index size, bool correct_ties) {
  const Index m = ranks.n_systems;
  const double n = static_cast<double>(size), systems = static_cast<double>(m);
  FriedmanResult out{std::vector<double>(m, 0.0), 0, 0};
  double ties = 0;
  for (Index i = 0; i < size; ++i) {
    const Index q = query[i];
    ties += ranks.tie_term[q];
    const double* row = ranks.rank.data() + q * m;
    for (Index s = 0; s < m; ++s) out.mean_rank[s] += row[s];
  }
  double spread = 0;
  for (double& r : out.mean_rank) {
    r /= n;
    spread += (r - (systems + 1) / 2) * (r - (systems + 1) / 2);
  }
  out.sigma2 = systems * (systems + 1) / 12 - (correct_ties ? ties / (12 * n * (systems - 1)) : 0);
  // If all systems are tied for every query, the ranks do not vary, so the variance is set to 0 exactly; the computed
  // one would be a rounding error.
  const double all_tied = n * (systems * systems * systems - systems);
  if (correct_ties && ties >= all_tied) out.sigma2 = 0;
  out.chi2 = out.sigma2 > 0 ? n * spread / out.sigma2 : 0;
  return out;
}

std::vector<double> studentised_rank_differences(const RankTable& ranks, SubsetView subsets, bool correct_ties) {
  const Index m = ranks.n_systems;
  std::vector<double> out = checked_alloc<double>({n_pairs_of(m), subsets.count});
  double* next = out.data();
  for (Index t = 0; t < subsets.count; ++t) {
    check_interrupt_at(t, 64);
    const FriedmanResult f = friedman(ranks, subsets.subset(t), subsets.size, correct_ties);
    const double scale = f.sigma2 > 0 ? std::sqrt(static_cast<double>(subsets.size) / f.sigma2) : 0.0;
    for (Index a = 0; a + 1 < m; ++a) {
      for (Index b = a + 1; b < m; ++b) *next++ = (f.mean_rank[a] - f.mean_rank[b]) * scale;
    }
  }
  return out;
}

}  // namespace judicious
