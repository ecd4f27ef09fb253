// Codes of a column, of which many equal ones follow each other where a file is sorted, as the
// queries and systems of runs are.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace judicious {

// Runs of equal codes.
class CodeRuns {
 public:
  struct Run {
    std::int32_t code;
    std::size_t end;  // the place after its last code
  };

  std::size_t size() const { return runs_.empty() ? 0 : runs_.back().end; }
  const std::vector<Run>& runs() const { return runs_; }
  std::size_t n_bytes() const { return runs_.size() * sizeof(Run); }

  // Appends a code `n` times.
  void add(std::int32_t code, std::size_t n) {
    const std::size_t end = size() + n;
    if (!runs_.empty() && runs_.back().code == code) {
      runs_.back().end = end;
    } else {
      runs_.push_back({code, end});
    }
  }

  // The number of the run that has the code at place `i`. `likely` is tried first, and then the one after it.
  std::size_t run_at(std::size_t i, std::size_t likely) const {
    for (std::size_t k = likely; k < std::min(likely + 2, runs_.size()); ++k) {
      if (i < runs_[k].end && (k == 0 || runs_[k - 1].end <= i)) return k;
    }
    const auto after = [](std::size_t place, const Run& run) { return place < run.end; };
    return std::upper_bound(runs_.begin(), runs_.end(), i, after) - runs_.begin();
  }

  // Calls f(code, n) for each run.
  template <typename F>
  void each(F&& f) const {
    std::size_t begin = 0;
    for (const Run& run : runs_) {
      f(run.code, run.end - begin);
      begin = run.end;
    }
  }

  void write(std::int32_t* to) const {
    each([&](std::int32_t code, std::size_t n) { to = std::fill_n(to, n, code); });
  }

 private:
  std::vector<Run> runs_;
};

// Codes as runs, or one by one if the runs are short.
class Codes {
 public:
  // `n_likely`: about how many there will be.
  explicit Codes(std::size_t n_likely = 0) : n_likely_(n_likely) {}

  std::size_t size() const { return in_runs_ ? runs_.size() : codes_.size(); }

  // Appends a code `n` times.
  void add(std::int32_t code, std::size_t n = 1) {
    if (!in_runs_) {
      codes_.insert(codes_.end(), n, code);
      return;
    }
    runs_.add(code, n);
    if (4 * runs_.runs().size() > runs_.size() + few_runs) expand();
  }

  bool in_runs() const { return in_runs_; }
  const CodeRuns& runs() const { return runs_; }
  std::vector<std::int32_t>& one_by_one() {
    expand();
    return codes_;
  }

 private:
  // So many runs are small, whatever their length.
  static constexpr std::size_t few_runs = 4096;

  void expand() {
    if (!in_runs_) return;
    codes_.reserve(std::max(n_likely_, runs_.size()));
    codes_.resize(runs_.size());
    runs_.write(codes_.data());
    runs_ = CodeRuns();
    in_runs_ = false;
  }

  std::size_t n_likely_;
  bool in_runs_ = true;
  CodeRuns runs_;
  std::vector<std::int32_t> codes_;
};

}  // namespace judicious
