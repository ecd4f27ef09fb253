// Whether an ordered response is separated: whether a direction d of the slopes exists along which
// no observation becomes less likely, so that the likelihood has no maximum at finite slopes.
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

// Whether d violates a row of C, C d >= 0, and the one that it violates most.
using MostViolated = std::function<bool(const Eigen::VectorXd& d, Eigen::VectorXd& row)>;

// The projection of `target` on the cone {d: C d >= 0}: the residual of min |target + C'y|, y >= 0 (Moreau), by the
// active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, ch. 23) in finitely many steps.
Eigen::VectorXd project_on_cone(const Eigen::VectorXd& target, const MostViolated& most_violated);

// d separates if, for every j, x'd of all rows in category j is at most x'd of all rows in category j + 1; completely
// if it is always less. Such d form a cone K. Let c be the sum of the differences of the means of adjacent categories.
// Then c'd > 0 for every nonzero d in K (the columns have full rank), so K = {0} exactly if the projection of c on K is
// 0. The rows of C are the differences of rows of adjacent categories; finding the one that is violated most is one
// pass over the data.
SeparationReport find_separation(const PomData& data);

}  // namespace judicious::ordinal
