// Calls f(0), ..., f(n - 1), or f(i, worker) with the number of the thread (from 0), on several
// threads in any order. The calling thread is one of them. Rethrows an exception of a worker.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <type_traits>
#include <vector>

#include "execution/threads.hpp"

namespace judicious {

// The number of threads that work on n items.
inline std::size_t n_workers(std::size_t n, int num_threads) {
  return std::min(static_cast<std::size_t>(std::max(num_threads, 1)), n);
}

template <typename F>
void parallel_for(std::size_t n, int num_threads, F&& f) {
  const auto item = [&](std::size_t i, std::size_t worker) {
    if constexpr (std::is_invocable_v<F, std::size_t, std::size_t>) {
      f(i, worker);
    } else {
      f(i);
    }
  };
  const std::size_t n_threads = n_workers(n, num_threads);
  if (n_threads <= 1) {
    for (std::size_t i = 0; i < n; ++i) item(i, 0);
    return;
  }
  std::atomic<std::size_t> next{0}, started{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    const std::size_t worker = started++;
    try {
      for (std::size_t i = next++; i < n; i = next++) item(i, worker);
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
