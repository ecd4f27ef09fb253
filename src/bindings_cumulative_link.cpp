#include <algorithm>

#include "ordinal/cumulative_link_bias.hpp"
#include "r_cumulative_link.h"
#include "stats/constants.hpp"

using namespace judicious;
using namespace judicious::ordinal;

namespace {

// Applies f to each number and keeps the attributes of `x`.
template <typename F>
Rcpp::NumericVector map_numbers(const Rcpp::NumericVector& x, F&& f) {
  Rcpp::NumericVector out = Rcpp::clone(x);
  std::transform(x.begin(), x.end(), out.begin(), f);
  return out;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cumulative_link_fit_cpp(Rcpp::List model, Rcpp::NumericVector start, int max_iterations,
                                   double tolerance, bool bias_reduced) {
  const ModelArguments arguments(model);
  NewtonOptions options;
  options.max_iterations = max_iterations;
  options.tolerance = tolerance;
  const CumulativeLinkResult fit = (bias_reduced ? fit_bias_reduced : fit_cumulative_link)(
      arguments.model(), from_r_vector(start), options);
  return Rcpp::List::create(
      Rcpp::_["parameters"] = to_r_vector(fit.parameters),
      Rcpp::_["information"] = to_r_matrix(fit.information), Rcpp::_["raised"] = fit.raised,
      Rcpp::_["loglik"] = fit.newton.value, Rcpp::_["status"] = to_r_status(fit.newton.status),
      Rcpp::_["iterations"] = fit.newton.iterations, Rcpp::_["decrement"] = fit.newton.decrement,
      Rcpp::_["max_gradient"] = fit.newton.max_gradient,
      Rcpp::_["last_step"] = to_r_vector(fit.newton.last_step));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cumulative_link_limits_cpp(Rcpp::List model, Rcpp::NumericVector parameters) {
  const ModelArguments arguments(model);
  return to_r_matrix(limits(arguments.model(), from_r_vector(parameters)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cumulative_link_gradients_cpp(Rcpp::List model,
                                                  Rcpp::NumericVector parameters) {
  const ModelArguments arguments(model);
  return to_r_matrix(row_gradients(arguments.model(), from_r_vector(parameters)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cumulative_link_probabilities_cpp(std::string link,
                                                      Rcpp::NumericMatrix limits) {
  return to_r_matrix(interval_probabilities(*link_named(link), from_r_matrix(limits)));
}

// The names of the parameters of all links, "" for links without a parameter, named by the links.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector link_names_cpp() {
  std::vector<std::string_view> names, parameters;
  for (const LinkName& link : link_names()) {
    names.push_back(link.name);
    parameters.push_back(link.parameter);
  }
  Rcpp::CharacterVector out = to_r_strings(parameters);
  out.names() = to_r_strings(names);
  return out;
}

// [[Rcpp::export(rng = false)]]
double link_mean_cpp(std::string link) { return link_named(link)->mean(); }

// F(x), or 1 - F(x) if `lower` is false.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector link_cdf_cpp(std::string link, Rcpp::NumericVector x, bool lower) {
  const LinkPointer f = link_named(link);
  return map_numbers(x, [&](double v) { return lower ? f->cdf(v) : f->survival(v); });
}

// The terms of rows with the limits a < b: RowTerms, with the score by a shift of both limits.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix link_rows_cpp(std::string link, Rcpp::NumericVector a, Rcpp::NumericVector b) {
  const LinkPointer f = link_named(link);
  const auto n = static_cast<int>(a.size());
  Rcpp::NumericMatrix out(n, 7);
  double low[RowTerms::size], high[RowTerms::size];
  RowTerms terms;
  for (int from = 0; from < n; from += RowTerms::size) {
    const int count = std::min(RowTerms::size, n - from);
    for (int r = 0; r < RowTerms::size; ++r) {
      low[r] = r < count ? a[from + r] : -infinity;
      high[r] = r < count ? b[from + r] : infinity;
    }
    f->rows(low, high, terms);
    for (int r = 0; r < count; ++r) {
      const double score = terms.score_below[r] - terms.score_above[r];
      terms.add_gap(*f, low[r], high[r], r);
      const double values[] = {terms.log_prob[r], terms.score_below[r], terms.score_above[r], score,
                               terms.below[r],    terms.above[r],       terms.gap[r]};
      for (int k = 0; k < 7; ++k) out(from + r, k) = values[k];
    }
  }
  Rcpp::colnames(out) = Rcpp::CharacterVector::create("log_prob", "score_below", "score_above",
                                                      "score", "below", "above", "gap");
  return out;
}

// x with F(x) = p, or with 1 - F(x) = p if `lower` is false.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector link_quantile_cpp(std::string link, Rcpp::NumericVector p, bool lower) {
  const LinkPointer f = link_named(link);
  return map_numbers(p, [&](double v) { return lower ? f->quantile(v) : f->upper_quantile(v); });
}
