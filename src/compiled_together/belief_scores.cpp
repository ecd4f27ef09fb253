// Joint gains: the scores by which pairs are selected for judging.
#include "../core/belief/joint_block.cpp"
#include "../core/belief/joint_effect.cpp"
#include "../core/belief/joint_scores.cpp"
