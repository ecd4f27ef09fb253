// The joint distribution of all gains given the judgments so far. Conditionally on the shared
// effects the queries are independent; a judgment changes one query's block and the shared effects
// by rank one:
//   gains of query q | shared effects g:  mean  c + (Z - L W) g,  covariance  D - L L'
// with one column of L (pairs of the query) and one row of W (shared effects) per judgment of q.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

class JointPosterior {
 public:
  struct QueryState {
    Eigen::MatrixXd l;                // pairs by judgments
    Eigen::MatrixXd w;                // judgments by shared effects
    std::vector<Eigen::Index> place;  // of each judged pair among the query's
  };

  // Results do not depend on the number of threads.
  explicit JointPosterior(JointPrior prior, int num_threads = 1);

  // The gain of a pair becomes known.
  void judge(std::size_t pair, double gain);
  // The pair will be judged, its gain is not known yet: variances shrink, means stay.
  void imagine(std::size_t pair);

  const JointPrior& prior() const { return *prior_; }
  bool known(std::size_t pair) const { return known_[pair]; }
  const QueryState& state(std::size_t query) const { return query_[query]; }
  const Eigen::VectorXd& mean() const { return mean_; }
  const Eigen::VectorXd& variance() const { return variance_; }
  const Eigen::VectorXd& system_mean() const { return system_mean_; }
  const Eigen::MatrixXd& system_covariance() const { return system_covariance_; }
  const Eigen::MatrixXd& shared_covariance() const { return shared_covariance_; }
  // The expected sample covariance, over the queries, of the systems' effectiveness on each.
  Eigen::MatrixXd between_queries() const;
  // Keeps the covariance of the systems' means with all gains and updates it with each judgment:
  // a fall of variance is then a product of matrices. The same judgments, after the same call, give
  // the same bits, whatever else is asked in between.
  void keep_pair_covariance();
  // Covariance of one pair's gain with those of the whole pool.
  Eigen::VectorXd covariance_column(std::size_t pair) const;
  // What judging each pair would take off: sum over rows w of `directions` (over systems) of the
  // fall of the variance of w'(system means); 0 for pairs that are known.
  Eigen::VectorXd variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions) const;
  // The same for some pairs: quicker than for all where directions are many and pairs are few.
  Eigen::VectorXd variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions,
                                     const std::vector<std::int32_t>& pairs) const;

 private:
  // One pair's gain: covariance with the query's pairs given the shared effects, and its row of
  // Z - L W.
  struct Conditional {
    Eigen::VectorXd within;
    Eigen::RowVectorXd design;
  };
  // Its covariances with what there is.
  struct Column {
    Conditional own;
    Eigen::VectorXd shared;   // effects
    Eigen::VectorXd systems;  // means of the systems
    Eigen::VectorXd whole;    // pool
  };

  template <int T>
  struct Together;
  template <int T>
  Eigen::VectorXd reduction_by(const Eigen::Ref<const Eigen::MatrixXd>& directions) const;

  Eigen::VectorXd reduction_by_kept(const Eigen::Ref<const Eigen::MatrixXd>& directions) const;
  // Covariance of the systems' means with the gains of some pairs.
  Eigen::MatrixXd covariance_with(const std::int32_t* pairs, Eigen::Index n) const;
  double reduction_of_square(std::size_t pair, double square) const;

  Conditional conditional(std::size_t pair) const;
  Column column(std::size_t pair) const;
  void condition(std::size_t pair, const Column& column);
  // Values of a query's pairs, weighted and added up by system.
  Eigen::VectorXd query_over_systems(std::size_t query, const Eigen::VectorXd& values) const;

  std::shared_ptr<const JointPrior> prior_;  // copies share it
  std::vector<QueryState> query_;
  Eigen::MatrixXd shared_covariance_;
  Eigen::VectorXd mean_, variance_, system_mean_;
  Eigen::MatrixXd system_covariance_;
  Eigen::MatrixXd system_shared_;  // covariance of the systems' means with the shared effects
  Eigen::MatrixXd system_pair_;    // and with the pairs' gains; empty where it is not kept
  std::vector<bool> known_;
  int num_threads_;
};

}  // namespace judicious
