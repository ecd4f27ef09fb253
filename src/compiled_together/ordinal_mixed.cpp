// Models with random effects: fits, design, modes, precision and quadrature; and the solver of dense information.
#include "../core/ordinal/bordered.cpp"
#include "../core/ordinal/mixed_data.cpp"
#include "../core/ordinal/mixed_fit.cpp"
#include "../core/ordinal/mixed_laplace.cpp"
#include "../core/ordinal/mixed_modes.cpp"
#include "../core/ordinal/mixed_precision.cpp"
#include "../core/ordinal/mixed_quadrature.cpp"
