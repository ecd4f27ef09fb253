// Everything that includes Rcpp.
#include "../bindings_collection.cpp"
#include "../bindings_concordance.cpp"
#include "../bindings_cumulative_link.cpp"
#include "../bindings_draws.cpp"
#include "../bindings_estimates.cpp"
#include "../bindings_features.cpp"
#include "../bindings_independent.cpp"
#include "../bindings_interrupt.cpp"
#include "../bindings_joint.cpp"
#include "../bindings_measure.cpp"
#include "../bindings_mixed.cpp"
#include "../bindings_ordinal.cpp"
#include "../bindings_preference.cpp"
#include "../bindings_stats.cpp"
#include "../bindings_store.cpp"
#include "../bindings_text.cpp"
// Last, since it uses the whole namespace of Rcpp.
// clang-format off
#include "../RcppExports.cpp"
// clang-format on
