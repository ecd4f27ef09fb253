// Draws from the joint distribution of the gains, either normal or mapped to the levels of a scale.
//
// In a draw, the deviation of a query's gains from their means is the sum of the contributions of the shared effects
// and of the effects of the query alone. The latter, given the judgments, are computed from an unconditional draw of
// the query's effects, corrected by the error of that draw at the judged pairs, so no matrix over pairs is needed.
//
// In a draw of levels, every gain is a monotone function of a standard normal variable. This is the sum of two parts:
// the gain's effects, multiplied by a factor, and an independent residual. The function is such that the gain has its
// posterior mean, and the distribution that a LevelFamily has for this mean. The factor is such that, to first order,
// the covariances of gains are those of their effects. The shape of the family is learned from the judged gains, each
// predicted from the other judgments.
//
// Each draw of a query has a separate stream of random numbers, and uses the same number of them whatever is judged.
// Draws before and after a judgment therefore differ only by the effect of this judgment, and a draw does not depend on
// how many draws are made together.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <optional>
#include <vector>

#include "belief/joint_posterior.hpp"
#include "belief/level_family.hpp"

namespace judicious {

// Draws of the gains of a query: matrices of draws by pairs.
using DrawnGains = Directions<draws_at_once>;
using DrawnLevels = Eigen::Matrix<std::int32_t, draws_at_once, Eigen::Dynamic>;

class JointSampler {
 public:
  // Draws of the shared effects. The draws are consecutive, and `first` is the number of the first one.
  struct SharedDraws {
    Eigen::MatrixXd effect;  // effects by draws
    SharedDirections<draws_at_once> folded;
    std::uint64_t seed, first;
  };

  // `levels`: the levels of the scale, in ascending order from 0 to 1; empty if only normal gains are drawn. The
  // posterior must outlive the sampler.
  JointSampler(const JointPosterior& posterior, std::vector<double> levels);

  const JointPosterior& posterior() const { return posterior_; }
  const std::vector<double>& levels() const { return family_->levels(); }
  const LevelFamily& family() const { return *family_; }

  SharedDraws draw_shared(std::uint64_t seed, std::uint64_t first) const;
  // Draws normal gains of the pairs of a query.
  DrawnGains draw_normal(Index query, const SharedDraws& shared) const;
  // Draws the indices of the gains' levels; -1 for pairs whose gain is known. `map` is level_map() of the query.
  struct LevelMap;
  LevelMap level_map(Index query) const;
  DrawnLevels draw_levels(Index query, const LevelMap& map, const SharedDraws& shared) const;

  // For each pair of a query, how to compute its level from normal variables.
  struct LevelMap {
    Eigen::VectorXd effect, residual;  // factors of effects and residuals
    Eigen::MatrixXd cut;               // cuts by pairs: the level is the number of cuts below the normal variable
  };

 private:
  // For the pairs of a query: the deviations of the gains that are due to effects (0 for known gains), and standard
  // normal variables for the residuals.
  struct Deviations {
    DrawnGains effect, own;
  };
  Deviations draw_deviations(Index query, const SharedDraws& shared) const;

  const JointPosterior& posterior_;
  std::optional<LevelFamily> family_;  // empty if there are no levels
  Eigen::MatrixXd shared_root_;
};

}  // namespace judicious
