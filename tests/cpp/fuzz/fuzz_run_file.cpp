// Reads any bytes as a run file and evaluates it. The lines in reverse order must give the same lists.
#include <algorithm>
#include <string>
#include <vector>

#include "byte_source.hpp"
#include "measure/evaluate.hpp"
#include "text/number.hpp"

using namespace judicious;
using judicious::fuzz::ByteSource;

namespace {

constexpr int n_levels = 3;

const JudgmentIndex& judgments() {
  static const JudgmentIndex index({"1", "q2", ""}, {0, 0, 0, 1, 1}, {"a", "b", "c", "a", "dd"}, {2, 0, -1, 1, 2});
  return index;
}

const Evaluator& evaluator(int which) {
  static const std::vector<Evaluator> all = [] {
    std::vector<MeasureSpec> specs;
    for (const char* name : {"nDCG", "AP", "P", "recall", "RR", "bpref", "infAP", "RBP", "ERR", "judged", "Rprec",
                             "iprec", "Fmax", "ndcg_rel", "ANDCG"}) {
      MeasureSpec spec;
      spec.name = name;
      spec.cutoff = 5;
      spec.gain = {0, 0.5, 1};
      spec.relevant = {0, 1, 1};
      spec.numbers = {{"p", {0.8}}, {"x", {0.8}}, {"recall", {0.5, 1}}};
      spec.max_gain = 1;
      specs.push_back(spec);
    }
    const JudgedQueries known = judged_by_query(judgments().n_queries(), {0, 0, 0, 1, 1}, {2, 0, -1, 1, 2});
    std::vector<Evaluator> out;
    for (const Unjudged unjudged : {Unjudged::zero, Unjudged::condensed, Unjudged::best}) {
      for (const bool ties : {false, true})
        for (const bool skip : {false, true}) out.emplace_back(specs, known, EvaluateOptions{unjudged, ties, skip, 7});
    }
    return out;
  }();
  return all[static_cast<std::size_t>(which) % all.size()];
}

void check_list(const RankedList& list, std::int32_t depth) {
  MUST_HOLD(list.retrieved >= 0 && list.retrieved <= depth);
  std::int32_t last = 0;
  for (const ListItem& item : list.item) {
    MUST_HOLD(item.rank > last && item.rank <= list.retrieved);
    MUST_HOLD(item.level >= -1 && item.level < n_levels);
    MUST_HOLD(item.first <= item.rank && item.rank <= item.last && item.last <= list.retrieved);
    last = item.rank;
  }
}

bool same_lists(const RunLists& a, const RunLists& b) {
  if (a.system != b.system || a.n_tied != b.n_tied || a.n_lines != b.n_lines) return false;
  for (std::size_t q = 0; q < a.list_of.size(); ++q) {
    if (a.answers(q) != b.answers(q)) return false;
    if (!a.answers(q)) continue;
    if (a[q].retrieved != b[q].retrieved) return false;
    if (!std::equal(a[q].item.begin(), a[q].item.end(), b[q].item.begin(), b[q].item.end(),
                    [](const ListItem& x, const ListItem& y) {
                      return x.rank == y.rank && x.level == y.level && x.first == y.first && x.last == y.last;
                    }))
      return false;
  }
  return true;
}

std::string reversed_lines(std::string_view bytes) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = bytes.find_first_of("\r\n", at);
    if (end == std::string_view::npos) end = bytes.size();
    lines.push_back(bytes.substr(at, end - at));
    at = end + 1;
  }
  std::string out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) out += std::string(*line) + '\n';
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteSource source(data, size);
  const auto by = static_cast<RankBy>(source.between(0, 2));
  const std::int32_t depth = source.yes() ? source.between(1, 4) : std::numeric_limits<std::int32_t>::max();
  const bool ties_are_errors = source.yes();
  const Evaluator& measures = evaluator(source.byte());
  const std::string_view bytes = source.rest();

  double number = 0;
  const std::string text(bytes);
  char* end = nullptr;
  const double expected = std::strtod(text.c_str(), &end);
  // strtod() skips leading blanks, which a field cannot have.
  if (!text.empty() && static_cast<unsigned char>(text[0]) > ' ') {
    const bool whole = end != text.c_str() && end == text.c_str() + text.size() && !std::isnan(expected);
    MUST_HOLD(parse_number(text, number) == whole);
    if (whole) MUST_HOLD(number == expected);
  }

  const RunLists lists = read_run({"", bytes}, judgments(), {by, depth, ties_are_errors});
  if (lists.problem != RunProblem::none) return 0;
  MUST_HOLD(lists.list_of.size() == judgments().n_queries());
  for (const RankedList& list : lists.list) check_list(list, depth);
  const std::string reversed = reversed_lines(bytes);
  const RunLists again = read_run({"", reversed}, judgments(), {by, depth, ties_are_errors});
  MUST_HOLD(again.problem == RunProblem::none && same_lists(lists, again));

  std::vector<double> value(measures.n_measures());
  for (std::size_t q = 0; q < lists.list_of.size(); ++q) {
    // Averaging over random orders of tied documents takes too long for a long list.
    if (!lists.answers(q) || lists[q].retrieved > 1000) continue;
    measures.values(lists[q], q, value.data());
    for (const double v : value) MUST_HOLD(std::isnan(v) || (v >= -1e-12 && v <= 5 + 1e-9));
  }
  return 0;
}
