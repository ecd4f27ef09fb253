#include "gain/joint_prior.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace judicious {

namespace {

using Eigen::Index;

Index index(std::size_t i) { return static_cast<Index>(i); }
Index index(std::int32_t i) { return static_cast<Index>(i); }

// Labels renumbered from 0 within each query, so that sums per label need no more room than the
// query.
std::vector<std::int32_t> labels_in_query(const std::vector<std::vector<std::int32_t>>& pairs,
                                          const std::vector<std::int32_t>& label) {
  std::vector<std::int32_t> out(label.size(), -1);
  for (const auto& of_query : pairs) {
    std::unordered_map<std::int32_t, std::int32_t> seen;
    for (const std::int32_t i : of_query) {
      const auto at = static_cast<std::size_t>(i);
      if (label[at] < 0) continue;
      const auto next = static_cast<std::int32_t>(seen.size());
      out[at] = seen.emplace(label[at], next).first->second;
    }
  }
  return out;
}

// Adds to `out` (directions by pairs) the covariance of an effect per label with variance
// `variance`.
void add_label_product(const std::vector<std::int32_t>& pairs,
                       const std::vector<std::int32_t>& label, const Eigen::MatrixXd& h,
                       double variance, Eigen::MatrixXd& out) {
  if (variance <= 0) return;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(h.rows(), h.cols());
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const std::int32_t l = label[static_cast<std::size_t>(pairs[a])];
    if (l >= 0) sum.col(index(l)) += h.col(index(a));
  }
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const std::int32_t l = label[static_cast<std::size_t>(pairs[a])];
    if (l >= 0) out.col(index(a)) += variance * sum.col(index(l));
  }
}

}  // namespace

JointPrior::JointPrior(JointPool pool, JointParameters parameters)
    : pool_(std::move(pool)), par_(std::move(parameters)), incidence_(pool_.incidence.view()) {
  const Index p = pool_.x.rows(), s = index(n_systems()), t = index(pool_.n_teams);
  shared_variance_.resize(p + 2 * s + 2 * t);
  shared_variance_ << par_.coefficient_variance,
      Eigen::VectorXd::Constant(s, variance(term_system)),
      Eigen::VectorXd::Constant(t, variance(term_team)),
      Eigen::VectorXd::Constant(s, variance(term_system_popularity)),
      Eigen::VectorXd::Constant(t, variance(term_team_popularity));
  pairs_.resize(pool_.n_queries);
  place_.resize(n_pairs());
  for (std::size_t i = 0; i < n_pairs(); ++i) {
    auto& of_query = pairs_[static_cast<std::size_t>(pool_.query[i])];
    place_[i] = index(of_query.size());
    of_query.push_back(static_cast<std::int32_t>(i));
  }
  genre_in_query_ = labels_in_query(pairs_, pool_.genre);
  artist_in_query_ = labels_in_query(pairs_, pool_.artist);
}

Eigen::RowVectorXd JointPrior::shared_row(std::size_t pair) const {
  const Index p = pool_.x.rows(), s = index(n_systems()), t = index(pool_.n_teams);
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(n_shared());
  row.head(p) = par_.slope[pair] * pool_.x.col(index(pair)).transpose();
  const double each = par_.scale[pair] * average(pair), tilted = each * pool_.popularity[pair];
  for (const std::int32_t* at = incidence_.begin(pair); at != incidence_.end(pair); ++at) {
    const Index system = index(*at), team = index(pool_.team[static_cast<std::size_t>(*at)]);
    row[p + system] += each;
    row[p + s + team] += each;
    row[p + s + t + system] += tilted;
    row[p + 2 * s + t + team] += tilted;
  }
  return row;
}

SharedDirections JointPrior::fold(const Eigen::Ref<const Eigen::MatrixXd>& directions) const {
  const Index p = pool_.x.rows(), s = index(n_systems()), t = index(pool_.n_teams);
  SharedDirections out{directions.leftCols(p), directions.middleCols(p, s),
                       directions.middleCols(p + s + t, s)};
  for (Index system = 0; system < s; ++system) {
    const Index team = index(pool_.team[static_cast<std::size_t>(system)]);
    out.level.col(system) += directions.col(p + s + team);
    out.slope.col(system) += directions.col(p + 2 * s + t + team);
  }
  return out;
}

