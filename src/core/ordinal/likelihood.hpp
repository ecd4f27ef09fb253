// Log likelihoods with gradient and information, in the form that maximise() requires. The thresholds theta increase:
// P(Y <= j) = F(theta_j - x'beta - offset). A ridge penalty may be subtracted.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "bordered.hpp"
#include "data.hpp"
#include "link.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {

// The largest multiple of a step that keeps the first m parameters, the thresholds, in order.
double longest_ordered_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step, Eigen::Index m);

// A function that adds the gradient and the information of some rows at the parameters, and returns their log
// likelihood; -infinity if thresholds of a row are not in order. Of the information of the slopes, only the lower
// triangle is used.
template <typename Information>
using Pass =
    std::function<double(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient, Information& information)>;
using LikelihoodPass = Pass<BorderedMatrix>;

// The pass over all rows of the data.
LikelihoodPass pass_over_rows(const PomData& data, const Link& link, int num_threads);

// The likelihood that a pass computes, with an information that `Solver` can factor. The first `n_thresholds`
// parameters must increase.
template <typename Solver>
class Likelihood {
 public:
  using Information = typename Solver::Matrix;

  Likelihood(Pass<Information> pass, Eigen::Index n_thresholds, Eigen::Index n_slopes)
      : pass_(std::move(pass)), n_thresholds_(n_thresholds), gradient_(n_thresholds + n_slopes) {
    information_.resize(n_thresholds, n_slopes);
  }

  // Subtracts half of the weighted squares of the parameters from the likelihood; nothing if `weights` is empty.
  void set_penalty(const Eigen::VectorXd& weights) {
    last_.resize(0);
    penalty_ = weights;
  }

  // The value at these parameters. If they are those of the last call, the stored value is returned.
  double evaluate(const Eigen::VectorXd& parameters) {
    if (last_.size() == parameters.size() && last_ == parameters) return value_;
    last_.resize(0);  // an early return leaves incomplete derivatives
    gradient_.setZero();
    information_.set_zero();
    for (Eigen::Index j = 1; j < n_thresholds_; ++j) {
      if (!(parameters[j] > parameters[j - 1])) return -infinity;
    }
    double value = pass_(parameters, gradient_, information_);
    if (!std::isfinite(value)) return -infinity;
    if (penalty_.size() > 0) {
      const Eigen::VectorXd penalty_gradient = penalty_.cwiseProduct(parameters);
      value -= penalty_gradient.dot(parameters) / 2;
      gradient_ -= penalty_gradient;
      information_.add_diagonal(penalty_);
    }
    information_.complete();
    last_ = parameters;
    return value_ = value;
  }
  const Eigen::VectorXd& gradient() const { return gradient_; }

  // If the information is not positive definite, which is possible far from the maximum if a likelihood is not concave,
  // a multiple of its diagonal is added.
  bool newton_step(Eigen::VectorXd& step) {
    raised_ = !solver_.factor(information_);
    for (double raise = 1e-4; raised_ && !solver_.factor(information_, raise); raise *= 4) {
      if (raise > 1e3) return false;
    }
    step = gradient_;
    solver_.solve(step);
    return step.allFinite();
  }

  // Sets the function for the longest step; by default, steps are limited so that the thresholds stay in order.
  void set_longest_step(std::function<double(const Eigen::VectorXd&, const Eigen::VectorXd&)> longest) {
    longest_ = std::move(longest);
  }
  double longest_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step) const {
    return longest_ ? longest_(parameters, step) : longest_ordered_step(parameters, step, n_thresholds_);
  }

  const Information& information() const { return information_; }
  const Solver& solver() const { return solver_; }
  // Whether a multiple of the diagonal had to be added to the information.
  bool raised() const { return raised_; }

 private:
  Pass<Information> pass_;
  std::function<double(const Eigen::VectorXd&, const Eigen::VectorXd&)> longest_;
  Eigen::Index n_thresholds_;
  Eigen::VectorXd penalty_, last_, gradient_;
  double value_ = 0;
  Information information_;
  Solver solver_;
  bool raised_ = false;
};

class PomLikelihood : public Likelihood<BorderedSolver> {
 public:
  explicit PomLikelihood(const PomData& data, const Link& link, int num_threads = 1);
};

// The starting point: thresholds are quantiles of the link at the marginal probabilities, and slopes are 0.
Eigen::VectorXd marginal_start(const Eigen::VectorXd& total, const Link& link, Eigen::Index n_slopes);

}  // namespace judicious::ordinal
