#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "catch.hpp"
#include "execution/interrupt.hpp"
#include "measure/evaluate.hpp"
#include "text/number.hpp"

using namespace judicious;

namespace {
constexpr std::int32_t all = 1 << 30;

JudgmentIndex small_index() { return JudgmentIndex({"q1", "q2"}, {0, 0, 0, 1}, {"a", "b", "c", "a"}, {1, 0, -1, 2}); }
}  // namespace

TEST_CASE("numbers are parsed as by strtod()") {
  std::mt19937_64 random(5);
  std::vector<std::string> texts{"0",
                                 "-0",
                                 "1e5",
                                 "+3.25",
                                 "12345678901234567890123",
                                 ".5",
                                 "5.",
                                 "1e-320",
                                 "inf",
                                 "-1.7976931348623157e308",
                                 "0.000000000000000000000000001",
                                 "9007199254740993",
                                 "123456789012345678.9",
                                 "0.30000000000000004"};
  for (int i = 0; i < 5000; ++i) {
    std::ostringstream out;
    out.precision(static_cast<int>(random() % 18) + 1);
    if (random() % 2) out << std::fixed;
    out << std::ldexp(static_cast<double>(random() % 1000003) - 500000, static_cast<int>(random() % 60) - 40);
    texts.push_back(out.str());
  }
  for (const std::string& text : texts) {
    double value = 0;
    REQUIRE(parse_number(text, value));
    CHECK(value == std::strtod(text.c_str(), nullptr));
  }
  double value = 0;
  for (const char* text : {"", "x", "1x", "nan", "-", ".", "1e", "1 2"}) CHECK_FALSE(parse_number(text, value));
  CHECK_FALSE(parse_number(std::string_view("1e5\0x", 5), value));
}

TEST_CASE("documents are ordered by score in the requested floating-point precision") {
  const JudgmentIndex index = small_index();
  const char* text = "q1 Q0 a 1 1.00000001 S\nq1 Q0 b 2 1 S\n";
  CHECK(read_run({"", text}, index, {RankBy::score, all, false})[0].item[0].level == 1);  // document a
  CHECK(read_run({"", text}, index, {RankBy::score, all, false}).n_tied == 0);
  CHECK(read_run({"", text}, index, {RankBy::score, all, false, Precision::single}).n_tied == 2);
}

TEST_CASE("documents are ordered by score, then by id, descending") {
  const JudgmentIndex index = small_index();
  const char* text =
      "q1 Q0 a 1 1.00000001 S\nq1 Q0 b 2 1 S\nq1 Q0 z 3 0.5 S\r\nq2\tQ0\ta\t9\t-3\tS\n"
      " # comment\nq9 Q0 a 1 1 S";
  const RunLists run = read_run({"", text}, index, {RankBy::score, all, false, Precision::single});
  REQUIRE(run.problem == RunProblem::none);
  CHECK(run.system == "S");
  CHECK(run.n_lines == 5);
  CHECK(run.n_unknown_queries == 1);
  CHECK(run.n_comments == 1);
  CHECK(run.first_comment == 5);
  CHECK(run.n_tied == 2);
  REQUIRE(run[0].item.size() == 2);
  CHECK(run[0].retrieved == 3);
  CHECK(run[0].item[0].level == 0);  // document b
  CHECK(run[0].item[1].level == 1);  // document a
  CHECK(run[1].item[0].level == 2);
}

TEST_CASE("the fast reader reports duplicates, ties and lines that are not in plain TREC format") {
  const JudgmentIndex index = small_index();
  const auto read = [&](const char* text, RankBy by = RankBy::score, bool strict = false) {
    return read_run({"", text}, index, {by, all, strict});
  };
  CHECK(read("\n\nq1 Q0 a 1 2\n").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 b 1 x S").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 inf S").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 a 2 1 S").problem == RunProblem::duplicate);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 b 2 1 S more").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 2 S more\nq1 Q0 b 2 1 S more").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 b\xE9 2 1 S").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 b 2 1 T").problem == RunProblem::not_plain);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 b 2 2 S", RankBy::score, true).problem == RunProblem::tie);
  CHECK(read("q1 Q0 a 1 2 S\nq1 Q0 b 1 1 S", RankBy::rank).problem == RunProblem::tie);
  CHECK(read("").n_lines == 0);
}

