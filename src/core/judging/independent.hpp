// Estimates of systems from independent gains, which are updated when gains become known, and the weights by which
// pairs are selected.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// Gains of pairs that are independent of each other. If c of the m systems retrieved a pair, a judgment of it takes O(c
// m), instead of a pass over the pool.
class IndependentGains {
 public:
  // `mean` and `variance`: of all pairs. `judged` marks pairs with a known gain (variance 0). Scores of systems are
  // sums of gains times `weight` (one per result; 1 if empty), divided by `divisor`.
  IndependentGains(Incidence incidence, std::vector<double> weight, double divisor, std::vector<double> mean,
                   std::vector<double> variance, std::vector<char> judged);

  // Sets the gain of a pair.
  void judge(Index pair, double gain);
  // Conditions on a judgment whose outcome is unknown: the variance becomes 0, and the mean does not change.
  void assume_judged(Index pair) { judge(pair, mean_[pair]); }

  // Sets the gains of several pairs one after another. The comparisons of systems after each of
  // them are written to `out`, consecutively.
  void judge_in_turn(const std::vector<std::int32_t>& pairs, const double* gain, double delta, double resolution,
                     SystemComparisons out);

  Index n_systems() const { return view_.n_systems; }
  const std::vector<double>& mean() const { return mean_; }
  const std::vector<double>& variance() const { return variance_; }
  SystemEstimates systems() const;

  // How much the judgment of each pair reduces the summed variances of linear functions of the
  // systems' scores, one function per row of `directions` (row-major, n_systems columns).
  std::vector<double> variance_reduction(const std::vector<double>& directions) const;

 private:
  double weight_at(Index result) const { return weight_.empty() ? 1 : weight_[result]; }
  // Calls f(a, b, w_a - w_b) once for every two systems a and b that give the pair different weights.
  template <class F>
  void for_each_difference(Index pair, F&& f);
  void count_unjudged();

  // Copies share the data to which the view points, because these are constant.
  std::shared_ptr<const Incidence> incidence_;
  IncidenceView view_;
  std::vector<double> weight_;
  double divisor_;
  std::vector<double> mean_, variance_;  // per pair
  std::vector<char> judged_;
  // Sums over pairs, before division by `divisor`.
  SystemEstimates sum_;
  // A matrix of systems by systems: the number of unjudged pairs that distinguish two systems, and on the diagonal,
  // that a system retrieved.
  std::vector<std::int32_t> unjudged_;
  std::vector<double> of_system_;  // working memory: all 0 between calls
};

// For each pair, the sum over comparisons of two systems of the weight `comparison` times the squared difference
// between the contributions of the pair's gain to the two systems, plus the sum over systems of the weight `system`
// times the squared contribution. `result` is the contribution of each result to its system (1 if empty); systems that
// did not retrieve the pair have the contribution 0. With weights 1 and 0, the result is c (m - c), equation (8) of
// Urbano and Schedl (2013). If products are multiples of 2^-30, their sums are exact in any order.
std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system, const std::vector<double>& result = {});

}  // namespace judicious
