// Whether an ordered response is separated: whether a direction d of the slopes exists along which
// no observation becomes less likely, so that the likelihood has no maximum at finite slopes.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "data.hpp"

namespace judicious::ordinal {

enum class Separation { none, quasi_complete, complete };

struct SeparationReport {
  Separation kind = Separation::none;
  // Indices of the kept columns and of the thresholds that have no finite estimate.
  std::vector<Eigen::Index> slopes, thresholds;
};

// d separates if, for every j, x'd of all rows in category j is at most x'd of all rows in category j + 1; completely
// if it is always less. Such d form a cone K. Let c be the sum of the differences of the means of adjacent categories.
// Then c'd > 0 for every nonzero d in K (the columns have full rank), so K = {0} exactly if the projection of c on K is
// 0. The projection is the residual of the nonnegative least-squares problem min |c + A'y|, y >= 0, where A holds the
// differences of rows of adjacent categories (Moreau). The active-set method of Lawson and Hanson (Solving Least
// Squares Problems, 1974, ch. 23) solves it in finitely many steps. Of A, it needs only the row that the current
// residual violates most: one pass over the data.
SeparationReport find_separation(const PomData& data);

}  // namespace judicious::ordinal