Eigen::MatrixXd JointPrior::shared_product(std::size_t query,
                                           const SharedDirections& directions) const {
  const auto& pairs = pairs_[query];
  Eigen::MatrixXd out(directions.level.rows(), index(pairs.size()));
  Eigen::VectorXd level(directions.level.rows()), slope(directions.level.rows());
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const auto i = static_cast<std::size_t>(pairs[a]);
    level.setZero();
    slope.setZero();
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) {
      level += directions.level.col(index(*at));
      slope += directions.slope.col(index(*at));
    }
    const double each = par_.scale[i] * average(i);
    out.col(index(a)) = each * (level + pool_.popularity[i] * slope);
    out.col(index(a)).noalias() +=
        par_.slope[i] * (directions.coefficient * pool_.x.col(static_cast<Index>(i)));
  }
  return out;
}

double JointPrior::variance_of(std::size_t pair) const {
  return query_variance_of(pair) + shared_row(pair).cwiseAbs2().dot(shared_variance_);
}

Eigen::MatrixXd JointPrior::query_block(const std::vector<std::int32_t>& pairs) const {
  const Index n = index(pairs.size());
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n, index(n_systems()));
  Eigen::MatrixXd team = Eigen::MatrixXd::Zero(n, index(pool_.n_teams));
  for (Index a = 0; a < n; ++a) {
    const auto i = static_cast<std::size_t>(pairs[static_cast<std::size_t>(a)]);
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) {
      system(a, index(*at)) += average(i);
      team(a, index(pool_.team[static_cast<std::size_t>(*at)])) += average(i);
    }
  }
  Eigen::MatrixXd block(n, n);
  block.noalias() = variance(term_query_system) * system * system.transpose();
  block.noalias() += variance(term_query_team) * team * team.transpose();
  for (Index a = 0; a < n; ++a) {
    const auto i = static_cast<std::size_t>(pairs[static_cast<std::size_t>(a)]);
    for (Index b = 0; b <= a; ++b) {
      const auto j = static_cast<std::size_t>(pairs[static_cast<std::size_t>(b)]);
      double value = block(a, b) + variance(term_query) +
                     variance(term_query_popularity) * pool_.popularity[i] * pool_.popularity[j];
      if (pool_.genre[i] >= 0 && pool_.genre[i] == pool_.genre[j])
        value += variance(term_query_genre);
      if (pool_.artist[i] >= 0 && pool_.artist[i] == pool_.artist[j])
        value += variance(term_query_artist);
      value *= par_.scale[i] * par_.scale[j];
      if (a == b)
        value += variance(term_residual) * par_.residual_scale[i] * par_.residual_scale[i];
      block(a, b) = block(b, a) = value;
    }
  }
  return block;
}

Eigen::MatrixXd JointPrior::query_product(std::size_t query,
                                          const Eigen::Ref<const Eigen::MatrixXd>& h) const {
  const auto& pairs = pairs_[query];
  const Index n = index(pairs.size()), t = h.rows(), s = index(n_systems());
  Eigen::MatrixXd scaled(t, n), out(t, n);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(t), tilted = sum;
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(t, s),
                  team = Eigen::MatrixXd::Zero(t, index(pool_.n_teams));
  for (Index a = 0; a < n; ++a) {
    const auto i = static_cast<std::size_t>(pairs[static_cast<std::size_t>(a)]);
    scaled.col(a) = par_.scale[i] * h.col(a);
    sum += scaled.col(a);
    tilted += pool_.popularity[i] * scaled.col(a);
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) {
      system.col(index(*at)) += average(i) * scaled.col(a);
    }
  }
  for (Index j = 0; j < s; ++j)
    team.col(index(pool_.team[static_cast<std::size_t>(j)])) += system.col(j);
  system *= variance(term_query_system);
  for (Index j = 0; j < s; ++j) {
    system.col(j) +=
        variance(term_query_team) * team.col(index(pool_.team[static_cast<std::size_t>(j)]));
  }
  sum *= variance(term_query);
  tilted *= variance(term_query_popularity);
  for (Index a = 0; a < n; ++a) {
    const auto i = static_cast<std::size_t>(pairs[static_cast<std::size_t>(a)]);
    out.col(a) = sum + pool_.popularity[i] * tilted;
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) {
      out.col(a) += average(i) * system.col(index(*at));
    }
  }
  add_label_product(pairs, genre_in_query_, scaled, variance(term_query_genre), out);
  add_label_product(pairs, artist_in_query_, scaled, variance(term_query_artist), out);
  for (Index a = 0; a < n; ++a) {
    const auto i = static_cast<std::size_t>(pairs[static_cast<std::size_t>(a)]);
    const double own = variance(term_residual) * par_.residual_scale[i] * par_.residual_scale[i];
    out.col(a) = par_.scale[i] * out.col(a) + own * h.col(a);
  }
  return out;
}

