// The effects that queries share. They are ordered as the objective requires: first the coefficients, then a level and
// a slope for each system, each of which is the sum of the effects of the system and of its team. Levels or slopes
// without variance are left out.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <vector>

#include "belief/joint_terms.hpp"
#include "execution/index.hpp"

namespace judicious {

// The level or the slope of all systems; they are correlated within teams.
struct SystemsEffect {
  std::array<JointTerm, 2> terms;  // the terms of the systems and of their teams
  bool slope;
  Index first;  // index of the first system's effect among the shared effects
};

class SharedEffects {
 public:
  SharedEffects() = default;
  // If `with_systems` is false, the only effects are the coefficients.
  SharedEffects(const std::vector<std::int32_t>& team, Index n_teams, const Eigen::VectorXd& coefficient_variance,
                const TermValues& variance, bool with_systems);

  Index size() const { return size_; }
  Index n_coefficients() const { return coefficient_sd_.size(); }
  Index n_systems() const { return length(team_); }
  const std::vector<SystemsEffect>& systems() const { return systems_; }

  // R x for the symmetric root R of the prior covariance.
  void multiply_root(Eigen::Ref<Eigen::MatrixXd> x) const;
  // M' x, where M is the matrix of systems by levels of a term. M' x is x itself for systems, and sums by team for
  // teams.
  Eigen::MatrixXd sum_levels(JointTerm term, const Eigen::Ref<const Eigen::MatrixXd>& x) const;
  // M x.
  Eigen::MatrixXd expand_levels(JointTerm term, const Eigen::Ref<const Eigen::MatrixXd>& x) const;

 private:
  std::vector<std::int32_t> team_;
  Eigen::VectorXd team_size_;
  Eigen::VectorXd coefficient_sd_;
  TermValues variance_{};
  std::vector<SystemsEffect> systems_;
  Index size_ = 0;
};

}  // namespace judicious
