// Loops over several threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "execution/index.hpp"

namespace judicious {

// Starts up to `n` threads that run `work`; fewer, or none, if the system does not provide them. If a thread cannot be
// started, those that already run are returned, because destroying the object of a running thread would end the
// program.
template <typename Work>
std::vector<std::thread> start_threads(Index n, const Work& work) {
  std::vector<std::thread> out;
  out.reserve(n);
  try {
    while (length(out) < n) out.emplace_back(work);
  } catch (const std::system_error&) {
  }
  return out;
}

// Calls f(0), ..., f(n - 1) on several threads in any order. The calling thread is one of them. An exception in a
// worker thread is rethrown here.
template <typename F>
void parallel_for(Index n, int num_threads, F&& f) {
  const Index n_threads = std::min<Index>(num_threads, n);
  if (n_threads <= 1) {
    for (Index i = 0; i < n; ++i) f(i);
    return;
  }
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (Index i = next++; i < n; i = next++) f(i);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      failure = std::current_exception();
      next = n;  // no further items are started; the other threads end after their current item
    }
  };
  std::vector<std::thread> workers = start_threads(n_threads - 1, work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace judicious
