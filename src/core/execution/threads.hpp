// Starts threads, as many as the system gives.
#pragma once
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace judicious {

// Up to `n` threads that run `work`: fewer, even none, where the system gives no more. A thread
// that could not be started must not end the program, as the destructor of those already running
// would.
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
