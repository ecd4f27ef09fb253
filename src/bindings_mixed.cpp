#include "r_mixed.h"

using namespace judicious;
using namespace judicious::ordinal;

// [[Rcpp::export(rng = false)]]
Rcpp::List mixed_fit_cpp(Rcpp::List model, Rcpp::List effects, Rcpp::NumericVector start, Rcpp::NumericVector fixed_sd,
                         Rcpp::NumericMatrix rule, Rcpp::List control) {
  const ModelArguments arguments(model);
  return to_r_mixed(fit_mixed(arguments.model(), from_r_effects(effects), from_r_vector(start),
                              from_r_mixed_options(control, fixed_sd, rule)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List mixed_laplace_cpp(Rcpp::List model, Rcpp::List effects, Rcpp::NumericVector psi, Rcpp::NumericMatrix rule) {
  const ModelArguments arguments(model);
  const LaplaceValue at = laplace_at(arguments.model(), from_r_effects(effects), from_r_vector(psi), from_r_rule(rule));
  return Rcpp::List::create(Rcpp::_["value"] = at.value, Rcpp::_["gradient"] = to_r_vector(at.gradient));
}

// The covariance of the random effects of new rows; with `diagonal`, only its diagonal, in one column.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix mixed_covariance_cpp(Rcpp::List effects, Rcpp::NumericVector sd, Rcpp::NumericVector curvature,
                                         Rcpp::List rows, bool diagonal) {
  const EffectPosterior posterior(from_r_effects(effects), from_r_vector(sd), from_r_vector(curvature));
  const EffectDesign at = from_r_effects(rows);
  if (diagonal) return to_r_matrix(Eigen::MatrixXd(posterior.variances(at)));
  return to_r_matrix(posterior.covariance(at));
}
