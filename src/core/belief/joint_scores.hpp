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
  MeasureSpec measure;                    // with tables of one value per level
  std::vector<std::int32_t> rank;         // per result of the pool
  std::vector<std::int32_t> level;        // for each level of the sampler, its index in the measure's tables
  std::vector<std::int32_t> known_level;  // for each known gain of a pair, its index in these tables; -1 if not in them
  // For each query, the levels of the documents that are judged but not in the pool; empty if there are none.
  std::vector<std::vector<std::int32_t>> outside;
  Total total = Total::mean;
  bool between = false;
  bool approximate = false;
  std::int32_t depth = 0;  // number of ranks with a weight in the linear approximation
  // The weight of each query in the systems' scores; empty if all are equal. If scores are means, the weights have mean
  // 1.
  Eigen::VectorXd query_weight;
  std::uint64_t seed = 0;
};

// Matrices of systems by draws: the scores over all queries (`score`), and the sums of the gains with the weights in
// JointPool (`linear`).
struct ScoreDraws {
  Eigen::MatrixXd score;
  Eigen::MatrixXd linear;
  // The linear measure that best approximates the measure: least squares of the scores of lists on a constant and the
  // gains at their ranks. `approximation` has its values without the constant.
  Eigen::VectorXd weights;
  Eigen::MatrixXd approximation;
  // The sample covariance of the queries' scores, averaged over draws.
  Eigen::MatrixXd between;
};

class JointScores {
 public:
  JointScores(const JointSampler& sampler, ScorePlan plan);

  // The first `n` draws; a draw does not depend on `n`.
  ScoreDraws draw(Index n, int num_threads = 1) const;

 private:
  struct SystemList {
    std::int32_t system = 0;
    std::vector<std::int32_t> place;  // positions of the list's pairs among the query's pairs, by rank
  };
  // Sums over queries from which the results are computed.
  struct Sums {
    ScoreDraws draws;
    Eigen::MatrixXd unweighted;  // scores without the weights of the queries
    Eigen::MatrixXd square;      // sums of products of the scores of two systems for a query
    Eigen::MatrixXd cross;       // sums of products of (1, gains by rank) with themselves, and with the score
    Eigen::VectorXd cross_score;
    std::vector<DrawnGains> gains_by_rank;  // for each block of draws, the gains of the systems by rank

    void operator+=(const Sums& other);
  };
  // The gains of a query in some draws: as levels in the measure's tables, and as numbers from 0 to 1.
  struct Gains {
    DrawnLevels level;
    DrawnGains unit;
  };

  std::vector<SystemList> lists_of(Index query) const;
  Gains gains_of(Index query, const DrawnLevels& drawn) const;
  // The sums over the queries from `from` to `to` - 1.
  Sums sum_queries(Index from, Index to, Index n, const std::vector<JointSampler::SharedDraws>& shared);
  // Adds the lists of a query in `n` draws, of which `first` is the index of the first one.
  void add(Index query, const std::vector<SystemList>& lists, const Gains& gains, Index first, Index n, Sums& sums);
  void add_to_approximation(Index query, const std::vector<SystemList>& lists, const Gains& gains,
                            const Eigen::MatrixXd& value, Index first, Sums& sums) const;
  void add_to_least_squares(Index query, const std::vector<SystemList>& lists, const Gains& gains,
                            const Eigen::MatrixXd& value, Sums& sums) const;
  void approximate(Sums& sums) const;
  // The scores of the lists: systems by draws.
  Eigen::MatrixXd score(Index query, const std::vector<SystemList>& lists, const Gains& gains, Index n);
  void set_facts(Index query, const DrawnLevels& level, Index draw, QueryFacts& facts);
  double weight_of(Index query) const { return plan_.query_weight.size() > 0 ? plan_.query_weight[query] : 1; }

  const JointSampler& sampler_;
  ScorePlan plan_;
  MeasureKernel kernel_;
  std::vector<std::int32_t> levels_by_gain_;  // the levels of the measure's tables, highest gain first
  Judged judged_;                             // judged documents of the query, in the draw that is being processed
  std::vector<QueryFacts> facts_;             // facts about the query in each draw of a batch
};

}  // namespace judicious
