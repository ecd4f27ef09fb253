#include "text/files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include "execution/interrupt.hpp"
#include "text/gzip.hpp"

namespace judicious {
namespace {

// The largest number of bytes to read between two checks for an interrupt.
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
  // One byte more than expected is requested, because only this shows the end of a file of the expected size.
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
  // The buffer of the C library is switched off: reads are large, so it would only add a copy.
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  if (is_gzipped(file.get())) {
    GzipReader reader(file.get());
    // Gzipped text often has a quarter of its size.
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

namespace {

int synced(std::FILE* file) {
#ifdef _WIN32
  return _commit(_fileno(file));
#else
  const int status = fsync(fileno(file));
  // Devices and pipes cannot be synchronised.
  return status != 0 && (errno == EINVAL || errno == ENOTSUP) ? 0 : status;
#endif
}

// Flushes, synchronises and closes the file; returns the system's error message, or an empty text.
std::string close_file(std::FILE* file, bool fine) {
  fine = fine && std::fflush(file) == 0 && synced(file) == 0;
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (fine && closed) return "";
  return std::strerror(fine ? errno : error);
}

// Without the buffer of the C library, the bytes are passed to the system at once.
std::string put_bytes(const std::string& path, std::string_view bytes, const char* mode) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (file == nullptr) return std::strerror(errno);
  std::setvbuf(file, nullptr, _IONBF, 0);
  return close_file(file, std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
}

}  // namespace

std::string write_bytes(const std::string& path, std::string_view bytes) { return put_bytes(path, bytes, "wb"); }

std::string append_bytes(const std::string& path, std::string_view bytes) { return put_bytes(path, bytes, "ab"); }

std::string sync_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb+");
  return file == nullptr ? std::strerror(errno) : close_file(file, true);
}

std::string write_standard_output(std::string_view bytes) {
#ifndef _WIN32
  // Ignores the signal that the system would send if the pipe is closed, on which R would jump out of this function;
  // write() then returns an error.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
#endif
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const auto written = write(1, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 20));
    if (written > 0) bytes.remove_prefix(written);
    if (written < 0 && errno != EINTR) error = errno;
  }
#ifndef _WIN32
  std::signal(SIGPIPE, before);
#endif
  return error == 0 ? "" : error == EPIPE ? "closed" : std::strerror(error);
}

bool is_regular_file(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_IFMT) == S_IFREG;
}

}  // namespace judicious
