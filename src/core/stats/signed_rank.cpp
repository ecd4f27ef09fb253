#include "stats/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "execution/checked_alloc.hpp"
#include "execution/index.hpp"
#include "execution/interrupt.hpp"
#include "stats/distributions.hpp"

namespace judicious {

namespace {

// P(S <= s) for s = 0, 1, ..., where S is the sum of those of the weights that are selected, each with probability 1/2.
std::vector<double> subset_sum_cdf(const std::vector<Index>& weights) {
  const Index total = std::accumulate(weights.begin(), weights.end(), Index{0});
  std::vector<double> p = checked_alloc<double>({total + 1});
  p[0] = 1;
  Index reach = 0;
  for (const Index w : weights) {
    check_interrupt();
    reach += w;
    for (Index s = reach + 1; s-- > 0;) p[s] = 0.5 * (p[s] + (s >= w ? p[s - w] : 0.0));
  }
  std::partial_sum(p.begin(), p.end(), p.begin());
  return p;
}

// Distributions for the ranks 1, ..., n, computed once for each n.
class UntiedDistributions {
 public:
  const std::vector<double>& operator()(Index n) {
    if (length(cdf_) <= n) cdf_.resize(n + 1);
    if (cdf_[n].empty()) {
      std::vector<Index> weights(n);
      std::iota(weights.begin(), weights.end(), Index{1});
      cdf_[n] = subset_sum_cdf(weights);
    }
    return cdf_[n];
  }

