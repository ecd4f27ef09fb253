// The joint distribution of all gains given the judgments so far. Conditionally on the shared
// effects the queries are independent; a judgment changes one query's block and the shared effects
// by rank one:
//   gains of query q | shared effects g:  mean  c + (Z - L W) g,  covariance  D - L L'
// with one column of L (pairs of the query) and one row of W (shared effects) per judgment of q.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "gain/joint_prior.hpp"

namespace judicious {

class JointPosterior {
 public:
  struct QueryState {
    Eigen::MatrixXd l;                // pairs by judgments
    Eigen::MatrixXd w;                // judgments by shared effects
    std::vector<Eigen::Index> place;  // of each judged pair among the query's
  };

  explicit JointPosterior(JointPrior prior);

  // The gain of a pair becomes known.
  void judge(std::size_t pair, double gain);
  // The pair will be judged, its gain is not known yet: variances shrink, means stay.
  void imagine(std::size_t pair);

  const JointPrior& prior() const { return prior_; }
  bool known(std::size_t pair) const { return known_[pair]; }
  const QueryState& state(std::size_t query) const { return query_[query]; }
  const Eigen::VectorXd& mean() const { return mean_; }
  const Eigen::VectorXd& variance() const { return variance_; }
  const Eigen::VectorXd& system_mean() const { return system_mean_; }
  const Eigen::MatrixXd& system_covariance() const { return system_covariance_; }
  const Eigen::MatrixXd& shared_covariance() const { return shared_covariance_; }
  // The expected sample covariance, over the queries, of the systems' effectiveness on each.
  Eigen::MatrixXd between_queries() const;
  // Covariance of one pair's gain with those of the whole pool.
  Eigen::VectorXd covariance_column(std::size_t pair) const;
  // What judging each pair would take off: sum over rows w of `directions` (over systems) of the
  // fall of the variance of w'(system means); 0 for pairs that are known.
  Eigen::VectorXd variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions) const;

 private:
  struct Column {
    Eigen::VectorXd within;     // the query's pairs, given the shared effects
    Eigen::RowVectorXd shared;  // the pair's row of Z - L W
    Eigen::VectorXd gain;       // covariance of the shared effects with the pair
    Eigen::VectorXd whole;      // covariance with the whole pool
  };

  Column column(std::size_t pair) const;
  void condition(std::size_t pair, const Column& column);
  Eigen::VectorXd over_systems(const Eigen::Ref<const Eigen::VectorXd>& pool_values) const;
  void start_systems();

  JointPrior prior_;
  std::vector<QueryState> query_;
  Eigen::MatrixXd shared_covariance_;
  Eigen::MatrixXd system_shared_;  // systems by shared effects: A'(Z - L W)
  Eigen::VectorXd mean_, variance_, system_mean_;
  Eigen::MatrixXd system_covariance_;
  std::vector<bool> known_;
};

}  // namespace judicious
