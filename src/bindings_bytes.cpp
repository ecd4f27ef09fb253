#include <cstdio>
#include <limits>

#include "r_convert.h"
#include "text/files.hpp"
#include "text/gzip.hpp"

using namespace judicious;

// Reads a file, plain or gzipped. If the content has more than `limit` bytes, reading stops soon after the limit, and
// the result is longer than `limit`, so that the caller notices. Returns the system's error message if the file cannot
// be read, and NULL if it is damaged.
// [[Rcpp::export(rng = false)]]
SEXP read_file_cpp(std::string path, double expected, double limit) {
  constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
  FileContent read = read_file(path, expected, limit < 1e18 ? static_cast<std::size_t>(limit) : no_limit);
  if (read.damaged) return R_NilValue;
  if (!read.error.empty()) return Rcpp::wrap(read.error);
  const std::string_view bytes = read.content.text();
  return Rcpp::RawVector(bytes.begin(), bytes.end());
}

// The CRC-32 checksum of RFC 1952, in hexadecimal digits.
// [[Rcpp::export(rng = false)]]
std::string checksum_cpp(Rcpp::RawVector bytes) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(crc32(text_of(bytes))));
  return digits;
}

// [[Rcpp::export(rng = false)]]
bool unpacks_beyond_cpp(Rcpp::RawVector packed, double limit) {
  return unpacks_beyond(text_of(packed), static_cast<std::size_t>(limit));
}

// [[Rcpp::export(rng = false)]]
std::string write_bytes_cpp(std::string path, Rcpp::RawVector bytes) { return write_bytes(path, text_of(bytes)); }

// [[Rcpp::export(rng = false)]]
std::string append_bytes_cpp(std::string path, Rcpp::RawVector bytes) { return append_bytes(path, text_of(bytes)); }

// [[Rcpp::export(rng = false)]]
std::string sync_file_cpp(std::string path) { return sync_file(path); }

// [[Rcpp::export(rng = false)]]
std::string write_standard_output_cpp(Rcpp::RawVector bytes) { return write_standard_output(text_of(bytes)); }

// [[Rcpp::export(rng = false)]]
bool is_regular_file_cpp(std::string path) { return is_regular_file(path); }
