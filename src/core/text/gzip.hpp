// Compares a decompressed text with the checksum and the length at the end of its gzip file.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace judicious {

// The checksum of RFC 1952.
std::uint32_t crc32(std::string_view bytes);

// Whether the last eight bytes of the gzip file match the text: the checksum and the length of its
// last member. A truncated file ends in other bytes.
bool gzip_holds(const std::string& path, std::string_view text);

}  // namespace judicious
