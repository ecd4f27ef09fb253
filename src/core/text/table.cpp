#include "text/table.hpp"

#include "execution/hash_index.hpp"
#include "execution/interrupt.hpp"

namespace judicious {
namespace {

// Gives equal fields equal codes. Runs repeat their query and system from row to row, so the last
// code is tried first.
class Interner {
 public:
  std::int32_t code_of(std::string_view field, std::vector<std::string_view>& distinct) {
    if (last_ >= 0 && distinct[static_cast<std::size_t>(last_)] == field) return last_;
    const auto next = static_cast<std::int32_t>(distinct.size());
    last_ = index_.insert(hash_bytes(field), next, [&](std::int32_t code) {
      return distinct[static_cast<std::size_t>(code)] == field;
    });
    if (last_ == next) distinct.push_back(field);
    return last_;
  }

 private:
  HashIndex<HalfHash> index_;
  std::int32_t last_ = -1;
};

}  // namespace

Table parse_table(std::string_view bytes, const TableOptions& options) {
  Table table;
  std::vector<Interner> interners;
  std::vector<std::string_view> fields;
  Lines lines(bytes);
  std::string_view line;
  while (lines.next(line)) {
    check_interrupt_at(lines.number(), std::size_t{1} << 18);
    if (lines.number() <= options.skip_lines) continue;
    split_line(line, options.separator, fields);
    const bool blank = fields.empty() || (fields.size() == 1 && fields[0].empty());
    if (blank) continue;
    if (table.columns.empty()) {
      table.columns.resize(fields.size());
      interners.resize(fields.size());
    }
    if (fields.size() != table.columns.size()) {
      table.bad_line = static_cast<std::ptrdiff_t>(lines.number());
      table.bad_fields = fields.size();
      return table;
    }
    for (std::size_t j = 0; j < fields.size(); ++j) {
      InternedColumn& column = table.columns[j];
      column.code.push_back(interners[j].code_of(fields[j], column.field));
    }
    ++table.n_rows;
  }
  return table;
}

}  // namespace judicious
