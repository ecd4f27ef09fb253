// Random effects: their design, modes, precision and quadrature; and the solver of dense information.
#include "../core/ordinal/bordered.cpp"
#include "../core/ordinal/mixed_data.cpp"
#include "../core/ordinal/mixed_modes.cpp"
#include "../core/ordinal/mixed_precision.cpp"
#include "../core/ordinal/mixed_quadrature.cpp"
