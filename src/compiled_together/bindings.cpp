// All files that include Rcpp, but not Eigen.

// Bindings only convert and call, so a small library matters more than fast loops. With this option, GCC makes the
// bindings a third smaller. Makevars links them last, so that instances of the core's templates come from the core's
// own object files.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif

#include "../bindings_bytes.cpp"
#include "../bindings_collection.cpp"
#include "../bindings_concordance.cpp"
#include "../bindings_estimates.cpp"
#include "../bindings_features.cpp"
#include "../bindings_independent.cpp"
#include "../bindings_interrupt.cpp"
#include "../bindings_measure.cpp"
#include "../bindings_preference.cpp"
#include "../bindings_stats.cpp"
#include "../bindings_store.cpp"
#include "../bindings_text.cpp"
