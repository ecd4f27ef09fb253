// Checks whether an ordered response is separated: whether there is a direction d of the slopes along which no
// observation becomes less likely, so that the likelihood has no maximum at finite slopes.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "data.hpp"

namespace judicious::ordinal {

enum class Separation { none, quasi_complete, complete };

struct SeparationReport {
  Separation kind = Separation::none;
  // Indices of the kept columns and of the thresholds that have no finite estimate.
  std::vector<Eigen::Index> slopes, thresholds;
};

// Returns whether d violates the condition C d >= 0 for a row of C, and sets `row` to the row for which it does so
// most.
using MostViolated = std::function<bool(const Eigen::VectorXd& d, Eigen::VectorXd& row)>;

// The projection of `target` on the cone {d: C d >= 0}: the residual of min |target + C'y|, y >= 0 (Moreau), by the
// active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, ch. 23) in finitely many steps.
Eigen::VectorXd project_on_cone(const Eigen::VectorXd& target, const MostViolated& most_violated);

// d separates the data if, for every j, x'd of all rows in category j is at most x'd of all rows in category j + 1; the
// separation is complete if it is always less. These d form a cone K. Let c be the sum of the differences of the means
// of adjacent categories. Then c'd > 0 for every nonzero d in K (the columns have full rank), so K = {0} if and only if
// the projection of c on K is 0. The rows of C are the differences of rows of adjacent categories; one pass over the
// data finds the row that is violated most.
SeparationReport find_separation(const PomData& data);

}  // namespace judicious::ordinal
