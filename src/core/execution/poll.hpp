// Long computations ask now and then whether they are still wanted. The core knows nothing of R: who
// calls it sets the function for its own thread, and what that throws ends the computation. Worker
// threads, which must not call back, have none.
#pragma once
#include <cstddef>

namespace judicious {

using PollFunction = void (*)();
inline thread_local PollFunction poll_function = nullptr;

inline void poll() {
  if (poll_function != nullptr) poll_function();
}

// For loops whose rounds are short: asks at every `every`-th of them.
inline void poll_at(std::size_t round, std::size_t every) {
  if (round % every == every - 1) poll();
}

}  // namespace judicious
