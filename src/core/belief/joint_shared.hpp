// The effects that queries share, in the order of the objective: coefficients, then one level and one slope per system,
// each the sum of the system's own effect and that of its team. A level or slope without variance has no rows.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <vector>

#include "belief/joint_terms.hpp"
#include "execution/index.hpp"

namespace judicious {

// Effects of all systems, correlated within teams.
struct SystemsEffect {
  std::array<JointTerm, 2> terms;  // of the systems and of their teams
  bool slope;
  Index first;  // row among the shared effects
};

class SharedEffects {
 public:
  SharedEffects() = default;
  // With `with_systems` false, there are only the coefficients.
  SharedEffects(const std::vector<std::int32_t>& team, Index n_teams, const Eigen::VectorXd& coefficient_variance,
                const TermValues& variance, bool with_systems);

  Index size() const { return size_; }
  Index n_coefficients() const { return coefficient_sd_.size(); }
  Index n_systems() const { return length(team_); }
  const std::vector<SystemsEffect>& systems() const { return systems_; }

  // R x for the symmetric root R of the prior covariance.
  void multiply_root(Eigen::Ref<Eigen::MatrixXd> x) const;
  // M' x, where M is the matrix of systems by levels of a term: x itself, or sums by team.
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
