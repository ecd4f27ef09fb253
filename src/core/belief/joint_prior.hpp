// The prior of all gains of a pool, jointly normal: a mean per pair, effects shared by the whole
// pool (coefficients, systems, teams, their slopes on popularity) and effects within a query.
//
// With pair i retrieved by the set S_i of c_i systems, scale s_i and centred log popularity t_i,
//   gain_i = mean_i + d_i x_i'b + s_i [ c_i^-1/2 sum_{S_i}(u_s + v_team(s) + t_i (u'_s +
//            v'_team(s)) + w_{q,s} + w_{q,team(s)}) + w_q + t_i w'_q + w_{q,genre} + w_{q,artist} ]
//            + r_i e_i
// with independent normal effects: b of the features x_i, u of systems and v of teams on all queries, w within query q,
// and residuals e_i. A prime marks a slope on popularity. Because of the factor c_i^-1/2, effects of systems contribute
// the same variance to pairs of few and of many systems. Covariance matrices are not stored: a product with the
// covariance of a query takes time proportional to its number of results.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "belief/directions.hpp"
#include "belief/joint_terms.hpp"
#include "collection/incidence.hpp"
#include "execution/index.hpp"
#include "stats/random.hpp"

namespace judicious {

// The parts of the prior that stay the same when judgments are added.
struct JointPool {
  Incidence incidence;
  // The contribution of a pair's gain to the system's mean: one number per result, or a single one if all are equal.
  std::vector<double> weight;
  std::vector<std::int32_t> query;   // per pair
  std::vector<std::int32_t> genre;   // per pair, -1 where unknown
  std::vector<std::int32_t> artist;  // per pair, -1 where unknown
  std::vector<std::int32_t> team;    // per system
  Index n_teams = 0;
  Index n_queries = 0;
  std::vector<double> popularity;  // per pair, centred log of the number of teams
  Eigen::MatrixXd x;               // the features x_i, one column per pair

  // The factor c_i^-1/2 of the effects of the systems that retrieved the pair.
  double system_factor(Index pair) const { return 1 / std::sqrt(static_cast<double>(incidence.view().count(pair))); }
};

// The parts of the prior that estimation changes.
struct JointParameters {
  std::vector<double> mean;            // per pair
  std::vector<double> slope;           // per pair: d_i
  std::vector<double> scale;           // per pair: s_i
  std::vector<double> residual_scale;  // per pair: r_i
  Eigen::VectorXd coefficient_variance;
  TermValues variance{};
};

// Linear functionals of the shared effects, in the form that JointPrior::shared_product() requires.
template <int T>
struct SharedDirections {
  Directions<T> coefficient;  // directions by coefficients
  // Directions by systems: the upper half has the sums for a system and its team, the lower half those for their
  // slopes.
  Directions<2 * T> effect;
};

// Draws of a query's effects, one draw per row: its level and its slope on popularity; the sums of the effects of
// systems and their teams; and the effects of genres and artists, as they are numbered within the query.
template <int T>
struct QueryEffects {
  Directions<T> query;  // level and slope
  Directions<T> system, genre, artist;
};

class JointPrior {
 public:
  JointPrior(JointPool pool, JointParameters parameters);

  const JointPool& pool() const { return pool_; }
  const JointParameters& parameters() const { return par_; }
  Index n_pairs() const { return length(pool_.query); }
  Index n_systems() const { return index(pool_.incidence.n_systems); }
  Index n_shared() const { return shared_variance_.size(); }
  const Eigen::VectorXd& shared_variance() const { return shared_variance_; }
  const std::vector<std::int32_t>& pairs_of(Index query) const { return pairs_[query]; }
  // The position of a pair among the pairs of its query.
  Index place(Index pair) const { return place_[pair]; }

  // Whether all results have the same weight, which is then stored only once.
  bool equal_weights() const { return pool_.weight.size() == 1; }
  // Calls f(system, weight) for each system that retrieved the pair.
  template <typename F>
  void each_result(Index pair, F&& f) const {
    const std::int32_t *at = incidence_.begin(pair), *end = incidence_.end(pair);
    if (equal_weights()) {
      for (; at != end; ++at) f(*at, pool_.weight.front());
    } else {
      const double* weight = pool_.weight.data() + incidence_.offset[pair];
      for (; at != end; ++at) f(*at, *weight++);
    }
  }

