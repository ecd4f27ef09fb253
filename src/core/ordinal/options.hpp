// Settings of the user, and the status of a fit.
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
  // The largest change of any parameter in a step after its full length has failed. For columns of unit spread, 30
  // leads from one tail of the distribution to the other.
  double reach = 30;
};

enum class Method { maximum_likelihood, bias_reduced };

struct PomOptions {
  LinkPointer link = link_named("logit");
  Method method = Method::maximum_likelihood;
  // The weight of a ridge penalty: half of it times the squared slopes, for columns scaled to variance 1, is
  // subtracted.
  double penalty = 0;
  NewtonOptions newton;
  int num_threads = 1;
  // A column is aliased if the previous columns explain it except for at most this share of its norm.
  double rank_tolerance = 1e-7;
  // The start: thresholds and slopes of all columns on the user's scale. If empty, a start is computed.
  std::vector<double> start;
};

}  // namespace judicious::ordinal
