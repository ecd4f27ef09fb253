// Finds the columns of a design that are constant or linear combinations of the previous ones.
#pragma once
#include "data.hpp"

namespace judicious::ordinal {

// Keeps the columns of data.x that the previous ones do not explain (residual norm above
// `tolerance` times the norm of the column) and moves the others to data.aliased.
void drop_explained_columns(PomData& data, double tolerance);

}  // namespace judicious::ordinal
