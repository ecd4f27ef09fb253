#include "measure/adr.hpp"
#include "r_convert.hpp"

using namespace judicious;

// Groups from 1; 0 for a retrieved document that the ideal list does not have.
// [[Rcpp::export]]
Rcpp::NumericVector adr_cpp(Rcpp::IntegerVector ideal_group, Rcpp::IntegerVector result_group,
                            Rcpp::IntegerVector result_block, int k) {
  const AdrRange adr = average_dynamic_recall(from_r_index(ideal_group), from_r_index(result_group),
                                              from_r_index(result_block), static_cast<std::size_t>(k));
  return Rcpp::NumericVector::create(Rcpp::_["expected"] = adr.expected, Rcpp::_["lowest"] = adr.lowest,
                                     Rcpp::_["highest"] = adr.highest);
}
