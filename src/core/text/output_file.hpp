// Bytes that must reach the disk.
#pragma once
#include <string>
#include <string_view>

namespace judicious {

// Each returns what the system says is wrong; empty where all went well.
std::string write_bytes(const std::string& path, std::string_view bytes);
std::string sync_file(const std::string& path);
std::string flush_standard_output();

// Neither a folder, nor a device, nor a pipe.
bool is_regular_file(const std::string& path);

}  // namespace judicious
