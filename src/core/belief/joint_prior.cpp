#include "belief/joint_prior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace judicious {

namespace {

// Renumbers labels from 0 within each query. Sums by label then need only as much memory as the query has labels.
std::vector<std::int32_t> labels_in_query(const std::vector<std::vector<std::int32_t>>& pairs,
                                          const std::vector<std::int32_t>& label) {
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> out(label.size(), none);
  const std::int32_t last = label.empty() ? none : *std::max_element(label.begin(), label.end());
  std::vector<std::int32_t> number(last + 1, none);
  for (const auto& of_query : pairs) {
    std::int32_t next = 0;
    for (const std::int32_t i : of_query) {
      const Index at = i;
      if (label[at] < 0) continue;
      std::int32_t& of_label = number[label[at]];
      if (of_label == none) of_label = next++;
      out[at] = of_label;
    }
    for (const std::int32_t i : of_query) {
      const std::int32_t of_pair = label[i];
      if (of_pair >= 0) number[of_pair] = none;
    }
  }
  return out;
}

}  // namespace

JointPrior::JointPrior(JointPool pool, JointParameters parameters)
    : pool_(std::move(pool)), par_(std::move(parameters)), incidence_(pool_.incidence.view()) {
  const Index p = pool_.x.rows(), s = n_systems(), t = pool_.n_teams;
  shared_variance_.resize(p + 2 * s + 2 * t);
  shared_variance_ << par_.coefficient_variance, Eigen::VectorXd::Constant(s, variance(term_system)),
      Eigen::VectorXd::Constant(t, variance(term_team)), Eigen::VectorXd::Constant(s, variance(term_system_popularity)),
      Eigen::VectorXd::Constant(t, variance(term_team_popularity));
  pairs_.resize(pool_.n_queries);
  place_.resize(n_pairs());
  system_factor_.resize(n_pairs());
  for (Index i = 0; i < n_pairs(); ++i) {
    auto& of_query = pairs_[pool_.query[i]];
    place_[i] = length(of_query);
    system_factor_[i] = pool_.system_factor(i);
    of_query.push_back(static_cast<std::int32_t>(i));
  }
  genre_in_query_ = labels_in_query(pairs_, pool_.genre);
  artist_in_query_ = labels_in_query(pairs_, pool_.artist);
}

Eigen::RowVectorXd JointPrior::shared_row(Index pair) const {
  const Index p = pool_.x.rows(), s = n_systems(), t = pool_.n_teams;
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(n_shared());
  row.head(p) = par_.slope[pair] * pool_.x.col(pair).transpose();
  const double each = par_.scale[pair] * system_factor(pair), tilted = each * pool_.popularity[pair];
  for (const std::int32_t* at = incidence_.begin(pair); at != incidence_.end(pair); ++at) {
    const Index system = index(*at), team = index(pool_.team[*at]);
    row[p + system] += each;
    row[p + s + team] += each;
    row[p + s + t + system] += tilted;
    row[p + 2 * s + t + team] += tilted;
  }
  return row;
}

Eigen::VectorXd JointPrior::variances() const {
  Eigen::VectorXd out(n_pairs());
  std::vector<int> seen(pool_.n_teams, 0);
  const auto coefficient = shared_variance_.head(pool_.x.rows());
  for (Index i = 0; i < n_pairs(); ++i) {
    // For each team, the squared number of its systems that retrieved the pair; summed over teams.
    double squares = 0;
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at)
      squares += 2 * seen[pool_.team[*at]]++ + 1;
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) seen[pool_.team[*at]] = 0;
    // The variances of the systems' effects need no factor: the effects are independent, and the squares of their
    // weights sum to 1.
    const double of_teams = squares * system_factor(i) * system_factor(i);
    const double tilt = pool_.popularity[i] * pool_.popularity[i];
    double effects = variance(term_query) + tilt * variance(term_query_popularity);
    if (pool_.genre[i] >= 0) effects += variance(term_query_genre);
    if (pool_.artist[i] >= 0) effects += variance(term_query_artist);
    effects += variance(term_query_system) + variance(term_system) + tilt * variance(term_system_popularity);
    effects += of_teams * (variance(term_query_team) + variance(term_team) + tilt * variance(term_team_popularity));
    const auto x = par_.slope[i] * pool_.x.col(i);
    out[i] = par_.scale[i] * par_.scale[i] * effects + x.cwiseAbs2().dot(coefficient) + residual_variance(i);
  }
  return out;
}

}  // namespace judicious
