#include "judging/independent.hpp"
#include "r_convert.h"

using namespace judicious;

namespace {

using IndependentPointer = Rcpp::XPtr<IndependentGains>;

std::vector<double> from_r_numeric(const Rcpp::NumericVector& x) { return {x.begin(), x.end()}; }

// The values of some pairs, or of all if `pairs` is NULL.
Rcpp::NumericVector values_at(const std::vector<double>& values, const Rcpp::Nullable<Rcpp::IntegerVector>& pairs) {
  if (pairs.isNull()) return Rcpp::NumericVector(values.begin(), values.end());
  const Rcpp::IntegerVector at(pairs);
  Rcpp::NumericVector out(at.size());
  for (R_xlen_t i = 0; i < at.size(); ++i) out[i] = values[at[i] - 1];
  return out;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP independent_cpp(Rcpp::List results, int n_systems, Rcpp::NumericVector weight, double divisor,
                     Rcpp::NumericVector mean, Rcpp::NumericVector variance, Rcpp::LogicalVector judged) {
  return IndependentPointer(new IndependentGains(from_r_incidence(results, n_systems), from_r_numeric(weight), divisor,
                                                 from_r_numeric(mean), from_r_numeric(variance),
                                                 {judged.begin(), judged.end()}));
}

// [[Rcpp::export(rng = false)]]
void independent_judge_cpp(SEXP gains, int pair, double gain) { IndependentPointer(gains)->judge(pair - 1, gain); }

// A copy that is conditioned on judgments of these pairs with unknown outcomes.
// [[Rcpp::export(rng = false)]]
SEXP independent_imagine_cpp(SEXP gains, Rcpp::IntegerVector pairs) {
  IndependentPointer out(new IndependentGains(*IndependentPointer(gains)));
  for (const std::int32_t pair : from_r_index(pairs)) out->assume_judged(pair);
  return out;
}

// A copy in which these pairs are judged one after another, and the comparisons of systems (in
// rows) after each judgment (in columns).
// [[Rcpp::export(rng = false)]]
Rcpp::List independent_foresee_cpp(SEXP gains, Rcpp::IntegerVector pairs, Rcpp::NumericVector gain, double delta,
                                   double resolution) {
  IndependentPointer after(new IndependentGains(*IndependentPointer(gains)));
  const int m = static_cast<int>(after->n_systems()), steps = static_cast<int>(pairs.size());
  Rcpp::NumericMatrix difference(m * (m - 1) / 2, steps), variance(m * (m - 1) / 2, steps),
      confidence(m * (m - 1) / 2, steps);
  after->judge_in_turn(from_r_index(pairs), gain.begin(), delta, resolution,
                       {difference.begin(), variance.begin(), confidence.begin()});
  return Rcpp::List::create(Rcpp::_["sums"] = after, Rcpp::_["difference"] = difference, Rcpp::_["variance"] = variance,
                            Rcpp::_["confidence"] = confidence);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List independent_systems_cpp(SEXP gains) {
  const SystemEstimates e = IndependentPointer(gains)->systems();
  return Rcpp::List::create(Rcpp::_["mean"] = Rcpp::NumericVector(e.mean.begin(), e.mean.end()),
                            Rcpp::_["covariance"] = to_r_matrix(e.covariance),
                            Rcpp::_["difference_variance"] = to_r_matrix(e.difference_variance));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List independent_pairs_cpp(SEXP gains, Rcpp::Nullable<Rcpp::IntegerVector> pairs) {
  const IndependentPointer p(gains);
  return Rcpp::List::create(Rcpp::_["mean"] = values_at(p->mean(), pairs),
                            Rcpp::_["variance"] = values_at(p->variance(), pairs));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector independent_reduction_cpp(SEXP gains, Rcpp::NumericMatrix directions) {
  return to_r_numeric(IndependentPointer(gains)->variance_reduction(from_r_numeric(Rcpp::transpose(directions))));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector pair_weights_cpp(Rcpp::List results, Rcpp::NumericMatrix comparison, Rcpp::NumericVector system,
                                     Rcpp::NumericVector result) {
  const Incidence incidence = from_r_incidence(results, comparison.nrow());
  return to_r_numeric(
      pair_weights(incidence.view(), from_r_system_matrix(comparison), from_r_numeric(system), from_r_numeric(result)));
}
