// Cumulative-link models with structured thresholds, and effects on single thresholds (nominal) and
// on the scale. For row i and its level j, with thresholds theta_ij =
// sum_c n_ic (T psi_c)_j,
//   P(Y <= j) = F((theta_ij - x_i'beta - offset_i) exp(-z_i'zeta - scale_offset_i)).
// Parameters: psi (by column c of n: q each), beta, zeta.
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <vector>

#include "cumulative_link_row.hpp"
#include "newton.hpp"

namespace judicious::ordinal {

// Value, gradient and information, for maximise().
class CumulativeLinkLikelihood {
 public:
  explicit CumulativeLinkLikelihood(const CumulativeLinkModel& model);

  double evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  // Away from the maximum, the likelihood need not be concave (cauchit, scale effects): a multiple
  // of its diagonal is then added to the information until it is positive definite.
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd&, const Eigen::VectorXd&) const {
    return std::numeric_limits<double>::infinity();
  }
  const Eigen::MatrixXd& information() const { return information_; }
  bool raised() const { return raised_; }
  // The unweighted gradient of each row: rows x parameters; 0 for rows of weight 0.
  Eigen::MatrixXd row_gradients(const Eigen::VectorXd& parameters);

 private:
  bool set_limits(const Eigen::VectorXd& parameters);
  double set_terms();
  void add_derivatives();
  void add_block(Eigen::Index j, Eigen::Index k, const Eigen::MatrixXd& block);

  const CumulativeLinkModel& model_;
  // The rows of positive weight by category, as copies: those of category j start at first_[j].
  std::vector<Eigen::Index> order_, first_;
  Eigen::MatrixXd nominal_, location_, scale_;
  Eigen::VectorXd weight_, a_, b_, shrink_;
  Eigen::VectorXd score_below_, score_above_, below_, above_,
      gap_;  // weighted RowTerms
  Eigen::VectorXd gradient_, last_;
  Eigen::MatrixXd information_;
  double value_ = 0;
  bool raised_ = false;
};

struct CumulativeLinkResult {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd information;
  NewtonReport newton;
  bool raised = false;  // the information at the end is not positive definite by itself
};

// The limits ((theta_ij-1 - eta) e^-z'zeta, (theta_ij - eta) e^-z'zeta) of every row for all levels
// j: rows x thresholds.
Eigen::MatrixXd limits(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters);

Eigen::MatrixXd row_gradients(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters);

CumulativeLinkResult fit_cumulative_link(const CumulativeLinkModel& model, Eigen::VectorXd start,
                                         const NewtonOptions& options);

// P(Y = j) from the rows' limits: rows x (thresholds + 1).
Eigen::MatrixXd interval_probabilities(const Link& link, const ConstMatrix& limits);

}  // namespace judicious::ordinal
