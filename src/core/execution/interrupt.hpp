// Interrupts of long computations, independent of R: the caller sets a function for its own thread.
// The core calls it from time to time, and an exception that it throws ends the computation. Worker
// threads have no such function, because they must not call back.
#pragma once
#include <cstddef>

namespace judicious {

using InterruptFunction = void (*)();
inline thread_local InterruptFunction interrupt_function = nullptr;

inline void check_interrupt() {
  if (interrupt_function != nullptr) interrupt_function();
}

// For loops of short rounds: checks in one of `every` rounds.
inline void check_interrupt_at(std::size_t round, std::size_t every) {
  if (round % every == every - 1) check_interrupt();
}

}  // namespace judicious
