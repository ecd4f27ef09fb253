// The posterior of the gains and of the systems' means in pools of many systems, for which the matrices of
// JointPosterior, over systems and shared effects, are too large. The covariance of the systems is
//   A K A' - U U',  U = A K_J (K_JJ + N)^(-1/2),
// where A are the measure's weights (systems by pairs), K is the prior covariance of the gains, J
// are the judged pairs and N the variances of the errors of their judgments. A is sparse and U has
// a column per judgment; K is computed for the pairs of two queries at a time.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_block.hpp"
#include "belief/joint_lists.hpp"
#include "belief/joint_prior.hpp"

namespace judicious {

class PairPosterior {
 public:
  // `noise`: the variance of the error of each judgment, 0 if the gain is known. No pair may be judged twice. Results
  // do not depend on the number of threads.
  PairPosterior(JointPrior prior, const std::vector<std::int32_t>& judged, const Eigen::VectorXd& gain,
                const Eigen::VectorXd& noise, int num_threads);

  const Eigen::VectorXd& mean() const { return mean_; }
  const Eigen::VectorXd& variance() const { return variance_; }
  const Eigen::VectorXd& system_mean() const { return system_mean_; }
  const Eigen::VectorXd& system_variance() const { return system_variance_; }
  // The covariance of the means of the systems `rows` with those of the systems `columns`. It is fastest for many rows
  // at once.
  Eigen::MatrixXd system_covariance(const std::vector<std::int32_t>& rows,
                                    const std::vector<std::int32_t>& columns) const;

 private:
  void read_lists();
  // The prior covariances of the judged pairs (rows) with all pairs. The prior variances of the systems are computed in
  // the same pass, because it visits all combinations of two queries anyway.
  Eigen::MatrixXd read_covariances(const std::vector<std::int32_t>& judged);
  // Converts the prior moments to posterior moments. `cross` is the result of read_covariances(), and is overwritten.
  void condition_on(const std::vector<std::int32_t>& judged, const Eigen::VectorXd& gain, const Eigen::VectorXd& noise,
                    Eigen::MatrixXd& cross);
  // The prior covariance of the pairs of one query with the pairs of another.
  Eigen::MatrixXd covariance(Index query, Index other) const;
  // x A' for a matrix x with a column per pair: the rows of x by systems.
  Eigen::MatrixXd sum_over_pairs(const Eigen::MatrixXd& columns) const;
  Eigen::VectorXd quadratic_forms(Index query, Index other, const Eigen::MatrixXd& covariance) const;
  Eigen::MatrixXd times_covariance(const std::vector<std::int32_t>& systems) const;
  double unit() const { return prior_.equal_weights() ? prior_.pool().weight.front() : 1; }

  JointPrior prior_;
  std::vector<QueryLists> lists_;
  std::vector<PairGroups> teams_;  // empty if teams have no effects
  Eigen::VectorXd mean_, variance_, system_mean_, system_variance_;
  Eigen::MatrixXd known_;  // U' of the formula above; no rows without judgments
  int num_threads_;
};

}  // namespace judicious
