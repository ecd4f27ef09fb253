// The Laplace approximation to the log likelihood of a cumulative-link model with random effects,
//   l(psi) = l(y | u) - u'u / 2 - log|H(u)| / 2   at the mode u,
// as a function of psi = (parameters of the model without effects, sd), with its exact gradient. Standard deviations
// may have either sign: the function is even in each, so 0 is an ordinary stationary point, not a boundary.
#pragma once
#include <memory>

#include "mixed_quadrature.hpp"

namespace judicious::ordinal {

class LaplaceLikelihood {
 public:
  // If `rule` is not empty, adaptive quadrature replaces the Laplace approximation.
  LaplaceLikelihood(const CumulativeLinkModel& model, const EffectDesign& z, const HermiteRule& rule = {});

  // The log likelihood; -infinity if thresholds of a row are not in order, or if no mode is found.
  double evaluate(const Eigen::VectorXd& psi);
  // The gradient at the psi that was evaluated last, whose value must have been finite.
  Eigen::VectorXd gradient();
  // The largest multiple of a step that keeps each row's thresholds in order.
  double longest_step(const Eigen::VectorXd& psi, const Eigen::VectorXd& step) const;

  // The information of the fixed part at constant log|H|: I_ff - I_fu H^-1 I_uf.
  Eigen::MatrixXd fixed_information();
  // H^-1 I_uf: minus the derivative of the modes with respect to the other parameters.
  Eigen::MatrixXd mode_sensitivity();
  // Variances of the effects given data and psi.
  Eigen::VectorXd mode_variances();

  const EffectModes& modes() const { return modes_; }
  const Eigen::VectorXd& mode() const { return u_; }
  Eigen::Index n_fixed() const { return modes_.model().n_parameters(); }
  Eigen::Index n_parameters() const { return n_fixed() + modes_.design().n_terms; }

 private:
  Eigen::MatrixXd cross_information();

  EffectModes modes_;
  std::shared_ptr<GroupQuadrature> quadrature_;
  Eigen::VectorXd u_;
};

}  // namespace judicious::ordinal
