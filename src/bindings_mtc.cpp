#include "judging/mtc.hpp"
#include "r_convert.h"

using namespace judicious;

namespace {

using MtcPointer = Rcpp::XPtr<Mtc>;

std::vector<double> from_r_numeric(const Rcpp::NumericVector& x) { return {x.begin(), x.end()}; }

constexpr Named<Weighting> weightings[] = {{"all", Weighting::all},
                                           {"undecided", Weighting::undecided},
                                           {"proportional", Weighting::proportional}};

constexpr Named<StopRule> stop_rules[] = {
    {"mean", StopRule::mean}, {"all", StopRule::all}, {"never", StopRule::never}};

}  // namespace

// [[Rcpp::export]]
SEXP mtc_new_cpp(Rcpp::List results, int n_systems, Rcpp::List options,
                 Rcpp::IntegerVector tie_order, Rcpp::LogicalVector candidate,
                 Rcpp::NumericVector true_mean) {
  MtcOptions o;
  o.divisor = options["divisor"];
  o.threshold = options["confidence"];
  o.delta = options["delta"];
  o.resolution = options["resolution"];
  o.weighting = from_r_name(options["weights"], weightings, "weighting");
  o.stop = from_r_name(options["stop"], stop_rules, "stop rule");
  return MtcPointer(new Mtc(from_r_incidence(results, n_systems), o, from_r_index(tie_order),
                            {candidate.begin(), candidate.end()}, from_r_numeric(true_mean)));
}

// [[Rcpp::export]]
void mtc_set_gains_cpp(SEXP mtc, Rcpp::NumericVector mean, Rcpp::NumericVector variance) {
  MtcPointer(mtc)->set_gains(from_r_numeric(mean), from_r_numeric(variance));
}

// [[Rcpp::export]]
void mtc_run_cpp(SEXP mtc, Rcpp::NumericVector gain, double n) {
  MtcPointer(mtc)->run(from_r_numeric(gain), static_cast<std::size_t>(n));
}

// [[Rcpp::export]]
int mtc_next_cpp(SEXP mtc) { return static_cast<int>(MtcPointer(mtc)->next()) + 1; }

// [[Rcpp::export]]
void mtc_judge_cpp(SEXP mtc, int pair, double gain) {
  MtcPointer(mtc)->judge(static_cast<std::size_t>(pair - 1), gain);
}

// [[Rcpp::export]]
void mtc_skip_cpp(SEXP mtc, int pair) { MtcPointer(mtc)->skip(static_cast<std::size_t>(pair - 1)); }

// [[Rcpp::export]]
void mtc_record_cpp(SEXP mtc) { MtcPointer(mtc)->record(); }

// [[Rcpp::export]]
Rcpp::List mtc_state_cpp(SEXP mtc) {
  const MtcPointer state(mtc);
  const auto& records = state->records();
  const bool any = !records.empty();
  return Rcpp::List::create(
      Rcpp::_["judged"] = static_cast<double>(state->judged_pairs().size()),
      Rcpp::_["recorded"] = any ? static_cast<double>(records.back().judged) : -1.0,
      Rcpp::_["confidence"] = any ? records.back().confidence : NA_REAL,
      Rcpp::_["enough"] = any && state->enough(), Rcpp::_["settled"] = state->settled());
}

// [[Rcpp::export]]
Rcpp::List mtc_history_cpp(SEXP mtc) {
  const MtcPointer state(mtc);
  const auto& records = state->records();
  const auto n = static_cast<R_xlen_t>(records.size());
  Rcpp::NumericVector judged(n), confidence(n), decided(n), agreement(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const MtcRecord& r = records[static_cast<std::size_t>(i)];
    judged[i] = static_cast<double>(r.judged);
    confidence[i] = r.confidence;
    decided[i] = static_cast<double>(r.decided);
    agreement[i] = r.agreement;
  }
  Rcpp::IntegerVector pair(state->judged_pairs().begin(), state->judged_pairs().end());
  const auto& gains = state->judged_gains();
  return Rcpp::List::create(Rcpp::_["pair"] = pair + 1,
                            Rcpp::_["gain"] = Rcpp::NumericVector(gains.begin(), gains.end()),
                            Rcpp::_["judged"] = judged, Rcpp::_["confidence"] = confidence,
                            Rcpp::_["decided"] = decided, Rcpp::_["agreement"] = agreement);
}

// [[Rcpp::export]]
Rcpp::NumericVector pair_weights_cpp(Rcpp::List results, Rcpp::NumericMatrix confidence,
                                     double threshold, std::string weights) {
  const Incidence incidence = from_r_incidence(results, confidence.nrow());
  const IncidenceView view = incidence.view();
  const SystemMatrix comparison =
      comparison_weights(from_r_system_matrix(confidence), threshold, enum_of(weights, weightings, "weighting"));
  std::vector<char> retrieved(view.n_systems, 0);
  Rcpp::NumericVector weight(static_cast<R_xlen_t>(view.n_pairs));
  for (std::size_t i = 0; i < view.n_pairs; ++i) {
    weight[static_cast<R_xlen_t>(i)] = weight_of(view, i, comparison, retrieved);
  }
  return weight;
}
