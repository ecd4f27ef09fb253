// Proportional-odds models: data, checks and the fit.
#include "../core/ordinal/bias.cpp"
#include "../core/ordinal/concordance.cpp"
#include "../core/ordinal/data.cpp"
#include "../core/ordinal/fit.cpp"
#include "../core/ordinal/likelihood.cpp"
#include "../core/ordinal/pass.cpp"
#include "../core/ordinal/result.cpp"
