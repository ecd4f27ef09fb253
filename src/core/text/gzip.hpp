// Reads gzipped files (RFC 1952) with all their members, whose checksums and lengths are verified.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace judicious {

// The CRC-32 checksum of RFC 1952.
std::uint32_t crc32(std::string_view bytes);

// Whether zlib data (RFC 1950) expand to more than `limit` bytes. The unpacked bytes are not kept.
bool unpacks_beyond(std::string_view packed, std::size_t limit);

// Whether a file that was just opened is gzipped. The position in the file is at its start afterwards.
bool is_gzipped(std::FILE* file);

// Decompresses a file while it is read. The file must stay open.
class GzipReader {
 public:
  explicit GzipReader(std::FILE* file);
  ~GzipReader();

  // Reads up to `size` bytes, and returns their number; 0 at the end, and if the file is damaged.
  std::size_t read(char* to, std::size_t size);

  // Whether a part of the file is not gzipped, is changed, or is missing at the end.
  bool damaged() const { return damaged_; }

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  bool damaged_ = false;
};

}  // namespace judicious
