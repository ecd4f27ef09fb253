// Properties of a delimited text that are known before it is parsed.
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
  std::size_t skip_lines = 0;  // number of lines to leave out at the start (a header)
  // If not 0: lines that start with #, and in which the field with this number (from 1) is not a number, are comments.
  std::size_t number_field = 0;
  std::size_t max_rows = std::numeric_limits<std::size_t>::max();
  // The type of each column; further columns are stored as codes.
  std::vector<ColumnType> type = {};
};

}  // namespace judicious
