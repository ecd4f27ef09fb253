// Draws from the joint belief, and expected average precision.
#include "../core/belief/joint_draws.cpp"
#include "../core/belief/joint_scores.cpp"
#include "../core/measure/expected_ap.cpp"
