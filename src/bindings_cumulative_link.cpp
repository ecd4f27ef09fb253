#include <algorithm>
#include <cmath>

#include "ordinal/bias.hpp"
#include "ordinal/separation.hpp"
#include "r_cumulative_link.h"
#include "stats/constants.hpp"

using namespace judicious;
using namespace judicious::ordinal;

namespace {

// Applies f to each number, and keeps the attributes of `x`.
template <typename F>
Rcpp::NumericVector map_numbers(const Rcpp::NumericVector& x, F&& f) {
  Rcpp::NumericVector out = Rcpp::clone(x);
  std::transform(x.begin(), x.end(), out.begin(), f);
  return out;
}

}  // namespace

// Fits a cumulative-link model; the information of the result is a matrix. `penalty` has a weight for each parameter,
// or is empty.
// [[Rcpp::export(rng = false)]]
Rcpp::List cumulative_link_fit_cpp(Rcpp::List model, Rcpp::NumericVector start, Rcpp::NumericVector penalty,
                                   Rcpp::List control) {
  const ModelArguments arguments(model);
  const PomResult fit =
      fit_cumulative_link(arguments.model(), from_r_vector(start), from_r_options(control), from_r_vector(penalty));
  Rcpp::List out = to_r_fit(fit);
  out["parameters"] = out["beta"];
  const Eigen::SparseMatrix<double> sparse = fit.sparse_information.selfadjointView<Eigen::Lower>();
  out["information"] = to_r_matrix(arguments.is_sparse() ? Eigen::MatrixXd(sparse) : fit.information.dense());
  return out;
}

// The log likelihood, its gradient and its information, as one matrix over all parameters.
// [[Rcpp::export(rng = false)]]
Rcpp::List cumulative_link_pass_cpp(Rcpp::List model, Rcpp::NumericVector parameters) {
  const ModelArguments arguments(model);
  Eigen::VectorXd gradient;
  BorderedMatrix information;
  const double value =
      pass_over_model<BorderedMatrix>(arguments.model())(from_r_vector(parameters), gradient, information);
  return Rcpp::List::create(Rcpp::_["value"] = value, Rcpp::_["gradient"] = to_r_vector(gradient),
                            Rcpp::_["information"] = to_r_information(information));
}

// The expected information.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cumulative_link_information_cpp(Rcpp::List model, Rcpp::NumericVector parameters) {
  const ModelArguments arguments(model);
  const CumulativeLinkModel rows = arguments.model();
  AdjustedScore score(rows);
  score.set_information(from_r_vector(parameters));
  return to_r_matrix(score.information().dense());
}

// Projects `target` on the cone of all d with C d >= 0. `most_violated` is a function of d that returns the row of C
// whose condition d violates most, or NULL if there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector project_on_cone_cpp(Rcpp::NumericVector target, Rcpp::Function most_violated) {
  return to_r_vector(project_on_cone(from_r_vector(target), [&](const Eigen::VectorXd& d, Eigen::VectorXd& row) {
    const Rcpp::RObject violated = most_violated(to_r_vector(d));
    if (!violated.isNULL()) row = from_r_vector(Rcpp::as<Rcpp::NumericVector>(violated));
    return !violated.isNULL();
  }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cumulative_link_gradients_cpp(Rcpp::List model, Rcpp::NumericVector parameters) {
  const ModelArguments arguments(model);
  return to_r_matrix(row_gradients(arguments.model(), from_r_vector(parameters)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cumulative_link_probabilities_cpp(std::string link, Rcpp::NumericMatrix limits) {
  return to_r_matrix(interval_probabilities(*link_named(link), from_r_matrix(limits)));
}

// The names of the parameters of all links, named by link; "" for links without a parameter.
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

// The mean and the variance of a link's distribution, NA if there is none, and whether its density is log-concave.
// [[Rcpp::export(rng = false)]]
Rcpp::List link_traits_cpp(std::string link) {
  const LinkPointer f = link_named(link);
  return Rcpp::List::create(Rcpp::_["mean"] = f->mean(),
                            Rcpp::_["variance"] = std::isnan(f->variance()) ? NA_REAL : f->variance(),
                            Rcpp::_["is_log_concave"] = f->is_log_concave());
}

// F(x), or 1 - F(x) if `lower` is false.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector link_cdf_cpp(std::string link, Rcpp::NumericVector x, bool lower) {
  const LinkPointer f = link_named(link);
  return map_numbers(x, [&](double v) { return lower ? f->cdf(v) : f->survival(v); });
}

// The terms of the likelihood of rows with the limits a < b (see RowTerms). The column `score` has minus the derivative
// with respect to a shift of both limits.
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
      const double values[] = {terms.log_prob[r], terms.score_below[r], terms.score_above[r], terms.score[r],
                               terms.below[r],    terms.above[r],       terms.gap[r]};
      for (int k = 0; k < 7; ++k) out(from + r, k) = values[k];
    }
  }
  Rcpp::colnames(out) =
      Rcpp::CharacterVector::create("log_prob", "score_below", "score_above", "score", "below", "above", "gap");
  return out;
}

// The quantile function of a link: x with F(x) = p, or with 1 - F(x) = p if `lower` is false.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector link_quantile_cpp(std::string link, Rcpp::NumericVector p, bool lower) {
  const LinkPointer f = link_named(link);
  return map_numbers(p, [&](double v) { return lower ? f->quantile(v) : f->upper_quantile(v); });
}
