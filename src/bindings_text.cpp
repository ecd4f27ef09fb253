#include "r_convert.h"
#include "text/number.hpp"
#include "text/table.hpp"

using namespace judicious;

namespace {

constexpr Named<Separator> separators[] = {
    {"whitespace", Separator::whitespace}, {"tab", Separator::tab}, {"comma", Separator::comma}};

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List parse_table_cpp(Rcpp::RawVector bytes, std::string separator, int skip_lines) {
  const std::string_view text(reinterpret_cast<const char*>(RAW(bytes)),
                              static_cast<std::size_t>(bytes.size()));
  const Table table = parse_table(
      text, {enum_of(separator, separators, "separator"), static_cast<std::size_t>(skip_lines)});
  Rcpp::List columns(static_cast<R_xlen_t>(table.columns.size()));
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    columns[static_cast<R_xlen_t>(j)] =
        Rcpp::List::create(Rcpp::_["code"] = to_r_index(table.columns[j].code),
                           Rcpp::_["field"] = to_r_strings(table.columns[j].field));
  }
  return Rcpp::List::create(Rcpp::_["columns"] = columns,
                            Rcpp::_["bad_line"] = static_cast<double>(table.bad_line),
                            Rcpp::_["bad_fields"] = static_cast<double>(table.bad_fields));
}

// NA where a text is not a number.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector parse_numbers_cpp(Rcpp::CharacterVector text) {
  Rcpp::NumericVector out(text.size(), NA_REAL);
  for (R_xlen_t i = 0; i < text.size(); ++i) {
    double value = 0;
    if (text[i] != NA_STRING && parse_number(trimmed(CHAR(text[i])), value)) out[i] = value;
  }
  return out;
}
