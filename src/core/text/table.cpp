#include "text/table.hpp"

#include "execution/interrupt.hpp"
#include "text/number.hpp"

namespace judicious {
namespace {

// Iterates over the rows of a text, split into fields: lines that are neither blank nor comments,
// each with the following lines over which its quoted fields extend.
class Rows {
 public:
  Rows(std::string_view bytes, const TableOptions& options)
      : lines_(bytes), end_(bytes.data() + bytes.size()), options_(options) {}

  // False at the end and after a problem, which is stored in the table.
  bool next(std::vector<std::string_view>& fields, Table& table) {
    if (next_plain(fields, table)) return true;
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
  // Reads the next line if it is like most lines, and is neither blank nor a comment.
  bool next_plain(std::vector<std::string_view>& fields, Table& table) {
    const std::string_view rest = lines_.rest();
    const bool usual = options_.format.separator != Separator::comma && rest.size() >= 64 &&
                       lines_.number() >= options_.skip_lines && !table.columns.empty();
    if (!usual || rest.front() == '#') return false;
    fields.resize(table.columns.size());
    const bool any_blank = options_.format.separator == Separator::whitespace;
    const char* const next = split_plain_line(rest.data(), fields.size(), any_blank, fields.data());
    if (next == nullptr) return false;
    lines_.pass_line(next);
    check_interrupt_at(lines_.number(), std::size_t{1} << 18);
    table.line = lines_.number();
    table.n_fields = fields.size();
    return true;
  }

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

// About as many rows as texts of a size have, if they are like the first; a few more than too few,
// because memory that is not used costs nothing, and columns that are too short are copied.
std::size_t likely_rows(const std::vector<std::string_view>& first, std::size_t n_bytes) {
  const char* const end = first.back().data() + first.back().size();
  const auto row = static_cast<std::size_t>(end - first.front().data()) + 1;
  return n_bytes / row + n_bytes / row / 8 + 1;
}

template <typename T>
void make(Block<T>& block, std::size_t capacity) {
  if (block.capacity == 0) block = {std::shared_ptr<T[]>(new T[capacity]), 0, capacity};
}

bool is_plain_text(std::string_view field, bool has_quotes) {
  constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();
  return !field.empty() && field.size() <= longest &&
         !(has_quotes && field.find('"') != std::string_view::npos);
}

// `has_quotes`: does the file have double quotes anywhere?
TableProblem add_field(TableColumn& column, Interner& interner, std::string_view field,
                       bool has_quotes) {
  switch (column.type) {
    case ColumnType::code:
      column.code.push_back(interner.code_of(field, column.field));
      break;
    case ColumnType::number: {
      double value = 0;
      if (!parse_number(trimmed(field), value)) return TableProblem::number;
      column.number.push_back(value);
      break;
    }
    case ColumnType::text:
      if (!is_plain_text(field, has_quotes)) return TableProblem::text;
      column.text.push_back(field);
      break;
    case ColumnType::ignored:
      break;
  }
  return TableProblem::none;
}

}  // namespace

std::vector<TableColumn> TableRoom::columns(const std::vector<std::string_view>& fields,
                                            const std::vector<ColumnType>& type,
                                            std::size_t n_bytes) {
  const std::size_t n_all = likely_rows(fields, n_bytes_), n_rows = likely_rows(fields, n_bytes);
  if (blocks_.size() < fields.size()) blocks_.resize(fields.size());
  std::vector<TableColumn> columns(fields.size());
  for (std::size_t j = 0; j < fields.size(); ++j) {
    TableColumn& column = columns[j];
    ColumnBlocks& blocks = blocks_[j];
    if (j < type.size()) column.type = type[j];
    switch (column.type) {
      case ColumnType::code:
        make(blocks.code, n_all);
        column.code = Values<std::int32_t>(blocks.code);
        break;
      case ColumnType::number:
        make(blocks.number, n_all);
        column.number = Values<double>(blocks.number);
        break;
      case ColumnType::text:
        column.text.reserve(n_rows, n_rows * fields[j].size());
        break;
      case ColumnType::ignored:
        break;
    }
  }
  return columns;
}

void TableRoom::keep(const std::vector<TableColumn>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    judicious::keep(columns[j].code, blocks_[j].code);
    judicious::keep(columns[j].number, blocks_[j].number);
  }
}

Table parse_table(std::string_view bytes, const TableOptions& options, TableRoom& room) {
  Table table;
  std::vector<Interner> interners;
  std::vector<std::string_view> fields;
  Rows rows(bytes, options);
  const bool has_quotes = bytes.find('"') != std::string_view::npos;
  while (table.n_rows < options.max_rows && rows.next(fields, table)) {
    if (table.columns.empty()) {
      if (fields.size() > max_columns) {
        table.problem = TableProblem::width;
        return table;
      }
      table.columns = room.columns(fields, options.type, bytes.size());
      interners.resize(fields.size());
    }
    if (fields.size() != table.columns.size()) {
      table.problem = TableProblem::fields;
      return table;
    }
    for (std::size_t j = 0; j < fields.size(); ++j) {
      table.problem = add_field(table.columns[j], interners[j], fields[j], has_quotes);
      if (table.problem != TableProblem::none) return table;
    }
    ++table.n_rows;
  }
  room.keep(table.columns);
  return table;
}

}  // namespace judicious
