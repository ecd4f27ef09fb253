// Starts as many threads as the system provides.
#pragma once
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace judicious {

// Starts up to `n` threads that run `work`, or fewer, even none, if the system provides no more. If
// a thread cannot be started, those already running must be kept, because the destructor of a
// running thread would end the program.
template <typename Work>
std::vector<std::thread> start_threads(std::size_t n, const Work& work) {
  std::vector<std::thread> out;
  out.reserve(n);
  try {
    while (out.size() < n) out.emplace_back(work);
  } catch (const std::system_error&) {
  }
  return out;
}

}  // namespace judicious
