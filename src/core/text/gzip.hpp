// Checks a decompressed text against the checksum and the length that its gzip file states.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace judicious {

// The checksum of RFC 1952.
std::uint32_t crc32(std::string_view bytes);

// Whether the text ends as the gzip file says in its last eight bytes: the checksum and the length
// of its last member. A file that was cut off ends in other bytes.
bool gzip_holds(const std::string& path, std::string_view text);

}  // namespace judicious
