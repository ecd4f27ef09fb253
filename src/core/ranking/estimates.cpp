#include "ranking/estimates.hpp"

#include <cmath>
#include <utility>

#include "execution/checked_alloc.hpp"
#include "execution/interrupt.hpp"
#include "stats/distributions.hpp"
#include "stats/random.hpp"

namespace judicious {
namespace {

// If a variance relative to the values from which it was computed is smaller than this, it is rounding error.
constexpr double relative_rounding = 1e-12;

// Adds to row `a` the contribution of a pair, of variance `variance`, to the variances of the differences between
// system `a` and the others. `own` is the weight of the pair for `a`, `weight` that for all systems. If two systems
// retrieved the pair, the function is called for both of them, and their difference is counted for the first.
void add_differences(double own, const std::vector<double>& weight, double variance, Index a, double* row) {
  const double alone = own * own * variance;
  for (Index b = 0; b < a; ++b) row[b] += weight[b] == 0 ? alone : 0;
  for (Index b = a; b < length(weight); ++b) {
    const double apart = own - weight[b];
    row[b] += apart * apart * variance;
  }
}

}  // namespace

void SystemMatrix::fold() {
  for (Index a = 0; a < n_; ++a) {
    for (Index b = 0; b < a; ++b) set(a, b, (*this)(a, b) + (*this)(b, a));
  }
}

SystemEstimates estimate_systems(const IncidenceView& incidence, const std::vector<double>& mean,
                                 const std::vector<double>& variance, double divisor,
                                 const std::vector<double>& weight) {
  const Index m = incidence.n_systems;
  SystemEstimates e{std::vector<double>(m, 0), SystemMatrix(m), SystemMatrix(m)};
  std::vector<double> of_system(m, 0);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    check_interrupt_at(i, 4096);
    const Index first = incidence.offset[i];
    const Index last = incidence.offset[i + 1];
    for (Index r = first; r < last; ++r) of_system[incidence.system[r]] = weight.empty() ? 1 : weight[r];
    for (Index r = first; r < last; ++r) {
      const Index a = incidence.system[r];
      const double own = of_system[a];
      if (own == 0) continue;
      e.mean[a] += own * mean[i];
      double* covariance = e.covariance.row(a);
      for (Index t = r; t < last; ++t) {
        const Index b = incidence.system[t];
        covariance[b] += own * of_system[b] * variance[i];
      }
      add_differences(own, of_system, variance[i], a, e.difference_variance.row(a));
    }
    for (Index r = first; r < last; ++r) of_system[incidence.system[r]] = 0;
  }
  e.covariance.fold();
  e.difference_variance.fold();
  for (double& value : e.mean) value /= divisor;
  for (double& value : e.covariance.values()) value /= divisor * divisor;
  for (double& value : e.difference_variance.values()) value /= divisor * divisor;
  return e;
}

std::vector<double> system_totals(const std::vector<std::int32_t>& system, const double* value, Index n_systems) {
  std::vector<double> out(n_systems, 0);
  for (Index r = 0; r < length(system); ++r) out[system[r]] += value[r];
  return out;
}

double variance_of_difference(double a, double b, double covariance) {
  const double value = a + b - 2 * covariance;
  return value > relative_rounding * (a + b) ? value : 0;
}

SystemMatrix difference_variance(const SystemMatrix& covariance) {
  SystemMatrix out(covariance.size());
  for (Index a = 0; a < length(covariance); ++a) {
    for (Index b = 0; b < a; ++b) {
      out.set(a, b, variance_of_difference(covariance(a, a), covariance(b, b), covariance(a, b)));
    }
  }
  return out;
}

double difference_of_means(double a, double b, double resolution) {
  const double difference = a - b;
  return std::abs(difference) > resolution ? difference : 0;
}

double sign_confidence(double difference, double variance, double delta, double resolution) {
  const double beyond = std::abs(difference) - delta;
  if (variance > 0) return normal_cdf(beyond / std::sqrt(variance));
  return beyond > resolution ? 1 : beyond < -resolution ? 0 : 0.5;
}

void compare_systems(const double* mean, const double* difference_variance, Index m, double delta, double resolution,
                     const SystemComparisons& out) {
  Index at = 0;
  for (Index a = 0; a < m; ++a) {
    for (Index b = a + 1; b < m; ++b, ++at) {
      out.difference[at] = difference_of_means(mean[a], mean[b], resolution);
      out.variance[at] = difference_variance[b * m + a];
      out.confidence[at] = sign_confidence(out.difference[at], out.variance[at], delta, resolution);
    }
  }
}

void share_of_draws(const double* scores, Index m, Index n, const double* difference, double delta, double resolution,
                    double* share) {
  // The draws of a system one after the other.
  std::vector<double> of_system(static_cast<std::size_t>(m * n));
  for (Index t = 0; t < n; ++t)
    for (Index a = 0; a < m; ++a) of_system[a * n + t] = scores[t * m + a];
  Index at = 0;
  for (Index a = 0; a < m; ++a) {
    for (Index b = a + 1; b < m; ++b, ++at) {
      const double *better = &of_system[a * n], *other = &of_system[b * n];
      if (difference[at] < 0) std::swap(better, other);
      double above = 0;
      for (Index t = 0; t < n; ++t) {
        const double beyond = better[t] - other[t] - delta;
        above += std::fabs(beyond) <= resolution ? 0.5 : static_cast<double>(beyond > 0);
      }
      share[at] = above / static_cast<double>(n);
    }
  }
}

std::vector<double> draw_scores(IncidenceView results, const std::int32_t* query_of_pair, Index n_queries,
                                const GainTable& gains, const DrawPlan& plan) {
  const Index cells = n_queries * results.n_systems;
  std::vector<double> out = checked_alloc<double>({n_queries, results.n_systems, plan.count});
  for (Index t = 0; t < plan.count; ++t) {
    check_interrupt();
    RandomStream random(plan.seed, plan.first + t);
    double* score = out.data() + t * cells;
    for (Index pair = 0; pair < results.n_pairs; ++pair) {
      double left = random.uniform();
      Index j = 0;
      // Rounding errors may leave some probability, which is assigned to the last level.
      while (j + 1 < gains.n_levels && left >= gains.probability[j * results.n_pairs + pair]) {
        left -= gains.probability[j++ * results.n_pairs + pair];
      }
      const double gain = gains.shift[pair] + gains.scale[pair] * gains.level[j];
      const Index query = query_of_pair[pair];
      for (std::int32_t r = results.offset[pair]; r < results.offset[pair + 1]; ++r) {
        score[results.system[r] * n_queries + query] += gain * plan.weight[r];
      }
    }
  }
  return out;
}

}  // namespace judicious
