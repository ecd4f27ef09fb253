// Finds the columns of a design that are constant or linear combinations of the previous ones.
#pragma once
#include "data.hpp"

namespace judicious::ordinal {

// Weighted mean and standard deviation of a column of the input. False if the column is constant up
// to rounding.
bool center_and_scale(const double* x, Eigen::Index n, const double* weight, double total,
                      double& center, double& scale);

// True if the Gram matrix shows, without a closer check, that no column is explained by others.
bool clearly_independent(const PomData& data);

// Keeps the columns of data.x that the previous ones do not explain (residual norm above
// `tolerance` times the norm of the column) and moves the others to data.aliased.
void drop_explained_columns(PomData& data, double tolerance);

}  // namespace judicious::ordinal
