#include <RcppEigen.h>

#include "r_convert.h"
#include "ranking/rank_sets.hpp"

using namespace judicious;

// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd draw_normal_scores_cpp(Eigen::Map<Eigen::VectorXd> mean, Eigen::Map<Eigen::MatrixXd> covariance,
                                       int draws, double seed) {
  return draw_normal_scores(mean, covariance, draws, static_cast<std::uint64_t>(seed));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List rank_sets_cpp(Eigen::Map<Eigen::MatrixXd> scores, double resolution, double level) {
  const RankSets sets = rank_sets(scores, resolution, level);
  return Rcpp::List::create(Rcpp::_["probability"] = sets.probability, Rcpp::_["lower"] = to_r_integer(sets.lower),
                            Rcpp::_["upper"] = to_r_integer(sets.upper));
}

// The probability that all systems of `upper` are better than all of `lower`, by `delta` or within `equal`: see
// rank_sets.hpp. Both are indices of systems.
// [[Rcpp::export(rng = false)]]
double set_probability_cpp(Eigen::Map<Eigen::MatrixXd> scores, Rcpp::IntegerVector upper, Rcpp::IntegerVector lower,
                           Eigen::Map<Eigen::MatrixXd> counts, double delta, double equal, double resolution) {
  return set_probability(scores, from_r_index(upper), from_r_index(lower), counts, delta, equal, resolution);
}
