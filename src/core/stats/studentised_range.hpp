// The studentised range: of `groups` standard normal variables, over an independent estimate of
// their standard deviation with `df` degrees of freedom, which may be infinite.
#pragma once

namespace judicious {

// P(Q > q), with a relative error below 1e-12 however small it is (down to the smallest double).
// NaN outside of q >= 0, groups >= 2, df > 0.
double studentised_range_survival(double q, double groups, double df);

// The q with P(Q > q) = p, for p strictly between 0 and 1.
double studentised_range_critical(double p, double groups, double df);

}  // namespace judicious
