// Maximum likelihood of a cumulative-link model with random effects by the Laplace approximation.
#pragma once
#include "mixed_laplace.hpp"
#include "quasi_newton.hpp"

namespace judicious::ordinal {

struct MixedOptions {
  NewtonOptions outer;           // tolerance: of the outer decrement g' H^-1 g
  std::vector<double> fixed_sd;  // empty, or one per term: NaN if it is estimated
  HermiteRule rule;              // empty: Laplace's approximation
};

struct MixedResult {
  Eigen::VectorXd psi;                  // the model's parameters, then standard deviations (not negative)
  std::vector<bool> estimated;          // for each element of psi; false for a standard deviation that is fixed, or 0
  std::vector<bool> at_boundary;        // for each term: whether the maximum is at standard deviation 0
  Eigen::VectorXd mode, mode_variance;  // of the standardised effects, in the caller's numbering
  Eigen::MatrixXd mode_sensitivity;     // H^-1 I_uf, effects x the model's parameters
  Eigen::VectorXd curvature;            // per row
  double log_likelihood = 0;
  Eigen::VectorXd gradient;  // of the log likelihood by psi
  Eigen::MatrixXd hessian;   // of the log likelihood by the estimated elements of psi
  Status status = Status::iteration_limit;
  int iterations = 0, evaluations = 0;
  double decrement = 0;
};

// `start` has the parameters of the model, for example those of the fit without effects.
MixedResult fit_mixed(const CumulativeLinkModel& model, const EffectDesign& z, const Eigen::VectorXd& start,
                      const MixedOptions& options);

struct LaplaceValue {
  double value;
  Eigen::VectorXd gradient;
};
LaplaceValue laplace_at(const CumulativeLinkModel& model, const EffectDesign& z, const Eigen::VectorXd& psi,
                        const HermiteRule& rule = {});

}  // namespace judicious::ordinal
