// Random pools for tests of the joint model, and the covariance of their gains from its formula.
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "belief/joint_prior.hpp"

namespace joint_case {

using namespace judicious;
using Eigen::Index;

struct Case {
  JointPool pool;
  JointParameters par;
};

// A random pool with unknown labels, several teams, and pairs that one or many systems retrieved.
inline Case random_case(unsigned seed, int n_queries, int per_query, int n_systems, int n_teams) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> normal;
  Case out;
  const int n = n_queries * per_query;
  out.pool.incidence.n_systems = static_cast<std::size_t>(n_systems);
  out.pool.incidence.offset.push_back(0);
  out.pool.x.resize(2, n);
  for (int i = 0; i < n; ++i) {
    int count = 0;
    for (int s = 0; s < n_systems; ++s) {
      if (unit(random) > 0.3 && !(s == i % n_systems)) continue;
      out.pool.incidence.system.push_back(s);
      out.pool.weight.push_back(0.1 + unit(random));
      ++count;
    }
    out.pool.incidence.offset.push_back(out.pool.incidence.offset.back() + count);
    out.pool.query.push_back(i % n_queries);
    out.pool.genre.push_back(static_cast<std::int32_t>(3 * unit(random)) - 1);
    out.pool.artist.push_back(static_cast<std::int32_t>(4 * unit(random)) - 1);
    out.pool.popularity.push_back(normal(random));
    out.pool.x.col(i) << 1, normal(random);
    out.par.mean.push_back(unit(random));
    out.par.slope.push_back(0.1 + unit(random));
    out.par.scale.push_back(0.2 + unit(random));
    out.par.residual_scale.push_back(0.2 + unit(random));
  }
  for (int s = 0; s < n_systems; ++s) out.pool.team.push_back(s % n_teams);
  out.pool.n_teams = static_cast<std::size_t>(n_teams);
  out.pool.n_queries = static_cast<std::size_t>(n_queries);
  out.par.coefficient_variance = Eigen::Vector2d(0.5, 0.2);
  for (double& v : out.par.variance) v = 0.05 + 0.2 * unit(random);
  return out;
}

inline double from(const std::vector<double>& x, Index i) { return x[static_cast<std::size_t>(i)]; }
inline std::int32_t from(const std::vector<std::int32_t>& x, Index i) { return x[static_cast<std::size_t>(i)]; }

// The pool and the parameters of some pairs only; all weights become 1.
inline Case restrict_to(const Case& whole, const std::vector<std::int32_t>& pairs) {
  Case out = whole;
  out.pool.incidence.offset = {0};
  out.pool.incidence.system.clear();
  out.pool.weight = {1};
  const auto keep = [&](auto& values) {
    auto kept = values;
    kept.clear();
    for (const std::int32_t i : pairs) kept.push_back(values[static_cast<std::size_t>(i)]);
    values = kept;
  };
  keep(out.pool.query);
  keep(out.pool.genre);
  keep(out.pool.artist);
  keep(out.pool.popularity);
  keep(out.par.mean);
  keep(out.par.slope);
  keep(out.par.scale);
  keep(out.par.residual_scale);
  out.pool.x.resize(whole.pool.x.rows(), static_cast<Index>(pairs.size()));
  const IncidenceView incidence = whole.pool.incidence.view();
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const auto i = static_cast<std::size_t>(pairs[a]);
    out.pool.x.col(static_cast<Index>(a)) = whole.pool.x.col(pairs[a]);
    out.pool.incidence.system.insert(out.pool.incidence.system.end(), incidence.begin(i), incidence.end(i));
    out.pool.incidence.offset.push_back(static_cast<std::int32_t>(out.pool.incidence.system.size()));
  }
  return out;
}

// The prior covariance of all gains, entry by entry from the formula in joint_prior.hpp.
inline Eigen::MatrixXd dense_covariance(const Case& c) {
  const auto n = static_cast<Index>(c.pool.query.size());
  const auto& v = c.par.variance;
  Eigen::MatrixXd out(n, n);
  const auto shared = [&](Index i, Index j, bool teams) {
    double count = 0;
    const IncidenceView at = c.pool.incidence.view();
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    for (const std::int32_t* s = at.begin(a); s != at.end(a); ++s) {
      for (const std::int32_t* t = at.begin(b); t != at.end(b); ++t) {
        count += teams ? from(c.pool.team, *s) == from(c.pool.team, *t) : *s == *t;
      }
    }
    return count / std::sqrt(static_cast<double>(at.count(a) * at.count(b)));
  };
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double systems = shared(i, j, false), teams = shared(i, j, true);
      const double tilt = from(c.pool.popularity, i) * from(c.pool.popularity, j);
      double effects = v[term_system] * systems + v[term_team] * teams +
                       tilt * (v[term_system_popularity] * systems + v[term_team_popularity] * teams);
      if (from(c.pool.query, i) == from(c.pool.query, j)) {
        effects += v[term_query] + v[term_query_popularity] * tilt + v[term_query_system] * systems +
                   v[term_query_team] * teams;
        if (from(c.pool.genre, i) >= 0 && from(c.pool.genre, i) == from(c.pool.genre, j))
          effects += v[term_query_genre];
        if (from(c.pool.artist, i) >= 0 && from(c.pool.artist, i) == from(c.pool.artist, j))
          effects += v[term_query_artist];
      }
      out(i, j) = effects * from(c.par.scale, i) * from(c.par.scale, j) +
                  from(c.par.slope, i) * from(c.par.slope, j) *
                      (c.pool.x.col(i).cwiseProduct(c.par.coefficient_variance)).dot(c.pool.x.col(j));
    }
    out(i, i) += v[term_residual] * from(c.par.residual_scale, i) * from(c.par.residual_scale, i);
  }
  return out;
}

}  // namespace joint_case
