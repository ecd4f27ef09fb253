// Reads whole files, plain or gzipped. Writes files, and returns only when their bytes are on the disk.
#pragma once
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace judicious {

// A block of bytes, which are not initialised before they are read.
struct FileBytes {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;

  std::string_view text() const { return {bytes.get(), size}; }
};

struct FileContent {
  FileBytes content;
  bool damaged = false;  // whether it is a gzipped file of which a part is missing or changed
  std::string error;     // the system's message; empty on success
};

// `expected` is the probable size of the content; if it is right, no byte has to be copied. Reading stops when the
// content has more bytes than `limit`.
FileContent read_file(const std::string& path, std::size_t expected,
                      std::size_t limit = std::numeric_limits<std::size_t>::max());

// Each of these returns the system's error message, or an empty text on success.
std::string write_bytes(const std::string& path, std::string_view bytes);
// What several processes append at the same time is not mixed.
std::string append_bytes(const std::string& path, std::string_view bytes);
std::string sync_file(const std::string& path);
// Writes to standard output without the buffers of the C library, which would report errors too late. Returns "closed"
// if the program that reads from the pipe has ended.
std::string write_standard_output(std::string_view bytes);

// Whether the path is neither a folder, nor a device, nor a pipe.
bool is_regular_file(const std::string& path);

}  // namespace judicious
