// The posterior covariance of the linear predictors of new rows of effects, given the data, the
// standard deviations and the fixed part. It is dense over those rows only, from the sparse factor.
#pragma once
#include "mixed_precision.hpp"

namespace judicious::ordinal {

class EffectPosterior {
 public:
  // `curvature`: of the rows of z at the modes.
  EffectPosterior(const EffectDesign& z, const Eigen::VectorXd& sd,
                  const Eigen::VectorXd& curvature);

  Eigen::MatrixXd covariance(const EffectDesign& rows) const;
  Eigen::VectorXd variances(const EffectDesign& rows) const;

 private:
  // L^-1 S r' of rows from .. from + count - 1.
  Eigen::MatrixXd half(const EffectDesign& rows, Eigen::Index from, Eigen::Index count) const;

  std::vector<std::int32_t> number_;
  EffectDesign z_;
  Eigen::VectorXd sd_;
  EffectPrecision precision_;
};

}  // namespace judicious::ordinal
