#include "ordinal/cumulative_link.hpp"
#include "r_ordinal.h"

using namespace judicious;
using namespace judicious::ordinal;

namespace {

Link from_r_link(const std::string& name) {
  if (name == "probit") return Link::probit;
  if (name == "cloglog") return Link::cloglog;
  if (name == "loglog") return Link::loglog;
  if (name == "cauchit") return Link::cauchit;
  return Link::logit;
}

// Keeps R's matrices alive as long as the core's view of them.
struct GeneralArguments {
  explicit GeneralArguments(const Rcpp::List& x)
      : structure(Rcpp::as<Rcpp::NumericMatrix>(x["structure"])),
        nominal(Rcpp::as<Rcpp::NumericMatrix>(x["nominal"])),
        location(Rcpp::as<Rcpp::NumericMatrix>(x["location"])),
        scale(Rcpp::as<Rcpp::NumericMatrix>(x["scale"])),
        weight(Rcpp::as<Rcpp::NumericVector>(x["weights"])),
        offset(Rcpp::as<Rcpp::NumericVector>(x["offset"])),
        category(from_r_index(Rcpp::as<Rcpp::IntegerVector>(x["y"]))),
        link(from_r_link(x["link"])) {}

  CumulativeLinkModel model() const {
    return {link,
            from_r_matrix(structure),
            from_r_matrix(nominal),
            from_r_matrix(location),
            from_r_matrix(scale),
            category.data(),
            from_r_vector(weight),
            from_r_vector(offset)};
  }

  Rcpp::NumericMatrix structure, nominal, location, scale;
  Rcpp::NumericVector weight, offset;
  std::vector<std::int32_t> category;
  Link link;
};

}  // namespace

// [[Rcpp::export]]
Rcpp::List general_fit_cpp(Rcpp::List model, Rcpp::NumericVector start, int max_iterations,
                           double tolerance) {
  const GeneralArguments arguments(model);
  NewtonOptions options;
  options.max_iterations = max_iterations;
  options.tolerance = tolerance;
  const CumulativeLinkResult fit = fit_cumulative_link(arguments.model(), from_r_vector(start), options);
  return Rcpp::List::create(
      Rcpp::_["parameters"] = to_r_vector(fit.parameters),
      Rcpp::_["information"] = to_r_matrix(fit.information), Rcpp::_["raised"] = fit.raised,
      Rcpp::_["loglik"] = fit.newton.value, Rcpp::_["status"] = to_r_status(fit.newton.status),
      Rcpp::_["iterations"] = fit.newton.iterations, Rcpp::_["decrement"] = fit.newton.decrement,
      Rcpp::_["max_gradient"] = fit.newton.max_gradient,
      Rcpp::_["last_step"] = to_r_vector(fit.newton.last_step));
}

// [[Rcpp::export]]
Rcpp::NumericMatrix general_limits_cpp(Rcpp::List model, Rcpp::NumericVector parameters) {
  const GeneralArguments arguments(model);
  return to_r_matrix(limits(arguments.model(), from_r_vector(parameters)));
}

// [[Rcpp::export]]
Rcpp::NumericMatrix general_scores_cpp(Rcpp::List model, Rcpp::NumericVector parameters) {
  const GeneralArguments arguments(model);
  return to_r_matrix(row_gradients(arguments.model(), from_r_vector(parameters)));
}

// [[Rcpp::export]]
Rcpp::NumericMatrix general_probabilities_cpp(std::string link, Rcpp::NumericMatrix limits) {
  return to_r_matrix(interval_probabilities(from_r_link(link), from_r_matrix(limits)));
}
