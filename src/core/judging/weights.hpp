// The weight of a pair: the comparisons of systems that its judgment affects.
#pragma once
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// For each pair, the sum over the comparisons of two systems of the weight `comparison` times the squared difference
// between the contributions of the pair's gain to the two, plus the sum over the systems of the weight `system` times
// the squared contribution. `result` is the contribution to the system of each result (empty: 1); it is 0 for a system
// that did not retrieve the pair. With weights 1 and 0, this is c (m - c), equation (8) of Urbano and Schedl (2013).
// Sums of products that are multiples of 2^-30 are exact in any order.
std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system, const std::vector<double>& result = {});

}  // namespace judicious
