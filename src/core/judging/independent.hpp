// Estimates of systems from independent gains, updated as gains become known, and the weights by which pairs are
// selected.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// Gains of pairs that are independent of each other. A judgment takes O(c m) for a pair that c of
// the m systems retrieved, instead of a pass over the pool.
class IndependentGains {
 public:
  // Means and variances of all pairs; `judged` marks those whose gain is known (variance 0). Scores
  // of systems are sums of gains times `weight` (one per result; empty: 1), divided by `divisor`.
  IndependentGains(Incidence incidence, std::vector<double> weight, double divisor, std::vector<double> mean,
                   std::vector<double> variance, std::vector<char> judged);

  // Sets the gain of a pair.
  void judge(Index pair, double gain);
  // Treats a pair as judged with a value that is not known yet: its mean does not change.
  void imagine(Index pair) { judge(pair, mean_[pair]); }

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
  // Calls f(a, b, w_a - w_b) once for each two systems whose weights of the pair differ.
  template <class F>
  void for_each_difference(Index pair, F&& f);
  void count_open();

  // Copies share the constant data to which the view points.
  std::shared_ptr<const Incidence> incidence_;
  IncidenceView view_;
  std::vector<double> weight_;
  double divisor_;
  std::vector<double> mean_, variance_;  // per pair
  std::vector<char> judged_;
  // Sums over pairs, not yet divided.
  SystemEstimates sum_;
  // m x m: numbers of unjudged pairs that distinguish two systems; diagonal: that a system retrieved.
  std::vector<std::int32_t> open_;
  std::vector<double> of_system_;  // scratch: all 0 between calls
};

// For each pair, the sum over the comparisons of two systems of the weight `comparison` times the squared difference
// between the contributions of the pair's gain to the two, plus the sum over the systems of the weight `system` times
// the squared contribution. `result` is the contribution to the system of each result (empty: 1); it is 0 for a system
// that did not retrieve the pair. With weights 1 and 0, this is c (m - c), equation (8) of Urbano and Schedl (2013).
// Sums of products that are multiples of 2^-30 are exact in any order.
std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system, const std::vector<double>& result = {});

}  // namespace judicious
