// Simultaneous statements about all ranks, from joint draws of the systems' scores.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace judicious {

// Normal draws of the scores: systems by draws. Draw t uses the random stream (seed, t). The covariance may be
// singular.
Eigen::MatrixXd draw_normal_scores(const Eigen::Ref<const Eigen::VectorXd>& mean,
                                   const Eigen::Ref<const Eigen::MatrixXd>& covariance, int draws, std::uint64_t seed);

struct RankSets {
  Eigen::MatrixXd probability;  // of each system (row) at each rank (column)
  std::vector<int> lower, upper;
};

// The rank of a system is 1 plus the number of systems with a higher score. Scores that differ by at most `resolution`
// are equal, so that systems can share a rank.
//
// The sets are intervals such that, in a share `level` of the draws, the rank of every system is in its set. A rank
// belongs to the set if both of its tail probabilities are at least a limit that is the same for all systems: the (1 -
// level) quantile, over the draws, of the smallest tail probability of any system.
RankSets rank_sets(const Eigen::Ref<const Eigen::MatrixXd>& scores, double resolution, double level);

// The share of the draws in which every system of `upper` is better than every system of `lower` by at least `delta`
// (not worse, if `delta` is 0), or differs from it by less than `equal` (ignored if negative). Pairs for which `counts`
// is 0 are left out.
double set_probability(const Eigen::Ref<const Eigen::MatrixXd>& scores, const std::vector<int>& upper,
                       const std::vector<int>& lower, const Eigen::Ref<const Eigen::MatrixXd>& counts, double delta,
                       double equal, double resolution);

}  // namespace judicious
