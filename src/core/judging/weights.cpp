#include "judging/weights.hpp"

#include "execution/interrupt.hpp"

namespace judicious {

std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system) {
  const std::size_t m = incidence.n_systems;
  std::vector<double> out(incidence.n_pairs, 0);
  std::vector<char> retrieved(m, 0);
  for (std::size_t i = 0; i < incidence.n_pairs; ++i) {
    check_interrupt_at(i, 4096);
    const std::int32_t* const begin = incidence.begin(i);
    const std::int32_t* const end = incidence.end(i);
    for (const std::int32_t* s = begin; s != end; ++s) retrieved[static_cast<std::size_t>(*s)] = 1;
    double weight = 0;
    for (const std::int32_t* s = begin; s != end; ++s) {
      const auto a = static_cast<std::size_t>(*s);
      weight += system[a];
      for (std::size_t b = 0; b < m; ++b) {
        if (!retrieved[b]) weight += comparison(a, b);
      }
    }
    out[i] = weight;
    for (const std::int32_t* s = begin; s != end; ++s) retrieved[static_cast<std::size_t>(*s)] = 0;
  }
  return out;
}

}  // namespace judicious
