// Removes from a feature of pairs what systems differ in on average.
#pragma once
#include <vector>

#include "collection/incidence.hpp"

namespace judicious {

// `value` (one per pair) less the means of one number per system over the systems that retrieved a
// pair, with numbers such that no system's mean over its pairs differs from 0: the residuals of the
// regression on those means, each pair weighted by the number of its systems.
std::vector<double> within_systems(const IncidenceView& incidence, std::vector<double> value);

}  // namespace judicious
