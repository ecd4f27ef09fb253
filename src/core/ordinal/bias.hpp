// Bias-reduced estimates by adjusted scores (Firth 1993; Kosmidis 2014, Improved estimation in
// cumulative link models, JRSS B 76, 169-196), which are finite even if the data are separated.
#pragma once
#include "bordered.hpp"
#include "data.hpp"
#include "pass.hpp"

namespace judicious::ordinal {

// The expected information is the observed one with each row's category weighted by its
// probability.
BorderedMatrix expected_information(const PomData& data, const Link& link,
                                    const Eigen::VectorXd& parameters);

class AdjustedScore {
 public:
  AdjustedScore(const PomData& data, const Link& link, int num_threads);

  // Computes the adjusted score and the expected information; false if that is singular.
  bool evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& score() const { return score_; }
  const BorderedMatrix& information() const { return information_; }
  const BorderedSolver& solver() const { return solver_; }
  void solve(Eigen::VectorXd& v) const { solver_.solve(v); }
  double longest_step(const Eigen::VectorXd& at, const Eigen::VectorXd& step) const;
  double log_likelihood() const { return value_; }

 private:
  void add_adjustment(const Eigen::VectorXd& parameters);

  const PomData& data_;
  const Link& link_;
  RowPass pass_;
  Eigen::VectorXd score_;
  BorderedMatrix information_, observed_;
  BorderedSolver solver_;
  double value_ = 0;
};

}  // namespace judicious::ordinal
