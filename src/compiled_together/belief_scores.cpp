// Joint gains: the scores of pairs by which documents are selected.
#include "../core/belief/joint_block.cpp"
#include "../core/belief/joint_effect.cpp"
#include "../core/belief/joint_scores.cpp"
