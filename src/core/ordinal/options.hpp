// Settings of the user, and the possible outcomes of a fit.
#pragma once
#include <vector>

#include "link.hpp"

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
  // The longest step of any parameter. On columns of unit spread, 30 spans the distribution from one tail to the other.
  double reach = 30;
};

enum class Method { maximum_likelihood, bias_reduced };

struct PomOptions {
  LinkPointer link = link_named("logit");
  Method method = Method::maximum_likelihood;
  // Half of this times the squared slopes of the columns scaled to variance 1 is subtracted.
  double penalty = 0;
  NewtonOptions newton;
  int num_threads = 1;
  // A column is aliased if its part not explained by the previous columns is at most this.
  double rank_tolerance = 1e-7;
  // The start: thresholds and slopes of all columns on the user's scale. If empty, the engine selects it.
  std::vector<double> start;
};

}  // namespace judicious::ordinal
