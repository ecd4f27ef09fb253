#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "text/blocks.hpp"
#include "text/files.hpp"

using namespace judicious;

namespace {

std::string gzipped(std::string text) {
  z_stream state{};
  REQUIRE(deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&state, text.size()), '\0');
  state.next_in = reinterpret_cast<Bytef*>(text.data());
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&state, Z_FINISH) == Z_STREAM_END);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

// Random texts of 0 to 25 letters, of which many repeat.
std::vector<std::string> random_texts(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i) {
    std::string text(random() % 26, 'a');
    for (char& letter : text) letter = static_cast<char>('a' + random() % 2);
    out.push_back(i % 3 == 2 ? out[random() % out.size()] : text);
  }
  return out;
}

struct TemporaryFile {
  std::string path = std::filesystem::temp_directory_path() / ("judicious-" + std::to_string(std::random_device{}()));
  explicit TemporaryFile(const std::string& content) { std::ofstream(path, std::ios::binary) << content; }
  ~TemporaryFile() { std::remove(path.c_str()); }
};

}  // namespace

TEST_CASE("a file is read completely, whatever its expected size") {
  std::string content;
  for (const std::string& text : random_texts(200000, 3)) content += text;
  const TemporaryFile file(content);
  for (const std::size_t expected : {std::size_t{0}, content.size() / 2, content.size(), 2 * content.size()}) {
    const FileContent read = read_file(file.path, expected);
    CHECK(read.error.empty());
    CHECK_FALSE(read.damaged);
    CHECK(read.content.text() == content);
  }
}

TEST_CASE("all members of a gzip file are read, and an incomplete member is reported as damage") {
  const std::string first(300000, 'a'), second = "second member\n";
  const std::string whole = gzipped(first) + gzipped("") + gzipped(second);
  for (const std::string& bytes : {whole, whole + gzipped(first)}) {
    const std::string expected = first + second + (bytes.size() > whole.size() ? first : "");
    const TemporaryFile file(bytes);
    const auto read = read_file(file.path, bytes.size());
    CHECK_FALSE(read.damaged);
    CHECK(read.content.text() == expected);
    LineBlocks blocks(file.path, {}, 1e9);
    std::string text;
    for (std::string_view block; blocks.next(block);) text += block;
    CHECK(text == expected);
    CHECK_FALSE(blocks.failed());
  }
  for (const std::string& bytes : {whole.substr(0, whole.size() - 1), whole + "more", whole + "\x1f"}) {
    const TemporaryFile file(bytes);
    CHECK(read_file(file.path, bytes.size()).damaged);
    LineBlocks blocks(file.path, {}, 1e9);
    for (std::string_view block; blocks.next(block);) {
    }
    CHECK(blocks.failed());
  }
}

TEST_CASE("read_file() reports missing files, directories and damaged gzip files") {
  CHECK(read_file("no-such-file", 10).error == std::strerror(ENOENT));
  CHECK(read_file(".", 10).error == std::strerror(EISDIR));
  const TemporaryFile short_gzip("\x1f\x8b");
  CHECK(read_file(short_gzip.path, 2).damaged);
  const TemporaryFile empty("");
  CHECK(read_file(empty.path, 0).content.size == 0);
}
