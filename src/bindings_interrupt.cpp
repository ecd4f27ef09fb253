#include <Rcpp.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <chrono>
#include <csignal>

#include "execution/interrupt.hpp"

namespace {

// The R function that updates a progress bar; long computations call it from time to time.
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

// The thread that loads the package is R's main thread. From now on, its computations check for interrupts: the
// exception of checkUserInterrupt() leaves the core, and Rcpp's wrapper converts it to R's interrupt.
// [[Rcpp::init]]
void set_interrupt_function(DllInfo* dll) {
  static_cast<void>(dll);
  judicious::interrupt_function = [] {
    Rcpp::checkUserInterrupt();
    pulse();
  };
}

// NULL removes the function. The caller must protect the function from garbage collection.
// [[Rcpp::export(rng = false)]]
void set_pulse_cpp(SEXP step) { pulse_function = Rf_isFunction(step) ? step : nullptr; }

// Makes this process, which is a fork, end silently at a fault such as a segmentation fault. R's own handlers would
// delete the temporary folder, which belongs to the parent process.
// [[Rcpp::export(rng = false)]]
void end_at_faults_cpp() {
#ifndef _WIN32
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL}) std::signal(fault, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
#endif
}
