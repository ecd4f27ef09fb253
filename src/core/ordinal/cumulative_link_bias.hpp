// Bias-reduced estimates of cumulative-link models (Firth 1993; Kosmidis 2014): the score is
// adjusted by
//   A = 1/2 sum_i w_i sum_j tr(F^-1 d2 P_ij) d log P_ij,
// F the expected information, j all levels of row i.
#pragma once
#include <Eigen/Cholesky>
#include <limits>

#include "cumulative_link.hpp"

namespace judicious::ordinal {

class AdjustedLinkScore {
 public:
  explicit AdjustedLinkScore(const CumulativeLinkModel& model) : model_(model) {}

  // Computes the adjusted score and the expected information; false if that is singular, or if
  // thresholds cross.
  bool evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& score() const { return score_; }
  const Eigen::MatrixXd& information() const { return information_; }
  void solve(Eigen::VectorXd& v) const { factor_.solveInPlace(v); }
  double log_likelihood() const { return value_; }
  double longest_step(const Eigen::VectorXd&, const Eigen::VectorXd&) const {
    return std::numeric_limits<double>::infinity();
  }

 private:
  const CumulativeLinkModel& model_;
  Eigen::VectorXd score_;
  Eigen::MatrixXd information_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  double value_ = 0;
};

// `information` of the result is the expected one.
CumulativeLinkResult fit_bias_reduced(const CumulativeLinkModel& model, Eigen::VectorXd start,
                                      const NewtonOptions& options);

}  // namespace judicious::ordinal
