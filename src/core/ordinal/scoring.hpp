// Scoring steps to the root of an adjusted score, given any type with
//   bool evaluate(const VectorXd& at)     score and expected information; false if singular
//   const VectorXd& score() const         of the last evaluated point
//   void solve(VectorXd& v) const         information^-1 v, in place
//   double log_likelihood() const
//   double longest_step(at, step) const   the largest multiple of step that stays inside the domain
#pragma once
#include <algorithm>

#include "execution/interrupt.hpp"
#include "newton.hpp"

namespace judicious::ordinal {

// Iterates until score' information^-1 score is below the tolerance; `at` is the start and the
// result.
template <typename AdjustedScore>
NewtonReport solve_adjusted(AdjustedScore& f, Eigen::VectorXd& at, const NewtonOptions& options) {
  NewtonReport report;
  Eigen::VectorXd step;
  report.status = f.evaluate(at) ? Status::iteration_limit : Status::singular;
  while (report.status == Status::iteration_limit) {
    check_interrupt();
    step = f.score();
    f.solve(step);
    report.last_step = step;
    report.decrement = f.score().dot(step);
    report.max_gradient = f.score().cwiseAbs().maxCoeff();
    if (!(report.decrement > options.tolerance)) {
      report.status = Status::converged;
      break;
    }
    if (report.iterations++ >= options.max_iterations) break;
    // The adjusted score is not the gradient of a function, so a step is accepted if it reduces the
    // size of the score. Far from the root, no step may do so: after some halvings, a short step is
    // taken anyway.
    double length = std::min(1.0, 0.9 * f.longest_step(at, step));
    const Eigen::VectorXd from = at;
    const double before = report.decrement;
    for (int h = 0;; ++h, length /= 2) {
      at = from + length * step;
      const bool fine = f.evaluate(at);
      if (fine) {
        Eigen::VectorXd next = f.score();
        f.solve(next);
        if (f.score().dot(next) < before || h >= 5) break;
      } else if (h >= options.max_halvings) {
        report.status = Status::singular;
        break;
      }
      ++report.halvings;
    }
  }
  report.value = f.log_likelihood();
  return report;
}

}  // namespace judicious::ordinal
