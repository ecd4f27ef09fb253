// Models with random effects.
#include "../core/ordinal/mixed_data.cpp"
#include "../core/ordinal/mixed_fit.cpp"
#include "../core/ordinal/mixed_laplace.cpp"
#include "../core/ordinal/mixed_modes.cpp"
#include "../core/ordinal/mixed_quadrature.cpp"
