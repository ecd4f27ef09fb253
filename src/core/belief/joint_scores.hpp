// Scores of systems in any measure of the core, from draws of the joint distribution of the gains.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_draws.hpp"
#include "measure/kernel.hpp"

namespace judicious {

enum class Total { mean, geometric, sum };

struct ScorePlan {
  MeasureSpec measure;                    // its tables: a value per level
  std::vector<std::int32_t> rank;         // per result of the pool
  std::vector<std::int32_t> level;        // of each level of the sampler, in the measure's tables
  std::vector<std::int32_t> known_level;  // per pair, in the measure's tables; -1 outside
  // Per query, the levels of the documents that are judged but not in the pool; empty if there are none.
  std::vector<std::vector<std::int32_t>> outside;
  Total total = Total::mean;
  bool between = false;
  bool approximate = false;
  std::int32_t depth = 0;  // ranks of the linear approximation
  // The weight of each query in the systems' scores; empty if all are equal. The weights of a mean have mean 1.
  Eigen::VectorXd query_weight;
  std::uint64_t seed = 0;
};

// The result of a draw: the systems' scores over the queries, the weighted sums of their gains, with the weights of the
// pool, and, for a linear approximation, their mean gains at each rank (systems by ranks).
struct ScoreDraw {
  Eigen::VectorXd score;
  Eigen::VectorXd linear;
  Eigen::MatrixXd gain_at;
};

class JointScores {
 public:
  JointScores(const JointSampler& sampler, ScorePlan plan);

  // Uses the stream (seed, draw).
  ScoreDraw draw(std::uint64_t draw);
  // The sample covariance of the queries' scores, averaged over the draws so far.
  Eigen::MatrixXd between() const { return between_ / static_cast<double>(n_draws_); }
  // The linear measure that fits best: least squares of the scores of the lists on a constant and
  // the gains at their ranks, over all draws so far.
  Eigen::VectorXd linear_weights() const;

 private:
  struct ListEntry {
    std::int32_t place = 0;  // of the pair among its query's
    std::int32_t rank = 0;
  };
  struct SystemList {
    std::int32_t system = 0;
    std::vector<ListEntry> entry;  // by rank
  };

  void add_to_approximation(const SystemList& list, double value, double weight, Eigen::MatrixXd& gain_at);
  // Scores the lists of a query, whose pairs have these levels, in a column of `score`.
  void score_query(Index query, const std::vector<std::int32_t>& level, Eigen::MatrixXd& score,
                   Eigen::MatrixXd& gain_at);
  double weight_of(Index query) const { return plan_.query_weight.size() > 0 ? plan_.query_weight[query] : 1; }
  Eigen::VectorXd total_of(const Eigen::MatrixXd& score) const;
  Eigen::VectorXd weighted_total_of(const Eigen::MatrixXd& score) const;

  const JointSampler& sampler_;
  ScorePlan plan_;
  MeasureKernel kernel_;
  std::vector<std::vector<SystemList>> lists_;  // per query
  std::vector<std::int32_t> queries_;
  std::vector<double> drawn_;  // gains of the query's pairs, from 0 to 1
  Judged judged_;              // of the query in hand
  RankedList list_;
  Eigen::MatrixXd cross_;  // of (1, gains by rank), and with the score
  Eigen::VectorXd cross_score_;
  Eigen::MatrixXd between_;
  Index n_draws_ = 0;
};

}  // namespace judicious
