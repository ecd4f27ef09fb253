// Splits a text, which may be gzipped, into blocks of complete lines, so that only the current block needs memory.
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
  // Every block ends with a line end, or a line feed follows it. This many bytes after the block can be read.
  static constexpr std::size_t padding = 64;

  // Reads a file or, if the path is empty, the bytes, which must exist as long as the blocks. Reading a gzipped file
  // fails if it expands to more bytes than `limit`.
  LineBlocks(const std::string& path, std::string_view bytes, double limit = std::numeric_limits<double>::infinity());

  // Gets the next block; false at the end of the text, and if it cannot be read.
  bool next(std::string_view& block);

  // Frees all blocks except the last one that next() returned.
  void free_used_blocks();

  // Whether reading has failed.
  bool failed() const { return failed_ || damaged(); }

  // Whether it is a gzipped file that is damaged.
  bool damaged() const { return gzip_ && gzip_->damaged(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t read(char* to, std::size_t size);

  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<GzipReader> gzip_;
  std::string_view bytes_;              // the remaining part of a text in memory
  std::deque<std::vector<char>> used_;  // the blocks that are kept; the last one is that of next()
  std::vector<std::vector<char>> spare_;
  std::string_view rest_;  // the start of a line at the end of the last block
  double n_left_;          // number of bytes to which a gzipped file may still expand
  bool failed_ = false;
};

}  // namespace judicious
