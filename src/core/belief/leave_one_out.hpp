// Predicts each judged gain from all other judgments.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_posterior.hpp"

namespace judicious {

struct LeaveOneOut {
  std::vector<std::int32_t> pair;  // the pairs whose gains are known, query by query
  Eigen::VectorXd mean, variance;  // moments of the predictions
};

// The time is proportional to the number of judged pairs, times the square of the number of shared effects.
LeaveOneOut leave_one_out(const JointPosterior& posterior);

}  // namespace judicious
