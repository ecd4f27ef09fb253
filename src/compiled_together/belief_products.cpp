// The joint model of the gains: products with the prior covariance, the posterior in pools of many systems, and
// leave-one-out predictions. Also moments of average precision, and sets of ranks.
#include "../core/belief/joint_products.cpp"
#include "../core/belief/leave_one_out.cpp"
#include "../core/belief/pair_posterior.cpp"
#include "../core/measure/expected_ap.cpp"
#include "../core/ranking/rank_sets.cpp"
