#include "judging/weights.hpp"

#include <cmath>

namespace judicious {
namespace {

// To multiples of 2^-30, whose sums are exact: weights that are equal on paper are equal here, and
// ties do not hang on rounding.
double rounded(double confidence) {
  return std::ldexp(std::nearbyint(std::ldexp(confidence, 30)), -30);
}

}  // namespace

SystemMatrix comparison_weights(const SystemMatrix& confidence, double threshold,
                                Weighting weighting) {
  const std::size_t m = confidence.size();
  SystemMatrix weight(m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double c = confidence(a, b);
      const bool counts = weighting == Weighting::all || c < threshold;
      weight.set(a, b, !counts ? 0 : weighting == Weighting::proportional ? rounded(c) : 1);
    }
  }
  return weight;
}

std::int64_t comparisons_of(const IncidenceView& incidence, std::size_t pair) {
  const auto c = static_cast<std::int64_t>(incidence.count(pair));
  return c * (static_cast<std::int64_t>(incidence.n_systems) - c);
}

double weight_of(const IncidenceView& incidence, std::size_t pair, const SystemMatrix& comparison,
                 std::vector<char>& retrieved) {
  const std::int32_t* const begin = incidence.begin(pair);
  const std::int32_t* const end = incidence.end(pair);
  for (const std::int32_t* s = begin; s != end; ++s) retrieved[static_cast<std::size_t>(*s)] = 1;
  double weight = 0;
  for (std::size_t a = 0; a < incidence.n_systems; ++a) {
    if (!retrieved[a]) continue;
    for (std::size_t b = 0; b < incidence.n_systems; ++b) {
      if (!retrieved[b]) weight += comparison(a, b);
    }
  }
  for (const std::int32_t* s = begin; s != end; ++s) retrieved[static_cast<std::size_t>(*s)] = 0;
  return weight;
}

}  // namespace judicious
