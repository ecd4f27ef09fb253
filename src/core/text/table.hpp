// Splits the bytes of a delimited file into columns of interned fields.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/lines.hpp"

namespace judicious {

struct TableOptions {
  Separator separator = Separator::whitespace;
  std::size_t skip_lines = 0;  // lines to leave out at the start (a header)
};

// A column as codes into its distinct fields, in order of first appearance. The views point into
// the bytes that were parsed.
struct InternedColumn {
  std::vector<std::int32_t> code;
  std::vector<std::string_view> field;
};

struct Table {
  std::vector<InternedColumn> columns;
  std::size_t n_rows = 0;
  std::ptrdiff_t bad_line = -1;  // first line (1-based) with another number of fields, or -1
  std::size_t bad_fields = 0;    // how many it has
};

// Lines end in LF, CRLF or CR; blank lines do not count as rows. The number of columns is that of
// the first row; parsing stops at the first line that has another.
Table parse_table(std::string_view bytes, const TableOptions& options);

}  // namespace judicious
