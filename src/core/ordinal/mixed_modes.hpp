// The rows of a cumulative-link model as functions of the random effects in their linear
// predictors, and the modes of these effects given the other parameters.
#pragma once
#include <limits>
#include <vector>

#include "cumulative_link.hpp"
#include "mixed_precision.hpp"

namespace judicious::ordinal {

// A row at its limits a and b: log P, with its derivatives by them.
struct RowPoint {
  double a, b, shrink, weight;
  Interval at;

  // The derivatives of the weighted log P by the linear predictor: the first, minus the second, and
  // the derivative of that.
  double score() const { return -weight * shrink * at.shift; }
  double curvature() const { return -weight * shrink * shrink * at.second.sum(); }
  double bend() const { return weight * shrink * shrink * shrink * at.third.sum(); }
};

// The derivatives of a sum over the rows by each row's two thresholds, by its linear predictor, and
// (empty without scale effects) by the logarithm of the factor of its limits.
struct RowPulls {
  Eigen::VectorXd lower, upper, eta, log_shrink;

  explicit RowPulls(const CumulativeLinkModel& model);
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

  // Returns S Z'v, and Z S v.
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
  // Whether the last step used the second derivatives, rather than their concave part only.
  bool has_curvature() const { return has_curvature_; }

  RowPoint row(Eigen::Index i, double effect) const;
  // Converts derivatives by row to those by thresholds, slopes and scale parameters.
  Eigen::VectorXd to_parameters(const RowPulls& pulls) const;

 private:
  double add_rows();

  const CumulativeLinkModel& model_;
  const EffectDesign& z_;
  EffectPrecision precision_;
  Eigen::VectorXd fixed_, sd_, effect_, score_, curvature_, gradient_;
  // By row: the lower and the upper threshold, each minus the fixed part of the linear predictor, and a factor of both.
  Eigen::VectorXd lower_, upper_, shrink_;
  bool has_curvature_ = true;
};

}  // namespace judicious::ordinal
