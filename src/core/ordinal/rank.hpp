// Which columns of a design are constant or explained by those before them.
#pragma once
#include "data.hpp"

namespace judicious::ordinal {

// Centres a column at its weighted mean and scales it to weighted variance 1, in place. False
// where it is constant up to rounding.
bool standardise(double* x, Eigen::Index n, const std::vector<double>& weight, double& center,
                 double& scale);

// Keeps those of the first `kept` columns of data.x that the ones before them leave unexplained
// (residual norm above `tolerance` times the column's) and moves the others to data.aliased.
void drop_explained_columns(PomData& data, Eigen::Index kept, double tolerance);

}  // namespace judicious::ordinal
