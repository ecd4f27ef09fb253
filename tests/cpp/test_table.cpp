#include <catch2/catch.hpp>

#include "text/table.hpp"

using namespace judicious;

namespace {
std::vector<std::string> column(const Table& table, std::size_t j) {
  std::vector<std::string> out;
  for (std::int32_t code : table.columns[j].code)
    out.emplace_back(table.columns[j].field[static_cast<std::size_t>(code)]);
  return out;
}
}  // namespace

TEST_CASE("every kind of line end and a missing last one") {
  for (const char* text :
       {"a b\nc d\n", "a b\r\nc d\r\n", "a b\rc d", "a b\n\n  \nc d", "\n a\tb \nc  d"}) {
    const Table table = parse_table(text, {Separator::whitespace, 0});
    REQUIRE(table.n_rows == 2);
    CHECK(column(table, 0) == std::vector<std::string>{"a", "c"});
    CHECK(column(table, 1) == std::vector<std::string>{"b", "d"});
  }
}

TEST_CASE("tabs and commas keep empty fields and inner blanks") {
  const Table tabs = parse_table("a b\t\t c\n", {Separator::tab, 0});
  REQUIRE(tabs.columns.size() == 3);
  CHECK(column(tabs, 0)[0] == "a b");
  CHECK(column(tabs, 1)[0].empty());
  CHECK(column(tabs, 2)[0] == "c");
  const Table commas = parse_table("\"a,b\",c\n\"d\",\n", {Separator::comma, 0});
  REQUIRE(commas.n_rows == 2);
  CHECK(column(commas, 0) == std::vector<std::string>{"a,b", "d"});
  CHECK(column(commas, 1) == std::vector<std::string>{"c", ""});
}

TEST_CASE("a line with another number of fields is reported by its number") {
  const Table table = parse_table("h\n\na b\nc d e\n", {Separator::whitespace, 1});
  CHECK(table.bad_line == 4);
  CHECK(table.bad_fields == 3);
  CHECK(table.n_rows == 1);
}

TEST_CASE("many distinct fields keep their codes") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i % 1700) + " x\n";
  const Table table = parse_table(text, {Separator::whitespace, 0});
  REQUIRE(table.columns[0].field.size() == 1700);
  for (int i = 0; i < 5000; ++i)
    CHECK(table.columns[0].code[static_cast<std::size_t>(i)] == i % 1700);
}
