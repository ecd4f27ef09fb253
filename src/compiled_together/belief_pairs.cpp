// The joint model of the gains: the posterior in pools of many systems, and leave-one-out predictions.
#include "../core/belief/leave_one_out.cpp"
#include "../core/belief/pair_posterior.cpp"
