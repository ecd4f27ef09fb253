#include "r_convert.h"
#include "ranking/estimates.hpp"

using namespace judicious;

namespace {

// The comparisons of systems a < b, in one vector for each column of the result.
struct Comparisons {
  explicit Comparisons(R_xlen_t n) : a(n), b(n), difference(n), variance(n), confidence(n) {}

  void name(R_xlen_t at, int first, int second) {
    a[at] = first + 1;
    b[at] = second + 1;
  }
  Rcpp::List list() const {
    return Rcpp::List::create(Rcpp::_["a"] = a, Rcpp::_["b"] = b, Rcpp::_["difference"] = difference,
                              Rcpp::_["variance"] = variance, Rcpp::_["confidence"] = confidence);
  }

  Rcpp::IntegerVector a, b;
  Rcpp::NumericVector difference, variance, confidence;
};

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List estimate_systems_cpp(Rcpp::List results, int n_systems, Rcpp::NumericVector mean,
                                Rcpp::NumericVector variance, double divisor, Rcpp::NumericVector weight) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  const SystemEstimates e =
      estimate_systems(incidence.view(), {mean.begin(), mean.end()}, {variance.begin(), variance.end()}, divisor,
                       {weight.begin(), weight.end()});
  return Rcpp::List::create(Rcpp::_["mean"] = Rcpp::NumericVector(e.mean.begin(), e.mean.end()),
                            Rcpp::_["covariance"] = to_r_matrix(e.covariance),
                            Rcpp::_["difference_variance"] = to_r_matrix(e.difference_variance));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector system_totals_cpp(Rcpp::List results, int n_systems, Rcpp::NumericVector value) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  return to_r_numeric(system_totals(incidence.system, value.begin(), incidence.n_systems));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix difference_variance_cpp(Rcpp::NumericMatrix covariance) {
  return to_r_matrix(difference_variance(from_r_system_matrix(covariance)));
}

// The comparisons of systems a < b: the difference of the means (a's minus b's), its variance, and the confidence in
// its sign.
// [[Rcpp::export(rng = false)]]
Rcpp::List compare_systems_cpp(Rcpp::NumericVector mean, Rcpp::NumericMatrix difference_variance, double delta,
                               double resolution) {
  const R_xlen_t m = mean.size(), n = m * (m - 1) / 2;
  if (n > std::numeric_limits<int>::max()) {
    Rcpp::stop("More than 65,536 systems have more pairs than integers can number.");
  }
  Comparisons out(n);
  R_xlen_t at = 0;
  for (int a = 0; a < m; ++a)
    for (int b = a + 1; b < m; ++b) out.name(at++, a, b);
  compare_systems(mean.begin(), difference_variance.begin(), m, delta, resolution,
                  {out.difference.begin(), out.variance.begin(), out.confidence.begin()});
  return out.list();
}

// For each two systems a < b, the share of the draws (systems by draws) whose difference has the sign of `difference`
// and a size above delta.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector share_of_draws_cpp(Rcpp::NumericMatrix scores, Rcpp::NumericVector difference, double delta,
                                       double resolution) {
  Rcpp::NumericVector share(difference.size());
  share_of_draws(scores.begin(), scores.nrow(), scores.ncol(), difference.begin(), delta, resolution, share.begin());
  return share;
}

// Compares systems in `rows` with later ones in `columns`, as compare_systems_cpp() does. `covariance` is that of the
// systems in `rows` with those in `columns`; `variance` has all systems.
// [[Rcpp::export(rng = false)]]
Rcpp::List compare_rows_cpp(Rcpp::NumericVector mean, Rcpp::NumericVector variance, Rcpp::NumericMatrix covariance,
                            Rcpp::IntegerVector rows, Rcpp::IntegerVector columns, double delta, double resolution) {
  R_xlen_t n = 0;
  for (const int a : rows) n += std::count_if(columns.begin(), columns.end(), [=](int b) { return a < b; });
  Comparisons out(n);
  R_xlen_t at = 0;
  for (int i = 0; i < rows.size(); ++i) {
    for (int j = 0; j < columns.size(); ++j) {
      const int a = rows[i] - 1, b = columns[j] - 1;
      if (a >= b) continue;
      out.name(at, a, b);
      out.difference[at] = difference_of_means(mean[a], mean[b], resolution);
      out.variance[at] = variance_of_difference(variance[a], variance[b], covariance(i, j));
      out.confidence[at] = sign_confidence(out.difference[at], out.variance[at], delta, resolution);
      ++at;
    }
  }
  return out.list();
}
