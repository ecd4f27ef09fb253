// The log likelihood of the logit model at (theta, beta) with its gradient and information, as a
// function for maximise(). theta increases: P(Y <= j) = F(theta_j - x'beta - offset).
#pragma once
#include "bordered.hpp"
#include "data.hpp"
#include "pass.hpp"

namespace judicious::ordinal {

class LogitLikelihood {
 public:
  explicit LogitLikelihood(const PomData& data, int num_threads = 1);

  // The value there; at the point of the last call, without computing it again.
  double evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step) const;

  const BorderedMatrix& information() const { return information_; }
  const BorderedSolver& solver() const { return solver_; }

 private:
  const PomData& data_;
  RowPass pass_;
  Eigen::VectorXd last_;
  double value_ = 0;
  Eigen::VectorXd gradient_;
  BorderedMatrix information_;
  BorderedSolver solver_;
};

// Where to start: marginal logits, slopes 0.
Eigen::VectorXd marginal_start(const PomData& data);

}  // namespace judicious::ordinal
