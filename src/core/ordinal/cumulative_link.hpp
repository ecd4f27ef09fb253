// Cumulative-link models with structured thresholds, and effects on single thresholds (nominal) and
// on the scale. For row i and its level j, with thresholds theta_ij =
// sum_c n_ic (T psi_c)_j,
//   P(Y <= j) = F((theta_ij - x_i'beta - offset_i) exp(-z_i'zeta - scale_offset_i)).
// Parameters: psi (by column c of n: q each), beta, zeta. Columns x are dense or sparse.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <vector>

#include "cumulative_link_row.hpp"
#include "likelihood.hpp"

namespace judicious::ordinal {

// Sums over rows of the log likelihood, its gradient and minus its second derivatives. Each row is treated as if it
// were at a certain level, which is usually the observed one.
class CumulativeLinkSums {
 public:
  explicit CumulativeLinkSums(const CumulativeLinkModel& model);

  // Sets the sums to 0 at these parameters.
  void start(const Eigen::VectorXd& parameters);
  // Adds the rows `from` to from + count - 1, in order of levels, as if they were at level j. weight(r, log
  // probability) returns the weight of row r. Returns the sum of the weighted log probabilities; -infinity if
  // thresholds of a row are not in order.
  double add(Eigen::Index j, Eigen::Index from, Eigen::Index count,
             const std::function<double(Eigen::Index, double)>& weight);
  // Adds all rows at their own levels, with their weights.
  double add_all();

  Eigen::VectorXd gradient() const;
  void get_information(BorderedMatrix& out) const;  // with all parameters in the block of slopes
  void get_information(SparseInformation& out) const;

  // The rows of positive weight, sorted by level.
  const Eigen::MatrixXd& nominal() const { return nominal_; }
  const Eigen::MatrixXd& location() const { return location_; }
  const Eigen::MatrixXd& scale() const { return scale_; }
  const Eigen::VectorXd& weight() const { return weight_; }
  const Eigen::VectorXd& shrink() const { return shrink_; }
  const CumulativeLinkModel& model() const { return model_; }
  // The limits of some rows at threshold j.
  Eigen::VectorXd limits(Eigen::Index j, Eigen::Index from, Eigen::Index count) const;

 private:
  // Calls use(x) with the columns x, which are sparse or dense.
  template <typename Use>
  auto with_location(const Use& use) const {
    return model_.sparse != nullptr ? use(sparse_) : use(location_);
  }
  struct Blocks;  // of the information, except that of the location alone
  Blocks blocks() const;
  void add_threshold(Eigen::Index j, double sign, Eigen::Index from, Eigen::Index count, const Eigen::VectorXd& score,
                     const Eigen::VectorXd& curvature, const Eigen::VectorXd& by_scale);

  const CumulativeLinkModel& model_;
  std::vector<Eigen::Index> order_, first_;
  Eigen::MatrixXd nominal_, location_, scale_;
  SparseRows sparse_;
  Eigen::VectorXd weight_, offset_, scale_offset_, eta_, shrink_;
  Eigen::MatrixXd theta_;  // thresholds x columns of n
  // By row: derivatives with respect to the linear predictor and the logarithm of the scale.
  Eigen::VectorXd x_score_, z_score_, x_weight_, x_by_z_, z_weight_;
  // For the rows that were added last.
  Eigen::VectorXd below_, above_, gap_, score_below_, score_above_;
  // For the thresholds: the gradient, by columns of n; and blocks of the information of each threshold with itself,
  // with the previous threshold, and with the columns x and z.
  Eigen::MatrixXd threshold_score_;
  std::vector<Eigen::MatrixXd> own_, previous_, side_;
};

// Passes over all rows of the model.
template <typename Information>
Pass<Information> pass_over_model(const CumulativeLinkModel& model);

// The unweighted gradient of each row: rows x parameters; 0 for rows of weight 0.
Eigen::MatrixXd row_gradients(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters);

// The largest multiple of a step for which the two thresholds next to the level of each row stay in order.
double longest_step(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters, const Eigen::VectorXd& step);

// P(Y = j) from the rows' limits: rows x (thresholds + 1).
Eigen::MatrixXd interval_probabilities(const Link& link, const ConstMatrix& limits);

}  // namespace judicious::ordinal
