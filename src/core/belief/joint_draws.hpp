// Draws from the joint distribution of the gains: exactly, or mapped onto the levels of a scale.
//
// The deviation of a query's gains from their means is that of the shared effects plus its own. Its
// own given the judgments comes from an unconditional draw of the query's effects, corrected by
// what that draw misses at the judged pairs, so that no matrix over pairs is needed.
//
// A draw on the scale: with m and s^2 the mean of a gain and the variance of its effects (all but
// the residual), the effects z (standardised) and a residual e enter as v = Phi(a + b z + d e),
// which lies between 0 and 1 and has mean m. b is such that gains whose effects correlate by a
// quarter have the covariance that they have by their effects (nearer ones have more, farther ones
// less, where means are near the ends of the scale), d such that the total variance is as asked
// for. v is rounded at random to one of the two levels next to it, so that its mean stays; the
// variance of the rounding is taken off that of v beforehand.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_posterior.hpp"
#include "stats/normal_stream.hpp"

namespace judicious {

class JointSampler {
 public:
  // `levels`: of the scale, ascending from 0 to 1. The posterior must outlive the sampler.
  JointSampler(const JointPosterior& posterior, std::vector<double> levels);

  const JointPosterior& posterior() const { return posterior_; }
  const std::vector<double>& levels() const { return levels_; }

  // Normal gains of the pairs of some queries, query by query, into `out`.
  void draw_normal(const std::vector<std::int32_t>& queries, NormalStream& normal,
                   std::vector<double>& out) const;
  // The positions of their levels; -1 for pairs that are known.
  void draw_levels(const std::vector<std::int32_t>& queries, NormalStream& normal,
                   std::vector<std::int32_t>& out) const;

 private:
  struct Mapping {
    double at = 0;        // a
    double effect = 0;    // b / s
    double residual = 0;  // d
  };

  Mapping mapping_of(std::size_t pair) const;
  Eigen::VectorXd draw_shared(NormalStream& normal) const;
  // Deviations of the query's pairs by their effects; 0 where known.
  void draw_effects(std::size_t query, const Eigen::VectorXd& shared,
                    const SharedDirections<1>& folded, NormalStream& normal,
                    Eigen::VectorXd& out) const;
  // Calls `each` with the queries' pairs and the deviations that their effects make.
  template <typename Pair>
  void draw_pairs(const std::vector<std::int32_t>& queries, NormalStream& normal,
                  Pair&& each) const;

  const JointPosterior& posterior_;
  std::vector<double> levels_;
  Eigen::MatrixXd shared_root_;
  std::vector<Mapping> mapping_;
};

// The correlation of two standard normal variables at which P(both below h) - Phi(h)^2 is
// `covariance`, for h = `quantile`: 0 where that is not positive, and below 1 always.
double latent_correlation(double quantile, double covariance);

}  // namespace judicious
