// Marginal likelihood of judged gains under the joint prior, and what they say of the shared
// effects.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "gain/joint_prior.hpp"

namespace judicious {

struct JointFit {
  double log_likelihood = 0;
  Eigen::VectorXd shared;      // posterior mean of the shared effects
  Eigen::MatrixXd covariance;  // and their covariance; empty unless asked for
};

// Judged pairs and their gains. Dense only in the judged pairs of one query: O(sum J_q^3 + J r^2).
JointFit joint_likelihood(const JointPrior& prior, const std::vector<std::int32_t>& judged,
                          const std::vector<double>& gain, bool with_covariance);

}  // namespace judicious
