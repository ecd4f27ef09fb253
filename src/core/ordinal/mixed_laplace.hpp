// The Laplace approximation to the log likelihood of a mixed proportional-odds model,
//   l(psi) = l(y | u) - u'u / 2 - log|H(u)| / 2   at the mode u,
// as a function of psi = (theta, slopes, sd), with its exact gradient. Standard deviations may have
// either sign: the function is even in each, so 0 is an ordinary stationary point, not a boundary.
#pragma once
#include <memory>
#include <vector>

#include "mixed_precision.hpp"
#include "newton.hpp"

namespace judicious::ordinal {

// The penalised log likelihood of the effects given the fixed part of eta, for maximise().
class EffectModes {
 public:
  EffectModes(const MixedInput& data, const EffectDesign& z);

  void set(const Eigen::VectorXd& theta, const Eigen::VectorXd& slopes, const Eigen::VectorXd& sd);
  double evaluate(const Eigen::VectorXd& u);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd&, const Eigen::VectorXd&) const {
    return std::numeric_limits<double>::infinity();
  }

  // Returns S Z'v, and Z S v.
  Eigen::VectorXd to_effects(const Eigen::VectorXd& v) const;
  Eigen::VectorXd to_rows(const Eigen::VectorXd& u) const;

  const MixedInput& data() const { return data_; }
  const EffectDesign& design() const { return z_; }
  const Eigen::VectorXd& theta() const { return theta_; }
  const Eigen::VectorXd& sd() const { return sd_; }
  const Eigen::VectorXd& eta() const { return eta_; }
  const Eigen::VectorXd& score() const { return score_; }
  const Eigen::VectorXd& curvature() const { return curvature_; }
  EffectPrecision& precision() { return precision_; }
  double row_weight(Eigen::Index i) const { return data_.weight ? data_.weight[i] : 1; }
  const Eigen::VectorXd& category_weight() const { return total_; }

 private:
  const MixedInput& data_;
  const EffectDesign& z_;
  EffectPrecision precision_;
  Eigen::VectorXd total_, theta_, sd_, fixed_, eta_, score_, curvature_, gradient_;
  double gaps_ = 0;  // sum_j n_j log(1 - e^-delta_j)
};

// A log-normal prior of a standard deviation: the logarithm of its median, and its standard
// deviation on the log scale (infinity: none).
struct SdPrior {
  double log_median = 0;
  double log_sd = std::numeric_limits<double>::infinity();
};

// Nodes and weights of an integral over the standard normal distribution; empty for the Laplace
// approximation.
struct HermiteRule {
  std::vector<double> node, weight;
};

class GroupQuadrature;

class LaplaceLikelihood {
 public:
  // With a rule, adaptive quadrature replaces the Laplace approximation.
  LaplaceLikelihood(const MixedInput& data, const EffectDesign& z, std::vector<SdPrior> priors,
                    const HermiteRule& rule = {});

  // -infinity if thresholds are not increasing or no mode is found.
  double evaluate(const Eigen::VectorXd& psi);
  // At the last evaluated psi, which must have had a finite value.
  Eigen::VectorXd gradient();
  double longest_step(const Eigen::VectorXd& psi, const Eigen::VectorXd& step) const;

  // The information of the fixed part at constant log|H|: I_ff - I_fu H^-1 I_uf.
  Eigen::MatrixXd fixed_information();
  // H^-1 I_uf: minus the derivative of the modes by thresholds and slopes.
  Eigen::MatrixXd mode_sensitivity();
  // Variances of the effects given data and psi.
  Eigen::VectorXd mode_variances();

  const EffectModes& modes() const { return modes_; }
  const Eigen::VectorXd& mode() const { return u_; }
  double log_prior() const { return log_prior_; }
  Eigen::Index n_parameters() const { return modes_.data().n_fixed() + modes_.design().n_terms; }

 private:
  Eigen::MatrixXd cross_information();

  EffectModes modes_;
  std::vector<SdPrior> priors_;
  std::shared_ptr<GroupQuadrature> quadrature_;
  Eigen::VectorXd u_;
  double log_prior_ = 0;
};

}  // namespace judicious::ordinal
