#include "concordance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

// Sums of the first elements of an array, whose elements can be changed quickly.
class Fenwick {
 public:
  explicit Fenwick(std::size_t size) : sum_(size + 1, 0.0) {}

  void add(std::size_t at, double value) {
    for (std::size_t i = at + 1; i < sum_.size(); i += i & (~i + 1)) sum_[i] += value;
  }

  // Sum of the entries before `end`.
  double before(std::size_t end) const {
    double total = 0;
    for (std::size_t i = end; i > 0; i -= i & (~i + 1)) total += sum_[i];
    return total;
  }

 private:
  std::vector<double> sum_;
};

}  // namespace

Concordance concordance(const std::int32_t* rank, const std::int32_t* category, const double* weight, std::size_t n,
                        std::size_t n_ranks, std::size_t n_categories) {
  std::vector<std::size_t> start(n_categories + 1, 0);
  for (std::size_t i = 0; i < n; ++i) ++start[category[i] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::size_t> row(n), next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < n; ++i) row[next[category[i]]++] = i;

  Concordance counts;
  Fenwick lower(n_ranks);  // weights of the categories below the current one
  double total = 0;
  for (std::size_t j = 0; j < n_categories; ++j) {
    for (std::size_t at = start[j]; at < start[j + 1]; ++at) {
      check_interrupt_at(at, std::size_t{1} << 16);
      const std::size_t i = row[at];
      const auto r = rank[i];
      const double below = lower.before(r), up_to = lower.before(r + 1);
      counts.concordant += weight[i] * below;
      counts.tied += weight[i] * (up_to - below);
      counts.discordant += weight[i] * (total - up_to);
    }
    for (std::size_t at = start[j]; at < start[j + 1]; ++at) {
      lower.add(static_cast<std::size_t>(rank[row[at]]), weight[row[at]]);
      total += weight[row[at]];
    }
  }
  return counts;
}

}  // namespace judicious::ordinal
