// The joint model of the gains: scores of systems from draws, covariances of the pairs of a query, and designs of
// random effects.
#include "../core/belief/joint_block.cpp"
#include "../core/belief/joint_effect.cpp"
#include "../core/belief/joint_scores.cpp"
