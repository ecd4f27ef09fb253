// Maximises by BFGS a function of any type with evaluate(x), gradient() at the point evaluated last, and
// longest_step(x, step) as in newton.hpp. Also computes its Hessian by central differences of the gradient.
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "execution/interrupt.hpp"
#include "options.hpp"

namespace judicious::ordinal {

struct QuasiNewtonReport {
  Status status = Status::iteration_limit;
  int iterations = 0;
  double value = 0;
  double decrement = std::numeric_limits<double>::infinity();
  Eigen::VectorXd gradient;
};

// Finds a step along `direction` that increases the value, at most 0.9 of the way to the edge of the domain; false if
// there is none. x and `value` become those after the step, at which f has been evaluated.
template <typename Function>
bool line_search(Function& f, Eigen::VectorXd& x, double& value, const Eigen::VectorXd& direction, double slope,
                 const NewtonOptions& options) {
  double length = std::min(1.0, 0.9 * f.longest_step(x, direction));
  const double noise = 256 * std::numeric_limits<double>::epsilon() * std::fabs(value);
  for (int h = 0; h <= options.max_halvings; ++h) {
    const Eigen::VectorXd trial = x + length * direction;
    const double tried = f.evaluate(trial);
    if (tried >= value + options.armijo * length * slope - noise) {
      x = trial;
      value = tried;
      return true;
    }
    // The maximum of the parabola through the known values, limited to the range from a tenth to half of the step.
    const double fall = value + length * slope - tried;
    const double best = std::isfinite(fall) ? 0.5 * slope * length * length / fall : 0;
    length = std::clamp(best, 0.1 * length, 0.5 * length);
  }
  f.evaluate(x);
  return false;
}

// Maximises, and updates `inverse`, an approximation of minus the inverse Hessian.
template <typename Function>
QuasiNewtonReport maximise_quasi_newton(Function& f, Eigen::VectorXd& x, Eigen::MatrixXd& inverse,
                                        const NewtonOptions& options) {
  QuasiNewtonReport report;
  report.value = f.evaluate(x);
  report.gradient = f.gradient();
  for (;; ++report.iterations) {
    check_interrupt();
    Eigen::VectorXd step = inverse * report.gradient;
    report.decrement = report.gradient.dot(step);
    if (std::fabs(report.decrement) <= options.tolerance) {
      report.status = Status::converged;
      break;
    }
    if (report.iterations >= options.max_iterations) break;
    const Eigen::VectorXd before = x, slope = report.gradient;
    if (!line_search(f, x, report.value, step, report.decrement, options)) {
      report.status = Status::stalled;
      break;
    }
    report.gradient = f.gradient();
    step = x - before;
    const Eigen::VectorXd change = slope - report.gradient;
    const double curvature = step.dot(change);
    // If the curvature along the step is not positive, an update would make `inverse` indefinite.
    if (curvature > 1e-12 * step.norm() * change.norm()) {
      const Eigen::VectorXd inverse_change = inverse * change;
      const double length = (1 + change.dot(inverse_change) / curvature) / curvature;
      inverse += length * step * step.transpose() -
                 (inverse_change * step.transpose() + step * inverse_change.transpose()) / curvature;
    }
  }
  return report;
}

// The Hessian. Column k comes from the difference of the gradients at x + width[k] and x - width[k]; the matrix is then
// made symmetric. NaN if these points are outside the domain. Finally evaluates f at x again.
template <typename Function>
Eigen::MatrixXd hessian_from_gradients(Function& f, const Eigen::VectorXd& x, const Eigen::VectorXd& width) {
  Eigen::MatrixXd out(x.size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    check_interrupt();
    Eigen::VectorXd at = x;
    const auto gradient_at = [&](double value) {
      at[k] = value;
      return std::isfinite(f.evaluate(at))
                 ? f.gradient()
                 : Eigen::VectorXd::Constant(x.size(), std::numeric_limits<double>::quiet_NaN());
    };
    const Eigen::VectorXd above = gradient_at(x[k] + width[k]);
    out.col(k) = (above - gradient_at(x[k] - width[k])) / (2 * width[k]);
  }
  f.evaluate(x);
  return 0.5 * (out + out.transpose());
}

}  // namespace judicious::ordinal
