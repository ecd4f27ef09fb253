#include <Rcpp.h>

#include "execution/interrupt.hpp"

// The thread that loads the package is R's: from now on its computations look for interrupts. What
// checkUserInterrupt() throws unwinds the core and becomes R's interrupt in Rcpp's wrapper.
// [[Rcpp::init]]
void poll_for_interrupts(DllInfo* dll) {
  static_cast<void>(dll);
  judicious::interrupt_function = [] { Rcpp::checkUserInterrupt(); };
}
