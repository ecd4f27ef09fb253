#include <string>
#include <vector>

#include "catch.hpp"
#include "text/table.hpp"
#include "text/texts.hpp"

using namespace judicious;

namespace {
std::vector<std::string> column(const Table& table, std::size_t j) {
  std::vector<std::string> out;
  for (std::int32_t code : table.columns[j].code)
    out.emplace_back(table.columns[j].field[static_cast<std::size_t>(code)]);
  return out;
}
}  // namespace

TEST_CASE("a row ends with any kind of line end or the end of the text") {
  for (const char* text : {"a b\nc d\n", "a b\r\nc d\r\n", "a b\rc d", "a b\n\n  \nc d", "\n a\tb \nc  d"}) {
    const Table table = parse_table(text, {{Separator::whitespace}, 0});
    REQUIRE(table.n_rows == 2);
    CHECK(column(table, 0) == std::vector<std::string>{"a", "c"});
    CHECK(column(table, 1) == std::vector<std::string>{"b", "d"});
  }
}

TEST_CASE("fields separated by tabs or commas may be empty or contain blanks") {
  const Table tabs = parse_table("a b\t\t c\n", {{Separator::tab}, 0});
  REQUIRE(tabs.columns.size() == 3);
  CHECK(column(tabs, 0)[0] == "a b");
  CHECK(column(tabs, 1)[0].empty());
  CHECK(column(tabs, 2)[0] == "c");
  const Table commas = parse_table("\"a,b\",c\n\"d\",\n", {{Separator::comma}, 0});
  REQUIRE(commas.n_rows == 2);
  CHECK(column(commas, 0) == std::vector<std::string>{"a,b", "d"});
  CHECK(column(commas, 1) == std::vector<std::string>{"c", ""});
}

TEST_CASE("a line with a different number of fields is reported with its line number") {
  const Table table = parse_table("h\n\na b\nc d e\n", {{Separator::whitespace}, 1});
  CHECK(table.problem == TableProblem::fields);
  CHECK(table.line == 4);
  CHECK(table.n_fields == 3);
  CHECK(table.n_rows == 1);
}

TEST_CASE("a column with thousands of distinct values has one code for each") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i % 1700) + " x\n";
  const Table table = parse_table(text, {{Separator::whitespace}, 0});
  REQUIRE(table.columns[0].field.size() == 1700);
  const auto code = table.columns[0].code;
  for (int i = 0; i < 5000; ++i) CHECK(code[static_cast<std::size_t>(i)] == i % 1700);
}

TEST_CASE("a quoted field of a CSV file may contain line ends") {
  const Table table = parse_table("\"a\nb\",1\r\nc,\"d\r\n\n\"\"e\"\"\"\n", {{Separator::comma}, 0});
  REQUIRE(table.problem == TableProblem::none);
  REQUIRE(table.n_rows == 2);
  CHECK(column(table, 0) == std::vector<std::string>{"a\nb", "c"});
  CHECK(column(table, 1) == std::vector<std::string>{"1", "d\r\n\n\"\"e\"\""});
  for (const char* text : {"a,b\n\"c,d\ne,f\n", "a,b\n\"c,d\n\"e\",f\n"}) {
    const Table open = parse_table(text, {{Separator::comma}, 0});
    CHECK(open.problem == TableProblem::quote);
    CHECK(open.line == 2);
  }
}

TEST_CASE("the last field takes the rest of its line if the format says so") {
  const Table blanks = parse_table("a b  c d \ne f g\n", {{Separator::whitespace, 3}, 0});
  REQUIRE(blanks.n_rows == 2);
  CHECK(column(blanks, 2) == std::vector<std::string>{"c d", "g"});
  const Table tabs = parse_table("a\tb c\td\te\n", {{Separator::tab, 3}, 0});
  CHECK(column(tabs, 2) == std::vector<std::string>{"d\te"});
}

TEST_CASE("comment lines are counted, and the numbers of rows and columns are limited") {
  const Table table = parse_table("x 1\n # one\n#\n#y 1\nz 2\n", {{Separator::whitespace}, 0, 2, 2});
  CHECK(table.n_rows == 2);
  CHECK(table.line == 4);
  CHECK(table.n_comments == 2);
  CHECK(table.first_comment == 2);
  std::string wide;
  for (std::size_t i = 0; i <= max_columns; ++i) wide += "x ";
  CHECK(parse_table(wide, {{Separator::whitespace}, 0}).problem == TableProblem::width);
  // Every field goes on to the next line.
  std::string quoted;
  for (std::size_t i = 0; i < max_columns; ++i) quoted += i == 0 ? "\"\n\"" : ",\"\n\"";
  const Table row = parse_table(quoted, {{Separator::comma}, 0});
  CHECK(row.problem == TableProblem::none);
  CHECK(row.columns.size() == max_columns);
}

TEST_CASE("a numeric column is parsed as numbers, and text in it is reported") {
  TableOptions options;
  options.type = {ColumnType::code, ColumnType::number};
  const Table table = parse_table("a 1.5 x\nb -2 y\nc 1.5 x\n", options);
  REQUIRE(table.problem == TableProblem::none);
  CHECK(table.columns[1].number == std::vector<double>{1.5, -2, 1.5});
  CHECK(table.columns[1].code.size() == 0);
  CHECK(table.columns[2].code == std::vector<std::int32_t>{0, 1, 0});
  CHECK(parse_table("a 1.5 x\nb high y\n", options).problem == TableProblem::number);
}

TEST_CASE("ignored columns are split, but not stored") {
  TableOptions options;
  options.type = {ColumnType::code, ColumnType::ignored};
  const Table table = parse_table("d1 \"x y\nd2 z w\n", options);
  REQUIRE(table.n_rows == 2);
  CHECK(table.columns[1].code.size() == 0);
  CHECK(table.columns[1].field.empty());
  CHECK(table.columns[2].field == std::vector<std::string_view>{"y", "w"});
}

TEST_CASE("equal texts share one code when interned") {
  Texts texts;
  for (const char* text : {"a", "", "bcd", "bcd"}) texts.push_back(text);
  REQUIRE(texts.size() == 4);
  Interner interner;
  std::vector<std::string_view> distinct;
  std::vector<std::int32_t> code;
  for (std::size_t i = 0; i < texts.size(); ++i) code.push_back(interner.code_of(texts[i], distinct));
  CHECK(code == std::vector<std::int32_t>{0, 1, 2, 2});
  CHECK(distinct == std::vector<std::string_view>{"a", "", "bcd"});
}

TEST_CASE("if two lines have problems, the earlier one is reported") {
  TableOptions options;
  options.type = {ColumnType::code, ColumnType::number};
  // More lines than are stored at a time, and fewer.
  for (const int n : {1, 63, 64, 65, 200}) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "d" + std::to_string(i) + " 1\n";
    const auto line = static_cast<std::size_t>(n) + 1;
    const Table number = parse_table(text + "d x\nd 1 1\n", options);
    CHECK(number.problem == TableProblem::number);
    CHECK(number.line == line);
    CHECK(number.n_rows == line - 1);
    const Table longer = parse_table(text + "d 1 1\nd x\n", options);
    CHECK(longer.problem == TableProblem::fields);
    CHECK(longer.line == line);
    CHECK(longer.n_fields == 3);
    CHECK(longer.n_rows == line - 1);
  }
}
