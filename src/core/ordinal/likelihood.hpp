// The log likelihood of the logit model at (theta, beta) with its gradient and information, as a
// function for maximise(). theta increases: P(Y <= j) = F(theta_j - x'beta - offset).
#pragma once
#include "bordered.hpp"
#include "data.hpp"

namespace judicious::ordinal {

class LogitLikelihood {
 public:
  explicit LogitLikelihood(const PomData& data);

  double evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step) const;

  const BorderedMatrix& information() const { return information_; }
  const BorderedSolver& solver() const { return solver_; }
  // Marginal logits, slopes 0.
  Eigen::VectorXd start() const;

 private:
  double category(Eigen::Index j, const Eigen::VectorXd& parameters);

  const PomData& data_;
  Eigen::VectorXd gradient_;
  BorderedMatrix information_;
  BorderedSolver solver_;
};

}  // namespace judicious::ordinal
