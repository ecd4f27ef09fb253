// Writes files and returns only when their bytes are on the disk.
#pragma once
#include <string>
#include <string_view>

namespace judicious {

// Each returns the system's error message, or an empty text on success.
std::string write_bytes(const std::string& path, std::string_view bytes);
std::string sync_file(const std::string& path);
// Bypasses the buffers of the C library, which would report errors too late; "closed" if the reader
// of a pipe has ended.
std::string write_standard_output(std::string_view bytes);

// Whether the path is neither a folder, nor a device, nor a pipe.
bool is_regular_file(const std::string& path);

}  // namespace judicious
