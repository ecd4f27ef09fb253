#include "text/table.hpp"

#include <functional>

#include "execution/interrupt.hpp"

namespace judicious {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

// Cuts one line into fields.
void split_line(std::string_view line, Separator separator, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t at = 0;
  if (separator == Separator::whitespace) {
    while (true) {
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at == line.size()) return;
      const std::size_t start = at;
      while (at < line.size() && !is_blank(line[at])) ++at;
      fields.push_back(line.substr(start, at - start));
    }
  }
  const char mark = separator == Separator::tab ? '\t' : ',';
  while (true) {
    if (separator == Separator::comma && at < line.size() && line[at] == '"') {
      std::size_t close = line.find('"', at + 1);
      while (close != std::string_view::npos && close + 1 < line.size() && line[close + 1] == '"') {
        close = line.find('"', close + 2);  // a doubled quote is a quote of the text
      }
      if (close != std::string_view::npos && (close + 1 == line.size() || line[close + 1] == mark)) {
        fields.push_back(line.substr(at + 1, close - at - 1));
        at = close + 1;
        if (at >= line.size()) return;
        ++at;
        continue;
      }
    }
    const std::size_t end = line.find(mark, at);
    std::string_view field = line.substr(at, end == std::string_view::npos ? end : end - at);
    while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
    fields.push_back(field);
    if (end == std::string_view::npos) return;
    at = end + 1;
  }
}

// Gives equal fields equal codes. Runs repeat their query and system from row to row, so the last
// code is tried first.
class Interner {
 public:
  std::int32_t code_of(std::string_view field, std::vector<std::string_view>& distinct) {
    if (last_ >= 0 && distinct[static_cast<std::size_t>(last_)] == field) return last_;
    if (2 * (distinct.size() + 1) > slot_.size()) grow(distinct);
    const std::size_t mask = slot_.size() - 1;
    std::size_t at = std::hash<std::string_view>{}(field)&mask;
    while (slot_[at] >= 0 && distinct[static_cast<std::size_t>(slot_[at])] != field) {
      at = (at + 1) & mask;
    }
    if (slot_[at] < 0) {
      slot_[at] = static_cast<std::int32_t>(distinct.size());
      distinct.push_back(field);
    }
    last_ = slot_[at];
    return last_;
  }

 private:
  void grow(const std::vector<std::string_view>& distinct) {
    slot_.assign(slot_.empty() ? 64 : 2 * slot_.size(), -1);
    const std::size_t mask = slot_.size() - 1;
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      std::size_t at = std::hash<std::string_view>{}(distinct[i]) & mask;
      while (slot_[at] >= 0) at = (at + 1) & mask;
      slot_[at] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<std::int32_t> slot_;
  std::int32_t last_ = -1;
};

}  // namespace

Table parse_table(std::string_view bytes, const TableOptions& options) {
  Table table;
  std::vector<Interner> interners;
  std::vector<std::string_view> fields;
  std::size_t line_number = 0;
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::size_t end = bytes.find_first_of("\r\n", at);
    if (end == std::string_view::npos) end = bytes.size();
    const std::string_view line = bytes.substr(at, end - at);
    const bool crlf = end + 1 < bytes.size() && bytes[end] == '\r' && bytes[end + 1] == '\n';
    at = end + (crlf ? 2 : 1);
    ++line_number;
    check_interrupt_at(line_number, std::size_t{1} << 18);
    if (line_number <= options.skip_lines) continue;
    split_line(line, options.separator, fields);
    const bool blank = fields.empty() || (fields.size() == 1 && fields[0].empty());
    if (blank) continue;
    if (table.columns.empty()) {
      table.columns.resize(fields.size());
      interners.resize(fields.size());
    }
    if (fields.size() != table.columns.size()) {
      table.bad_line = static_cast<std::ptrdiff_t>(line_number);
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
