#include "text/lines.hpp"

#include <cstdint>

namespace judicious {
namespace {

// The length of the UTF-8 character at the start of the text; 0 if it is not valid: continuation bytes are missing, it
// is an overlong form or a surrogate, or its value is beyond Unicode.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned next = byte(1);
  const bool outside = (lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) ||
                       (lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F);
  return outside ? 0 : length;
}

}  // namespace

std::size_t quoted_length(std::string_view text, char mark) {
  std::size_t close = text.find('"', 1);
  while (close != std::string_view::npos && close + 1 < text.size() && text[close + 1] == '"') {
    close = text.find('"', close + 2);
  }
  if (close == std::string_view::npos) return close;
  const bool ends =
      close + 1 == text.size() || text[close + 1] == mark || text[close + 1] == '\n' || text[close + 1] == '\r';
  return ends ? close + 1 : 0;
}

const char* split_line(std::string_view line, const FieldFormat& format, std::vector<std::string_view>& fields) {
  if (format.separator == Separator::whitespace) {
    while (true) {
      const bool rest = fields.size() + 1 == format.rest_field;
      const std::string_view field = rest ? trimmed(line) : take_field(line);
      if (field.empty()) return nullptr;
      fields.push_back(field);
      if (rest) return nullptr;
    }
  }
  const char mark = format.mark();
  while (true) {
    std::size_t end = 0;
    if (format.has_quotes() && !line.empty() && line[0] == '"') {
      end = quoted_length(line, mark);
      if (end == std::string_view::npos) return line.data();
    }
    if (end > 0) {
      fields.push_back(line.substr(1, end - 2));
    } else {
      const bool rest = fields.size() + 1 == format.rest_field;
      end = rest ? std::string_view::npos : line.find(mark);
      fields.push_back(trimmed(line.substr(0, end)));
    }
    if (end >= line.size()) return nullptr;
    line.remove_prefix(end + 1);
  }
}

bool is_text(std::string_view bytes) {
  if (bytes.empty()) return true;
  if (std::memchr(bytes.data(), 0, bytes.size()) != nullptr) return false;
  constexpr std::uint64_t high_bits = 0x8080808080808080ULL;
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint64_t word[4];
    if (at + sizeof word <= bytes.size()) {
      std::memcpy(word, bytes.data() + at, sizeof word);
      if (((word[0] | word[1] | word[2] | word[3]) & high_bits) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const std::size_t length = character_length(bytes.substr(at, 4));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace judicious
