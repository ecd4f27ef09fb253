// Types in the signatures of exported functions. Rcpp includes this file, by its name, in
// RcppExports.cpp.
#pragma once

#include "text/table.hpp"

using judicious::TableRoom;
