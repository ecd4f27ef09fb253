// How much the judgment of a pair would tell: the comparisons of systems it takes part in.
#pragma once
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// For each pair, the weights `comparison` of the comparisons in which exactly one of the two
// systems retrieved it, and those `system` of the systems that did, summed. With weights of 1 and 0
// that is c (m - c), equation (8) of Urbano and Schedl (2013). Sums are exact, whatever their
// order, where the weights are multiples of 2^-30.
std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system);

}  // namespace judicious
