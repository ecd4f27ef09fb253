// Links with a shape parameter.
#pragma once
#include "link.hpp"

namespace judicious::ordinal {

// The log-gamma distribution with lambda > 0: F(x) = P(G <= k exp(lambda x)), k = lambda^-2, G
// gamma distributed with shape k (Genter and Farewell 1985). lambda = 1 is the complementary
// log-log link, lambda to 0 the probit.
LinkPointer log_gamma_link(double lambda);

// Student's t distribution with `df` degrees of freedom, finite.
LinkPointer student_t_link(double df);

}  // namespace judicious::ordinal
