// The prior distribution of the systems' mean effectiveness, which is a weighted sum of the gains.
#pragma once
#include <Eigen/Dense>

#include "belief/joint_prior.hpp"

namespace judicious {

struct SystemMoments {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd shared;  // covariance with the shared effects: systems by effects
};

// The moments of the systems' means. Each query adds A K A' to the covariance, where A has its weights (systems by
// pairs) and K is the covariance of its pairs. The product is computed for a batch of rows of A at a time; a row takes
// at most time proportional to the query's number of results. Results do not depend on the number of threads.
SystemMoments system_moments(const JointPrior& prior, int num_threads);

}  // namespace judicious
