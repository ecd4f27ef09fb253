// Products of linear functionals with the covariance of the gains, without a matrix over pairs.
#include <algorithm>
#include <cmath>

#include "belief/joint_prior.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"

namespace judicious {

template <int T>
SharedDirections<T> JointPrior::fold(const Directions<T>& directions) const {
  const Index p = pool_.x.rows(), s = n_systems(), t = pool_.n_teams;
  SharedDirections<T> out{directions.leftCols(p), Directions<2 * T>(2 * T, s)};
  for (Index system = 0; system < s; ++system) {
    const Index team = pool_.team[system];
    out.effect.col(system) << directions.col(p + system) + directions.col(p + s + team),
        directions.col(p + s + t + system) + directions.col(p + 2 * s + t + team);
  }
  return out;
}

template <int T>
Eigen::Matrix<double, T, 1> JointPrior::shared_product_at(Index i, const SharedDirections<T>& directions) const {
  const Eigen::Matrix<double, 2 * T, 1> sum = sum_over_systems<2 * T>(i, directions.effect);
  // Adds column by column, so that the sums stay in registers, which they would not in Eigen's product.
  Eigen::Matrix<double, T, 1> slope = Eigen::Matrix<double, T, 1>::Zero();
  for (Index c = 0; c < pool_.x.rows(); ++c) slope += pool_.x(c, i) * directions.coefficient.col(c);
  return par_.scale[i] * system_factor(i) * (sum.template head<T>() + pool_.popularity[i] * sum.template tail<T>()) +
         par_.slope[i] * slope;
}

template <int T>
Directions<T> JointPrior::shared_product(Index query, const SharedDirections<T>& directions) const {
  const auto& pairs = pairs_[query];
  Directions<T> out(T, length(pairs));
  for (Index a = 0; a < length(pairs); ++a) out.col(a) = shared_product_at<T>(pairs[a], directions);
  return out;
}

Eigen::VectorXd JointPrior::shared_products(const SharedDirections<1>& direction, int num_threads) const {
  constexpr Index at_once = 4096;
  Eigen::VectorXd out(n_pairs());
  parallel_for((n_pairs() + at_once - 1) / at_once, num_threads, [&](Index part) {
    check_interrupt();
    const Index end = std::min(n_pairs(), (part + 1) * at_once);
    for (Index i = part * at_once; i < end; ++i) out[i] = shared_product_at<1>(i, direction)[0];
  });
  return out;
}

template <int T>
Directions<T> JointPrior::system_effects(Index query, const Directions<T>& h) const {
  const auto& pairs = pairs_[query];
  const Index s = n_systems();
  const auto team_of = [&](Index j) { return pool_.team[j]; };
  Directions<T> out = Directions<T>::Zero(T, s);
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    // Skips zero columns, because functionals that involve few systems are 0 for most pairs.
    if ((h.col(a).array() == 0).all()) continue;
    const Eigen::Matrix<double, T, 1> each = par_.scale[i] * system_factor(i) * h.col(a);
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) out.col(*at) += each;
  }
  Directions<T> team = Directions<T>::Zero(T, pool_.n_teams);
  for (Index j = 0; j < s; ++j) team.col(team_of(j)) += out.col(j);
  for (Index j = 0; j < s; ++j)
    out.col(j) = variance(term_query_system) * out.col(j) + variance(term_query_team) * team.col(team_of(j));
  return out;
}

template <int T>
void JointPrior::add_label_product(Index query, const std::vector<std::int32_t>& label, const Directions<T>& h,
                                   double of_label, Directions<T>& out) const {
  if (of_label <= 0) return;
  const auto& pairs = pairs_[query];
  Directions<T> sum = Directions<T>::Zero(T, h.cols());
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    if (label[i] >= 0) sum.col(label[i]) += par_.scale[i] * h.col(a);
  }
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    if (label[i] >= 0) out.col(a) += of_label * par_.scale[i] * sum.col(label[i]);
  }
}

template <int T>
Directions<T> JointPrior::pair_effects(Index query, const Directions<T>& h) const {
  const auto& pairs = pairs_[query];
  Eigen::Matrix<double, T, 1> sum = Eigen::Matrix<double, T, 1>::Zero(), tilted = sum;
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    const Eigen::Matrix<double, T, 1> scaled = par_.scale[i] * h.col(a);
    sum += scaled;
    tilted += pool_.popularity[i] * scaled;
  }
  sum *= variance(term_query);
  tilted *= variance(term_query_popularity);
  Directions<T> out(T, h.cols());
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    out.col(a) = par_.scale[i] * (sum + pool_.popularity[i] * tilted) + residual_variance(i) * h.col(a);
  }
  add_label_product<T>(query, genre_in_query_, h, variance(term_query_genre), out);
  add_label_product<T>(query, artist_in_query_, h, variance(term_query_artist), out);
  return out;
}

template <int T>
Directions<T> JointPrior::query_product(Index query, const Directions<T>& h) const {
  const auto& pairs = pairs_[query];
  const Directions<T> system = system_effects<T>(query, h);
  Directions<T> out = pair_effects<T>(query, h);
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    out.col(a) += par_.scale[i] * system_factor(i) * sum_over_systems<T>(i, system);
  }
  return out;
}

