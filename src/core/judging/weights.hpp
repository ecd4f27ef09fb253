// How much the judgment of a pair would tell: the comparisons of systems it takes part in.
#pragma once
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// Which comparisons count: all; those not decided yet; or those, each by its confidence.
enum class Weighting { all, undecided, proportional };

// How much each comparison counts.
SystemMatrix comparison_weights(const SystemMatrix& confidence, double threshold,
                                Weighting weighting);

// Comparisons in which exactly one of the two systems retrieved the pair: c (m - c), equation (8)
// of Urbano and Schedl (2013).
std::int64_t comparisons_of(const IncidenceView& incidence, std::size_t pair);

// The weights of those comparisons, summed. `retrieved` is scratch space: n_systems zeros, left so.
double weight_of(const IncidenceView& incidence, std::size_t pair, const SystemMatrix& comparison,
                 std::vector<char>& retrieved);

}  // namespace judicious