TEST_CASE("lists with interleaved queries, ties and a cutoff are ordered as by a full sort") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<std::string> queries{"1", "2", "3"}, docs;
    for (int i = 0; i < 50; ++i) docs.push_back("D" + std::to_string(random() % 100000));
    std::sort(docs.begin(), docs.end());
    docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
    std::vector<std::int32_t> query, level;
    std::vector<std::string> doc;
    std::map<std::pair<int, std::string>, std::int32_t> known;
    for (int q = 0; q < 3; ++q) {
      for (const std::string& d : docs) {
        if (random() % 3) continue;
        query.push_back(q);
        doc.push_back(d);
        level.push_back(static_cast<std::int32_t>(random() % 4) - 1);
        known[{q, d}] = level.back();
      }
    }
    const JudgmentIndex index({queries.begin(), queries.end()}, query, {doc.begin(), doc.end()}, level);
    struct Line {
      int q;
      std::string d;
      float score;
    };
    std::vector<Line> lines;
    for (int q = 0; q < 3; ++q) {
      for (const std::string& d : docs) lines.push_back({q, d, static_cast<float>(random() % 20)});
    }
    if (trial % 2) std::shuffle(lines.begin(), lines.end(), random);
    std::ostringstream text;
    for (const Line& line : lines)
      text << queries[static_cast<std::size_t>(line.q)] << " Q0 " << line.d << " 0 " << line.score << " S\n";
    const std::int32_t depth = trial % 3 ? all : 10;
    const RunLists run = read_run({"", text.str()}, index, {RankBy::open, depth, false});
    REQUIRE(run.problem == RunProblem::none);
    for (int q = 0; q < 3; ++q) {
      std::vector<Line> mine;
      for (const Line& line : lines) {
        if (line.q == q) mine.push_back(line);
      }
      std::sort(mine.begin(), mine.end(),
                [](const Line& a, const Line& b) { return a.score != b.score ? a.score > b.score : a.d > b.d; });
      std::vector<ListItem> expected;
      for (std::size_t i = 0; i < mine.size() && static_cast<std::int32_t>(i) < depth; ++i) {
        const auto found = known.find({q, mine[i].d});
        if (found == known.end()) continue;
        const auto same = [&](const Line& line) { return line.score == mine[i].score; };
        const auto first = std::find_if(mine.begin(), mine.end(), same) - mine.begin();
        const auto n = std::count_if(mine.begin(), mine.end(), same);
        expected.push_back({static_cast<std::int32_t>(i) + 1, found->second, static_cast<std::int32_t>(first) + 1,
                            std::min(static_cast<std::int32_t>(first + n), depth)});
      }
      const auto& got = run[static_cast<std::size_t>(q)].item;
      REQUIRE(got.size() == expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        CHECK(got[i].rank == expected[i].rank);
        CHECK(got[i].level == expected[i].level);
        CHECK(got[i].first == expected[i].first);
        CHECK(got[i].last == expected[i].last);
      }
    }
  }
}

TEST_CASE("a run file larger than the read buffer is read completely") {
  const JudgmentIndex index = small_index();
  MeasureSpec spec;
  spec.name = "num_ret";
  spec.gain = {0, 1, 2};
  spec.relevant = {0, 1, 1};
  const Evaluator evaluator({spec}, judged_by_query(2, {0, 0, 0, 1}, {1, 0, -1, 2}), {});
  std::string text;
  const int n = 300000;  // 5 MB
  for (int i = 0; i < n; ++i) text += "q1 Q0 d" + std::to_string(i) + " 1 " + std::to_string(i % 100) + " S\n";
  const auto path =
      std::filesystem::temp_directory_path() / ("judicious_run_" + std::to_string(std::random_device{}()));
  std::ofstream(path, std::ios::binary) << text;
  const auto values = evaluate_runs({{path.string(), {}}}, index, evaluator, {});
  std::filesystem::remove(path);
  CHECK(values[0].lists.problem == RunProblem::none);
  CHECK(values[0].lists.n_lines == static_cast<std::size_t>(n));
  CHECK(values[0].value[0] == n);
}

