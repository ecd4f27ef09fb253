// The weight of a pair: the comparisons of systems that its judgment affects.
#pragma once
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"

namespace judicious {

// For each pair, the sum over the comparisons of two systems of `comparison` times the square of
// the difference of what its gain adds to the two, plus that over the systems of `system` times the
// square of what it adds to each. `result` is what it adds to the system of each result (empty: 1);
// to a system that did not retrieve the pair it adds 0. With weights of 1 and 0 that is c (m - c),
// equation (8) of Urbano and Schedl (2013). Sums of products that are multiples of 2^-30 are exact,
// whatever their order.
std::vector<double> pair_weights(const IncidenceView& incidence, const SystemMatrix& comparison,
                                 const std::vector<double>& system,
                                 const std::vector<double>& result = {});

}  // namespace judicious
