// Splits the bytes of a delimited file into columns of codes or numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/table_options.hpp"

namespace judicious {

struct TableColumn {
  ColumnType type = ColumnType::code;
  // `field` has the distinct fields in order of first appearance, which point to the parsed bytes; `code` has an index
  // of it for each row.
  std::vector<std::int32_t> code;
  std::vector<std::string_view> field;
  std::vector<double> number;
};

enum class TableProblem { none, fields, width, quote, number };

// The largest number of columns: a file with more is not a table, or has unknown line ends.
constexpr std::size_t max_columns = 10000;

struct Table {
  std::vector<TableColumn> columns;  // if there is no problem, each has all rows
  std::size_t n_rows = 0;
  // `fields`: a line has another number of fields than the first row. `width`: there are more than `max_columns`.
  // `quote`: a quoted field does not end. `number`: a field in a column of numbers is not a number.
  TableProblem problem = TableProblem::none;
  std::size_t line = 0;      // the line of the problem, or else that of the last row, from 1
  std::size_t n_fields = 0;  // number of fields of this line
  std::size_t n_comments = 0;
  std::size_t first_comment = 0;  // line of the first comment, from 1
};

// Lines end with LF, CRLF or CR; blank lines are not rows. The number of columns is that of the first row. Parsing
// stops at the first problem.
Table parse_table(std::string_view bytes, const TableOptions& options);

}  // namespace judicious
