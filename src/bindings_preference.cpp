#include "measure/adr.hpp"
#include "r_convert.h"

using namespace judicious;

// Groups count from 1; 0 is the group of a retrieved document that is not in the ideal list.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector adr_cpp(Rcpp::IntegerVector ideal_group, Rcpp::IntegerVector result_group,
                            Rcpp::IntegerVector result_block, int k) {
  const AdrRange adr =
      average_dynamic_recall(from_r_index(ideal_group), from_r_index(result_group), from_r_index(result_block), k);
  return Rcpp::NumericVector::create(Rcpp::_["expected"] = adr.expected, Rcpp::_["lowest"] = adr.lowest,
                                     Rcpp::_["highest"] = adr.highest);
}
