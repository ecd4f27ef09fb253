// A joint prior from R's lists: `pool` as joint_pool() makes it, `parameters` as linearise() does.
#pragma once
#include <RcppEigen.h>

#include <algorithm>

#include "belief/joint_posterior.hpp"
#include "r_convert.h"

namespace judicious {

using PosteriorPointer = Rcpp::XPtr<JointPosterior>;

inline std::vector<double> from_r_numeric(const Rcpp::RObject& x) {
  return Rcpp::as<std::vector<double>>(x);
}

inline JointPool from_r_joint_pool(const Rcpp::List& pool) {
  JointPool out;
  out.incidence = from_r_incidence(pool["results"], Rcpp::as<int>(pool["n_systems"]));
  const Rcpp::NumericVector weight = pool["weight"];
  // One stands for all where they are the same, and is not read for every result.
  const bool same =
      std::all_of(weight.begin(), weight.end(), [&](double w) { return w == weight[0]; });
  out.weight.assign(weight.begin(),
                    same ? weight.begin() + std::min<R_xlen_t>(weight.size(), 1) : weight.end());
  out.query = from_r_index(pool["query"]);
  out.genre = from_r_index(pool["genre"]);
  out.artist = from_r_index(pool["artist"]);
  out.team = from_r_index(pool["team"]);
  out.n_teams = static_cast<std::size_t>(Rcpp::as<int>(pool["n_teams"]));
  out.n_queries = static_cast<std::size_t>(Rcpp::as<int>(pool["n_queries"]));
  out.popularity = from_r_numeric(pool["popularity"]);
  out.x = Rcpp::as<Eigen::MatrixXd>(pool["x"]).transpose();
  return out;
}

inline JointParameters from_r_joint_parameters(const Rcpp::List& parameters) {
  JointParameters out;
  out.mean = from_r_numeric(parameters["mean"]);
  out.slope = from_r_numeric(parameters["slope"]);
  out.scale = from_r_numeric(parameters["scale"]);
  out.residual_scale = from_r_numeric(parameters["residual_scale"]);
  out.coefficient_variance = Rcpp::as<Eigen::VectorXd>(parameters["coefficient_variance"]);
  const std::vector<double> variance = from_r_numeric(parameters["variance"]);
  std::copy_n(variance.begin(), n_joint_terms, out.variance.begin());
  return out;
}

}  // namespace judicious
