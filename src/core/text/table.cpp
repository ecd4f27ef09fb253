#include "text/table.hpp"

#include "execution/hash_index.hpp"
#include "execution/interrupt.hpp"
#include "text/number.hpp"

namespace judicious {
namespace {

// Assigns equal codes to equal fields. Runs repeat their query and system from row to row, so the
// last code is tried first.
class Interner {
 public:
  std::int32_t code_of(std::string_view field, std::vector<std::string_view>& distinct) {
    if (last_ >= 0 && same_text(distinct[static_cast<std::size_t>(last_)], field)) return last_;
    const auto next = static_cast<std::int32_t>(distinct.size());
    last_ = index_.insert(hash_bytes(field), next, [&](std::int32_t code) {
      return same_text(distinct[static_cast<std::size_t>(code)], field);
    });
    if (last_ == next) distinct.push_back(field);
    return last_;
  }

 private:
  HashIndex<HalfHash> index_;
  std::int32_t last_ = -1;
};

// Iterates over the rows of a text, split into fields: lines that are neither blank nor comments,
// each with the following lines over which its quoted fields extend.
class Rows {
 public:
  Rows(std::string_view bytes, const TableOptions& options)
      : lines_(bytes), end_(bytes.data() + bytes.size()), options_(options) {}

  // False at the end and after a problem, which is stored in the table.
  bool next(std::vector<std::string_view>& fields, Table& table) {
    std::string_view line;
    while (lines_.next(line)) {
      check_interrupt_at(lines_.number(), std::size_t{1} << 18);
      if (lines_.number() <= options_.skip_lines) continue;
      const std::size_t number = lines_.number();
      const bool closed = split(line, fields);
      if (is_comment(line, fields)) {
        if (table.n_comments++ == 0) table.first_comment = number;
        continue;
      }
      if (closed && (fields.empty() || (fields.size() == 1 && fields[0].empty()))) continue;
      table.line = number;
      table.n_fields = fields.size();
      if (!closed) table.problem = TableProblem::quote;
      return closed;
    }
    return false;
  }

 private:
  bool is_comment(std::string_view line, const std::vector<std::string_view>& fields) const {
    const std::size_t field = options_.number_field;
    if (field == 0 || !starts_comment(line)) return false;
    double number = 0;
    return fields.size() < field || !parse_number(fields[field - 1], number);
  }

  // Splits the line, with the lines over which its quoted fields extend; false if one does not end.
  bool split(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    const char* open = split_line(line, options_.format, fields);
    while (open != nullptr) {
      const std::size_t length = quoted_length({open, static_cast<std::size_t>(end_ - open)});
      if (length == 0 || length == std::string_view::npos) return false;
      while (line.data() + line.size() < open + length && lines_.next(line)) {
        check_interrupt_at(lines_.number(), std::size_t{1} << 18);
      }
      const char* const end = line.data() + line.size();
      open = split_line({open, static_cast<std::size_t>(end - open)}, options_.format, fields);
    }
    return true;
  }

  Lines lines_;
  const char* end_;
  const TableOptions& options_;
};

bool is_number(const TableOptions& options, std::size_t column) {
  return column < options.is_number.size() && options.is_number[column] != 0;
}

}  // namespace

Table parse_table(std::string_view bytes, const TableOptions& options) {
  Table table;
  std::vector<Interner> interners;
  std::vector<std::string_view> fields;
  Rows rows(bytes, options);
  while (table.n_rows < options.max_rows && rows.next(fields, table)) {
    if (table.columns.empty()) {
      if (fields.size() > max_columns) {
        table.problem = TableProblem::width;
        return table;
      }
      table.columns.resize(fields.size());
      interners.resize(fields.size());
      // About as many rows as there will be, so that no column is copied again and again.
      const char* const end = fields.back().data() + fields.back().size();
      const auto length = static_cast<std::size_t>(end - fields.front().data()) + 1;
      for (std::size_t j = 0; j < fields.size(); ++j) {
        if (is_number(options, j))
          table.columns[j].number.reserve(bytes.size() / length);
        else
          table.columns[j].code.reserve(bytes.size() / length);
      }
    }
    if (fields.size() != table.columns.size()) {
      table.problem = TableProblem::fields;
      return table;
    }
    for (std::size_t j = 0; j < fields.size(); ++j) {
      InternedColumn& column = table.columns[j];
      if (is_number(options, j)) {
        double value = 0;
        if (!parse_number(trimmed(fields[j]), value)) {
          table.problem = TableProblem::number;
          return table;
        }
        column.number.push_back(value);
        continue;
      }
      column.code.push_back(interners[j].code_of(fields[j], column.field));
    }
    ++table.n_rows;
  }
  return table;
}

}  // namespace judicious
