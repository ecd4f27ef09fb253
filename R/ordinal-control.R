#' Control the fitting of ordinal models
#'
#' Sets the limits and tolerances of the fit, a ridge penalty, and the number of threads, for the argument `control` of
#' [pom()], [pom_mixed()] and [pom_fit()]. The defaults are suitable for nearly all data.
#'
#' @param max_iterations Maximum number of Newton iterations.
#' @param tolerance The fit has converged if the Newton decrement \eqn{g'H^{-1}g}{g'H^-1 g}, with the gradient \eqn{g}
#'   and the information \eqn{H}, is at most this number. The decrement approximates the squared distance to the
#'   maximum, in standard errors.
#' @param rank_tolerance A column is aliased if the thresholds and the columns before it leave at most this share of its
#'   norm unexplained.
#' @param penalty Ridge penalty, at least 0; 0 for none. Each slope is multiplied by the standard deviation of its
#'   column, and `penalty / 2` times the sum of their squares is subtracted from the log likelihood. A penalty requires
#'   the logit link with flexible thresholds and neither nominal, scale nor random effects.
#' @param num_threads Number of threads for the evaluation of the likelihood. It does not change the results.
#' @param batch_rows For data that are not in memory (see [pom()]): the largest number of distinct rows that are fitted
#'   at once, and the number of rows that are read from a database at a time.
#' @return A list of class `judicious_pom_control`.
#' @examples
#' pom_control(tolerance = 1e-20)
#' @export
pom_control <- function(max_iterations = 100, tolerance = 1e-16, rank_tolerance = 1e-7, penalty = 0, num_threads = 1,
                        batch_rows = 2^18) {
  check_count(max_iterations, "max_iterations")
  check_number(tolerance, "tolerance", 0, 1)
  check_number(rank_tolerance, "rank_tolerance", 0, 1)
  check_number(penalty, "penalty", 0)
  if (is.infinite(penalty)) abort_judicious("{.arg penalty} must be finite.", "argument", argument = "penalty")
  check_count(num_threads, "num_threads")
  check_count(batch_rows, "batch_rows")
  structure(list(
    max_iterations = max_iterations, tolerance = tolerance, rank_tolerance = rank_tolerance,
    penalty = penalty, num_threads = num_threads, batch_rows = batch_rows
  ), class = "judicious_pom_control")
}
