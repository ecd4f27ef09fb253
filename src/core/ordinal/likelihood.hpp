// The log likelihood at (theta, beta) with its gradient and information, as a function for
// maximise(). theta increases: P(Y <= j) = F(theta_j - x'beta - offset). A ridge
// penalty of penalty / 2 times |beta|^2 may be subtracted.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "bordered.hpp"
#include "data.hpp"
#include "pass.hpp"

namespace judicious::ordinal {

// The largest multiple of a step that keeps the first m parameters, the thresholds, in order.
double longest_ordered_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step,
                            Eigen::Index m);

// Adds the gradient and the information of some rows at the parameters, with thresholds in order;
// returns their log likelihood. Only the lower triangle of the slopes' information is used.
using LikelihoodPass = std::function<double(
    const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient, BorderedMatrix& information)>;

// Rows whose columns are in separate places, such as those of a data frame; otherwise as PomInput.
struct ColumnInput {
  std::vector<const double*> columns;
  Eigen::Index n_rows;
  const std::int32_t* category;
  const double* weight;
  const double* offset;
  int n_categories;
};

// The pass over all rows of the data.
LikelihoodPass pass_over_rows(const PomData& data, const Link& link, int num_threads);

// The pass over such rows, with the given centres and scales. A slice is copied to a matrix at a
// time, which stays in the cache: a copy of all rows would take longer than the sums.
LikelihoodPass pass_over_columns(const ColumnInput& input, const Link& link,
                                 const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                                 int num_threads);

class PomLikelihood {
 public:
  explicit PomLikelihood(const PomData& data, const Link& link, int num_threads = 1);
  PomLikelihood(LikelihoodPass pass, Eigen::Index n_thresholds, Eigen::Index n_slopes);

  void set_penalty(double penalty);

  // The value at these parameters; at those of the last call, it is not computed again.
  double evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  // Where the information is not positive definite, a multiple of its diagonal is added.
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step) const {
    return longest_ordered_step(parameters, step, information_.own.size());
  }

  const BorderedMatrix& information() const { return information_; }
  const BorderedSolver& solver() const { return solver_; }
  // Whether the information is not positive definite by itself.
  bool raised() const { return raised_; }

 private:
  LikelihoodPass pass_;
  double penalty_ = 0;
  Eigen::VectorXd last_;
  double value_ = 0;
  Eigen::VectorXd gradient_;
  BorderedMatrix information_;
  BorderedSolver solver_;
  bool raised_ = false;
};

// The part of the logit that depends on the categories only, n_j log(1 - e^-delta_j): returns its
// value and adds its derivatives. It is 0 for other links.
double add_gaps(const Eigen::VectorXd& total, const Link& link, const Eigen::VectorXd& parameters,
                Eigen::VectorXd& gradient, BorderedMatrix& information);

// The starting point: marginal quantiles of the link, slopes 0.
Eigen::VectorXd marginal_start(const Eigen::VectorXd& total, const Link& link,
                               Eigen::Index n_slopes);

}  // namespace judicious::ordinal
