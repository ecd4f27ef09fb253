#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "r_convert.h"
#include "text/number.hpp"
#include "text/table.hpp"

using namespace judicious;

namespace {

constexpr Named<Separator> separators[] = {{"whitespace", Separator::whitespace},
                                           {"tab", Separator::tab},
                                           {"comma", Separator::comma},
                                           {"semicolon", Separator::semicolon}};
constexpr Named<TableProblem> table_problems[] = {{"", TableProblem::none},
                                                  {"fields", TableProblem::fields},
                                                  {"width", TableProblem::width},
                                                  {"quote", TableProblem::quote},
                                                  {"number", TableProblem::number}};
constexpr Named<ColumnType> column_types[] = {
    {"code", ColumnType::code}, {"number", ColumnType::number}, {"ignored", ColumnType::ignored}};

TableOptions from_r_table_options(const Rcpp::List& x) {
  TableOptions options;
  options.format.separator = from_r_name(x["separator"], separators, "separator");
  options.format.rest_field = static_cast<std::size_t>(Rcpp::as<int>(x["rest_field"]));
  options.skip_lines = static_cast<std::size_t>(Rcpp::as<double>(x["skip"]));
  options.number_field = static_cast<std::size_t>(Rcpp::as<int>(x["number_field"]));
  for (const auto& type : Rcpp::as<std::vector<std::string>>(x["type"]))
    options.type.push_back(enum_of(type, column_types, "type"));
  const double max_rows = Rcpp::as<double>(x["max_rows"]);
  if (max_rows < 1e15) options.max_rows = static_cast<std::size_t>(max_rows);
  return options;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List parse_table_cpp(Rcpp::RawVector bytes, Rcpp::List options) {
  const bool is_utf8 = is_text(text_of(bytes));
  Table table = parse_table(text_of(bytes), from_r_table_options(options));
  const cetype_t encoding = is_utf8 ? CE_UTF8 : CE_NATIVE;
  Rcpp::List columns(static_cast<R_xlen_t>(table.columns.size()));
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    TableColumn& column = table.columns[j];
    auto here = columns[static_cast<R_xlen_t>(j)];
    switch (column.type) {
      case ColumnType::number:
        here = Rcpp::List::create(Rcpp::_["number"] = Rcpp::NumericVector(column.number.begin(), column.number.end()));
        break;
      case ColumnType::code:
        here = Rcpp::List::create(Rcpp::_["code"] = to_r_index(column.code),
                                  Rcpp::_["field"] = to_r_strings(column.field, encoding));
        break;
      case ColumnType::ignored:
        here = Rcpp::List();
    }
  }
  return Rcpp::List::create(
      Rcpp::_["columns"] = columns, Rcpp::_["problem"] = name_of(table.problem, table_problems),
      Rcpp::_["is_utf8"] = is_utf8, Rcpp::_["has_quotes"] = text_of(bytes).find('"') != std::string_view::npos,
      Rcpp::_["line"] = static_cast<double>(table.line), Rcpp::_["n_fields"] = static_cast<double>(table.n_fields),
      Rcpp::_["n_comments"] = static_cast<double>(table.n_comments),
      Rcpp::_["first_comment"] = static_cast<double>(table.first_comment));
}

// [[Rcpp::export(rng = false)]]
bool has_zero_byte_cpp(Rcpp::RawVector bytes) { return text_of(bytes).find('\0') != std::string_view::npos; }

// Whether bytes of UTF-8 contain control characters other than line ends and, without `tabs`, tabs.
// [[Rcpp::export(rng = false)]]
bool has_control_cpp(Rcpp::RawVector bytes, bool tabs) {
  unsigned char before = 0;
  for (const char c : text_of(bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool separates = byte == '\n' || byte == '\r' || (byte == '\t' && !tabs);
    if ((byte < 0x20 && !separates) || byte == 0x7f || (before == 0xc2 && byte >= 0x80 && byte < 0xa0)) return true;
    before = byte;
  }
  return false;
}

namespace {

// Replaces the spaces that do not break and the minus sign of typography, which spreadsheets and word processors write.
std::string with_ascii_signs(std::string text) {
  for (const auto& [sign, replacement] : {std::pair{"\xc2\xa0", " "}, {"\xe2\x80\xaf", " "}, {"\xe2\x88\x92", "-"}}) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos; ++at) {
      text.replace(at, std::strlen(sign), replacement);
    }
  }
  return text;
}

}  // namespace

// Converts texts to numbers; NA for a text that is not a number.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector parse_numbers_cpp(Rcpp::CharacterVector text) {
  Rcpp::NumericVector out(text.size(), NA_REAL);
  for (R_xlen_t i = 0; i < text.size(); ++i) {
    double value = 0;
    if (text[i] == NA_STRING) continue;
    const std::string_view plain = CHAR(text[i]);
    if (parse_number(trimmed(plain), value) || parse_number(trimmed(with_ascii_signs(std::string(plain))), value)) {
      out[i] = value;
    }
  }
  return out;
}

// The digits of 64-bit integers that are stored in the bytes of doubles, as package bit64 does; NA for the lowest
// integer, by which bit64 represents NA.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector integer64_text_cpp(Rcpp::NumericVector x) {
  Rcpp::CharacterVector out(x.size(), NA_STRING);
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    std::int64_t value = 0;
    std::memcpy(&value, &x[i], sizeof value);
    if (value != std::numeric_limits<std::int64_t>::min()) out[i] = std::to_string(value);
  }
  return out;
}
