// Splits the bytes of a delimited file into columns of interned fields.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/table_options.hpp"

namespace judicious {

struct TableColumn {
  ColumnType type = ColumnType::code;
  // Codes into the distinct fields, in order of first appearance, which point into the bytes that were parsed.
  std::vector<std::int32_t> code;
  std::vector<std::string_view> field;
  std::vector<double> number;
};

enum class TableProblem { none, fields, width, quote, number };

// The limit on columns: a file with more is not a table, or has unknown line ends.
constexpr std::size_t max_columns = 10000;

struct Table {
  std::vector<TableColumn> columns;  // without a problem, each has all rows
  std::size_t n_rows = 0;
  // `fields`: a line has another number of fields than the first row; `width`: more than
  // `max_columns`; `quote`: a quoted field does not end; `number`: a field of a column of
  // numbers is none.
  TableProblem problem = TableProblem::none;
  std::size_t line = 0;      // where the problem is, or else the last row, from 1
  std::size_t n_fields = 0;  // of that line
  std::size_t n_comments = 0;
  std::size_t first_comment = 0;  // its line, from 1
};

// Lines end in LF, CRLF or CR; blank lines do not count as rows. The number of columns is that of
// the first row; parsing stops at the first problem.
Table parse_table(std::string_view bytes, const TableOptions& options);

}  // namespace judicious
