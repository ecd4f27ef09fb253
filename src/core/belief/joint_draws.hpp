// Draws from the joint distribution of the gains: exactly, or mapped to the levels of a scale.
//
// The deviation of a query's gains from their means consists of that of the shared effects and that of the query's own
// effects. The latter, given the judgments, is computed from an unconditional draw of the query's effects, corrected by
// the error of that draw at the judged pairs, so no matrix over pairs is needed.
//
// A draw on the scale: every gain is a monotone function of a standard normal variable, which is
// the sum of its effects, times a factor, and of a part of its own. The function is such that the
// gain has its mean and the distribution that a LevelFamily has for this mean. The factor is such
// that covariances of gains are those of their effects, to first order. The shape of the family is
// learned from the judged gains, each predicted from the other judgments.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <optional>
#include <vector>

#include "belief/joint_posterior.hpp"
#include "belief/level_family.hpp"
#include "stats/random.hpp"

namespace judicious {

class JointSampler {
 public:
  // `levels`: of the scale, in ascending order from 0 to 1. The posterior must outlive the sampler.
  JointSampler(const JointPosterior& posterior, std::vector<double> levels);

  const JointPosterior& posterior() const { return posterior_; }
  const std::vector<double>& levels() const { return family_->levels(); }
  const LevelFamily& family() const { return *family_; }

  // Writes normal gains of the pairs of some queries to `out`, query by query.
  void draw_normal(const std::vector<std::int32_t>& queries, NormalStream& normal, std::vector<double>& out) const;
  // Writes the indices of the levels of the gains; -1 for pairs whose gain is known.
  void draw_levels(const std::vector<std::int32_t>& queries, NormalStream& normal,
                   std::vector<std::int32_t>& out) const;

 private:
  struct Mapping {
    double location = 0;  // of the distribution of the level
    double effect = 0;    // the factor of the effects
    double residual = 0;  // standard deviation of the own part
  };

  Mapping mapping_of(Index pair) const;
  Eigen::VectorXd draw_shared(NormalStream& normal) const;
  // Deviations of the query's pairs due to effects; 0 for pairs whose gain is known.
  void draw_effects(Index query, const Eigen::VectorXd& shared, const SharedDirections<1>& folded, NormalStream& normal,
                    Eigen::VectorXd& out) const;
  // Calls `each` with the pairs of the queries and their deviations due to effects.
  template <typename Pair>
  void draw_pairs(const std::vector<std::int32_t>& queries, NormalStream& normal, Pair&& each) const;

  const JointPosterior& posterior_;
  std::optional<LevelFamily> family_;  // none without levels
  Eigen::MatrixXd shared_root_;
  std::vector<Mapping> mapping_;
};

}  // namespace judicious
