// The joint model of the gains: the prior, the posterior and draws from it.
#include "../core/belief/joint_conditioning.cpp"
#include "../core/belief/joint_draws.cpp"
#include "../core/belief/joint_posterior.cpp"
#include "../core/belief/joint_prior.cpp"
#include "../core/belief/joint_shared.cpp"
#include "../core/belief/joint_systems.cpp"