 private:
  std::vector<std::vector<double>> cdf_;
};

// One column of differences, sorted once by size, so that each subset needs only one pass.
struct SortedColumn {
  std::vector<std::int32_t> query;
  std::vector<unsigned char> positive;
  std::vector<Index> group_end;  // end of each group of equal sizes
  Index zeros_end = 0;           // number of queries with difference 0, which come first
  bool ties = false;
};

SortedColumn sort_column(const double* d, Index n) {
  SortedColumn c;
  c.query.resize(n);
  std::iota(c.query.begin(), c.query.end(), 0);
  const auto size = [&](std::int32_t q) { return std::fabs(d[q]); };
  std::sort(c.query.begin(), c.query.end(), [&](std::int32_t a, std::int32_t b) { return size(a) < size(b); });
  for (const std::int32_t q : c.query) c.positive.push_back(d[q] > 0);
  while (c.zeros_end < n && size(c.query[c.zeros_end]) <= 0) ++c.zeros_end;
  for (Index i = c.zeros_end; i < n; ++i) {
    const bool last = i + 1 == n || size(c.query[i + 1]) > size(c.query[i]);
    if (last)
      c.group_end.push_back(i + 1);
    else
      c.ties = true;
  }
  return c;
}

// The results of a pass over one subset. Ranks are doubled, so that mid-ranks are integers.
struct RankSums {
  Index nonzero = 0, doubled_sum = 0;
  double tie_term = 0;
};

RankSums rank_sums_untied(const SortedColumn& c, const unsigned char* in, Index first_rank) {
  Index rank = first_rank, sum = 0;
  for (Index i = c.zeros_end; i < length(c.query); ++i) {
    const Index member = in[c.query[i]];
    rank += member;
    sum += rank * (member & c.positive[i]);
  }
  return {rank - first_rank, 2 * sum, 0};
}

// If `doubled_ranks` is not null, it receives the ranks of the subset's differences.
RankSums rank_sums_tied(const SortedColumn& c, const unsigned char* in, Index first_rank,
                        std::vector<Index>* doubled_ranks) {
  RankSums w;
  Index rank = first_rank, i = c.zeros_end;
  for (const Index end : c.group_end) {
    Index members = 0, positive = 0;
    for (; i < end; ++i) {
      const Index member = in[c.query[i]];
      members += member;
      positive += member & c.positive[i];
    }
    const Index doubled = 2 * rank + members + 1;
    w.doubled_sum += positive * doubled;
    const double t = static_cast<double>(members);
    w.tie_term += t * t * t - t;
    rank += members;
    if (doubled_ranks) doubled_ranks->insert(doubled_ranks->end(), members, doubled);
  }
  w.nonzero = rank - first_rank;
  return w;
}

struct Tails {
  double greater = 1, less = 1, two_sided = 1;
};

Tails exact_tails(const std::vector<double>& cdf, Index statistic) {
  Tails t;
  t.less = cdf[statistic];
  t.greater = cdf[cdf.size() - 1 - statistic];  // because the distribution is symmetric
  t.two_sided = std::min(1.0, 2 * std::min(t.less, t.greater));
  return t;
}

// With the continuity correction of R's wilcox.test().
Tails normal_tails(double deviation, double variance) {
  const double sd = std::sqrt(variance);
  Tails t;
  t.greater = normal_survival((deviation - 0.5) / sd);
  t.less = normal_survival(-(deviation + 0.5) / sd);
  const double centred = deviation > 0 ? deviation - 0.5 : deviation < 0 ? deviation + 0.5 : 0.0;
  t.two_sided = std::min(1.0, 2 * normal_survival(std::fabs(centred) / sd));
  return t;
}

double square_sum(double n) { return n * (n + 1) * (2 * n + 1); }

}  // namespace

SignedRankResults signed_rank_tests(ScoreView differences, SubsetView subsets, SignedRankOptions options) {
  const Index n = differences.n_queries, columns = differences.n_columns;
  auto in = checked_alloc<unsigned char>({n, subsets.count});
  for (Index t = 0; t < subsets.count; ++t) {
    for (Index i = 0; i < subsets.size; ++i) in[t * n + subsets.subset(t)[i]] = 1;
  }
  const auto cells = [&] { return checked_alloc<double>({columns, subsets.count}); };
  SignedRankResults out{cells(), cells(), cells(), cells(), cells()};
  UntiedDistributions untied;
  std::vector<Index> ranks;
  const bool pratt = options.zeros == Zeros::pratt;
  for (Index j = 0; j < columns; ++j) {
    check_interrupt();
    const SortedColumn c = sort_column(differences.column(j), n);
    for (Index t = 0; t < subsets.count; ++t) {
      check_interrupt_at(t, 16);
      const unsigned char* member = in.data() + t * n;
      Index zeros = 0;
      for (Index i = 0; i < c.zeros_end; ++i) zeros += member[c.query[i]];
      const Index first_rank = pratt ? zeros : 0;
      ranks.clear();
      const bool keep = options.method == SignedRankMethod::exact && (c.ties || first_rank > 0);
      const RankSums w = c.ties || keep ? rank_sums_tied(c, member, first_rank, keep ? &ranks : nullptr)
                                        : rank_sums_untied(c, member, first_rank);
      const double all = static_cast<double>(first_rank + w.nonzero), z = static_cast<double>(first_rank);
      const double mean = (all * (all + 1) - z * (z + 1)) / 4;
      const double statistic = static_cast<double>(w.doubled_sum) / 2;
      Tails tails;
      if (w.nonzero > 0) {
        const bool plain = w.tie_term <= 0 && first_rank == 0;
        const bool exact = options.method == SignedRankMethod::exact ||
                           (options.method == SignedRankMethod::as_r && plain && zeros == 0 && w.nonzero < 50);
        if (!exact) {
          tails = normal_tails(statistic - mean, (square_sum(all) - square_sum(z)) / 24 - w.tie_term / 48);
        } else if (plain) {
          tails = exact_tails(untied(w.nonzero), w.doubled_sum / 2);
        } else {
          tails = exact_tails(subset_sum_cdf(ranks), w.doubled_sum);
        }
      }
      const Index cell = t * columns + j;
      out.statistic[cell] = statistic;
      out.expected[cell] = mean;
      out.greater[cell] = tails.greater;
      out.less[cell] = tails.less;
      out.two_sided[cell] = tails.two_sided;
    }
  }
  return out;
}

WalshSummary walsh_averages(const double* difference, Index n, Index k) {
  std::vector<double> mean = checked_alloc<double>({n % 2 == 0 ? n / 2 : n, n % 2 == 0 ? n + 1 : (n + 1) / 2});
  auto next = mean.begin();
  for (Index i = 0; i < n; ++i) {
    check_interrupt_at(i, 64);
    for (Index j = 0; j <= i; ++j) *next++ = (difference[i] + difference[j]) / 2;
  }
  const auto at = [&](Index i) {
    const auto where = mean.begin() + i;
    std::nth_element(mean.begin(), where, mean.end());
    return *where;
  };
  const Index size = length(mean);
  return {at(k - 1), (at((size - 1) / 2) + at(size / 2)) / 2, at(size - k)};
}

}  // namespace judicious
