#include "ordinal/concordance.hpp"
#include "r_convert.h"

using namespace judicious;

// Ranks and categories count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List pom_concordance_cpp(Rcpp::IntegerVector rank, Rcpp::IntegerVector category, Rcpp::NumericVector weight) {
  const auto r = from_r_index(rank), c = from_r_index(category);
  const auto largest = [](const std::vector<std::int32_t>& x) {
    return static_cast<std::size_t>(x.empty() ? 0 : 1 + *std::max_element(x.begin(), x.end()));
  };
  const auto counts = ordinal::concordance(r.data(), c.data(), weight.begin(), r.size(), largest(r), largest(c));
  return Rcpp::List::create(Rcpp::_["concordant"] = counts.concordant, Rcpp::_["discordant"] = counts.discordant,
                            Rcpp::_["tied"] = counts.tied);
}
