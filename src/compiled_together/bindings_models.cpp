// The bindings with matrices of Eigen, and the functions that R calls: with the others, the
// compiler would need more than a gigabyte of memory. Small before fast, as in bindings.cpp.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif

#include "../bindings_cumulative_link.cpp"
#include "../bindings_draws.cpp"
#include "../bindings_joint.cpp"
#include "../bindings_mixed.cpp"
#include "../bindings_ordinal.cpp"
#include "../bindings_ranks.cpp"
// Last, since it uses the whole namespace of Rcpp.
// clang-format off
#include "../RcppExports.cpp"
// clang-format on