Eigen::VectorXd JointPrior::query_column(std::size_t pair) const {
  const auto query = static_cast<std::size_t>(pool_.query[pair]);
  Eigen::RowVectorXd unit = Eigen::RowVectorXd::Zero(index(pairs_[query].size()));
  unit[place_[pair]] = 1;
  return query_product(query, unit).transpose();
}

double JointPrior::query_variance_of(std::size_t pair) const {
  double of_teams = 0;
  for (const std::int32_t* a = incidence_.begin(pair); a != incidence_.end(pair); ++a) {
    for (const std::int32_t* b = incidence_.begin(pair); b != incidence_.end(pair); ++b) {
      of_teams +=
          pool_.team[static_cast<std::size_t>(*a)] == pool_.team[static_cast<std::size_t>(*b)] ? 1
                                                                                               : 0;
    }
  }
  double value = variance(term_query) + variance(term_query_system) * average(pair) +
                 variance(term_query_team) * of_teams * average(pair) * average(pair) +
                 variance(term_query_popularity) * pool_.popularity[pair] * pool_.popularity[pair];
  if (pool_.genre[pair] >= 0) value += variance(term_query_genre);
  if (pool_.artist[pair] >= 0) value += variance(term_query_artist);
  return value * par_.scale[pair] * par_.scale[pair] +
         variance(term_residual) * par_.residual_scale[pair] * par_.residual_scale[pair];
}

void JointPrior::draw_query(std::size_t query, NormalStream& normal, Eigen::VectorXd& out) const {
  const auto& pairs = pairs_[query];
  const Index s = index(n_systems());
  const auto draws = [&](JointTerm term, Index n) {
    Eigen::VectorXd values = Eigen::VectorXd::Zero(n);
    if (variance(term) <= 0) return values;
    for (Index i = 0; i < n; ++i) values[i] = std::sqrt(variance(term)) * normal();
    return values;
  };
  const double level = draws(term_query, 1)[0], tilt = draws(term_query_popularity, 1)[0];
  const Eigen::VectorXd genre = draws(term_query_genre, index(pairs.size()));
  const Eigen::VectorXd artist = draws(term_query_artist, index(pairs.size()));
  Eigen::VectorXd system = draws(term_query_system, s);
  const Eigen::VectorXd team = draws(term_query_team, index(pool_.n_teams));
  for (Index j = 0; j < s; ++j) system[j] += team[pool_.team[static_cast<std::size_t>(j)]];
  out.resize(index(pairs.size()));
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const auto i = static_cast<std::size_t>(pairs[a]);
    double value = level + pool_.popularity[i] * tilt;
    if (genre_in_query_[i] >= 0) value += genre[genre_in_query_[i]];
    if (artist_in_query_[i] >= 0) value += artist[artist_in_query_[i]];
    for (const std::int32_t* at = incidence_.begin(i); at != incidence_.end(i); ++at) {
      value += average(i) * system[*at];
    }
    out[index(a)] = par_.scale[i] * value;
  }
}

Eigen::MatrixXd JointPrior::weigh(std::size_t query,
                                  const Eigen::Ref<const Eigen::MatrixXd>& over_systems) const {
  const auto& pairs = pairs_[query];
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(over_systems.rows(), index(pairs.size()));
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const auto i = static_cast<std::size_t>(pairs[a]);
    const auto first = static_cast<std::size_t>(incidence_.offset[i]);
    const auto last = static_cast<std::size_t>(incidence_.offset[i + 1]);
    for (std::size_t r = first; r < last; ++r) {
      out.col(index(a)) += pool_.weight[r] * over_systems.col(index(incidence_.system[r]));
    }
  }
  return out;
}

}  // namespace judicious
