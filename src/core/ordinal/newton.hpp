// Damped Newton's method for a concave function, given any type with
//   double evaluate(const VectorXd& x)   value at x, keeping gradient and Hessian there
//   const VectorXd& gradient() const     of the last evaluated point
//   bool newton_step(VectorXd& step)     -Hessian^-1 gradient there; false if it is singular
//   double longest_step(x, step) const   the largest multiple of step that stays inside the domain
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "execution/interrupt.hpp"
#include "options.hpp"

namespace judicious::ordinal {

struct NewtonReport {
  Status status = Status::iteration_limit;
  int iterations = 0;
  int halvings = 0;
  double value = 0;
  double decrement = std::numeric_limits<double>::infinity();  // g' H^-1 g at the last point
  double max_gradient = 0;
  Eigen::VectorXd last_step;  // the Newton step at the last point, which estimates the remaining error
};

template <typename Function>
NewtonReport maximise(Function& f, Eigen::VectorXd& x, const NewtonOptions& options) {
  NewtonReport report;
  Eigen::VectorXd step(x.size()), trial(x.size());
  double value = f.evaluate(x);
  const auto noise = [](double v) { return 64 * std::numeric_limits<double>::epsilon() * std::fabs(v); };
  constexpr double many = 1000;  // a sum over many rows has more rounding error than noise()
  for (;; ++report.iterations) {
    check_interrupt();
    report.value = value;
    report.max_gradient = x.size() ? f.gradient().cwiseAbs().maxCoeff() : 0;
    if (!f.newton_step(step)) {
      report.status = Status::singular;
      break;
    }
    report.last_step = step;
    const double before = report.decrement;
    report.decrement = std::max(0.0, f.gradient().dot(step));
    // Once the expected increase is below the rounding error of the value, only the gradient shows progress. Full steps
    // are made until the gradient has reached its rounding error, too.
    const bool fine = report.decrement < noise(value);
    if (!(report.decrement > options.tolerance) || (fine && before < noise(value) && report.decrement > before / 4)) {
      report.status = Status::converged;
      break;
    }
    if (report.iterations >= options.max_iterations) break;
    // A step goes at most 0.9 of the way to the edge of the domain. Armijo's rule then allows for the rounding error of
    // the value, because near the maximum no step can increase the value by more than that. If a step fails, it is
    // first shortened to `reach`: without curvature, a step has the right direction but is extremely long.
    const double size = step.size() ? step.cwiseAbs().maxCoeff() : 0;
    double length = std::min(1.0, 0.9 * f.longest_step(x, step));
    bool accepted = false;
    for (int h = 0; h <= options.max_halvings; ++h) {
      trial = x + length * step;
      const double tried = f.evaluate(trial);
      const double least =
          fine ? value - many * noise(value) : value + options.armijo * length * report.decrement - noise(value);
      if (tried >= least) {
        value = tried;
        accepted = true;
        break;
      }
      ++report.halvings;
      length = std::min(length / 2, options.reach / size);
    }
    if (!accepted) {
      f.evaluate(x);
      report.status = Status::stalled;
      break;
    }
    x = trial;
  }
  return report;
}

}  // namespace judicious::ordinal
