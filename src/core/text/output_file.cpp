#include "text/output_file.hpp"

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

namespace judicious {
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

// Also closes the file.
std::string finish(std::FILE* file, bool fine) {
  fine = fine && std::fflush(file) == 0 && synced(file) == 0;
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (fine && closed) return "";
  return std::strerror(fine ? errno : error);
}

}  // namespace

std::string write_bytes(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return std::strerror(errno);
  return finish(file, std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
}

std::string sync_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb+");
  return file == nullptr ? std::strerror(errno) : finish(file, true);
}

std::string write_standard_output(std::string_view bytes) {
#ifndef _WIN32
  // A closed pipe must be an error of write() here, rather than a signal, to which R would react with a jump.
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
