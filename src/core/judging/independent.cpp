#include "judging/independent.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"

namespace judicious {

IndependentGains::IndependentGains(Incidence incidence, std::vector<double> weight, double divisor,
                                   std::vector<double> mean, std::vector<double> variance, std::vector<char> judged)
    : incidence_(std::make_shared<const Incidence>(std::move(incidence))),
      view_(incidence_->view()),
      weight_(std::move(weight)),
      divisor_(divisor),
      mean_(std::move(mean)),
      variance_(std::move(variance)),
      judged_(std::move(judged)),
      of_system_(view_.n_systems, 0) {
  const Index n = view_.n_pairs;
  if (length(mean_) != n || length(variance_) != n || length(judged_) != n) {
    throw std::invalid_argument("mean, variance and judged must have one value per pair");
  }
  if (!weight_.empty() && weight_.size() != incidence_->system.size()) {
    throw std::invalid_argument("weight must have one value per result");
  }
  sum_ = estimate_systems(view_, mean_, variance_, 1, weight_);
  count_unjudged();
}

template <class F>
void IndependentGains::for_each_difference(Index pair, F&& f) {
  const Index first = view_.offset[pair];
  const Index last = view_.offset[pair + 1];
  for (Index r = first; r < last; ++r) {
    of_system_[view_.system[r]] = weight_at(r);
  }
  for (Index r = first; r < last; ++r) {
    const Index a = view_.system[r];
    const double own = of_system_[a];
    if (own == 0) continue;
    for (Index b = 0; b < view_.n_systems; ++b) {
      // If both systems retrieved the pair, the loops reach the two systems twice, but count them once.
      if (of_system_[b] == own || (of_system_[b] != 0 && b < a)) continue;
      f(a, b, own - of_system_[b]);
    }
  }
  for (Index r = first; r < last; ++r) {
    of_system_[view_.system[r]] = 0;
  }
}

void IndependentGains::count_unjudged() {
  const Index m = view_.n_systems;
  unjudged_.assign(m * m, 0);
  for (Index i = 0; i < view_.n_pairs; ++i) {
    check_interrupt_at(i, 4096);
    if (judged_[i]) continue;
    for_each_difference(i, [&](Index a, Index b, double) { unjudged_[b * m + a] = ++unjudged_[a * m + b]; });
    for (const std::int32_t* s = view_.begin(i); s != view_.end(i); ++s) {
      ++unjudged_[(*s) * (m + 1)];
    }
  }
}

void IndependentGains::judge(Index pair, double gain) {
  const Index m = view_.n_systems;
  const double change = gain - mean_[pair], variance = variance_[pair];
  const bool known = judged_[pair] != 0;
  for_each_difference(pair, [&](Index a, Index b, double difference) {
    if (!known) unjudged_[b * m + a] = --unjudged_[a * m + b];
    // If every pair that distinguishes two systems is judged, the variance is exactly 0.
    const double remaining = sum_.difference_variance(a, b) - difference * difference * variance;
    sum_.difference_variance.set(a, b, unjudged_[a * m + b] == 0 ? 0 : std::max(0.0, remaining));
  });
  const Index first = view_.offset[pair];
  const Index last = view_.offset[pair + 1];
  for (Index r = first; r < last; ++r) {
    const Index a = view_.system[r];
    sum_.mean[a] += weight_at(r) * change;
    for (Index t = r; t < last; ++t) {
      const Index b = view_.system[t];
      sum_.covariance.add(a, b, -weight_at(r) * weight_at(t) * variance);
    }
    if (!known && --unjudged_[a * (m + 1)] == 0) {
      for (Index b = 0; b < m; ++b) sum_.covariance.set(a, b, 0);
    }
  }
  mean_[pair] = gain;
  variance_[pair] = 0;
  judged_[pair] = 1;
}

void IndependentGains::judge_in_turn(const std::vector<std::int32_t>& pairs, const double* gain, double delta,
                                     double resolution, SystemComparisons out) {
  const Index m = view_.n_systems, count = m * (m - 1) / 2;
  for (Index i = 0; i < length(pairs); ++i) {
    check_interrupt();
    judge(pairs[i], gain[i]);
    const SystemEstimates now = systems();
    compare_systems(now.mean.data(), now.difference_variance.values().data(), m, delta, resolution, out);
    out = {out.difference + count, out.variance + count, out.confidence + count};
  }
}

SystemEstimates IndependentGains::systems() const {
  SystemEstimates out = sum_;
  for (double& value : out.mean) value /= divisor_;
  for (double& value : out.covariance.values()) value /= divisor_ * divisor_;
  for (double& value : out.difference_variance.values()) value /= divisor_ * divisor_;
  return out;
}

std::vector<double> IndependentGains::variance_reduction(const std::vector<double>& directions) const {
  const Index m = view_.n_systems, rows = directions.size() / m;
  std::vector<double> out(view_.n_pairs, 0);
  for (Index i = 0; i < view_.n_pairs; ++i) {
    check_interrupt_at(i, 4096);
    if (variance_[i] == 0) continue;
    const Index first = view_.offset[i];
    const Index last = view_.offset[i + 1];
    double sum = 0;
    for (Index d = 0; d < rows; ++d) {
      double coefficient = 0;
      for (Index r = first; r < last; ++r) {
        coefficient += weight_at(r) * directions[d * m + view_.system[r]];
      }
      sum += coefficient * coefficient;
    }
    out[i] = variance_[i] * sum / (divisor_ * divisor_);
  }
  return out;
}

std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system, const std::vector<double>& result) {
  const Index m = incidence.n_systems;
  // For each system, the sum of the weights of all its comparisons. The loop below subtracts the comparisons between
  // two systems that both retrieved the pair.
  std::vector<double> total(system);
  for (Index a = 0; a < m; ++a) {
    for (Index b = 0; b < m; ++b) total[a] += comparison(a, b);
  }
  const auto contribution = [&](const std::int32_t* s) { return result.empty() ? 1.0 : result[s - incidence.system]; };
  std::vector<double> out(incidence.n_pairs, 0);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    check_interrupt_at(i, 4096);
    const std::int32_t* const end = incidence.end(i);
    for (const std::int32_t* s = incidence.begin(i); s != end; ++s) {
      const Index a = *s;
      const double w = contribution(s);
      out[i] += w * w * (total[a] - comparison(a, a));
      for (const std::int32_t* t = s + 1; t != end; ++t) {
        out[i] -= 2 * w * contribution(t) * comparison(a, *t);
      }
    }
  }
  return out;
}

}  // namespace judicious
