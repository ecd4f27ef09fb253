// Products with the covariance of joint gains, and results that are computed from draws.
#include "../core/belief/joint_products.cpp"
#include "../core/measure/expected_ap.cpp"
#include "../core/ranking/rank_sets.cpp"
