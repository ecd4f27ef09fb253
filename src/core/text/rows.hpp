// The rows of a delimited text, split into fields.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "execution/interrupt.hpp"
#include "text/lines.hpp"
#include "text/number.hpp"
#include "text/table_options.hpp"

namespace judicious {

// Iterates over the lines that are neither blank nor comments. If quoted fields of a line continue on the following
// lines, these belong to the row.
class Rows {
 public:
  Rows(std::string_view bytes, const TableOptions& options)
      : lines_(bytes), end_(bytes.data() + bytes.size()), options_(options) {}

  // Continues with another text. The numbers of lines and comments continue, too.
  void continue_with(std::string_view bytes) {
    lines_.continue_with(bytes);
    end_ = bytes.data() + bytes.size();
  }

  // Gets the fields of the next row; false at the end, and if a quoted field of the row does not end.
  bool next(std::vector<std::string_view>& fields) {
    std::string_view line;
    while (lines_.next(line)) {
      check_interrupt_at(lines_.number(), std::size_t{1} << 18);
      if (lines_.number() <= options_.skip_lines) continue;
      const std::size_t number = lines_.number();
      const bool closed = split(line, fields);
      if (is_comment(line, fields)) {
        if (n_comments_++ == 0) first_comment_ = number;
        continue;
      }
      if (closed && (fields.empty() || (fields.size() == 1 && fields[0].empty()))) continue;
      line_ = number;
      open_ = !closed;
      return closed;
    }
    return false;
  }

  // Splits the next line into `n` fields if it is a usual one (see split_plain_line()), and neither blank nor a
  // comment.
  bool next_plain(std::size_t n, std::string_view* fields) {
    const std::string_view rest = lines_.rest();
    const bool usual = !options_.format.has_quotes() && rest.size() >= 64 && lines_.number() >= options_.skip_lines;
    if (!usual || rest.front() == '#') return false;
    const bool any_blank = options_.format.separator == Separator::whitespace;
    const char* const next = split_plain_line(rest.data(), n, any_blank, fields);
    if (next == nullptr) return false;
    lines_.continue_after(next);
    line_ = lines_.number();
    check_interrupt_at(line_, std::size_t{1} << 18);
    return true;
  }

  // The number of the first line of the last row, from 1.
  std::size_t line() const { return line_; }
  // Whether the last row has a quoted field that does not end.
  bool open() const { return open_; }

  std::size_t n_comments() const { return n_comments_; }
  std::size_t first_comment() const { return first_comment_; }

 private:
  bool is_comment(std::string_view line, const std::vector<std::string_view>& fields) const {
    const std::size_t field = options_.number_field;
    if (field == 0 || !starts_comment(line)) return false;
    double number = 0;
    return fields.size() < field || !parse_number(fields[field - 1], number);
  }

  // Splits the line, together with the lines on which its quoted fields continue; false if one does not end.
  bool split(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    const char* open = split_line(line, options_.format, fields);
    while (open != nullptr) {
      const std::size_t length = quoted_length({open, static_cast<std::size_t>(end_ - open)}, options_.format.mark());
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
  std::size_t line_ = 0, n_comments_ = 0, first_comment_ = 0;
  bool open_ = false;
};

// A batch of rows whose fields are split before they are stored. They are then stored column by column, so that each
// loop handles fields of one type.
class RowBatch {
 public:
  explicit RowBatch(std::size_t n_columns) : n_columns_(n_columns), fields_(n_columns * capacity), lines_(capacity) {}

  std::size_t size() const { return n_rows_; }
  bool full() const { return n_rows_ == capacity; }
  std::size_t line(std::size_t row) const { return lines_[row]; }

  // The place for the fields of the next row, to be filled before add().
  std::string_view* next_row() { return fields_.data() + n_columns_ * n_rows_; }
  void add(std::size_t line) { lines_[n_rows_++] = line; }
  void clear() { n_rows_ = 0; }

  // Calls add(field) for the fields of a column, until it returns false. Returns how many times it returned true.
  template <typename Add>
  std::size_t each(std::size_t column, Add&& add) const {
    const std::string_view* field = fields_.data() + column;
    for (std::size_t i = 0; i < n_rows_; ++i, field += n_columns_) {
      if (!add(*field)) return i;
    }
    return n_rows_;
  }

 private:
  static constexpr std::size_t capacity = 64;

  std::size_t n_columns_;
  std::vector<std::string_view> fields_;
  std::vector<std::size_t> lines_;
  std::size_t n_rows_ = 0;
};

}  // namespace judicious
