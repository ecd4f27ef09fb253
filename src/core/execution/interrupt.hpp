// Long computations ask now and then whether they are still wanted. The core knows nothing of R: who
// calls it sets the function for its own thread, and what that throws ends the computation. Worker
// threads, which must not call back, have none.
#pragma once
#include <cstddef>

namespace judicious {

using InterruptFunction = void (*)();
inline thread_local InterruptFunction interrupt_function = nullptr;

inline void check_interrupt() {
  if (interrupt_function != nullptr) interrupt_function();
}

// For loops whose rounds are short: asks at every `every`-th of them.
inline void check_interrupt_at(std::size_t round, std::size_t every) {
  if (round % every == every - 1) check_interrupt();
}

}  // namespace judicious
