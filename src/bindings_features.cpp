#include "features/judgment.hpp"
#include "features/output.hpp"
#include "r_convert.h"

using namespace judicious;

namespace {

PoolLabels from_r_labels(const Rcpp::List& labels) {
  return {from_r_index(labels["query"]), from_r_index(labels["genre"]), from_r_index(labels["artist"]),
          from_r_index(labels["query_genre"])};
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List output_features_cpp(Rcpp::List results, Rcpp::IntegerVector team, int n_teams, Rcpp::IntegerVector rank,
                               Rcpp::List labels) {
  const Incidence incidence = from_r_incidence(results, static_cast<int>(team.size()));
  const OutputFeatures f = output_features(incidence.view(), {from_r_index(team), n_teams},
                                           std::vector<std::int32_t>(rank.begin(), rank.end()), from_r_labels(labels));
  return Rcpp::List::create(Rcpp::_["pSYS"] = to_r_numeric(f.system_share),
                            Rcpp::_["pTEAM"] = to_r_numeric(f.team_share), Rcpp::_["aRANK"] = to_r_numeric(f.mean_rank),
                            Rcpp::_["sGEN"] = to_r_numeric(f.same_genre), Rcpp::_["pGEN"] = to_r_numeric(f.genre_share),
                            Rcpp::_["pART"] = to_r_numeric(f.artist_share));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List judgment_features_cpp(Rcpp::List results, int n_systems, Rcpp::List labels, Rcpp::IntegerVector judged,
                                 Rcpp::NumericVector gain, bool self) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  const JudgmentFeatures f =
      judgment_features(incidence.view(), from_r_labels(labels), {from_r_index(judged), {gain.begin(), gain.end()}},
                        self ? OwnGain::included : OwnGain::left_out);
  return Rcpp::List::create(Rcpp::_["aSYS"] = to_r_numeric(f.system_gain), Rcpp::_["aDOC"] = to_r_numeric(f.query_gain),
                            Rcpp::_["aGEN"] = to_r_numeric(f.genre_gain),
                            Rcpp::_["aART"] = to_r_numeric(f.artist_gain));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector mean_over_pairs_cpp(Rcpp::List results, int n_systems, Rcpp::NumericVector value) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  return to_r_numeric(mean_over_pairs(incidence.view(), {value.begin(), value.end()}));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector within_systems_cpp(Rcpp::List results, int n_systems, Rcpp::NumericVector value) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  return to_r_numeric(within_systems(incidence.view(), {value.begin(), value.end()}));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector mean_over_systems_cpp(Rcpp::List results, Rcpp::NumericVector value) {
  const Incidence incidence = from_r_incidence(results, static_cast<int>(value.size()));
  return to_r_numeric(mean_over_systems(incidence.view(), {value.begin(), value.end()}));
}
