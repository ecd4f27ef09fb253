// Models with sparse designs, and the sparse precision of random effects.
#include "../core/ordinal/bordered.cpp"
#include "../core/ordinal/mixed_precision.cpp"
#include "../core/ordinal/sparse_data.cpp"
