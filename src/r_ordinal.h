// Converts the options, results and matrices of proportional-odds models from and to R.
#pragma once
#include <Rcpp.h>

#include <string>

#include "ordinal/fit.hpp"
#include "r_convert.h"

namespace judicious::ordinal {

inline Eigen::Map<const Eigen::VectorXd> from_r_vector(const Rcpp::NumericVector& x) {
  return {x.begin(), static_cast<Eigen::Index>(x.size())};
}

// A view of a double matrix without its first `skip` columns, without a copy.
inline Eigen::Map<const Eigen::MatrixXd> from_r_matrix(const Rcpp::NumericMatrix& x, int skip = 0) {
  const Eigen::Index n = x.nrow();
  return {x.begin() + n * skip, n, static_cast<Eigen::Index>(x.ncol()) - skip};
}

inline Rcpp::NumericVector to_r_vector(const Eigen::VectorXd& x) {
  return Rcpp::NumericVector(x.data(), x.data() + x.size());
}

inline Rcpp::NumericMatrix to_r_matrix(const Eigen::MatrixXd& x) {
  return Rcpp::NumericMatrix(static_cast<int>(x.rows()), static_cast<int>(x.cols()), x.data());
}

inline Rcpp::IntegerVector to_r_columns(const std::vector<Eigen::Index>& x) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(x.size()));
  std::transform(x.begin(), x.end(), out.begin(), [](Eigen::Index i) { return static_cast<int>(i) + 1; });
  return out;
}

constexpr Named<Status> statuses[] = {{"converged", Status::converged},
                                      {"iteration_limit", Status::iteration_limit},
                                      {"stalled", Status::stalled},
                                      {"singular", Status::singular}};
inline const char* to_r_status(Status status) { return name_of(status, statuses); }

constexpr Named<Separation> separations[] = {
    {"none", Separation::none}, {"quasi-complete", Separation::quasi_complete}, {"complete", Separation::complete}};
inline const char* to_r_separation(Separation kind) { return name_of(kind, separations); }

constexpr Named<Method> methods[] = {{"ml", Method::maximum_likelihood}, {"bias_reduced", Method::bias_reduced}};

inline PomOptions from_r_options(const Rcpp::List& control) {
  PomOptions out;
  out.newton.max_iterations = control["max_iterations"];
  out.newton.tolerance = control["tolerance"];
  out.num_threads = control["num_threads"];
  out.penalty = control["penalty"];
  out.method = from_r_name(control["method"], methods, "method");
  if (control.containsElementNamed("link")) out.link = link_named(Rcpp::as<std::string>(control["link"]));
  if (control.containsElementNamed("start")) out.start = Rcpp::as<std::vector<double>>(control["start"]);
  return out;
}

// A view of columns in the compressed format of R's package Matrix, without a copy.
inline Eigen::Map<const Eigen::SparseMatrix<double>> from_r_sparse(const Rcpp::List& x, int n_rows) {
  const Rcpp::IntegerVector from = x["p"], row = x["i"];
  const Rcpp::NumericVector value = x["x"];
  return {n_rows, static_cast<Eigen::Index>(from.size()) - 1, value.size(), from.begin(), row.begin(), value.begin()};
}

inline Rcpp::List to_r_sparse(const Eigen::SparseMatrix<double>& a) {
  return Rcpp::List::create(Rcpp::_["p"] = Rcpp::IntegerVector(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1),
                            Rcpp::_["i"] = Rcpp::IntegerVector(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros()),
                            Rcpp::_["x"] = Rcpp::NumericVector(a.valuePtr(), a.valuePtr() + a.nonZeros()));
}

inline bool is_sparse_information(const Rcpp::List& x) { return x.containsElementNamed("p"); }

inline Eigen::SparseMatrix<double> from_r_sparse_information(const Rcpp::List& x) {
  return from_r_sparse(x, Rcpp::as<Rcpp::IntegerVector>(x["p"]).size() - 1);
}

inline Rcpp::List to_r_information(const BorderedMatrix& a) {
  return Rcpp::List::create(Rcpp::_["own"] = to_r_vector(a.own), Rcpp::_["link"] = to_r_vector(a.link),
                            Rcpp::_["border"] = to_r_matrix(a.border), Rcpp::_["slopes"] = to_r_matrix(a.slopes));
}

inline BorderedMatrix from_r_information(const Rcpp::List& x) {
  const Rcpp::NumericVector own = x["own"], link = x["link"];
  const Rcpp::NumericMatrix border = x["border"], slopes = x["slopes"];
  return {from_r_vector(own), from_r_vector(link), from_r_matrix(border), from_r_matrix(slopes)};
}

inline Rcpp::List to_r_information(const PomResult& fit) {
  return fit.sparse_information.size() > 0 ? to_r_sparse(fit.sparse_information) : to_r_information(fit.information);
}

inline Rcpp::List to_r_fit(const PomResult& fit) {
  return Rcpp::List::create(
      Rcpp::_["theta"] = to_r_vector(fit.theta), Rcpp::_["beta"] = to_r_vector(fit.beta),
      Rcpp::_["column"] = to_r_columns(fit.column), Rcpp::_["aliased"] = to_r_columns(fit.aliased),
      Rcpp::_["loglik"] = fit.log_likelihood, Rcpp::_["df"] = fit.freedom,
      Rcpp::_["separation"] = to_r_separation(fit.separation.kind),
      Rcpp::_["separated_slopes"] = to_r_columns(fit.separation.slopes),
      Rcpp::_["separated_thresholds"] = to_r_columns(fit.separation.thresholds),
      Rcpp::_["status"] = to_r_status(fit.newton.status), Rcpp::_["iterations"] = fit.newton.iterations,
      Rcpp::_["halvings"] = fit.newton.halvings, Rcpp::_["decrement"] = fit.newton.decrement,
      Rcpp::_["max_gradient"] = fit.newton.max_gradient, Rcpp::_["last_step"] = to_r_vector(fit.newton.last_step),
      Rcpp::_["reciprocal_condition"] = fit.reciprocal_condition, Rcpp::_["information"] = to_r_information(fit),
      Rcpp::_["center"] = to_r_vector(fit.center), Rcpp::_["scale"] = to_r_vector(fit.scale));
}

}  // namespace judicious::ordinal
