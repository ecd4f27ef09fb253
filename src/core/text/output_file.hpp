// Writes files and returns only when their bytes are on the disk.
#pragma once
#include <string>
#include <string_view>

namespace judicious {

// Each returns the system's error message, or an empty text on success.
std::string write_bytes(const std::string& path, std::string_view bytes);
std::string sync_file(const std::string& path);
// Past the buffers of the C library, whose errors come too late; "closed" where the reader of a
// pipe has gone.
std::string write_standard_output(std::string_view bytes);

// Neither a folder, nor a device, nor a pipe.
bool is_regular_file(const std::string& path);

}  // namespace judicious
