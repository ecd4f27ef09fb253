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
//
// Each draw of a query has a stream of random numbers of its own, and uses the same number of them
// regardless of judgments. Thus draws before and after a judgment differ only by its effect, and
// they do not depend on how many are made together.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <optional>
#include <vector>

#include "belief/joint_posterior.hpp"
#include "belief/level_family.hpp"

namespace judicious {

// Draws of the gains of a query: draws by pairs.
using DrawnGains = Directions<draws_at_once>;
using DrawnLevels = Eigen::Matrix<std::int32_t, draws_at_once, Eigen::Dynamic>;

class JointSampler {
 public:
  // The shared effects in consecutive draws, the first of which has the number `first`.
  struct SharedDraws {
    Eigen::MatrixXd effect;  // effects by draws
    SharedDirections<draws_at_once> folded;
    std::uint64_t seed, first;
  };

  // `levels`: of the scale, in ascending order from 0 to 1. The posterior must outlive the sampler.
  JointSampler(const JointPosterior& posterior, std::vector<double> levels);

  const JointPosterior& posterior() const { return posterior_; }
  const std::vector<double>& levels() const { return family_->levels(); }
  const LevelFamily& family() const { return *family_; }

  SharedDraws draw_shared(std::uint64_t seed, std::uint64_t first) const;
  // Normal gains of the pairs of a query.
  DrawnGains draw_normal(Index query, const SharedDraws& shared) const;
  // The indices of the levels of the gains; -1 for pairs whose gain is known.
  struct LevelMap;
  LevelMap level_map(Index query) const;
  DrawnLevels draw_levels(Index query, const LevelMap& map, const SharedDraws& shared) const;

  // How the levels of a query's pairs follow from normal variables.
  struct LevelMap {
    Eigen::VectorXd effect, residual;  // factors of the effects and of the own part
    Eigen::MatrixXd cut;               // on the normal scale: cuts by pairs
  };

 private:
  // Deviations of the query's pairs due to effects, 0 for pairs whose gain is known, and the standard normal variables
  // of their own parts.
  struct Deviations {
    DrawnGains effect, own;
  };
  Deviations draw_deviations(Index query, const SharedDraws& shared) const;

  const JointPosterior& posterior_;
  std::optional<LevelFamily> family_;  // none without levels
  Eigen::MatrixXd shared_root_;
};

}  // namespace judicious
