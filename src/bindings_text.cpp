#include <cstdio>

#include "r_convert.h"
#include "r_identifiers.h"
#include "text/gzip.hpp"
#include "text/number.hpp"
#include "text/output_file.hpp"
#include "text/table.hpp"

using namespace judicious;

namespace {

constexpr Named<Separator> separators[] = {
    {"whitespace", Separator::whitespace}, {"tab", Separator::tab}, {"comma", Separator::comma}};
constexpr Named<TableProblem> table_problems[] = {
    {"", TableProblem::none},         {"fields", TableProblem::fields},
    {"width", TableProblem::width},   {"quote", TableProblem::quote},
    {"number", TableProblem::number}, {"text", TableProblem::text}};
constexpr Named<ColumnType> column_types[] = {
    {"code", ColumnType::code}, {"number", ColumnType::number}, {"text", ColumnType::text}};

std::string_view text_of(const Rcpp::RawVector& bytes) {
  return {reinterpret_cast<const char*>(RAW(bytes)), static_cast<std::size_t>(bytes.size())};
}

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

// Columns of texts need text in UTF-8; of other text, they become codes.
// [[Rcpp::export(rng = false)]]
Rcpp::List parse_table_cpp(Rcpp::RawVector bytes, Rcpp::List options) {
  TableOptions given = from_r_table_options(options);
  const bool is_utf8 = is_text(text_of(bytes));
  if (!is_utf8)
    std::replace(given.type.begin(), given.type.end(), ColumnType::text, ColumnType::code);
  Table table = parse_table(text_of(bytes), given);
  const cetype_t encoding = is_utf8 ? CE_UTF8 : CE_NATIVE;
  Rcpp::List columns(static_cast<R_xlen_t>(table.columns.size()));
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    TableColumn& column = table.columns[j];
    auto here = columns[static_cast<R_xlen_t>(j)];
    switch (column.type) {
      case ColumnType::number:
        here = Rcpp::List::create(Rcpp::_["number"] = Rcpp::wrap(column.number));
        break;
      case ColumnType::text:
        here = Rcpp::List::create(Rcpp::_["text"] = identifiers_of_texts(std::move(column.text)));
        break;
      case ColumnType::code:
        here = Rcpp::List::create(Rcpp::_["code"] = to_r_index(column.code),
                                  Rcpp::_["field"] = to_r_strings(column.field, encoding));
    }
    column = {};  // R has its own copy, and the memory is needed for the next column
  }
  return Rcpp::List::create(
      Rcpp::_["columns"] = columns, Rcpp::_["problem"] = name_of(table.problem, table_problems),
      Rcpp::_["is_utf8"] = is_utf8, Rcpp::_["line"] = static_cast<double>(table.line),
      Rcpp::_["n_fields"] = static_cast<double>(table.n_fields),
      Rcpp::_["n_comments"] = static_cast<double>(table.n_comments),
      Rcpp::_["first_comment"] = static_cast<double>(table.first_comment));
}

// [[Rcpp::export(rng = false)]]
bool has_zero_byte_cpp(Rcpp::RawVector bytes) {
  return text_of(bytes).find('\0') != std::string_view::npos;
}

// The content of a gzipped file, or NULL if it is damaged or cannot be read.
// [[Rcpp::export(rng = false)]]
SEXP read_gzipped_cpp(std::string path) {
  std::vector<char> text;
  if (!read_gzipped(path, text)) return R_NilValue;
  return Rcpp::RawVector(text.begin(), text.end());
}

// The checksum of RFC 1952, in hexadecimal digits.
// [[Rcpp::export(rng = false)]]
std::string checksum_cpp(Rcpp::RawVector bytes) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(crc32(text_of(bytes))));
  return digits;
}

// NA for a text that is not a number.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector parse_numbers_cpp(Rcpp::CharacterVector text) {
  Rcpp::NumericVector out(text.size(), NA_REAL);
  for (R_xlen_t i = 0; i < text.size(); ++i) {
    double value = 0;
    if (text[i] != NA_STRING && parse_number(trimmed(CHAR(text[i])), value)) out[i] = value;
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
std::string write_bytes_cpp(std::string path, Rcpp::RawVector bytes) {
  return write_bytes(path, text_of(bytes));
}

// [[Rcpp::export(rng = false)]]
std::string sync_file_cpp(std::string path) { return sync_file(path); }

// [[Rcpp::export(rng = false)]]
std::string write_standard_output_cpp(Rcpp::RawVector bytes) {
  return write_standard_output(text_of(bytes));
}

// [[Rcpp::export(rng = false)]]
bool is_regular_file_cpp(std::string path) { return is_regular_file(path); }
