// The weight of a pair: the comparisons of systems that its judgment affects.
#pragma once
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// For each pair, the sum of the weights `comparison` of the comparisons in which exactly one of the
// two systems retrieved it, and of the weights `system` of the systems that did. With weights 1 and
// 0, this is c (m - c), equation (8) of Urbano and Schedl (2013). Sums are exact in any order if
// the weights are multiples of 2^-30.
std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system);

}  // namespace judicious
