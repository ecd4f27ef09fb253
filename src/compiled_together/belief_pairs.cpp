// Joint gains of many systems, and those of single pairs.
#include "../core/belief/leave_one_out.cpp"
#include "../core/belief/pair_posterior.cpp"
