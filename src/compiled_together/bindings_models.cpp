// The bindings with matrices of Eigen, and the functions that R calls. They are separate from the others, because
// compiling all together would take more than a gigabyte of memory. They are compiled for size, as in bindings.cpp.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif

#include "../bindings_cumulative_link.cpp"
#include "../bindings_draws.cpp"
#include "../bindings_joint.cpp"
#include "../bindings_mixed.cpp"
#include "../bindings_ordinal.cpp"
#include "../bindings_ranks.cpp"
// Included last, because it uses the whole namespace of Rcpp.
// clang-format off
#include "../RcppExports.cpp"
// clang-format on
