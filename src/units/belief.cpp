// The joint belief about the gains.
#include "../core/belief/joint_block.cpp"
#include "../core/belief/joint_likelihood.cpp"
#include "../core/belief/joint_posterior.cpp"
#include "../core/belief/joint_prior.cpp"
#include "../core/belief/joint_products.cpp"
#include "../core/belief/joint_systems.cpp"
