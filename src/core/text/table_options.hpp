// What is known about a delimited text before it is parsed.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "text/lines.hpp"

namespace judicious {

// How a column is stored: as codes of its distinct fields, as numbers, or not at all.
enum class ColumnType { code, number, ignored };

struct TableOptions {
  FieldFormat format;
  std::size_t skip_lines = 0;  // lines to leave out at the start (a header)
  // Lines that start with # and have no number in this field (from 1) are comments; 0: none are.
  std::size_t number_field = 0;
  std::size_t max_rows = std::numeric_limits<std::size_t>::max();
  // By column, from 0. Columns beyond the end are codes.
  std::vector<ColumnType> type = {};
};

}  // namespace judicious
