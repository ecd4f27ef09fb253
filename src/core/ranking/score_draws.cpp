#include "ranking/score_draws.hpp"

#include "execution/checked_alloc.hpp"
#include "execution/interrupt.hpp"
#include "stats/random.hpp"

namespace judicious {

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
      // The last level gets the probability that is left by rounding.
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
