#include <Rcpp.h>

#include <chrono>

#include "execution/interrupt.hpp"

namespace {

// The R function that a long computation calls from time to time, to update a progress bar.
SEXP pulse_function = nullptr;

void pulse() {
  using clock = std::chrono::steady_clock;
  static clock::time_point last;
  if (pulse_function == nullptr) return;
  const clock::time_point now = clock::now();
  if (now - last < std::chrono::milliseconds(200)) return;
  last = now;
  Rcpp::Function{pulse_function}();
}

}  // namespace

// The thread that loads the package is R's own. Its computations check for interrupts from now on:
// the exception of checkUserInterrupt() unwinds the core, and Rcpp's wrapper converts it to R's
// interrupt.
// [[Rcpp::init]]
void set_interrupt_function(DllInfo* dll) {
  static_cast<void>(dll);
  judicious::interrupt_function = [] {
    Rcpp::checkUserInterrupt();
    pulse();
  };
}

// NULL removes the function. The caller must protect it from garbage collection.
// [[Rcpp::export(rng = false)]]
void set_pulse_cpp(SEXP step) { pulse_function = Rf_isFunction(step) ? step : nullptr; }
