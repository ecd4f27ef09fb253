// Conversions between R's objects and the core's types. All conversions of R's indices, which count from 1, to indices
// from 0 and back are here. The callers in R/ make sure that the core never gets an NA.
#pragma once
#include <Rcpp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "collection/incidence.hpp"
#include "ranking/estimates.hpp"
#include "text/enum_of.hpp"

namespace judicious {

// The enumerator that R's text names; throws an exception if the table does not have the name.
template <typename T, std::size_t N>
T from_r_name(const Rcpp::RObject& name, const Named<T> (&table)[N], const char* what) {
  return enum_of(Rcpp::as<std::string>(name), table, what);
}

inline std::string_view text_of(const Rcpp::RawVector& bytes) {
  return std::string_view(reinterpret_cast<const char*>(RAW(bytes)), bytes.size());
}

inline std::vector<std::int32_t> from_r_index(const Rcpp::IntegerVector& x) {
  std::vector<std::int32_t> out(x.size());
  std::transform(x.begin(), x.end(), out.begin(), [](int i) { return i - 1; });
  return out;
}

// Converts indices from 0 to indices from 1; -1, which means none, becomes NA.
inline Rcpp::IntegerVector to_r_index(const std::vector<std::int32_t>& x) {
  Rcpp::IntegerVector out(length(x));
  std::transform(x.begin(), x.end(), out.begin(), [](std::int32_t i) { return i < 0 ? NA_INTEGER : i + 1; });
  return out;
}

// Converts NaN, which the core uses for unknown values, to NA.
inline Rcpp::NumericVector to_r_numeric(const std::vector<double>& x) {
  Rcpp::NumericVector out(length(x));
  std::transform(x.begin(), x.end(), out.begin(), [](double v) { return std::isnan(v) ? NA_REAL : v; });
  return out;
}

inline Rcpp::IntegerVector to_r_integer(const std::vector<std::int32_t>& x) {
  return Rcpp::IntegerVector(x.begin(), x.end());
}

// Converts the `results` of a collection (offsets from 0, systems from 1) to the core's incidence.
inline Incidence from_r_incidence(const Rcpp::List& results, int n_systems) {
  const Rcpp::IntegerVector offset = results["offset"];
  const Rcpp::IntegerVector system = results["system"];
  Incidence out{std::vector<std::int32_t>(offset.begin(), offset.end()), from_r_index(system), n_systems};
  if (!is_valid(out)) {
    Rcpp::stop("The collection's results do not fit together: was it changed by hand?");
  }
  return out;
}

// Converts symmetric matrices over systems, for which row-major and column-major order are the same.
inline Rcpp::NumericMatrix to_r_matrix(const SystemMatrix& x) {
  const int m = static_cast<int>(x.size());
  return Rcpp::NumericMatrix(m, m, x.values().begin());
}

inline SystemMatrix from_r_system_matrix(const Rcpp::NumericMatrix& x) {
  SystemMatrix out(x.nrow());
  std::copy(x.begin(), x.end(), out.values().begin());
  return out;
}

// Views of R's strings, which must exist as long as the views.
inline std::vector<std::string_view> views_of(const Rcpp::CharacterVector& x) {
  std::vector<std::string_view> out;
  out.reserve(x.size());
  for (SEXP string : x) out.emplace_back(CHAR(string), static_cast<std::size_t>(LENGTH(string)));
  return out;
}

inline Rcpp::CharacterVector to_r_strings(const std::vector<std::string_view>& x, cetype_t encoding = CE_NATIVE) {
  Rcpp::CharacterVector out(length(x));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      Rcpp::stop("A field has more than 2^31 - 1 bytes.");
    }
    out[index(i)] = Rf_mkCharLenCE(x[i].data(), static_cast<int>(x[i].size()), encoding);
  }
  return out;
}

}  // namespace judicious
