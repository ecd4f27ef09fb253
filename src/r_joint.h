// Converts R's lists to a joint prior: `pool`, made by joint_pool(), and `parameters`, made by joint_parameters().
#pragma once
#include <RcppEigen.h>

#include <algorithm>

#include "belief/joint_posterior.hpp"
#include "r_convert.h"

namespace judicious {

using PosteriorPointer = Rcpp::XPtr<JointPosterior>;

// The largest number of threads that CRAN permits packages to use by default.
constexpr int max_threads = 2;

inline std::vector<double> from_r_numeric(const Rcpp::RObject& x) { return Rcpp::as<std::vector<double>>(x); }

inline JointPool from_r_joint_pool(const Rcpp::List& pool) {
  JointPool out;
  out.incidence = from_r_incidence(pool["results"], Rcpp::as<int>(pool["n_systems"]));
  const Rcpp::NumericVector weight = pool["weight"];
  // If all weights are equal, a single one is stored, so that no weight has to be read for each result.
  const bool same = std::all_of(weight.begin(), weight.end(), [&](double w) { return w == weight[0]; });
  out.weight.assign(weight.begin(), same ? weight.begin() + std::min<R_xlen_t>(weight.size(), 1) : weight.end());
  out.query = from_r_index(pool["query"]);
  out.genre = from_r_index(pool["genre"]);
  out.artist = from_r_index(pool["artist"]);
  out.team = from_r_index(pool["team"]);
  out.n_teams = Rcpp::as<int>(pool["n_teams"]);
  out.n_queries = Rcpp::as<int>(pool["n_queries"]);
  out.popularity = from_r_numeric(pool["popularity"]);
  out.x = Rcpp::as<Eigen::MatrixXd>(pool["x"]).transpose();
  return out;
}

// Converts a named vector with one number per term, in any order.
inline TermValues from_r_term_values(const Rcpp::NumericVector& values) {
  TermValues out{};
  if (values.size() != n_joint_terms || !values.hasAttribute("names"))
    Rcpp::stop("variances must be one named number per term of the joint model");
  const Rcpp::CharacterVector names = values.names();
  for (Index term = 0; term < n_joint_terms; ++term) {
    const auto at = std::find(names.begin(), names.end(), joint_term_shapes[term].name);
    if (at == names.end()) Rcpp::stop("there is no variance \"%s\"", joint_term_shapes[term].name);
    out[term] = values[at - names.begin()];
  }
  return out;
}

inline Rcpp::NumericVector to_r_term_values(const TermValues& values) {
  Rcpp::NumericVector out(values.begin(), values.end());
  Rcpp::CharacterVector names;
  for (const JointTermShape& shape : joint_term_shapes) names.push_back(shape.name);
  out.names() = names;
  return out;
}

inline JointParameters from_r_joint_parameters(const Rcpp::List& parameters) {
  JointParameters out;
  out.mean = from_r_numeric(parameters["mean"]);
  out.slope = from_r_numeric(parameters["slope"]);
  out.scale = from_r_numeric(parameters["scale"]);
  out.residual_scale = from_r_numeric(parameters["residual_scale"]);
  out.coefficient_variance = Rcpp::as<Eigen::VectorXd>(parameters["coefficient_variance"]);
  out.variance = from_r_term_values(parameters["variance"]);
  return out;
}

}  // namespace judicious
