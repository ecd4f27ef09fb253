// Estimation of the parameters of joint gains.
#include "../core/belief/dense.cpp"
#include "../core/belief/joint_derivatives.cpp"
#include "../core/belief/joint_objective.cpp"
#include "../core/belief/level_family.cpp"
