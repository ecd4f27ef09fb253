// What a user can set, and how a fit can end.
#pragma once

namespace judicious::ordinal {

enum class Status {
  converged,
  iteration_limit,  // max_iterations reached with the decrement above the tolerance
  stalled,          // no step of the line search increased the value, far from a maximum
  singular          // the information is not positive definite
};

struct NewtonOptions {
  int max_iterations = 100;
  // Stop when g' H^-1 g, the squared distance to the maximum in standard errors, is below this.
  double tolerance = 1e-16;
  double armijo = 1e-4;
  int max_halvings = 40;
};

struct PomOptions {
  NewtonOptions newton;
  int num_threads = 1;
  // A column whose part not explained by the columns before it is this small is aliased.
  double rank_tolerance = 1e-7;
};

}  // namespace judicious::ordinal
