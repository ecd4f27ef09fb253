// Bias-reduced estimates by adjusted scores (Firth 1993; Kosmidis 2014, Improved estimation in
// cumulative link models, JRSS B 76, 169-196): finite even where the data are separated.
#pragma once
#include "bordered.hpp"
#include "data.hpp"
#include "newton.hpp"
#include "pass.hpp"

namespace judicious::ordinal {

// The expected information is the observed one with each row's category weighted by its
// probability: f(theta_s - eta) counts with P(s) + P(s + 1).
BorderedMatrix expected_information(const PomData& data, const Eigen::VectorXd& parameters);

class AdjustedScore {
 public:
  AdjustedScore(const PomData& data, int num_threads);

  // Computes the adjusted score and the expected information; false where that is singular.
  bool evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& score() const { return score_; }
  const BorderedMatrix& information() const { return information_; }
  const BorderedSolver& solver() const { return solver_; }
  double log_likelihood() const { return value_; }

 private:
  void add_adjustment(const Eigen::VectorXd& parameters);

  const PomData& data_;
  RowPass pass_;
  Eigen::VectorXd score_;
  BorderedMatrix information_, observed_;
  BorderedSolver solver_;
  double value_ = 0;
};

// Scoring steps until score' information^-1 score is below the tolerance; `at` starts and ends it.
NewtonReport solve_adjusted(AdjustedScore& f, Eigen::VectorXd& at, Eigen::Index n_thresholds,
                            const NewtonOptions& options);

}  // namespace judicious::ordinal
