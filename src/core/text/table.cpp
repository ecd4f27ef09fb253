#include "text/table.hpp"

#include <algorithm>

#include "text/number.hpp"
#include "text/rows.hpp"
#include "text/texts.hpp"

namespace judicious {
namespace {

// The probable number of rows of a text, assuming that all are as long as the first one. It may be too large, because
// unused memory costs nothing, whereas columns that are too short would have to be copied.
std::size_t likely_rows(const std::vector<std::string_view>& first, std::size_t n_bytes) {
  const char* const end = first.back().data() + first.back().size();
  const auto row = static_cast<std::size_t>(end - first.front().data()) + 1;
  return n_bytes / row + n_bytes / row / 8 + 1;
}

// Stores the fields of a column, up to the first field that does not have the type of the column. Returns their number.
std::size_t add_fields(TableColumn& column, Interner& interner, const RowBatch& batch, std::size_t j) {
  switch (column.type) {
    case ColumnType::code:
      // If the index is too large for the processor's cache, its slots are loaded in advance.
      if (column.field.size() > 10000)
        batch.each(j, [&](std::string_view field) { return interner.prefetch(field), true; });
      return batch.each(j, [&](std::string_view field) {
        column.code.push_back(interner.code_of(field, column.field));
        return true;
      });
    case ColumnType::number:
      return batch.each(j, [&](std::string_view field) {
        double number = 0;
        if (!parse_number(trimmed(field), number)) return false;
        column.number.push_back(number);
        return true;
      });
    case ColumnType::ignored:
      break;
  }
  return batch.size();
}

class TableParser {
 public:
  TableParser(std::string_view bytes, const TableOptions& options)
      : rows_(bytes, options), options_(options), n_bytes_(bytes.size()) {}

  Table parse() {
    while (table_.n_rows + batch_.size() < options_.max_rows && read_row()) {
      if (batch_.full() && !store()) break;
    }
    // If the batch has a problem, it is reported first, because its rows come before the current one.
    if (store() && table_.problem == TableProblem::none) {
      table_.line = rows_.line();
      table_.n_fields = table_.columns.size();
    }
    table_.n_comments = rows_.n_comments();
    table_.first_comment = rows_.first_comment();
    return std::move(table_);
  }

 private:
  // Adds the next row to the batch; false at the end, and if there is a problem.
  bool read_row() {
    const std::size_t n = table_.columns.size();
    if (n > 0 && rows_.next_plain(n, batch_.next_row())) {
      batch_.add(rows_.line());
      return true;
    }
    if (!rows_.next(fields_)) {
      if (rows_.open()) fail(TableProblem::quote);
      return false;
    }
    if (n == 0 && !start_columns()) return false;
    if (fields_.size() != table_.columns.size()) return fail(TableProblem::fields);
    std::copy(fields_.begin(), fields_.end(), batch_.next_row());
    batch_.add(rows_.line());
    return true;
  }

  bool start_columns() {
    if (fields_.size() > max_columns) return fail(TableProblem::width);
    table_.columns = empty_columns();
    interners_.resize(fields_.size());
    batch_ = RowBatch(fields_.size());
    return true;
  }

  // Empty columns for rows with as many fields as the first one.
  std::vector<TableColumn> empty_columns() const {
    const std::size_t n_rows = likely_rows(fields_, n_bytes_);
    std::vector<TableColumn> columns(fields_.size());
    for (std::size_t j = 0; j < fields_.size(); ++j) {
      TableColumn& column = columns[j];
      if (j < options_.type.size()) column.type = options_.type[j];
      if (column.type == ColumnType::code) column.code.reserve(n_rows);
      if (column.type == ColumnType::number) column.number.reserve(n_rows);
    }
    return columns;
  }

  bool fail(TableProblem problem) {
    table_.problem = problem;
    table_.line = rows_.line();
    table_.n_fields = fields_.size();
    return false;
  }

  // Stores the rows of the batch; false if a field does not have the type of its column.
  bool store() {
    std::size_t n = batch_.size();
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      TableColumn& column = table_.columns[j];
      const std::size_t n_fit = add_fields(column, interners_[j], batch_, j);
      if (n_fit >= n) continue;
      n = n_fit;
      table_.problem = TableProblem::number;
      table_.line = batch_.line(n);
      table_.n_fields = table_.columns.size();
    }
    table_.n_rows += n;
    const bool stored = n == batch_.size();
    batch_.clear();
    return stored;
  }

  Rows rows_;
  const TableOptions& options_;
  std::size_t n_bytes_;
  Table table_;
  std::vector<Interner> interners_;
  std::vector<std::string_view> fields_;
  RowBatch batch_{0};
};

}  // namespace

Table parse_table(std::string_view bytes, const TableOptions& options) { return TableParser(bytes, options).parse(); }

}  // namespace judicious