  // See JointPool::system_factor().
  double system_factor(Index pair) const { return system_factor_[pair]; }

  // The row of a pair in the design of the shared effects.
  Eigen::RowVectorXd shared_row(Index pair) const;
  // Converts linear functionals of the shared effects (one per row) to the form that shared_product() requires.
  template <int T>
  SharedDirections<T> fold(const Directions<T>& directions) const;
  // The products of each functional with the design rows of a query's pairs: functionals by pairs.
  template <int T>
  Directions<T> shared_product(Index query, const SharedDirections<T>& directions) const;
  // The products of one functional with the design rows of all pairs.
  Eigen::VectorXd shared_products(const SharedDirections<1>& direction, int num_threads) const;
  // Variances of all gains before anything is judged.
  Eigen::VectorXd variances() const;

  // The covariance of a pair with all pairs of its query, given the shared effects.
  Eigen::VectorXd query_column(Index pair) const;
  // The product of h (directions by pairs of the query) with the covariance of the query's pairs given the shared
  // effects.
  template <int T>
  Directions<T> query_product(Index query, const Directions<T>& h) const;
  // The sum of query_product() and shared_product().
  template <int T>
  Directions<T> product(Index query, const Directions<T>& h, const SharedDirections<T>& shared) const;
  // Draws the effects of a query. Each row uses a separate stream of random numbers.
  template <int T>
  QueryEffects<T> draw_query(Index query, std::array<NormalStream, T>& normal) const;
  // The contribution of the effects of a query to the gain of one of its pairs.
  template <int T>
  Eigen::Matrix<double, T, 1> query_effect(Index pair, const QueryEffects<T>& own) const {
    return effect_of_labels<T>(pair, own) +
           par_.scale[pair] * system_factor(pair) * sum_over_systems<T>(pair, own.system);
  }
  // The contribution of the query's and the shared effects, for all pairs of the query.
  template <int T>
  Directions<T> effects(Index query, const SharedDirections<T>& shared, const QueryEffects<T>& own) const;
  double residual_variance(Index pair) const {
    return variance(term_residual) * par_.residual_scale[pair] * par_.residual_scale[pair];
  }
  // Converts functionals of the systems' means to functionals of the query's gains, which have the measure's weights:
  // functionals by pairs.
  template <int T>
  Directions<T> weigh(Index query, const Directions<T>& over_systems) const;

 private:
  // The sum of the columns of those systems that retrieved the pair.
  template <int T>
  Eigen::Matrix<double, T, 1> sum_over_systems(Index pair, const Directions<T>& columns) const {
    return sum_columns<T>(columns, incidence_.begin(pair), incidence_.end(pair));
  }
  // The contribution of those effects of the query that do not depend on systems.
  template <int T>
  Eigen::Matrix<double, T, 1> effect_of_labels(Index pair, const QueryEffects<T>& own) const;
  template <int T>
  Eigen::Matrix<double, T, 1> shared_product_at(Index pair, const SharedDirections<T>& directions) const;
  // The product of h with the covariance between the pairs and the query's effects of systems and their teams:
  // functionals by systems.
  template <int T>
  Directions<T> system_effects(Index query, const Directions<T>& h) const;
  // The contribution to query_product() of the residuals and of those effects of the query that do not depend on
  // systems or teams.
  template <int T>
  Directions<T> pair_effects(Index query, const Directions<T>& h) const;
  // Adds the contribution of an effect per label, whose variance is `of_label`.
  template <int T>
  void add_label_product(Index query, const std::vector<std::int32_t>& label, const Directions<T>& h, double of_label,
                         Directions<T>& out) const;
  double variance(JointTerm term) const { return par_.variance[term]; }

  JointPool pool_;
  JointParameters par_;
  IncidenceView incidence_;
  Eigen::VectorXd shared_variance_;
  std::vector<std::vector<std::int32_t>> pairs_;
  std::vector<Index> place_;
  std::vector<double> system_factor_;                           // stored, because a square root is slow
  std::vector<std::int32_t> genre_in_query_, artist_in_query_;  // numbered from 0 in each query; -1 if unknown
};

}  // namespace judicious
