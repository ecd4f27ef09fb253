#include <string>
#include <vector>

#include "catch.hpp"
#include "text/blocks.hpp"
#include "text/gzip.hpp"
#include "text/lines.hpp"

using namespace judicious;

namespace {

std::vector<std::string> lines_of(std::string_view bytes) {
  std::vector<std::string> out;
  Lines lines(bytes);
  std::string_view line;
  while (lines.next(line)) out.emplace_back(line);
  CHECK(lines.number() == out.size());
  return out;
}

std::vector<std::string> fields_of(std::string_view line, Separator separator) {
  std::vector<std::string_view> fields;
  CHECK(split_line(line, {separator, 0}, fields) == nullptr);
  return {fields.begin(), fields.end()};
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("lines end in LF, CRLF or CR, also where a file mixes them") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a") == Texts{"a"});
  CHECK(lines_of("a\nb\n") == Texts{"a", "b"});
  CHECK(lines_of("a\r\nb\r\n") == Texts{"a", "b"});
  CHECK(lines_of("a\rb\r") == Texts{"a", "b"});
  CHECK(lines_of("\n\na\r\r\nb\n\rc") == Texts{"", "", "a", "", "b", "", "c"});
}

TEST_CASE("lines are split into fields at white space, tabs or commas") {
  CHECK(fields_of(" a\t b \v\fc ", Separator::whitespace) == Texts{"a", "b", "c"});
  CHECK(fields_of(" \t", Separator::whitespace).empty());
  CHECK(fields_of("a b\t\t c ", Separator::tab) == Texts{"a b", "", "c"});
  CHECK(fields_of("a, b ,", Separator::comma) == Texts{"a", "b", ""});
  CHECK(fields_of("\"a,b\",\"say \"\"c\"\"\"", Separator::comma) == Texts{"a,b", "say \"\"c\"\""});
  CHECK(fields_of("\"a\" b,c", Separator::comma) == Texts{"\"a\" b", "c"});
  CHECK(fields_of("\"\",", Separator::comma) == Texts{"", ""});
  // If a quoted field continues on the next line, split_line() returns where the field begins.
  std::vector<std::string_view> fields;
  const std::string_view open = "x,\"a,b";
  CHECK(split_line(open, {Separator::comma, 0}, fields) == open.data() + 2);
  // A control character that is no white space belongs to its field.
  CHECK(fields_of(std::string_view("a\0b c", 5), Separator::whitespace) == Texts{std::string("a\0b", 3), "c"});
}

TEST_CASE("text is valid if it is UTF-8 without a zero byte") {
  for (const char* text : {"", "plain", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\x7F"}) CHECK(is_text(text));
  for (const char* text : {"caf\xE9", "longer than a word, caf\xE9", "\xC0\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x80"})
    CHECK_FALSE(is_text(text));
  CHECK_FALSE(is_text(std::string_view("a\0b", 3)));
}

TEST_CASE("a quote at the end of a field is followed by a comma, a line end or the end of the text") {
  for (const std::string after : {"", ",b", "\n", "\r\n", "\rb"}) {
    CHECK(quoted_length("\"a,\"\"\"" + after) == 6);
    CHECK(quoted_length("\"\r\"" + after) == 3);
  }
  CHECK(quoted_length("\"a\"b") == 0);
  CHECK(quoted_length("\"a\" ") == 0);
  CHECK(quoted_length("\"a\"\"") == std::string_view::npos);
}

TEST_CASE("crc32() has the check value of the CRC catalogue") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926U);
}

TEST_CASE("a text is read in blocks of whole lines, whatever its line ends and line lengths") {
  for (const std::string ends : {"\n", "\r\n", "\r"}) {
    std::string text;
    std::size_t long_line = 0;
    for (int i = 0; i < 40000; ++i) {
      text += "line " + std::to_string(i) + ends;
      if (i % 9999 == 0) text += std::string(++long_line * 200000, 'x') + ends;
    }
    text += "the end";
    LineBlocks blocks("", text);
    std::string all, line_by_line;
    std::string_view block;
    int n = 0;
    while (blocks.next(block)) {
      REQUIRE_FALSE(block.empty());
      all += block;
      for (const std::string& line : lines_of(block)) line_by_line += line + ends;
      CHECK((block.end() == block.begin() || all.size() == text.size() || block.back() == ends.back()));
      if (++n % 3 == 0) blocks.free_used_blocks();
    }
    CHECK(n > 4);
    CHECK(all == text);
    CHECK(line_by_line == text + ends);
    CHECK_FALSE(blocks.failed());
  }
  std::string_view block;
  CHECK_FALSE(LineBlocks("", "").next(block));
  LineBlocks none("/no/such/file", {});
  CHECK_FALSE(none.next(block));
  CHECK(none.failed());
}
