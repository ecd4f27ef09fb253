#include "belief/joint_shared.hpp"

#include <cmath>

namespace judicious {

SharedEffects::SharedEffects(const std::vector<std::int32_t>& team, Index n_teams,
                             const Eigen::VectorXd& coefficient_variance, const TermValues& variance, bool with_systems)
    : team_(team),
      team_size_(Eigen::VectorXd::Zero(n_teams)),
      coefficient_sd_(coefficient_variance.cwiseSqrt()),
      variance_(variance),
      size_(coefficient_variance.size()) {
  for (const std::int32_t t : team_) team_size_[t] += 1;
  if (!with_systems) return;
  for (const SystemsEffect& effect : {SystemsEffect{{term_system, term_team}, false, 0},
                                      SystemsEffect{{term_system_popularity, term_team_popularity}, true, 0}}) {
    if (variance_[effect.terms[0]] <= 0 && variance_[effect.terms[1]] <= 0) continue;
    systems_.push_back(effect);
    systems_.back().first = size_;
    size_ += n_systems();
  }
}

Eigen::MatrixXd SharedEffects::sum_levels(JointTerm term, const Eigen::Ref<const Eigen::MatrixXd>& x) const {
  if (joint_term_shapes[term].unit != EffectUnit::team) return x;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(team_size_.size(), x.cols());
  for (Index s = 0; s < x.rows(); ++s) out.row(team_[s]) += x.row(s);
  return out;
}

Eigen::MatrixXd SharedEffects::expand_levels(JointTerm term, const Eigen::Ref<const Eigen::MatrixXd>& x) const {
  if (joint_term_shapes[term].unit != EffectUnit::team) return x;
  Eigen::MatrixXd out(n_systems(), x.cols());
  for (Index s = 0; s < out.rows(); ++s) out.row(s) = x.row(team_[s]);
  return out;
}

// In a team of m systems, the effects have covariance v I + w J, with J all ones. Its symmetric
// root is sqrt(v) I + (sqrt(v + m w) - sqrt(v)) / m J.
void SharedEffects::multiply_root(Eigen::Ref<Eigen::MatrixXd> x) const {
  x.topRows(n_coefficients()).array().colwise() *= coefficient_sd_.array();
  for (const SystemsEffect& effect : systems_) {
    auto rows = x.middleRows(effect.first, n_systems());
    const double own = variance_[effect.terms[0]], team = variance_[effect.terms[1]];
    Eigen::MatrixXd by_team = sum_levels(effect.terms[1], rows);
    const Eigen::ArrayXd joint = (own + team * team_size_.array()).sqrt() - std::sqrt(own);
    by_team.array().colwise() *= joint / team_size_.array().max(1);
    rows *= std::sqrt(own);
    rows += expand_levels(effect.terms[1], by_team);
  }
}

}  // namespace judicious
