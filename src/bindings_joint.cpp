#include "belief/joint_likelihood.hpp"
#include "r_joint.h"

using namespace judicious;

namespace {

// What R packages may use without being asked.
constexpr int most_threads = 2;

}  // namespace

// [[Rcpp::export]]
Rcpp::List joint_likelihood_cpp(Rcpp::List pool, Rcpp::List parameters, Rcpp::IntegerVector judged,
                                Rcpp::NumericVector gain, bool with_gradient) {
  const JointPrior prior(from_r_joint_pool(pool), from_r_joint_parameters(parameters));
  const JointFit fit =
      joint_likelihood(prior, from_r_index(judged), from_r_numeric(gain), with_gradient);
  return Rcpp::List::create(
      Rcpp::_["log_likelihood"] = fit.log_likelihood, Rcpp::_["shared"] = fit.shared,
      Rcpp::_["covariance"] = fit.covariance,
      Rcpp::_["gradient"] = Rcpp::NumericVector(fit.gradient.begin(), fit.gradient.end()));
}

// [[Rcpp::export]]
SEXP joint_posterior_cpp(Rcpp::List pool, Rcpp::List parameters, Rcpp::IntegerVector judged,
                         Rcpp::NumericVector gain) {
  JointPrior prior(from_r_joint_pool(pool), from_r_joint_parameters(parameters));
  // Starting a thread takes longer than a small pool.
  const bool large = prior.pool().incidence.system.size() > 200000;
  PosteriorPointer out(new JointPosterior(std::move(prior), large ? most_threads : 1));
  const std::vector<std::int32_t> pairs = from_r_index(judged);
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    out->judge(static_cast<std::size_t>(pairs[a]), gain[static_cast<R_xlen_t>(a)]);
  }
  return out;
}

// [[Rcpp::export]]
void joint_judge_cpp(SEXP posterior, int pair, double gain) {
  PosteriorPointer(posterior)->judge(static_cast<std::size_t>(pair - 1), gain);
}

// [[Rcpp::export]]
Rcpp::List joint_systems_cpp(SEXP posterior) {
  const PosteriorPointer p(posterior);
  return Rcpp::List::create(Rcpp::_["mean"] = p->system_mean(),
                            Rcpp::_["covariance"] = p->system_covariance());
}

// [[Rcpp::export]]
Eigen::MatrixXd joint_between_queries_cpp(SEXP posterior) {
  return PosteriorPointer(posterior)->between_queries();
}

// A pointer that was saved and read back points nowhere.
// [[Rcpp::export]]
bool is_null_pointer_cpp(SEXP pointer) { return R_ExternalPtrAddr(pointer) == nullptr; }

// [[Rcpp::export]]
Rcpp::List joint_pairs_cpp(SEXP posterior) {
  const PosteriorPointer p(posterior);
  return Rcpp::List::create(Rcpp::_["mean"] = p->mean(), Rcpp::_["variance"] = p->variance());
}

// [[Rcpp::export]]
Rcpp::List joint_pair_cpp(SEXP posterior, int pair) {
  const PosteriorPointer p(posterior);
  return Rcpp::List::create(Rcpp::_["mean"] = p->mean()[pair - 1],
                            Rcpp::_["variance"] = p->variance()[pair - 1]);
}

// Columns of the gains' covariance, restricted to some rows.
// [[Rcpp::export]]
Rcpp::NumericMatrix joint_covariance_cpp(SEXP posterior, Rcpp::IntegerVector rows,
                                         Rcpp::IntegerVector columns) {
  const PosteriorPointer p(posterior);
  Rcpp::NumericMatrix out(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (int b = 0; b < out.ncol(); ++b) {
    const Eigen::VectorXd column = p->covariance_column(static_cast<std::size_t>(columns[b] - 1));
    for (int a = 0; a < out.nrow(); ++a) out(a, b) = column[rows[a] - 1];
  }
  return out;
}

// [[Rcpp::export]]
Eigen::VectorXd joint_reduction_cpp(SEXP posterior, Eigen::MatrixXd directions) {
  return PosteriorPointer(posterior)->variance_reduction(directions);
}

// The same for some pairs.
// [[Rcpp::export]]
Eigen::VectorXd joint_reduction_of_cpp(SEXP posterior, Eigen::MatrixXd directions,
                                       Rcpp::IntegerVector pairs) {
  return PosteriorPointer(posterior)->variance_reduction(directions, from_r_index(pairs));
}

// The posterior once each of these pairs is judged with a gain not yet known: a copy.
// [[Rcpp::export]]
SEXP joint_imagine_cpp(SEXP posterior, Rcpp::IntegerVector pairs) {
  PosteriorPointer out(new JointPosterior(*PosteriorPointer(posterior)));
  for (const std::int32_t pair : from_r_index(pairs)) out->imagine(static_cast<std::size_t>(pair));
  return out;
}
