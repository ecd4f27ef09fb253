#include "measure/adr.hpp"
#include "preference/davidson.hpp"
#include "r_ordinal.h"

using namespace judicious;

// Groups from 1; 0 for a retrieved document that is not in the ideal list.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector adr_cpp(Rcpp::IntegerVector ideal_group, Rcpp::IntegerVector result_group,
                            Rcpp::IntegerVector result_block, int k) {
  const AdrRange adr =
      average_dynamic_recall(from_r_index(ideal_group), from_r_index(result_group), from_r_index(result_block), k);
  return Rcpp::NumericVector::create(Rcpp::_["expected"] = adr.expected, Rcpp::_["lowest"] = adr.lowest,
                                     Rcpp::_["highest"] = adr.highest);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List davidson_cpp(Rcpp::IntegerVector first, Rcpp::IntegerVector second, std::vector<double> win,
                        std::vector<double> tie, std::vector<double> loss, int n_items) {
  const DavidsonFit fit = fit_davidson({from_r_index(first), from_r_index(second), win, tie, loss, n_items}, {});
  return Rcpp::List::create(Rcpp::_["strength"] = ordinal::to_r_vector(fit.strength), Rcpp::_["tie"] = fit.tie,
                            Rcpp::_["covariance"] = ordinal::to_r_matrix(fit.covariance),
                            Rcpp::_["loglik"] = fit.loglik, Rcpp::_["iterations"] = fit.newton.iterations,
                            Rcpp::_["converged"] = fit.newton.status == ordinal::Status::converged);
}
