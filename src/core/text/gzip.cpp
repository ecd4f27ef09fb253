#include "text/gzip.hpp"

#include <array>
#include <cstdio>

namespace judicious {
namespace {

std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = (value & 1) != 0 ? (value >> 1) ^ 0xEDB88320U : value >> 1;
    table[i] = value;
  }
  return table;
}

std::uint32_t little_endian(const unsigned char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | bytes[i];
  return value;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = crc_table();
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char c : bytes)
    value = table[(value ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (value >> 8);
  return ~value;
}

bool gzip_holds(const std::string& path, std::string_view text) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  unsigned char trailer[8];
  const bool read = std::fseek(file, -8, SEEK_END) == 0 && std::fread(trailer, 1, 8, file) == 8;
  std::fclose(file);
  if (!read) return false;
  // The length is given modulo 2^32, so a longer member is compared as if it were the whole text.
  const std::size_t length = little_endian(trailer + 4);
  if (text.size() < length) return false;
  const std::uint32_t stated = little_endian(trailer);
  if (crc32(text.substr(text.size() - length)) == stated) return true;
  return text.size() > length && (text.size() & 0xFFFFFFFFU) == length && crc32(text) == stated;
}

}  // namespace judicious
