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
  // Numbers of the kept columns and of the thresholds that have no finite estimate.
  std::vector<Eigen::Index> slopes, thresholds;
};

// d separates where, for every j, x'd of all rows in category j is at most x'd of all rows in
// category j + 1; completely where it is always less. Such d form a cone K. With c the sum of the
// differences of adjacent categories' means, c'd > 0 for every d in K but 0 (the columns have full
// rank), so K = {0} exactly if the projection of c on K is 0. The projection is the residual of the
// non-negative least-squares problem min |c + A'y|, y >= 0, where A holds the differences of
// adjacent categories' rows (Moreau); Lawson and Hanson's active-set method (Solving Least Squares
// Problems, 1974, ch. 23) finds it in finitely many steps, and needs of A only the row most
// violated by the present residual: one pass over the data.
SeparationReport find_separation(const PomData& data);

}  // namespace judicious::ordinal
