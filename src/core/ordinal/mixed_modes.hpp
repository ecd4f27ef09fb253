// The rows of a cumulative-link model as functions of the random effects in their linear
// predictors, and the modes of these effects given the other parameters.
#pragma once
#include <limits>
#include <vector>

#include "cumulative_link.hpp"
#include "mixed_precision.hpp"

namespace judicious::ordinal {

// A row with the limits a and b: log P and its derivatives with respect to the limits (`at`).
struct RowPoint {
  double a, b, shrink, weight;
  Interval at;

  // Derivatives of the weighted log P with respect to the linear predictor: the first one; minus the second one; and
  // the derivative of the latter.
  double score() const { return -weight * shrink * at.shift; }
  double curvature() const { return -weight * shrink * shrink * at.second.sum(); }
  double curvature_slope() const { return weight * shrink * shrink * shrink * at.third.sum(); }
};

// The derivatives of a sum over rows, with respect to the two thresholds of each row, its linear predictor, and the
// logarithm of the factor of its limits (empty without scale effects).
struct RowDerivatives {
  Eigen::VectorXd lower, upper, eta, log_shrink;

  explicit RowDerivatives(const CumulativeLinkModel& model);
  // Adds the derivatives of by_value * log P + by_score * score() + by_curvature * curvature().
  void add(Eigen::Index i, const RowPoint& row, double by_value, double by_score, double by_curvature);
};

// The penalised log likelihood of the effects given all other parameters, for maximise().
class EffectModes {
 public:
  EffectModes(const CumulativeLinkModel& model, const EffectDesign& z);

  // False if the thresholds of a row are not in order.
  bool set(const Eigen::VectorXd& fixed, const Eigen::VectorXd& sd);
  double evaluate(const Eigen::VectorXd& u);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd&, const Eigen::VectorXd&) const {
    return std::numeric_limits<double>::infinity();
  }

  // S Z'v, and Z S u.
  Eigen::VectorXd to_effects(const Eigen::VectorXd& v) const;
  Eigen::VectorXd to_rows(const Eigen::VectorXd& u) const;

  const CumulativeLinkModel& model() const { return model_; }
  const EffectDesign& design() const { return z_; }
  const Eigen::VectorXd& fixed() const { return fixed_; }
  const Eigen::VectorXd& sd() const { return sd_; }
  const Eigen::VectorXd& effect() const { return effect_; }  // Z S u of the last evaluated u
  const Eigen::VectorXd& score() const { return score_; }
  const Eigen::VectorXd& curvature() const { return curvature_; }
  EffectPrecision& precision() { return precision_; }
  // Whether the last step used all second derivatives, rather than only their concave part.
  bool has_curvature() const { return has_curvature_; }

  RowPoint row(Eigen::Index i, double effect) const;
  // Converts derivatives by row to derivatives with respect to thresholds, slopes and scale parameters.
  Eigen::VectorXd to_parameters(const RowDerivatives& derivatives) const;

 private:
  double add_rows();

  const CumulativeLinkModel& model_;
  const EffectDesign& z_;
  EffectPrecision precision_;
  Eigen::VectorXd fixed_, sd_, effect_, score_, curvature_, gradient_;
  // By row: the lower and the upper threshold, each minus the fixed part of the linear predictor, and the factor by
  // which both are multiplied.
  Eigen::VectorXd lower_, upper_, shrink_;
  bool has_curvature_ = true;
};

}  // namespace judicious::ordinal
