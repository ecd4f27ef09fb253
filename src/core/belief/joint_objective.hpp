// Marginal likelihood of judged gains under the joint prior, as a function of its parameters.
//
// Divided by their scales, the observations have covariance  B + Z G Z',  where B is block diagonal
// by query, Z is the design of the effects that queries share (coefficients, effects of the systems
// and of their teams) and G is the prior covariance of these. One factorisation,
//   B = L L'  per query  and  I + R' Z' B^-1 Z R  with G = R R',
// gives the value, its gradient and the average information. It is kept until the variances change, because a change of
// the coefficients needs no new factorisation. If there are few observations, it takes fewer operations to let Z have
// the coefficients only, and B, in one block, the covariance that is due to all other effects.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <utility>
#include <vector>

#include "belief/joint_effect.hpp"
#include "belief/joint_prior.hpp"
#include "belief/joint_shared.hpp"
#include "execution/index.hpp"

namespace judicious {

// What to compute: the value and the coefficients only, or also the gradient and the average information.
enum class JointOrder { value, gradient };

struct JointEvaluation {
  double log_likelihood = 0;
  Eigen::VectorXd coefficient;  // posterior mean of the coefficients' deviations from their prior means
  Eigen::MatrixXd coefficient_covariance;
  // Derivatives with respect to the variances; 0 for variances that are 0.
  TermValues gradient{};
  Eigen::MatrixXd information;  // average information: terms by terms
};

class JointObjective {
 public:
  // Every pair of the pool has one observation. `noise`: the variances of the errors of the observations; empty if they
  // have no errors.
  JointObjective(JointPool pool, std::vector<double> gain, std::vector<double> noise = {});

  JointEvaluation evaluate(const JointParameters& parameters, JointOrder order);
  const JointPool& pool() const { return pool_; }

 private:
  struct TermEffect {
    JointTerm term;
    JointEffect effect;
  };
  // An effect that queries share, and the index of its first level among all shared effects.
  struct SharedColumns {
    const JointEffect* effect;
    Index first;
  };
  // Observations that, given the shared effects, are independent of those of other blocks.
  struct Block {
    std::vector<std::int32_t> pairs;
    std::vector<TermEffect> effects;
    std::vector<JointEffect> systems;  // designs of the systems' shared levels and slopes; empty if B has them
    Eigen::MatrixXd inverse;           // B^-1
    double log_determinant = 0;
    Eigen::MatrixXd w;         // Z' B^-1
    Eigen::VectorXd solved;    // B^-1 y
    Eigen::VectorXd residual;  // r^2 / s^2, with r and s of joint_prior.hpp
    Eigen::VectorXd noise;     // variances of the errors, divided by s^2
  };
  struct Derivatives;

  void add_blocks(Index n_effects);
  void add_block(std::vector<std::int32_t> pairs, bool all_terms);
  std::vector<SharedColumns> shared_columns(const Block& block) const;
  std::pair<Eigen::VectorXd, Eigen::VectorXd> diagonal_of(const Block& block, const JointParameters& parameters) const;
  void factorise(const JointParameters& parameters);
  void factorise_block(Block& block);
  JointEvaluation condition(const JointParameters& parameters);
  double condition_block(Block& block, const JointParameters& parameters);
  void add_derivatives(JointEvaluation& out) const;

  JointPool pool_;
  std::vector<double> gain_, noise_;
  std::vector<Block> blocks_;
  Index n_effects_ = -1;  // the number of shared effects for which the blocks were formed
  // The state at the parameters of the last evaluation.
  TermValues variance_{};
  SharedEffects shared_;
  Eigen::MatrixXd systems_information_;  // Z' B^-1 Z of the systems' effects
  Eigen::MatrixXd information_;          // Z' B^-1 Z
  Eigen::VectorXd score_;                // Z' B^-1 y
  Eigen::MatrixXd inner_;                // the Cholesky factor of I + R' Z' B^-1 Z R, a lower triangle
  Eigen::VectorXd shared_mean_;          // posterior mean of the shared effects
};

}  // namespace judicious
