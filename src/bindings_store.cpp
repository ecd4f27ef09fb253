#include <Rcpp.h>
#include <sys/stat.h>

#include <string>
#include <vector>

// The device and the inode of a file, which distinguish it from another file of the same name, and
// the number of its names; empty and 0 if there is no file. Windows does not permit to move or
// remove an open file, and has no such numbers: 0 there.
// [[Rcpp::export(rng = false)]]
std::vector<std::string> file_identity_cpp(std::string path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {"", "0"};
  return {std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino), std::to_string(found.st_nlink)};
}
