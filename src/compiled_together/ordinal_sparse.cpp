// Models with sparse designs.
#include "../core/ordinal/sparse_data.cpp"
