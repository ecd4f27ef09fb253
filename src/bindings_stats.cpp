#include "r_convert.h"
#include "ranking/estimates.hpp"
#include "stats/distributions.hpp"
#include "stats/mean_test.hpp"
#include "stats/rank_test.hpp"
#include "stats/resample.hpp"
#include "stats/signed_rank.hpp"
#include "stats/subsets.hpp"

using namespace judicious;

namespace {

constexpr Named<Zeros> zero_differences[] = {{"wilcox", Zeros::drop}, {"pratt", Zeros::pratt}};
constexpr Named<SignedRankMethod> signed_rank_methods[] = {
    {"auto", SignedRankMethod::as_r}, {"exact", SignedRankMethod::exact}, {"normal", SignedRankMethod::normal}};

ScoreView from_r_scores(const Rcpp::NumericMatrix& x) { return {x.begin(), x.nrow(), x.ncol()}; }

// Subsets of queries: an integer matrix with one subset per column, in which queries count from 1.
struct SubsetCopy {
  std::vector<std::int32_t> query;
  Index size, count;
  explicit SubsetCopy(const Rcpp::IntegerMatrix& x) : query(from_r_index(x)), size(x.nrow()), count(x.ncol()) {}
  SubsetView view() const { return {query.data(), size, count}; }
};

Rcpp::NumericMatrix to_r_matrix(const std::vector<double>& x, Index columns) {
  const Index n = columns == 0 ? 0 : length(x) / columns;
  return Rcpp::NumericMatrix(static_cast<int>(n), static_cast<int>(columns), x.begin());
}

Rcpp::List to_r_tails(const ResampledTails& tails) {
  return Rcpp::List::create(Rcpp::_["greater"] = tails.greater, Rcpp::_["less"] = tails.less,
                            Rcpp::_["two_sided"] = tails.two_sided, Rcpp::_["critical"] = tails.critical,
                            Rcpp::_["replicates"] = static_cast<double>(tails.replicates),
                            Rcpp::_["exact"] = tails.exact);
}

// Converts test results. The sign of `direction` shows which system of a pair is better according to the test.
Rcpp::List to_r_paired_tests(const PairedTests& tests, const std::vector<double>& direction, Index columns) {
  return Rcpp::List::create(
      Rcpp::_["statistic"] = to_r_matrix(tests.statistic, columns),
      Rcpp::_["direction"] = to_r_matrix(direction, columns), Rcpp::_["greater"] = to_r_matrix(tests.greater, columns),
      Rcpp::_["less"] = to_r_matrix(tests.less, columns), Rcpp::_["two_sided"] = to_r_matrix(tests.two_sided, columns));
}

ResampleOptions from_r_resampling(double replicates, double seed, double alpha, bool studentise) {
  return {static_cast<Index>(replicates), static_cast<std::uint64_t>(seed), alpha, studentise};
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix draw_subsets_cpp(Rcpp::IntegerVector stratum, int size, int first_trial, int trials, int samples,
                                     double seed) {
  if (static_cast<double>(trials) * samples > std::numeric_limits<int>::max()) {
    Rcpp::stop("More than 2^31 - 1 samples: ask for fewer trials.");
  }
  const std::vector<std::int32_t> query =
      draw_subsets(from_r_index(stratum), {size, first_trial, trials, samples, static_cast<std::uint64_t>(seed)});
  const Rcpp::IntegerVector from_one = to_r_index(query);
  return Rcpp::IntegerMatrix(size, trials * samples, from_one.begin());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List friedman_cpp(Rcpp::NumericMatrix scores, Rcpp::IntegerVector query, bool correct_ties) {
  const RankTable ranks = rank_within_queries(from_r_scores(scores));
  const auto rows = from_r_index(query);
  const FriedmanResult f = friedman(ranks, rows.data(), rows.size(), correct_ties);
  return Rcpp::List::create(Rcpp::_["mean_rank"] = f.mean_rank, Rcpp::_["sigma2"] = f.sigma2, Rcpp::_["chi2"] = f.chi2,
                            Rcpp::_["p_value"] = f.p_value());
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix rank_differences_cpp(Rcpp::NumericMatrix scores, Rcpp::IntegerMatrix subsets, bool correct_ties) {
  const SubsetCopy s(subsets);
  const RankTable ranks = rank_within_queries(from_r_scores(scores));
  return to_r_matrix(studentised_rank_differences(ranks, s.view(), correct_ties), s.count);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List signed_rank_cpp(Rcpp::NumericMatrix differences, Rcpp::IntegerMatrix subsets, std::string zeros,
                           std::string method) {
  const SubsetCopy s(subsets);
  const SignedRankResults r = signed_rank_tests(
      from_r_scores(differences), s.view(),
      {enum_of(zeros, zero_differences, "treatment of zeros"), enum_of(method, signed_rank_methods, "method")});
  return Rcpp::List::create(
      Rcpp::_["statistic"] = to_r_matrix(r.statistic, s.count), Rcpp::_["expected"] = to_r_matrix(r.expected, s.count),
      Rcpp::_["greater"] = to_r_matrix(r.greater, s.count), Rcpp::_["less"] = to_r_matrix(r.less, s.count),
      Rcpp::_["two_sided"] = to_r_matrix(r.two_sided, s.count));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix walsh_averages_cpp(Rcpp::NumericMatrix differences, double k) {
  const ScoreView d = from_r_scores(differences);
  Rcpp::NumericMatrix out(3, differences.ncol());
  for (Index j = 0; j < d.n_columns; ++j) {
    const WalshSummary w = walsh_averages(d.column(j), d.n_queries, k);
    out.column(static_cast<int>(j)) = Rcpp::NumericVector::create(w.lower, w.median, w.upper);
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::List paired_statistics_cpp(Rcpp::NumericMatrix differences, Rcpp::IntegerMatrix subsets) {
  const SubsetCopy s(subsets);
  const PairedStatistics p = paired_statistics(from_r_scores(differences), s.view());
  return Rcpp::List::create(Rcpp::_["mean"] = to_r_matrix(p.mean, s.count), Rcpp::_["sd"] = to_r_matrix(p.sd, s.count),
                            Rcpp::_["positive"] = to_r_matrix(p.positive, s.count),
                            Rcpp::_["negative"] = to_r_matrix(p.negative, s.count));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List t_tests_cpp(Rcpp::NumericMatrix differences, Rcpp::IntegerMatrix subsets, double rounding) {
  const SubsetCopy s(subsets);
  const PairedStatistics p = paired_statistics(from_r_scores(differences), s.view(), rounding);
  return to_r_paired_tests(t_tests(p, s.size), p.mean, s.count);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List sign_tests_cpp(Rcpp::NumericMatrix differences, Rcpp::IntegerMatrix subsets) {
  const SubsetCopy s(subsets);
  const PairedStatistics p = paired_statistics(from_r_scores(differences), s.view());
  std::vector<double> surplus = p.positive;
  for (std::size_t i = 0; i < surplus.size(); ++i) surplus[i] -= p.negative[i];
  return to_r_paired_tests(sign_tests(p), surplus, s.count);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector residual_mean_square_cpp(Rcpp::NumericMatrix scores, Rcpp::IntegerMatrix subsets, double rounding) {
  const SubsetCopy s(subsets);
  return Rcpp::wrap(residual_mean_square(from_r_scores(scores), s.view(), rounding));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List permutation_tests_cpp(Rcpp::NumericMatrix scores, double replicates, double seed, double alpha) {
  return to_r_tails(permutation_tests(from_r_scores(scores), from_r_resampling(replicates, seed, alpha, false)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List bootstrap_tests_cpp(Rcpp::NumericMatrix scores, double replicates, double seed, double alpha,
                               bool studentise) {
  return to_r_tails(bootstrap_tests(from_r_scores(scores), from_r_resampling(replicates, seed, alpha, studentise)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector randomised_ranges_cpp(Rcpp::NumericMatrix scores, double replicates, double seed) {
  return Rcpp::wrap(randomised_ranges(from_r_scores(scores), from_r_resampling(replicates, seed, 0.05, false)));
}

// `gains` has probability (a matrix), level, shift and scale; see GainTable.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector draw_scores_cpp(Rcpp::List results, Rcpp::IntegerVector query, int n_queries, int n_systems,
                                    Rcpp::List gains, Rcpp::NumericVector weight, int first, int count, double seed) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  const auto query_of_pair = from_r_index(query);
  const Rcpp::NumericVector probability = gains["probability"], level = gains["level"], shift = gains["shift"],
                            scale = gains["scale"];
  Rcpp::NumericVector out =
      Rcpp::wrap(draw_scores(incidence.view(), query_of_pair.data(), n_queries,
                             {probability.begin(), level.begin(), shift.begin(), scale.begin(), level.size()},
                             {first, count, static_cast<std::uint64_t>(seed), weight.begin()}));
  out.attr("dim") = Rcpp::IntegerVector::create(n_queries, n_systems, count);
  return out;
}

// P(Q > q) of the studentised range.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector studentised_range_cpp(Rcpp::NumericVector q, double groups, double df) {
  Rcpp::NumericVector out(q.size());
  std::transform(q.begin(), q.end(), out.begin(),
                 [=](double one) { return studentised_range_survival(one, groups, df); });
  return out;
}

// [[Rcpp::export(rng = false)]]
double studentised_critical_cpp(double p, double groups, double df) {
  return studentised_range_critical(p, groups, df);
}
