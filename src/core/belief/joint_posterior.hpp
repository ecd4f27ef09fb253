// The joint distribution of all gains given the judgments so far. Given the shared effects, the queries are
// independent. A judgment changes the block of one query, and the shared effects, by a rank-one update:
//   gains of query q | shared effects g:  mean  c + (Z - L W) g,  covariance  D - L L'
// where the prior has the mean m, the design Z of the shared effects and the covariance D of the query's pairs, and
// c = m + L u. L has a column (over pairs of the query), W a row (over shared effects), and u an element, for each
// judgment of the query.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

class JointPosterior {
 public:
  // If no judgment has an error, column i of l belongs to the judgment of the pair at place[i].
  struct QueryState {
    Eigen::MatrixXd l;  // pairs by judgments
    Eigen::MatrixXd w;  // judgments by shared effects
    std::vector<double> u;
    std::vector<Index> place;  // positions, among the query's pairs, of those whose gain is known
  };

  // The number of threads has no effect on results.
  explicit JointPosterior(JointPrior prior, int num_threads = 1);

  // Gives the same result as calling judge() for each of these judgments, up to rounding, but much faster, because it
  // uses matrix products.
  JointPosterior(JointPrior prior, const std::vector<std::int32_t>& judged, const std::vector<double>& gain,
                 const std::vector<double>& noise, int num_threads = 1);

  // Conditions on the gain of a pair, or on a judgment of it whose error has the variance `noise`.
  void judge(Index pair, double gain, double noise = 0);
  // Conditions on a judgment whose outcome is unknown: variances change, and means do not.
  void assume_judged(Index pair, double noise = 0);
  // judge() leaves the moments of the pool's pairs as they are until they are needed, because updating them takes time
  // proportional to the size of the pool. Several threads may read them only after a call of settle().
  void settle() const {
    while (!unsettled_.empty()) length(unsettled_) < batch_size ? settle_batch<1>() : settle_batch<batch_size>();
  }
  // Brings the means up to date, and the variances only if the means were not.
  void settle_means() const;

  const JointPrior& prior() const { return *prior_; }
  bool known(Index pair) const { return known_[pair]; }
  const QueryState& state(Index query) const { return query_[query]; }
  const Eigen::VectorXd& mean() const {
    settle();
    return mean_;
  }
  const Eigen::VectorXd& variance() const {
    settle();
    return variance_;
  }
  // The mean and the variance of one pair, without those of the others.
  std::pair<double, double> moments_of(Index pair) const;
  const Eigen::VectorXd& system_mean() const { return system_mean_; }
  const Eigen::MatrixXd& system_covariance() const { return system_covariance_; }
  const Eigen::MatrixXd& shared_covariance() const { return shared_covariance_; }
  // The covariance of the systems' means with the shared effects.
  const Eigen::MatrixXd& system_shared() const { return system_shared_; }
  // The expected sample covariance of the systems' effectiveness between queries.
  Eigen::MatrixXd between_queries() const;
  // Stores the covariance of the systems' means with all gains from now on, and updates it with each judgment, so that
  // variance reductions are matrix products. Nothing else changes: all other results stay bitwise identical.
  void keep_pair_covariance();
  // The covariance of one pair's gain with the gains of the whole pool.
  Eigen::VectorXd covariance_column(Index pair) const;
  // The effect of judging each pair, with an error of variance `noise`: the sum over the rows w of `directions` (over
  // systems) of the reduction of the variance of w'(system means); 0 for pairs whose gain is known.
  Eigen::VectorXd variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions, double noise = 0) const;
  // Variance reductions for some pairs only: faster than for all pairs if there are many directions and few pairs.
  Eigen::VectorXd variance_reduction(const Eigen::Ref<const Eigen::MatrixXd>& directions,
                                     const std::vector<std::int32_t>& pairs, double noise = 0) const;

 private:
  // The distribution of one pair's gain given the judgments and the shared effects g: `within` is its covariance with
  // the gains of its query, and `design` has the coefficients of g in its mean, a row of Z - L W.
  struct Conditional {
    Eigen::VectorXd within;
    Eigen::RowVectorXd design;
  };
  // The distribution of one pair's gain given the judgments. `shared`: its covariance with g.
  struct Marginal {
    Conditional given;
    Eigen::VectorXd shared;
    double mean, variance;
  };
  // A judgment that has changed everything but the moments of the pool's pairs. `root`: the standard deviation of its
  // outcome given g; `total`: the variance; `step`: the outcome less its mean, divided by `total`; `shared` and
  // `systems`: the covariances with g and with the means of the systems.
  struct Unsettled {
    Index query;
    double root, total, step;
    Eigen::VectorXd shared, systems;
  };

  template <int T>
  struct DirectionBatch;
  template <int T>
  Eigen::VectorXd reduction_by(const Eigen::Ref<const Eigen::MatrixXd>& directions, double noise) const;

  Eigen::VectorXd reduction_by_kept(const Eigen::Ref<const Eigen::MatrixXd>& directions, double noise) const;
  // Covariance of the systems' means with the gains of some pairs.
  Eigen::MatrixXd covariance_with(const std::int32_t* pairs, Index n) const;
  double reduction_of_square(Index pair, double square, double noise) const;

  Conditional conditional(Index pair) const;
  Marginal marginal(Index pair) const;
  void condition(Index pair, const Marginal& own, double step, double noise);
  // Sets the moments of a known gain, and of a system all of whose gains are known, to 0 exactly, because rounding
  // errors would remain.
  void set_known(Index pair);
  template <int T>
  void settle_batch() const;

  struct Block;
  void condition_queries(Block& block);
  void condition_shared(Block& block);
  void condition_pairs(const Block& block);
  // For each system, the weighted sum of the values of the query's pairs that it retrieved.
  Eigen::VectorXd query_over_systems(Index query, const Eigen::VectorXd& values) const;

  std::shared_ptr<const JointPrior> prior_;  // copies share it
  std::vector<QueryState> query_;
  Eigen::MatrixXd shared_covariance_;
  Eigen::VectorXd shared_mean_, system_mean_;
  mutable Eigen::VectorXd mean_, variance_;
  mutable std::vector<Unsettled> unsettled_;
  Eigen::MatrixXd system_covariance_;
  // Covariances of the systems' means with the shared effects and, if keep_pair_covariance() was called, with all
  // gains.
  Eigen::MatrixXd system_shared_;
  mutable Eigen::MatrixXd system_pair_;
  std::vector<bool> known_;
  std::vector<Index> open_results_;  // for each system, the number of results with a weight whose gain is not known
  int num_threads_;
};

}  // namespace judicious
