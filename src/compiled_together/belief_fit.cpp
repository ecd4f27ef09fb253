// The joint model of the gains: estimation of its parameters.
#include "../core/belief/dense.cpp"
#include "../core/belief/joint_derivatives.cpp"
#include "../core/belief/joint_objective.cpp"
#include "../core/belief/level_family.cpp"
