// Splits the bytes of a delimited file into columns of interned fields.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/codes.hpp"
#include "text/numbers.hpp"
#include "text/table_options.hpp"
#include "text/texts.hpp"

namespace judicious {

struct TableColumn {
  ColumnType type = ColumnType::code;
  // Codes into the distinct fields, in order of first appearance, which point into the bytes that were parsed.
  Codes code;
  std::vector<std::string_view> field;
  Numbers number;
  Texts text;
};

enum class TableProblem { none, fields, width, quote, number, text };

// The limit on columns: a file with more is not a table, or has unknown line ends.
constexpr std::size_t max_columns = 10000;

struct Table {
  std::vector<TableColumn> columns;  // without a problem, each has all rows
  std::size_t n_rows = 0;
  // `fields`: a line has another number of fields than the first row; `width`: more than
  // `max_columns`; `quote`: a quoted field does not end; `number`: a field of a column of
  // numbers is none; `text`: a field of a column of texts is
  // empty, longer than 2^31 bytes, or has a double quote, which may not belong to the text.
  TableProblem problem = TableProblem::none;
  std::size_t line = 0;      // where the problem is, or else the last row, from 1
  std::size_t n_fields = 0;  // of that line
  std::size_t n_comments = 0;
  std::size_t first_comment = 0;  // its line, from 1
};

// The blocks of memory for the columns of numbers of all tables of one layout.
class TableRoom {
 public:
  // `n_bytes`: about the size of all texts.
  explicit TableRoom(std::size_t n_bytes) : n_bytes_(n_bytes) {}

  // Empty columns behind those that were kept, for fields like those of the first row.
  std::vector<TableColumn> columns(const std::vector<std::string_view>& fields, const std::vector<ColumnType>& type,
                                   std::size_t n_bytes);
  void keep(const std::vector<TableColumn>& columns);

 private:
  std::size_t n_bytes_;
  std::vector<NumberBlock> numbers_;  // of each column
};

// Lines end in LF, CRLF or CR; blank lines do not count as rows. The number of columns is that of
// the first row; parsing stops at the first problem.
Table parse_table(std::string_view bytes, const TableOptions& options, TableRoom& room);

inline Table parse_table(std::string_view bytes, const TableOptions& options) {
  TableRoom room(bytes.size());
  return parse_table(bytes, options, room);
}

}  // namespace judicious
