#include "ordinal/fit.hpp"
#include "r_ordinal.h"

using namespace judicious;
using namespace judicious::ordinal;

namespace {

// Rows in R's objects, in the form that the core accepts.
struct RowArguments {
  RowArguments(const Rcpp::NumericMatrix& x, int skip, const Rcpp::IntegerVector& y, int n_levels,
               const Rcpp::NumericVector& weights, const Rcpp::NumericVector& offset)
      : category(from_r_index(y)),
        input{from_r_matrix(x, skip), category.data(), weights.size() ? weights.begin() : nullptr,
              offset.size() ? offset.begin() : nullptr, n_levels} {}

  std::vector<std::int32_t> category;
  PomInput input;
};

}  // namespace

// Categories count from 1. Empty `weights` mean that all are 1, and an empty `offset` that all are 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List pom_fit_cpp(Rcpp::NumericMatrix x, int skip, Rcpp::IntegerVector y, int n_levels,
                       Rcpp::NumericVector weights, Rcpp::NumericVector offset, Rcpp::List control) {
  const RowArguments rows(x, skip, y, n_levels, weights, offset);
  return to_r_fit(fit_pom(rows.input, from_r_options(control)));
}

// Fits the model to a matrix in compressed columns, which has the slots p, i and x. NULL if the fit requires a dense
// matrix.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject pom_fit_sparse_cpp(Rcpp::List x, int n_rows, Rcpp::IntegerVector y, int n_levels,
                                 Rcpp::NumericVector weights, Rcpp::NumericVector offset, Rcpp::List control) {
  const auto category = from_r_index(y);
  const SparseInput input{from_r_sparse(x, n_rows), category.data(), weights.size() ? weights.begin() : nullptr,
                          offset.size() ? offset.begin() : nullptr, n_levels};
  const std::optional<PomResult> fit = fit_sparse(input, from_r_options(control));
  return fit ? Rcpp::RObject(to_r_fit(*fit)) : Rcpp::RObject(R_NilValue);
}

// The log likelihood of a batch of rows with its gradient and information; `parameters` refer to
// the centred and scaled columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List pom_pass_cpp(Rcpp::NumericMatrix x, Rcpp::IntegerVector y, int n_levels, Rcpp::NumericVector weights,
                        Rcpp::NumericVector offset, Rcpp::NumericVector center, Rcpp::NumericVector scale,
                        Rcpp::NumericVector parameters, std::string link, int num_threads) {
  const RowArguments rows(x, 0, y, n_levels, weights, offset);
  const LinkPointer f = link_named(link);
  const PomData data = prepare_batch(rows.input, from_r_vector(center), from_r_vector(scale));
  PomLikelihood likelihood(data, *f, num_threads);
  const double value = likelihood.evaluate(from_r_vector(parameters));
  return Rcpp::List::create(Rcpp::_["value"] = value, Rcpp::_["gradient"] = to_r_vector(likelihood.gradient()),
                            Rcpp::_["information"] = to_r_information(likelihood.information()));
}

// Fits a model to rows that only `pass` can access: a function of the parameters whose value is like that of
// pom_pass_cpp(). `penalty` has a weight for each parameter, or is empty.
// [[Rcpp::export(rng = false)]]
Rcpp::List pom_fit_by_passes_cpp(Rcpp::Function pass, Rcpp::NumericVector start, Rcpp::NumericVector center,
                                 Rcpp::NumericVector scale, Rcpp::List control, Rcpp::NumericVector penalty) {
  const auto add = [&pass](const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient, BorderedMatrix& information) {
    const Rcpp::List sums = pass(to_r_vector(parameters));
    gradient = from_r_vector(Rcpp::as<Rcpp::NumericVector>(sums["gradient"]));
    information = from_r_information(Rcpp::as<Rcpp::List>(sums["information"]));
    return Rcpp::as<double>(sums["value"]);
  };
  return to_r_fit(fit_by_passes(add, from_r_vector(start), from_r_vector(center), from_r_vector(scale),
                                from_r_options(control), from_r_vector(penalty)));
}

// The indices of those slopes of whose information more than `share` remains if the thresholds and the slopes before
// them are estimated, too.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector pom_independent_slopes_cpp(Rcpp::List information, double share) {
  return to_r_columns(independent_slopes(from_r_information(information), share));
}

namespace {

// Calls f with the information matrix, whether it is sparse or not.
template <class F>
auto with_information(const Rcpp::List& information, F&& f) {
  return is_sparse_information(information) ? f(from_r_sparse_information(information))
                                            : f(from_r_information(information));
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pom_covariance_cpp(Rcpp::List information, Rcpp::NumericVector center, Rcpp::NumericVector scale) {
  return to_r_matrix(with_information(
      information, [&](const auto& i) { return covariance(i, from_r_vector(center), from_r_vector(scale)); }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector pom_variances_cpp(Rcpp::List information, Rcpp::NumericVector center, Rcpp::NumericVector scale) {
  return to_r_vector(with_information(
      information, [&](const auto& i) { return variances(i, from_r_vector(center), from_r_vector(scale)); }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pom_slope_covariance_cpp(Rcpp::List information, Rcpp::NumericVector scale) {
  const Eigen::VectorXd by = from_r_vector(scale);
  if (!is_sparse_information(information)) return to_r_matrix(slope_covariance(from_r_information(information), by));
  const Eigen::VectorXd center = Eigen::VectorXd::Zero(by.size());
  const Eigen::MatrixXd all = covariance(from_r_sparse_information(information), center, by);
  return to_r_matrix(all.bottomRightCorner(by.size(), by.size()));
}
