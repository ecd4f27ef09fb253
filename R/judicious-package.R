#' @keywords internal
"_PACKAGE"

#' @useDynLib judicious, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang caller_env current_env %||% .data
#' @import stats
NULL
