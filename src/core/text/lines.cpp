#include "text/lines.hpp"

namespace judicious {
namespace {

// Where the quoted field that starts the line ends: behind its closing quote, or npos where the
// quote is not closed right before a comma or the line's end, and so belongs to the text.
std::size_t end_of_quoted(std::string_view line) {
  std::size_t close = line.find('"', 1);
  while (close != std::string_view::npos && close + 1 < line.size() && line[close + 1] == '"') {
    close = line.find('"', close + 2);
  }
  if (close == std::string_view::npos) return close;
  return close + 1 == line.size() || line[close + 1] == ',' ? close + 1 : std::string_view::npos;
}

}  // namespace

void split_line(std::string_view line, Separator separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator == Separator::whitespace) {
    for (std::string_view field = take_field(line); !field.empty(); field = take_field(line)) {
      fields.push_back(field);
    }
    return;
  }
  const char mark = separator == Separator::tab ? '\t' : ',';
  while (true) {
    std::size_t end = std::string_view::npos;
    if (separator == Separator::comma && !line.empty() && line[0] == '"') end = end_of_quoted(line);
    if (end != std::string_view::npos) {
      fields.push_back(line.substr(1, end - 2));
    } else {
      end = line.find(mark);
      fields.push_back(trimmed(line.substr(0, end)));
    }
    if (end >= line.size()) return;
    line.remove_prefix(end + 1);
  }
}

}  // namespace judicious
