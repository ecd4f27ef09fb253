// Converts models with random effects from and to R.
#pragma once
#include "ordinal/mixed_fit.hpp"
#include "ordinal/mixed_precision.hpp"
#include "r_cumulative_link.h"

namespace judicious::ordinal {

// Converts a list of `offset` (from 0), `column` (from 1), `value`, `term` (from 1, for each column), `n_terms` and, if
// effects are correlated, `loading` and `diagonal` (from 1).
inline EffectDesign from_r_effects(const Rcpp::List& z) {
  const Rcpp::IntegerVector offset = z["offset"], column = z["column"], term = z["term"];
  const Rcpp::NumericVector value = z["value"];
  EffectDesign out;
  out.offset.assign(offset.begin(), offset.end());
  out.column = from_r_index(column);
  out.value.assign(value.begin(), value.end());
  out.term = from_r_index(term);
  out.n_terms = z["n_terms"];
  if (z.containsElementNamed("loading")) {
    out.loading = from_r_index(Rcpp::as<Rcpp::IntegerVector>(z["loading"]));
    out.diagonal = from_r_index(Rcpp::as<Rcpp::IntegerVector>(z["diagonal"]));
  }
  return out;
}

// Converts a matrix with a column of nodes and a column of weights; it has no rows for the Laplace approximation.
inline HermiteRule from_r_rule(const Rcpp::NumericMatrix& rule) {
  HermiteRule out;
  for (int k = 0; k < rule.nrow(); ++k) {
    out.node.push_back(rule(k, 0));
    out.weight.push_back(rule(k, 1));
  }
  return out;
}

// `fixed_sd` is NA for standard deviations that are estimated.
inline MixedOptions from_r_mixed_options(const Rcpp::List& control, const Rcpp::NumericVector& fixed_sd,
                                         const Rcpp::NumericMatrix& rule) {
  MixedOptions out;
  out.rule = from_r_rule(rule);
  out.outer.max_iterations = control["max_iterations"];
  out.outer.tolerance = 1e-12;
  out.fixed_sd.assign(fixed_sd.begin(), fixed_sd.end());
  return out;
}

inline Rcpp::List to_r_mixed(const MixedResult& fit) {
  return Rcpp::List::create(
      Rcpp::_["psi"] = to_r_vector(fit.psi),
      Rcpp::_["estimated"] = Rcpp::LogicalVector(fit.estimated.begin(), fit.estimated.end()),
      Rcpp::_["at_boundary"] = Rcpp::LogicalVector(fit.at_boundary.begin(), fit.at_boundary.end()),
      Rcpp::_["mode"] = to_r_vector(fit.mode), Rcpp::_["mode_variance"] = to_r_vector(fit.mode_variance),
      Rcpp::_["mode_sensitivity"] = to_r_matrix(fit.mode_sensitivity),
      Rcpp::_["curvature"] = to_r_vector(fit.curvature), Rcpp::_["loglik"] = fit.log_likelihood,
      Rcpp::_["gradient"] = to_r_vector(fit.gradient), Rcpp::_["hessian"] = to_r_matrix(fit.hessian),
      Rcpp::_["status"] = to_r_status(fit.status), Rcpp::_["iterations"] = fit.iterations,
      Rcpp::_["evaluations"] = fit.evaluations, Rcpp::_["decrement"] = fit.decrement);
}

}  // namespace judicious::ordinal
