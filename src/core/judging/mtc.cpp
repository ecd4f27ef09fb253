#include "judging/mtc.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"

namespace judicious {
namespace {

int sign(double x) { return (x > 0) - (x < 0); }

}  // namespace

Mtc::Mtc(Incidence incidence, const MtcOptions& options, std::vector<std::int32_t> tie_order,
         std::vector<char> candidate, std::vector<double> true_mean)
    : incidence_(std::move(incidence)),
      view_(incidence_.view()),
      options_(options),
      order_(std::move(tie_order)),
      candidate_(std::move(candidate)),
      judged_(view_.n_pairs, 0),
      true_mean_(std::move(true_mean)),
      mean_(view_.n_pairs, 0),
      variance_(view_.n_pairs, 0),
      difference_variance_(view_.n_systems),
      confidence_(view_.n_systems),
      retrieved_(view_.n_systems, 0) {
  if (order_.size() != view_.n_pairs || candidate_.size() != view_.n_pairs) {
    throw std::invalid_argument("tie_order and candidate must have one value per pair");
  }
  std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return comparisons_of(view_, static_cast<std::size_t>(a)) >
           comparisons_of(view_, static_cast<std::size_t>(b));
  });
}

void Mtc::set_gains(const std::vector<double>& mean, const std::vector<double>& variance) {
  for (std::size_t i = 0; i < view_.n_pairs; ++i) {
    if (judged_[i]) continue;
    mean_[i] = mean[i];
    variance_[i] = variance[i];
  }
  sum_up();
}

void Mtc::sum_up() {
  SystemEstimates sums = estimate_systems(view_, mean_, variance_, 1);
  system_sum_ = std::move(sums.mean);
  difference_variance_ = std::move(sums.difference_variance);
  // A pair of variance 1 that is not judged, 0 that is, makes the variance a count.
  std::vector<double> unjudged(view_.n_pairs);
  std::transform(judged_.begin(), judged_.end(), unjudged.begin(),
                 [](char judged) { return judged ? 0.0 : 1.0; });
  const SystemEstimates counts = estimate_systems(view_, unjudged, unjudged, 1);
  const std::vector<double>& count = counts.difference_variance.values();
  open_.assign(count.begin(), count.end());
  open_total_ = 0;
  for (std::int32_t n : open_) open_total_ += n;
}

std::ptrdiff_t Mtc::next() {
  return options_.weighting == Weighting::all ? next_by_comparisons() : next_by_weight();
}

std::ptrdiff_t Mtc::next_by_comparisons() {
  while (cursor_ < order_.size()) {
    const auto pair = static_cast<std::size_t>(order_[cursor_]);
    if (candidate_[pair]) return static_cast<std::ptrdiff_t>(pair);
    ++cursor_;
  }
  return -1;
}

// Pairs of equal weight are taken in the order of their comparisons: where no undecided comparison
// can be changed any more, that is the order left.
std::ptrdiff_t Mtc::next_by_weight() {
  check_interrupt();
  const SystemMatrix comparison =
      comparison_weights(confidence_, options_.threshold, options_.weighting);
  std::ptrdiff_t best = -1;
  double best_weight = -1;
  for (std::int32_t at : order_) {
    const auto pair = static_cast<std::size_t>(at);
    if (!candidate_[pair]) continue;
    const double weight = weight_of(view_, pair, comparison, retrieved_);
    if (weight > best_weight) {
      best = at;
      best_weight = weight;
    }
  }
  return best;
}

void Mtc::judge(std::size_t pair, double gain) {
  const std::size_t m = view_.n_systems;
  const double change = gain - mean_[pair];
  for (const std::int32_t* s = view_.begin(pair); s != view_.end(pair); ++s) {
    system_sum_[static_cast<std::size_t>(*s)] += change;
    retrieved_[static_cast<std::size_t>(*s)] = 1;
  }
  for (const std::int32_t* s = view_.begin(pair); s != view_.end(pair); ++s) {
    const auto a = static_cast<std::size_t>(*s);
    for (std::size_t b = 0; b < m; ++b) {
      if (retrieved_[b]) continue;
      const std::int32_t left = --open_[a * m + b];
      open_[b * m + a] = left;
      // Where everything that tells two systems apart is judged, no rounding stays behind.
      difference_variance_.set(
          a, b, left == 0 ? 0 : std::max(0.0, difference_variance_(a, b) - variance_[pair]));
      open_total_ -= 2;
    }
  }
  for (const std::int32_t* s = view_.begin(pair); s != view_.end(pair); ++s) {
    retrieved_[static_cast<std::size_t>(*s)] = 0;
  }
  mean_[pair] = gain;
  variance_[pair] = 0;
  judged_[pair] = 1;
  candidate_[pair] = 0;
  judged_pairs_.push_back(pair);
  judged_gains_.push_back(gain);
}

const MtcRecord& Mtc::record() {
  const std::size_t m = view_.n_systems;
  MtcRecord now;
  now.judged = judged_pairs_.size();
  int agreement = 0;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      const double difference =
          difference_of_means(system_sum_[a] / options_.divisor, system_sum_[b] / options_.divisor,
                              options_.resolution);
      const double variance = difference_variance_(a, b) / (options_.divisor * options_.divisor);
      const double c = sign_confidence(difference, variance, options_.delta, options_.resolution);
      confidence_.set(a, b, c);
      now.confidence += c;
      if (c >= options_.threshold) ++now.decided;
      if (!true_mean_.empty()) {
        agreement += sign(difference) *
                     sign(difference_of_means(true_mean_[a], true_mean_[b], options_.resolution));
      }
    }
  }
  const auto n = static_cast<double>(m * (m - 1) / 2);
  now.confidence /= n;
  now.agreement = agreement / n;
  records_.push_back(now);
  return records_.back();
}

bool Mtc::enough() const {
  switch (options_.stop) {
    case StopRule::never:
      return false;
    case StopRule::mean:
      return records_.back().confidence >= options_.threshold;
    case StopRule::all:
      break;
  }
  // A comparison that no judgment can change, such as that of two equal lists, is not waited for.
  const std::size_t m = view_.n_systems;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      if (confidence_(a, b) < options_.threshold && open_[a * m + b] > 0) return false;
    }
  }
  return true;
}

std::size_t Mtc::run(const std::vector<double>& gain, std::size_t n) {
  for (std::size_t made = 0; made < n; ++made) {
    check_interrupt_at(made, 16);
    const std::ptrdiff_t pair = next();
    if (pair < 0) return made;
    judge(static_cast<std::size_t>(pair), gain[static_cast<std::size_t>(pair)]);
    if (made + 1 == n) break;
    record();
    if (enough() || (settled() && options_.stop != StopRule::never)) return made + 1;
  }
  return n;
}

}  // namespace judicious
