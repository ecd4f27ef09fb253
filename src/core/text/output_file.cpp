#include "text/output_file.hpp"

#include <sys/stat.h>

#include <cerrno>
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
  // Devices and pipes have nothing to synchronise.
  return status != 0 && (errno == EINVAL || errno == ENOTSUP) ? 0 : status;
#endif
}

// Closes the file too.
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

std::string flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return "";
  return std::strerror(errno != 0 ? errno : EIO);
}

bool is_regular_file(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_IFMT) == S_IFREG;
}

}  // namespace judicious
