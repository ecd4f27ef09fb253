// Limits of the rows of cumulative-link models, and probabilities of levels, for tests.
#pragma once
#include "ordinal/cumulative_link.hpp"

namespace judicious::ordinal {

// The limits (theta_ij - eta_i) e^-z_i'zeta, rows by thresholds.
inline Eigen::MatrixXd limits(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters) {
  const RowWalker walker(model, parameters);
  Eigen::MatrixXd out(model.n_rows(), model.n_thresholds());
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    for (Eigen::Index j = 0; j < model.n_thresholds(); ++j) out(i, j) = walker.limit(i, j, walker.frame(i));
  }
  return out;
}

// The probabilities of levels for thresholds `theta` and linear predictors `eta`, rows by levels.
inline Eigen::MatrixXd probabilities(const Link& link, const Eigen::VectorXd& theta, const Eigen::VectorXd& eta) {
  return interval_probabilities(link, theta.transpose().replicate(eta.size(), 1) - eta.replicate(1, theta.size()));
}

}  // namespace judicious::ordinal
