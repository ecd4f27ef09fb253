// Splits a text, which may be gzipped, into blocks of whole lines, so that only the part in use needs memory.
#pragma once
#include <cstddef>
#include <cstdio>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/gzip.hpp"

namespace judicious {

class LineBlocks {
 public:
  // Every block ends in a line end or is followed by a line feed, and this many bytes after it are readable.
  static constexpr std::size_t padding = 64;

  // Reads a file, or, if the path is empty, the bytes, which must outlive the blocks. Reading a
  // gzipped file fails after more bytes than `limit`.
  LineBlocks(const std::string& path, std::string_view bytes, double limit = std::numeric_limits<double>::infinity());

  // False at the end of the text, and if it cannot be read.
  bool next(std::string_view& block);

  // Frees all blocks except the last one that next() returned.
  void forget();

  // Did reading fail?
  bool failed() const { return failed_ || damaged(); }

  // Is it a gzipped file that is damaged?
  bool damaged() const { return gzip_ && gzip_->damaged(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t read(char* to, std::size_t size);

  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<GzipReader> gzip_;
  std::string_view bytes_;              // what is left of a text in memory
  std::deque<std::vector<char>> used_;  // the blocks that live, the last that next() gave at the end
  std::vector<std::vector<char>> spare_;
  std::string_view rest_;  // of the last block: the start of a line
  double n_left_;          // that a gzipped file may still have
  bool failed_ = false;
};

}  // namespace judicious
