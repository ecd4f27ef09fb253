#include "judging/weights.hpp"

#include "execution/interrupt.hpp"

namespace judicious {

std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system, const std::vector<double>& result) {
  const Index m = incidence.n_systems;
  // All comparisons of a system, from which those with the other systems of the pair are subtracted.
  std::vector<double> whole(system);
  for (Index a = 0; a < m; ++a) {
    for (Index b = 0; b < m; ++b) whole[a] += comparison(a, b);
  }
  const auto added = [&](const std::int32_t* s) { return result.empty() ? 1.0 : result[s - incidence.system]; };
  std::vector<double> out(incidence.n_pairs, 0);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    check_interrupt_at(i, 4096);
    const std::int32_t* const end = incidence.end(i);
    for (const std::int32_t* s = incidence.begin(i); s != end; ++s) {
      const Index a = *s;
      const double w = added(s);
      out[i] += w * w * (whole[a] - comparison(a, a));
      for (const std::int32_t* t = s + 1; t != end; ++t) {
        out[i] -= 2 * w * added(t) * comparison(a, *t);
      }
    }
  }
  return out;
}

}  // namespace judicious
