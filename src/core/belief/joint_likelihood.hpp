// Marginal likelihood of judged gains under the joint prior, and what they say of the shared
// effects.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

struct JointFit {
  double log_likelihood = 0;
  Eigen::VectorXd shared;      // posterior mean of the shared effects
  Eigen::MatrixXd covariance;  // of the coefficients, which come first among them
  TermValues gradient{};       // by the variances; 0 unless asked for
};

// Judged pairs and their gains. With J of them, J_q of each query, and r shared effects the cost is
// O(sum J_q^3 + J r^2), or O(J^3 + J^2 r) where there are fewer judgments than effects.
JointFit joint_likelihood(const JointPrior& prior, const std::vector<std::int32_t>& judged,
                          const std::vector<double>& gain, bool with_gradient);

}  // namespace judicious
