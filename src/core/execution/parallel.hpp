// Calls f(0), ..., f(n - 1) on several threads in any order. The calling thread is one of them.
// Rethrows an exception of a worker.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "execution/threads.hpp"

namespace judicious {

template <typename F>
void parallel_for(std::size_t n, int num_threads, F&& f) {
  const std::size_t n_threads = std::min(static_cast<std::size_t>(std::max(num_threads, 1)), n);
  if (n_threads <= 1) {
    for (std::size_t i = 0; i < n; ++i) f(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < n; i = next++) f(i);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      failure = std::current_exception();
      next = n;  // the others end after the item that they are working on
    }
  };
  std::vector<std::thread> workers = start_threads(n_threads - 1, work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace judicious
