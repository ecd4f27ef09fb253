#include "text/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "execution/interrupt.hpp"
#include "text/gzip.hpp"

namespace judicious {
namespace {

// At most as many bytes are read between two checks for an interrupt.
constexpr std::size_t longest_read = std::size_t{1} << 26;

void reserve(FileBytes& content, std::size_t capacity) {
  std::unique_ptr<char[]> larger(new char[capacity]);
  if (content.size > 0) std::memcpy(larger.get(), content.bytes.get(), content.size);
  content.bytes = std::move(larger);
}

// Reads until `read` returns 0, or more than `limit` bytes are read.
template <typename Read>
FileBytes read_all(std::size_t expected, std::size_t limit, const Read& read) {
  FileBytes content;
  // The one byte more shows the end of a file of the expected size.
  std::size_t capacity = expected + 1;
  reserve(content, capacity);
  while (true) {
    check_interrupt();
    if (content.size == capacity) reserve(content, capacity = 2 * capacity + longest_read / 64);
    const std::size_t room = std::min(capacity - content.size, longest_read);
    const std::size_t got = read(content.bytes.get() + content.size, room);
    if (got == 0) return content;
    content.size += got;
    if (content.size > limit) return content;
  }
}

}  // namespace

FileContent read_file(const std::string& path, std::size_t expected, std::size_t limit) {
  FileContent out;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) {
    out.error = std::strerror(errno);
    return out;
  }
  // The reads are large, so a buffer of the C library would only mean one more copy.
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  if (is_gzipped(file.get())) {
    GzipReader reader(file.get());
    // Text is often a quarter as large when it is gzipped.
    out.content = read_all(std::min(4 * expected, longest_read), limit,
                           [&](char* to, std::size_t n) { return reader.read(to, n); });
    out.damaged = reader.damaged();
    return out;
  }
  errno = 0;
  out.content = read_all(expected, limit, [&](char* to, std::size_t n) { return std::fread(to, 1, n, file.get()); });
  if (std::ferror(file.get()) != 0) out.error = std::strerror(errno);
  return out;
}

}  // namespace judicious
