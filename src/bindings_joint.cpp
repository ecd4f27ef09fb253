#include "belief/dense.hpp"
#include "belief/joint_objective.hpp"
#include "belief/pair_posterior.hpp"
#include "r_joint.h"

using namespace judicious;

namespace {

using ObjectivePointer = Rcpp::XPtr<JointObjective>;
using PairPointer = Rcpp::XPtr<PairPosterior>;

constexpr Named<JointOrder> joint_orders[] = {{"value", JointOrder::value}, {"gradient", JointOrder::gradient}};

}  // namespace

// The likelihood of the gains of all pairs of the pool, as a function of the parameters.
// [[Rcpp::export(rng = false)]]
SEXP joint_objective_cpp(Rcpp::List pool, Rcpp::NumericVector gain) {
  return ObjectivePointer(new JointObjective(from_r_joint_pool(pool), from_r_numeric(gain)));
}

// `order`: "value"; or "gradient", with which the gradient and the average information with respect to the variances
// are computed, too.
// [[Rcpp::export(rng = false)]]
Rcpp::List joint_evaluate_cpp(SEXP objective, Rcpp::List parameters, std::string order) {
  const JointOrder to = enum_of(order, joint_orders, "order of derivatives");
  const JointEvaluation at = ObjectivePointer(objective)->evaluate(from_r_joint_parameters(parameters), to);
  Rcpp::List out =
      Rcpp::List::create(Rcpp::_["log_likelihood"] = at.log_likelihood, Rcpp::_["coefficient"] = at.coefficient,
                         Rcpp::_["covariance"] = at.coefficient_covariance);
  if (to == JointOrder::gradient) {
    Rcpp::NumericMatrix information = Rcpp::wrap(at.information);
    const Rcpp::NumericVector gradient = to_r_term_values(at.gradient);
    const Rcpp::CharacterVector terms = gradient.names();
    Rcpp::rownames(information) = Rcpp::colnames(information) = terms;
    out["gradient"] = gradient;
    out["information"] = information;
  }
  return out;
}

// `noise`: the variance of the error of each gain, 0 if the gain is known. The first `at_once` judgments are processed
// together, later ones one by one.
// [[Rcpp::export(rng = false)]]
SEXP joint_posterior_cpp(Rcpp::List pool, Rcpp::List parameters, Rcpp::IntegerVector judged, Rcpp::NumericVector gain,
                         Rcpp::NumericVector noise, int at_once) {
  JointPrior prior(from_r_joint_pool(pool), from_r_joint_parameters(parameters));
  // With a small pool, starting a thread would take longer than the computation.
  const bool large = prior.pool().incidence.system.size() > 200000;
  const std::vector<std::int32_t> pairs = from_r_index(judged);
  const std::vector<double> gains(gain.begin(), gain.begin() + at_once), errors(noise.begin(), noise.begin() + at_once);
  PosteriorPointer out(new JointPosterior(std::move(prior), {pairs.begin(), pairs.begin() + at_once}, gains, errors,
                                          large ? max_threads : 1));
  for (Index a = at_once; a < length(pairs); ++a) {
    out->judge(pairs[a], gain[a], noise[a]);
  }
  // The covariance of the systems with all pairs is stored for small pools only. For a larger pool, updating it would
  // slow down every judgment, although selection needs it for few pairs only.
  constexpr Index max_kept = Index{1} << 21;
  if (out->prior().n_systems() * out->prior().n_pairs() <= max_kept) out->keep_pair_covariance();
  return out;
}

