#include <Rcpp.h>

#include "execution/interrupt.hpp"

// The thread that loads the package is R's own: its computations check for interrupts from now on.
// The exception of checkUserInterrupt() unwinds the core, and Rcpp's wrapper turns it into R's
// interrupt.
// [[Rcpp::init]]
void set_interrupt_function(DllInfo* dll) {
  static_cast<void>(dll);
  judicious::interrupt_function = [] { Rcpp::checkUserInterrupt(); };
}
