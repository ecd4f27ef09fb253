// The result of a fit on the user's scale, and quantities that are computed from it.
#pragma once
#include <vector>

#include "bordered.hpp"
#include "newton.hpp"
#include "separation.hpp"
#include "sparse_solver.hpp"

namespace judicious::ordinal {

struct PomResult {
  Eigen::VectorXd theta;  // thresholds, increasing
  Eigen::VectorXd beta;   // one per kept column
  std::vector<Eigen::Index> column, aliased;
  NewtonReport newton;  // its step is on the scale of theta and beta
  // The information at the estimate, for thresholds and slopes of the centred and scaled columns.
  // For a sparse fit, `information` is empty and this is the lower triangle.
  BorderedMatrix information;
  Eigen::SparseMatrix<double> sparse_information;
  Eigen::VectorXd center, scale;
  double reciprocal_condition = 1;
  double log_likelihood = 0;    // without the penalty
  double freedom = 0;           // number of parameters; under a penalty, the trace of information times covariance
  SeparationReport separation;  // computed only if the fit shows signs of separation; slopes are indices of `beta`
};

// Whether slopes seem to diverge: Newton's method made many steps whose length stayed at about 1 instead of decreasing,
// or failed, or ended at huge slopes, or with almost no information about a slope. `smallest_share`: the solver's
// smallest_share().
bool looks_separated(const NewtonReport& newton, const Eigen::VectorXd& scaled_slopes, double smallest_share);

// The user's start, for the thresholds and the slopes of the kept columns, converted to centred and scaled columns.
Eigen::VectorXd given_start(const std::vector<double>& start, Eigen::Index m, const std::vector<Eigen::Index>& column,
                            const Eigen::VectorXd& center, const Eigen::VectorXd& scale);

// Converts the estimates `at` for centred and scaled columns to the user's scale, and stores them in the result.
void set_estimates(Eigen::VectorXd& at, const Eigen::VectorXd& center, const Eigen::VectorXd& scale, PomResult& result);

// The covariance of (theta, beta) on the user's scale, from the information that a fit keeps.
Eigen::MatrixXd covariance(const BorderedMatrix& information, const Eigen::VectorXd& center,
                           const Eigen::VectorXd& scale);

// The covariance, from the lower triangle of a sparse information; and its diagonal.
Eigen::MatrixXd covariance(const SparseMatrix& information, const Eigen::VectorXd& center,
                           const Eigen::VectorXd& scale);
Eigen::VectorXd variances(const SparseMatrix& information, const Eigen::VectorXd& center, const Eigen::VectorXd& scale);

// The parts of the covariance that are small even with thousands of thresholds: its diagonal, and the block of the
// slopes.
Eigen::VectorXd variances(const BorderedMatrix& information, const Eigen::VectorXd& center,
                          const Eigen::VectorXd& scale);
Eigen::MatrixXd slope_covariance(const BorderedMatrix& information, const Eigen::VectorXd& scale);

}  // namespace judicious::ordinal