// A system's effects within the query and on all queries have the same weights, so they are added before they are
// multiplied.
template <int T>
Directions<T> JointPrior::product(Index query, const Directions<T>& h, const SharedDirections<T>& shared) const {
  SharedDirections<T> all = shared;
  all.effect.template topRows<T>() += system_effects<T>(query, h);
  Directions<T> out = pair_effects<T>(query, h);
  const auto& pairs = pairs_[query];
  for (Index a = 0; a < length(pairs); ++a) out.col(a) += shared_product_at<T>(pairs[a], all);
  return out;
}

Eigen::VectorXd JointPrior::query_column(Index pair) const {
  const Index query = pool_.query[pair];
  Directions<1> unit = Directions<1>::Zero(length(pairs_[query]));
  unit[place_[pair]] = 1;
  return query_product<1>(query, unit).transpose();
}

template <int T>
Directions<T> JointPrior::weigh(Index query, const Directions<T>& over_systems) const {
  const auto& pairs = pairs_[query];
  Directions<T> out(T, length(pairs));
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    if (equal_weights()) {
      out.col(a) = pool_.weight.front() * sum_over_systems<T>(i, over_systems);
      continue;
    }
    Eigen::Matrix<double, T, 1> sum = Eigen::Matrix<double, T, 1>::Zero();
    each_result(i, [&](std::int32_t system, double weight) { sum += weight * over_systems.col(system); });
    out.col(a) = sum;
  }
  return out;
}

template <int T>
QueryEffects<T> JointPrior::draw_query(Index query, std::array<NormalStream, T>& normal) const {
  const auto draw = [&](JointTerm term, Index n) {
    Directions<T> values = Directions<T>::Zero(T, n);
    if (variance(term) <= 0) return values;
    const double sd = std::sqrt(variance(term));
    for (int t = 0; t < T; ++t)
      for (Index i = 0; i < n; ++i) values(t, i) = sd * normal[t]();
    return values;
  };
  QueryEffects<T> out;
  out.query.resize(T, 2);
  out.query << draw(term_query, 1), draw(term_query_popularity, 1);
  out.system = draw(term_query_system, n_systems());
  const Directions<T> team = draw(term_query_team, pool_.n_teams);
  for (Index j = 0; j < out.system.cols(); ++j) out.system.col(j) += team.col(pool_.team[j]);
  const Index n = length(pairs_[query]);
  out.genre = draw(term_query_genre, n);
  out.artist = draw(term_query_artist, n);
  return out;
}

template <int T>
Eigen::Matrix<double, T, 1> JointPrior::effect_of_labels(Index i, const QueryEffects<T>& own) const {
  Eigen::Matrix<double, T, 1> sum = own.query.col(0) + pool_.popularity[i] * own.query.col(1);
  if (genre_in_query_[i] >= 0) sum += own.genre.col(genre_in_query_[i]);
  if (artist_in_query_[i] >= 0) sum += own.artist.col(artist_in_query_[i]);
  return par_.scale[i] * sum;
}

template <int T>
Directions<T> JointPrior::effects(Index query, const SharedDirections<T>& shared, const QueryEffects<T>& own) const {
  SharedDirections<T> all = shared;
  all.effect.template topRows<T>() += own.system;
  const auto& pairs = pairs_[query];
  Directions<T> out(T, length(pairs));
  for (Index a = 0; a < length(pairs); ++a)
    out.col(a) = shared_product_at<T>(pairs[a], all) + effect_of_labels<T>(pairs[a], own);
  return out;
}

template QueryEffects<draws_at_once> JointPrior::draw_query<draws_at_once>(
    Index, std::array<NormalStream, draws_at_once>&) const;
template Eigen::Matrix<double, draws_at_once, 1> JointPrior::effect_of_labels<draws_at_once>(
    Index, const QueryEffects<draws_at_once>&) const;
template Directions<draws_at_once> JointPrior::effects<draws_at_once>(Index, const SharedDirections<draws_at_once>&,
                                                                      const QueryEffects<draws_at_once>&) const;
template SharedDirections<1> JointPrior::fold<1>(const Directions<1>&) const;
template Directions<1> JointPrior::shared_product<1>(Index, const SharedDirections<1>&) const;
template SharedDirections<batch_size> JointPrior::fold<batch_size>(const Directions<batch_size>&) const;
template Directions<batch_size> JointPrior::shared_product<batch_size>(Index,
                                                                       const SharedDirections<batch_size>&) const;
template Directions<batch_size> JointPrior::query_product<batch_size>(Index, const Directions<batch_size>&) const;

#define JUDICIOUS_WITH_SHARED(T)                                                                                \
  template SharedDirections<T> JointPrior::fold<T>(const Directions<T>&) const;                                 \
  template Directions<T> JointPrior::product<T>(Index, const Directions<T>&, const SharedDirections<T>&) const; \
  template Directions<T> JointPrior::weigh<T>(Index, const Directions<T>&) const;
JUDICIOUS_WITH_SHARED(10)
JUDICIOUS_WITH_SHARED(8)
JUDICIOUS_WITH_SHARED(4)
#undef JUDICIOUS_WITH_SHARED

}  // namespace judicious
