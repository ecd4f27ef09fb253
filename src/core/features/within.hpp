// Removes the mean differences between systems from a feature of pairs.
#pragma once
#include <vector>

#include "collection/incidence.hpp"

namespace judicious {

// Subtracts from `value` (one per pair) the mean, over the systems that retrieved the pair, of one number per system.
// The numbers are such that every system's mean over its pairs becomes 0. The results are the residuals of the
// regression on these means, with each pair weighted by its number of systems.
std::vector<double> within_systems(const IncidenceView& incidence, std::vector<double> value);

}  // namespace judicious
