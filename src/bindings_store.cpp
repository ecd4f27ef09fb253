#include <Rcpp.h>
#include <sys/stat.h>

#include <string>

// The device and the number of a file, by which the operating system tells it from another of the
// same name; empty where there is none. Windows keeps an open file from being moved or removed, and
// has no such numbers: 0 there.
// [[Rcpp::export(rng = false)]]
std::string file_identity_cpp(std::string path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return "";
  return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
}