// [[Rcpp::export(rng = false)]]
void joint_judge_cpp(SEXP posterior, int pair, double gain, double noise) {
  PosteriorPointer(posterior)->judge(pair - 1, gain, noise);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List joint_systems_cpp(SEXP posterior) {
  const PosteriorPointer p(posterior);
  return Rcpp::List::create(Rcpp::_["mean"] = p->system_mean(), Rcpp::_["covariance"] = p->system_covariance());
}

// The covariance of the systems' means with the effects of systems and of teams that all queries share.
// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd joint_system_effects_cpp(SEXP posterior) {
  const PosteriorPointer p(posterior);
  const JointPool& pool = p->prior().pool();
  return p->system_shared().middleCols(pool.x.rows(), p->prior().n_systems() + pool.n_teams);
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd joint_between_queries_cpp(SEXP posterior) { return PosteriorPointer(posterior)->between_queries(); }

// A pointer that was saved to a file and loaded again is null.
// [[Rcpp::export(rng = false)]]
bool is_null_pointer_cpp(SEXP pointer) { return R_ExternalPtrAddr(pointer) == nullptr; }

// [[Rcpp::export(rng = false)]]
Rcpp::List joint_pairs_cpp(SEXP posterior) {
  const PosteriorPointer p(posterior);
  return Rcpp::List::create(Rcpp::_["mean"] = p->mean(), Rcpp::_["variance"] = p->variance());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List joint_pair_cpp(SEXP posterior, int pair) {
  const auto [mean, variance] = PosteriorPointer(posterior)->moments_of(pair - 1);
  return Rcpp::List::create(Rcpp::_["mean"] = mean, Rcpp::_["variance"] = variance);
}

// Columns of the gains' covariance, restricted to some rows.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix joint_covariance_cpp(SEXP posterior, Rcpp::IntegerVector rows, Rcpp::IntegerVector columns) {
  const PosteriorPointer p(posterior);
  Rcpp::NumericMatrix out(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (int b = 0; b < out.ncol(); ++b) {
    const Eigen::VectorXd column = p->covariance_column(columns[b] - 1);
    for (int a = 0; a < out.nrow(); ++a) out(a, b) = column[rows[a] - 1];
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Eigen::VectorXd joint_reduction_cpp(SEXP posterior, Eigen::MatrixXd directions, double noise) {
  return PosteriorPointer(posterior)->variance_reduction(directions, noise);
}

// Like joint_reduction_cpp(), but for some pairs only.
// [[Rcpp::export(rng = false)]]
Eigen::VectorXd joint_reduction_of_cpp(SEXP posterior, Eigen::MatrixXd directions, Rcpp::IntegerVector pairs,
                                       double noise) {
  return PosteriorPointer(posterior)->variance_reduction(directions, from_r_index(pairs), noise);
}

// The upper triangular Cholesky factor R of a positive definite matrix R'R.
// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd cholesky_cpp(Eigen::MatrixXd form) {
  dense::factorise(form, "The weights of the comparisons");
  return Eigen::MatrixXd(form.triangularView<Eigen::Lower>()).transpose();
}

// A copy of the posterior that is conditioned on judgments of these pairs with unknown outcomes.
// [[Rcpp::export(rng = false)]]
SEXP joint_imagine_cpp(SEXP posterior, Rcpp::IntegerVector pairs, double noise) {
  // assume_judged() would do this in every copy.
  PosteriorPointer(posterior)->settle_means();
  PosteriorPointer out(new JointPosterior(*PosteriorPointer(posterior)));
  for (const std::int32_t pair : from_r_index(pairs)) out->assume_judged(pair, noise);
  return out;
}

// The posterior of a pool with many systems, for which a JointPosterior would need too much memory.
// [[Rcpp::export(rng = false)]]
SEXP pair_posterior_cpp(Rcpp::List pool, Rcpp::List parameters, Rcpp::IntegerVector judged, Eigen::VectorXd gain,
                        Eigen::VectorXd noise) {
  return PairPointer(new PairPosterior(JointPrior(from_r_joint_pool(pool), from_r_joint_parameters(parameters)),
                                       from_r_index(judged), gain, noise, max_threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List pair_moments_cpp(SEXP posterior) {
  const PairPointer p(posterior);
  return Rcpp::List::create(Rcpp::_["mean"] = p->mean(), Rcpp::_["variance"] = p->variance(),
                            Rcpp::_["system_mean"] = p->system_mean(),
                            Rcpp::_["system_variance"] = p->system_variance());
}

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd pair_systems_cpp(SEXP posterior, Rcpp::IntegerVector rows, Rcpp::IntegerVector columns) {
  return PairPointer(posterior)->system_covariance(from_r_index(rows), from_r_index(columns));
}
