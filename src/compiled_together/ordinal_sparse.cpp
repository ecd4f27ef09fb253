// Models with sparse designs.
#include "../core/ordinal/sparse_fit.cpp"
#include "../core/ordinal/sparse_likelihood.cpp"
