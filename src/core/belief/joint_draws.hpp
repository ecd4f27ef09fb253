// Draws from the joint distribution of the gains: exactly, or mapped to the levels of a scale.
//
// The deviation of a query's gains from their means consists of that of the shared effects and that
// of the query's own effects. The latter, given the judgments, is computed from an unconditional
// draw of the query's effects, corrected by the error of that draw at the judged pairs, so no
// matrix over pairs is needed.
//
// A draw on the scale: let m be the mean of a gain and s^2 the variance of its effects (all except
// the residual). The standardised effects z and a residual e give v = Phi(a + b z + d e), which is
// between 0 and 1 and has mean m. The coefficient b is chosen such that gains whose effects have
// correlation 1/4 have the covariance of their effects (if means are near the ends of the scale,
// more closely correlated ones have a larger covariance, the others a smaller one), and d such that
// the total variance is as required. v is rounded at random to one of the two nearest levels, which
// preserves its mean; the variance of the rounding is subtracted from that of v beforehand.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_posterior.hpp"
#include "stats/normal_stream.hpp"

namespace judicious {

class JointSampler {
 public:
  // `levels`: of the scale, in ascending order from 0 to 1. The posterior must outlive the sampler.
  JointSampler(const JointPosterior& posterior, std::vector<double> levels);

  const JointPosterior& posterior() const { return posterior_; }
  const std::vector<double>& levels() const { return levels_; }

  // Writes normal gains of the pairs of some queries to `out`, query by query.
  void draw_normal(const std::vector<std::int32_t>& queries, NormalStream& normal,
                   std::vector<double>& out) const;
  // Writes the indices of the levels of the gains; -1 for pairs whose gain is known.
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
  // Deviations of the query's pairs due to effects; 0 for pairs whose gain is known.
  void draw_effects(std::size_t query, const Eigen::VectorXd& shared,
                    const SharedDirections<1>& folded, NormalStream& normal,
                    Eigen::VectorXd& out) const;
  // Calls `each` with the pairs of the queries and their deviations due to effects.
  template <typename Pair>
  void draw_pairs(const std::vector<std::int32_t>& queries, NormalStream& normal,
                  Pair&& each) const;

  const JointPosterior& posterior_;
  std::vector<double> levels_;
  Eigen::MatrixXd shared_root_;
  std::vector<Mapping> mapping_;
};

// The correlation of two standard normal variables for which P(both below h) - Phi(h)^2 is
// `covariance`, with h = `quantile`. 0 if that is not positive; always below 1.
double latent_correlation(double quantile, double covariance);

}  // namespace judicious
