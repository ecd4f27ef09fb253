#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

#include "catch.hpp"
#include "text/files.hpp"

using namespace judicious;

TEST_CASE("write_bytes() writes what read_file() reads back", "[text]") {
  const std::string name = "judicious-" + std::to_string(std::random_device()());
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  const std::string bytes("a\0b\r\n", 5);
  REQUIRE(write_bytes(path, bytes).empty());
  REQUIRE(sync_file(path).empty());
  CHECK(is_regular_file(path));
  // The expected size is only a hint: the content is complete even if it is wrong.
  for (const std::size_t expected : {0, 3, 5, 100}) {
    const FileContent read = read_file(path, expected);
    CHECK(read.error.empty());
    CHECK_FALSE(read.damaged);
    CHECK(read.content.text() == bytes);
  }
  CHECK(read_file(path, 5, 2).content.size > 2);
  REQUIRE(append_bytes(path, bytes).empty());
  CHECK(read_file(path, 10).content.text() == bytes + bytes);
  std::remove(path.c_str());
  CHECK_FALSE(read_file(path, 5).error.empty());
  CHECK_FALSE(sync_file(path).empty());
  CHECK_FALSE(write_bytes(path + "/inside", bytes).empty());
  CHECK_FALSE(append_bytes(path + "/inside", bytes).empty());
}

#ifndef _WIN32
TEST_CASE("sync_file() reports no error for a device that cannot be synchronised", "[text]") {
  CHECK(write_bytes("/dev/null", "x").empty());
  CHECK(sync_file("/dev/null").empty());
  CHECK_FALSE(is_regular_file("/dev/null"));
  CHECK_FALSE(is_regular_file("/"));
}
#endif
