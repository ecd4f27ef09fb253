// Products with the prior covariance of the joint model of the gains, moments of average precision, and sets of ranks.
#include "../core/belief/joint_products.cpp"
#include "../core/measure/expected_ap.cpp"
#include "../core/ranking/rank_sets.cpp"
