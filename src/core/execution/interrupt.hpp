// Interrupts of long computations, independent of R. The caller sets a function for its thread, which the core calls
// from time to time; an exception that the function throws ends the computation. Worker threads have no such function,
// because R must not be called from them.
#pragma once
#include <cstddef>

namespace judicious {

using InterruptFunction = void (*)();
inline thread_local InterruptFunction interrupt_function = nullptr;

inline void check_interrupt() {
  if (interrupt_function != nullptr) interrupt_function();
}

// For loops with short iterations: checks for an interrupt once in `every` iterations.
inline void check_interrupt_at(std::size_t round, std::size_t every) {
  if (round % every == every - 1) check_interrupt();
}

}  // namespace judicious
