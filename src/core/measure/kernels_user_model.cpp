// Measures of a user who reads the list from the top and stops somewhere: the C/W/L framework
// (Moffat, Bailey, Scholer and Thomas 2017). Their value is the mean gain of an examined document.
#include <algorithm>
#include <cmath>

#include "measure/kernel_tools.hpp"

namespace judicious {
namespace {

// The last rank that a user can examine.
int last_rank(const ListView& v) { return static_cast<int>(std::min<double>(v.spec.cutoff, v.spec.number("horizon"))); }

// The state of a user after examining the document at a rank.
struct Step {
  double rank, gain, cumulated_gain;
};

// The sum of the gains, weighted by the probabilities that their ranks are examined, divided by the expected number of
// examined documents. `continuation` returns the probability of continuing to the next rank.
template <class Continuation>
double rate_of_gain(const ListView& v, Continuation continuation) {
  const int end = last_rank(v);
  double examined = 1;
  double total_examined = 0;
  double gained = 0;
  double cumulated = 0;
  auto item = v.list.item.begin();
  for (int rank = 1; rank <= end && examined > 0; ++rank) {
    const bool judged = item != v.list.item.end() && item->rank == rank;
    const double gain = judged ? v.gain(*item++) : 0;
    cumulated += gain;
    total_examined += examined;
    gained += examined * gain;
    examined *= continuation(Step{static_cast<double>(rank), gain, cumulated});
  }
  return gained / total_examined;
}

// The probability of continuing after a rank in the measures INSQ and INST. `goal` is twice the total gain that the
// user expects; in INST, the gain found so far is subtracted from it.
double insq_continuation(double rank, double goal) {
  const double reach = rank + goal;
  return (reach - 1) / reach * ((reach - 1) / reach);
}

// The user stops as soon as the cumulated gain reaches the target.
double bejeweled_player(const ListView& v) {
  return rate_of_gain(v, [&](const Step& at) { return at.cumulated_gain < v.spec.number("T") ? 1.0 : 0.0; });
}

double inst(const ListView& v) {
  const double goal = v.spec.number("T");
  return rate_of_gain(v, [=](const Step& at) { return insq_continuation(at.rank, 2 * goal - at.cumulated_gain); });
}

// The measures of Azzopardi, Mackenzie and Moffat (2021); the numbers in their names are those of the paper's
// equations.
double nearly_err_8(const ListView& v) {
  return rate_of_gain(v, [](const Step& at) { return 1 - at.gain; });
}

double nearly_err_9(const ListView& v) {
  return rate_of_gain(v, [](const Step& at) { return at.rank / (at.rank + 1) * (1 - at.gain); });
}

double nearly_err_10(const ListView& v) {
  const double p = v.spec.number("p");
  return rate_of_gain(v, [=](const Step& at) { return p * (1 - at.gain); });
}

double nearly_err_11(const ListView& v) {
  const double goal = v.spec.number("T");
  return rate_of_gain(v, [=](const Step& at) { return insq_continuation(at.rank, 2 * goal) * (1 - at.gain); });
}

// The probability that a rank is examined: the product of insq_continuation() at the previous ranks.
double insq_weight(const MeasureSpec& spec, int rank) {
  const double goal = 2 * spec.number("T");
  const double share = goal / (goal + rank - 1);
  return share * share;
}

// The sum of the weights of all ranks, which is used in place of the ideal DCG.
template <class Weight>
double sum_of_weights(double end, Weight weight) {
  double sum = 0;
  for (int rank = 1; rank <= end; ++rank) sum += weight(rank);
  return sum;
}

double insq_gain(const ListView& v, const ListItem& item, std::int32_t rank) {
  return v.gain(item) * insq_weight(v.spec, rank);
}

void sum_insq_weights(const MeasureSpec& spec, const Judged&, QueryFacts& facts) {
  facts.ideal = sum_of_weights(spec.number("horizon"), [&](int rank) { return insq_weight(spec, rank); });
}

// The DCG of a list with a document of gain 1 at each rank up to the cutoff.
void sum_discounts(const MeasureSpec& spec, const Judged&, QueryFacts& facts) {
  const double end = std::min<double>(spec.cutoff, spec.number("horizon"));
  facts.ideal = sum_of_weights(end, [](int rank) { return 1 / std::log2(1.0 + rank); });
}

}  // namespace

const std::vector<Kernel>& user_kernels() {
  static const std::vector<Kernel> kernels{
      value_kernel("BPM", bejeweled_player),
      value_kernel("INST", inst),
      value_kernel("NERR8", nearly_err_8),
      value_kernel("NERR9", nearly_err_9),
      value_kernel("NERR10", nearly_err_10),
      value_kernel("NERR11", nearly_err_11),
      {"INSQ", insq_gain, ideal_sum, last_rank, nullptr, nullptr, nullptr, sum_insq_weights},
      {"SDCG", discounted_gain, ideal_sum, last_rank, nullptr, nullptr, nullptr, sum_discounts},
  };
  return kernels;
}

}  // namespace judicious
