// Joint gains in pools of many systems, and predictions of single judgments.
#include "../core/belief/leave_one_out.cpp"
#include "../core/belief/pair_posterior.cpp"
