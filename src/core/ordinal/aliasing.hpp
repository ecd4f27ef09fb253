// Which columns of a design are constant or explained by those before them.
#pragma once
#include "data.hpp"

namespace judicious::ordinal {

// Weighted mean and standard deviation of a column of the caller's. False where it is constant up
// to rounding.
bool center_and_scale(const double* x, Eigen::Index n, const double* weight, double total,
                      double& center, double& scale);

// True where a quick look at the Gram matrix leaves no doubt that no column is explained by others.
bool clearly_independent(const PomData& data);

// Keeps the columns of data.x that the ones before them leave unexplained (residual norm above
// `tolerance` times the column's) and moves the others to data.aliased.
void drop_explained_columns(PomData& data, double tolerance);

}  // namespace judicious::ordinal
