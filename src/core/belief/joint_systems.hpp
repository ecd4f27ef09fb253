// The systems' mean effectiveness before anything is judged: weighted sums of the gains.
#pragma once
#include <Eigen/Dense>

#include "belief/joint_prior.hpp"

namespace judicious {

struct SystemMoments {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd shared;  // covariance with the shared effects: systems by effects
};

// A query adds A K A' to the covariance, with A its weights (systems by pairs, a few a system) and
// K the covariance of its pairs: computed for a few rows of A at a time, each of which costs of the
// order of the query's results at most. The result does not depend on the number of threads.
SystemMoments system_moments(const JointPrior& prior, int num_threads);

}  // namespace judicious
