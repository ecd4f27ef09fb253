#include "collection/incidence.hpp"
#include "r_convert.h"

using namespace judicious;

// [[Rcpp::export(rng = false)]]
Rcpp::List build_pool_cpp(Rcpp::IntegerVector system, Rcpp::IntegerVector query, Rcpp::IntegerVector doc,
                          int n_systems) {
  const auto s = from_r_index(system), q = from_r_index(query), d = from_r_index(doc);
  const Pool pool = build_pool(s.data(), q.data(), d.data(), s.size(), n_systems);
  return Rcpp::List::create(Rcpp::_["query"] = to_r_index(pool.query), Rcpp::_["doc"] = to_r_index(pool.doc),
                            Rcpp::_["offset"] = to_r_integer(pool.offset), Rcpp::_["result"] = to_r_index(pool.result),
                            Rcpp::_["duplicate"] = static_cast<double>(pool.duplicate + 1),
                            Rcpp::_["duplicate_of"] = static_cast<double>(pool.duplicate_of + 1),
                            Rcpp::_["n_duplicates"] = static_cast<double>(pool.n_duplicates));
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector match_pairs_cpp(Rcpp::IntegerVector pool_query, Rcpp::IntegerVector pool_doc,
                                    Rcpp::IntegerVector query, Rcpp::IntegerVector doc) {
  // Codes from 1 are matched as they are; converting them to codes from 0 would copy a large pool.
  return to_r_index(
      match_pairs(pool_query.begin(), pool_doc.begin(), pool_query.size(), query.begin(), doc.begin(), query.size()));
}
