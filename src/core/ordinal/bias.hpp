// Bias-reduced estimates of cumulative-link models (Firth 1993; Kosmidis 2014, Improved estimation in cumulative link
// models, JRSS B 76, 169-196), which are finite even if the data are separated. The score is adjusted by
//   A = 1/2 sum_i w_i sum_j tr(F^-1 d2 P_ij) d log P_ij,
// F the expected information, j all levels of row i.
#pragma once
#include "cumulative_link.hpp"
#include "newton.hpp"

namespace judicious::ordinal {

class AdjustedScore {
 public:
  explicit AdjustedScore(const CumulativeLinkModel& model);

  // Computes the adjusted score and the expected information; false if that is singular, or if thresholds cross.
  bool evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& score() const { return score_; }
  // A matrix with separate blocks of thresholds and slopes if thresholds are flexible and slopes common; otherwise, all
  // parameters are in the block of slopes.
  const BorderedMatrix& information() const { return information_; }
  const BorderedSolver& solver() const { return solver_; }
  // Fisher scoring steps from `at`, until score' information^-1 score is below the tolerance. `at` becomes the root of
  // the adjusted score.
  NewtonReport solve(Eigen::VectorXd& at, const NewtonOptions& options);

  // Computes the expected information: the sum over all levels of the observed information of every row at the level,
  // weighted by the level's probability. False if thresholds cross.
  bool set_information(const Eigen::VectorXd& parameters);

 private:
  Eigen::VectorXd traces(Eigen::Index threshold, const Eigen::MatrixXd& inverse,
                         const Eigen::VectorXd& of_slopes) const;

  CumulativeLinkSums sums_;
  Eigen::VectorXd score_;
  BorderedMatrix information_;
  BorderedSolver solver_;
  double value_ = 0;
};

}  // namespace judicious::ordinal
