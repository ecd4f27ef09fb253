// Reads any bytes as a delimited table.
#include <algorithm>
#include <string>

#include "byte_source.hpp"
#include "text/table.hpp"

using namespace judicious;
using judicious::fuzz::ByteSource;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteSource source(data, size);
  const auto separator = static_cast<Separator>(source.between(0, 2));
  const auto skip = static_cast<std::size_t>(source.between(0, 2));
  const std::string_view bytes = source.rest();
  Table table = parse_table(bytes, {{separator}, skip});
  std::string written;
  bool plain = table.problem == TableProblem::none && separator == Separator::tab;
  for (TableColumn& column : table.columns) {
    MUST_HOLD(column.code.size() == table.n_rows);
    std::int32_t highest = -1;
    for (const std::int32_t code : column.code) {
      MUST_HOLD(code >= 0 && code <= highest + 1);  // in order of first appearance
      highest = std::max(highest, code);
    }
    MUST_HOLD(static_cast<std::size_t>(highest + 1) == column.field.size());
    for (std::size_t i = 0; i < column.field.size(); ++i) {
      const std::string_view field = column.field[i];
      MUST_HOLD(field.data() >= bytes.data() && field.data() + field.size() <= bytes.data() + bytes.size());
      MUST_HOLD(separator == Separator::comma || field.find_first_of("\r\n") == std::string_view::npos);
      for (std::size_t j = 0; j < i && i < 64; ++j) MUST_HOLD(column.field[j] != field);
    }
  }
  if (!plain) return 0;
  // Writing the table and reading it again must give the same table.
  for (std::size_t r = 0; r < table.n_rows; ++r) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      if (j > 0) written += '\t';
      written += table.columns[j].field[static_cast<std::size_t>(table.columns[j].code[r])];
    }
    written += '\n';
  }
  Table again = parse_table(written, {{separator}, 0});
  MUST_HOLD(again.n_rows == table.n_rows && again.columns.size() == table.columns.size());
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    MUST_HOLD(again.columns[j].code == table.columns[j].code);
    MUST_HOLD(again.columns[j].field == table.columns[j].field);
  }
  return 0;
}
