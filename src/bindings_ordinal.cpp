#include "ordinal/fit.hpp"
#include "r_ordinal.h"

using namespace judicious;
using namespace judicious::ordinal;

// Categories from 1; `weights` and `offset` of length 0 mean all 1 and all 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List pom_fit_cpp(Rcpp::NumericMatrix x, int skip, Rcpp::IntegerVector y, int n_levels,
                       Rcpp::NumericVector weights, Rcpp::NumericVector offset,
                       Rcpp::List control) {
  const auto category = from_r_index(y);
  const PomInput input{from_r_matrix(x, skip), category.data(),
                       weights.size() ? weights.begin() : nullptr,
                       offset.size() ? offset.begin() : nullptr, n_levels};
  return to_r_fit(fit_pom(input, from_r_options(control)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pom_covariance_cpp(Rcpp::List information, Rcpp::NumericVector center,
                                       Rcpp::NumericVector scale) {
  return to_r_matrix(
      covariance(from_r_information(information), from_r_vector(center), from_r_vector(scale)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector pom_variances_cpp(Rcpp::List information, Rcpp::NumericVector center,
                                      Rcpp::NumericVector scale) {
  return to_r_vector(
      variances(from_r_information(information), from_r_vector(center), from_r_vector(scale)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pom_slope_covariance_cpp(Rcpp::List information, Rcpp::NumericVector scale) {
  return to_r_matrix(slope_covariance(from_r_information(information), from_r_vector(scale)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pom_probabilities_cpp(Rcpp::NumericVector theta, Rcpp::NumericVector eta) {
  return to_r_matrix(probabilities(from_r_vector(theta), from_r_vector(eta)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pom_moments_cpp(Rcpp::NumericVector theta, Rcpp::NumericVector value,
                                    Rcpp::NumericVector eta) {
  return to_r_matrix(moments(from_r_vector(theta), from_r_vector(value), from_r_vector(eta)));
}
