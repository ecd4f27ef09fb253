// Bradley-Terry model with ties by Davidson (1970): with u the difference in strength,
//   P(win) : P(tie) : P(loss) = e^{u/2} : e^{delta} : e^{-u/2}.
// This is an adjacent-categories logit, not a cumulative one. The log-likelihood is that of a
// log-linear model and concave.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "execution/index.hpp"
#include "ordinal/newton.hpp"

namespace judicious {

// One row per compared pair; counts may be fractions.
struct Comparisons {
  std::vector<std::int32_t> first, second;
  std::vector<double> win, tie, loss;  // of `first`
  Index n_items = 0;
};

struct DavidsonFit {
  Eigen::VectorXd strength;    // per item; the last item is the reference, 0
  double tie = 0;              // delta; minus infinity if there is no tie at all
  Eigen::MatrixXd covariance;  // of the strengths, a row and column of 0 for the reference
  double loglik = 0;
  ordinal::NewtonReport newton;
};

DavidsonFit fit_davidson(const Comparisons& data, const ordinal::NewtonOptions& options);

// The log-likelihood in the form of maximise(); the parameters are the strengths of all items
// except the last, then delta.
class DavidsonLikelihood {
 public:
  DavidsonLikelihood(const Comparisons& data, bool with_ties);
  double evaluate(const Eigen::VectorXd& x);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  const Eigen::MatrixXd& information() const { return information_; }
  bool newton_step(Eigen::VectorXd& step) const;
  double longest_step(const Eigen::VectorXd&, const Eigen::VectorXd&) const;
  Index size() const { return gradient_.size(); }

 private:
  const Comparisons& data_;
  bool with_ties_;
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd information_;
};

}  // namespace judicious