TEST_CASE("runs have the same values on one thread and on three, and their evaluation can be interrupted") {
  const JudgmentIndex index = small_index();
  const JudgedQueries judged = judged_by_query(2, {0, 0, 0, 1}, {1, 0, -1, 2});
  MeasureSpec spec;
  spec.name = "AP";
  spec.gain = {0, 1, 2};
  spec.relevant = {0, 1, 1};
  const Evaluator evaluator({spec}, judged, {});
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i)
    texts.push_back("q1 Q0 a 1 " + std::to_string(i % 3) + " S\nq1 Q0 x 1 1.5 S\nq2 Q0 a 1 1 S\n");
  std::vector<RunSource> sources;
  for (const std::string& text : texts) sources.push_back({"", text});
  ReadOptions one, three;
  three.n_threads = 3;
  static int checks;
  checks = 0;
  interrupt_function = [] { ++checks; };
  const auto a = evaluate_runs(sources, index, evaluator, one);
  CHECK(checks >= 20);
  const auto b = evaluate_runs(sources, index, evaluator, three);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].value == b[i].value);
  CHECK(a[0].value[0] == .5);
  CHECK(a[2].value[0] == 1);
  interrupt_function = [] { throw std::runtime_error("stop"); };
  CHECK_THROWS_AS(evaluate_runs(sources, index, evaluator, one), std::runtime_error);
  CHECK_THROWS_AS(evaluate_runs(sources, index, evaluator, three), std::runtime_error);
  interrupt_function = nullptr;
  CHECK(evaluate_runs({{"/no/such/file", {}}}, index, evaluator, one)[0].lists.problem == RunProblem::not_plain);
}

TEST_CASE("lines of one query that span several blocks, or are interrupted by other queries, form one list") {
  const JudgmentIndex index = small_index();
  for (const bool scattered : {false, true}) {
    std::string text;
    const int n = 60000;
    for (int i = 0; i < n; ++i) text += "q1 Q0 d" + std::to_string(i) + " 1 0.5 S\n";
    text += "q2 Q0 a 1 1 S\n";
    for (int i = 0; i < n; ++i) text += "unknown Q0 d" + std::to_string(i) + " 1 0.5 S\n";
    if (scattered) text += "q1 Q0 a 1 0.25 S\nq1 Q0 d5x 1 0.75 S";
    const RunLists run = read_run({"", text}, index, {RankBy::score, all, false});
    REQUIRE(run.problem == RunProblem::none);
    CHECK(run[0].retrieved == n + (scattered ? 2 : 0));
    CHECK(run[0].item.size() == (scattered ? 1 : 0));
    if (scattered) CHECK(run[0].item[0].rank == n + 2);
    CHECK(run[1].item.size() == 1);
    CHECK(run.n_unknown_queries == 1);
    const RunLists twice = read_run({"", text + "\nq1 Q0 d7 1 9 S"}, index, {RankBy::score, all, false});
    CHECK(twice.problem == RunProblem::duplicate);
  }
}

TEST_CASE("lines are split into the same fields whatever their length, separators and line ends") {
  const JudgmentIndex index = small_index();
  // Lengths of identifiers such that lines end before, at and after 64 bytes.
  for (std::size_t more = 30; more < 60; ++more) {
    const std::string doc(more, 'x');
    for (const std::string blank : {" ", "\t", "  ", "\v", "\t "}) {
      for (const std::string end : {"\n", "\r\n", "\r", " \n", "\n\n", ""}) {
        const auto line = [&](const std::string& id, const std::string& score) {
          return "q1" + blank + "Q0" + blank + id + blank + "1" + blank + score + blank + "S";
        };
        const std::string between = end.empty() ? "\n" : end;
        const std::string text = line(doc, "3") + between + line("a", "2") + end;
        const RunLists run = read_run({"", text}, index, {RankBy::score, all, false});
        REQUIRE(run.problem == RunProblem::none);
        CHECK(run[0].retrieved == 2);
        REQUIRE(run[0].item.size() == 1);
        CHECK(run[0].item[0].rank == 2);
        CHECK(run.system == "S");
        const RunLists short_line = read_run({"", text + "\nq1 Q0 c 1 1"}, index, {RankBy::score, all, false});
        CHECK(short_line.problem == RunProblem::not_plain);
      }
    }
  }
}
