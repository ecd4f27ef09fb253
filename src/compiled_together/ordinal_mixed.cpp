// Fits of models with random effects.
#include "../core/ordinal/mixed_fit.cpp"
#include "../core/ordinal/mixed_laplace.cpp"
