#' Analyse the power and stability of an evaluation
#'
#' Estimates how reliable the conclusions of an evaluation are with a given number of queries. `power_analysis()`
#' computes the share of pairs of systems that differ significantly on random subsets of the queries.
#' `stability_analysis()` compares the systems on two disjoint subsets, as if they were two evaluations, and counts the
#' conflicts between them. This is the study of Urbano et al. (2011).
#'
#' @param scores Scores as in [compare_systems()]; with several measures, all are studied.
#' @param sizes Numbers of queries. By default, the multiples of 5 up to the number of queries (power) or to half of it
#'   (stability).
#' @param trials Number of random subsets, or of pairs of disjoint subsets, of each size. A subset of all queries is
#'   evaluated once.
#' @param tests A test or a list of tests, each given by [significance_test()] or its name. The names of the list are
#'   used in tables and plots.
#' @param measures Names of the measures in `scores` to study; NULL for all.
#' @param strata Optional strata of the queries: a vector named by query, a vector in the order of the queries, or a
#'   data frame with a column `query` and one other column. Subsets then have the same number of queries from every
#'   stratum, as far as their sizes allow; the remaining ones come from strata selected at random.
#' @param alpha Significance level of tests that have none of their own.
#' @param seed Seed of the random numbers. Each size and trial has its own stream, so the results do not depend on the
#'   number of workers. With the same seed, the first subsets of `stability_analysis()` are those of
#'   `power_analysis()`. NULL draws a seed from R's random number generator.
#' @param progress TRUE shows a progress bar.
#'
#' @section Parallel computation: With package future.apply and a [future::plan()] of several workers, the trials are
#'   distributed over the workers. Progress is then reported through package progressr, if it is installed.
#'
#' @section Conflicts: A difference is that of the test: of mean ranks, of mean scores, or of signed ranks.
#'   `lack_of_power`: significant in one subset only, and not of opposite sign in the other. `sign_swap`: significant in
#'   one subset only, with the opposite sign in the other. `swap_significant`: significant in both subsets, with
#'   opposite signs. `conflicts` is their sum. All are shares of the pairs of systems.
#'
#' @return A data frame of class `judicious_power` or `judicious_stability` with one row per measure, test and size:
#'   `measure`, `test`, `size`, `trials`, the mean over trials of the share of significant pairs (`power`) or of
#'   conflicts (`conflicts`, `lack_of_power`, `sign_swap`, `swap_significant`), and the standard deviation (`sd`) and
#'   the 2.5% and 97.5% quantiles (`lower`, `upper`) of this share over trials. Attribute `pairs` has the shares by pair
#'   of systems, attribute `seed` the seed.
#' @references Urbano, J., Martin, D., Marrero, M. and Morato, J. (2011). Audio Music Similarity and Retrieval:
#'   evaluation power and stability. ISMIR.
#' @seealso [reliability_table()].
#' @examples
#' set.seed(1)
#' scores <- outer(rnorm(40), seq(0, 1, length.out = 5), "+") + rnorm(200)
#' power <- power_analysis(scores, sizes = c(10, 20, 40), trials = 50, seed = 1)
#' power
#' stability <- stability_analysis(scores, sizes = c(10, 20), trials = 50, seed = 1)
#' reliability_table(power, stability, sizes = c(20, 40))
#' @export
power_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measures = NULL,
                           strata = NULL,
                           alpha = 0.05, seed = NULL, progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measures, strata, alpha, seed, samples = 1)
  parts <- run_study(study, function(code) list(power = abs(code) == 2), progress)
  new_study(study, parts, "judicious_power")
}

#' @rdname power_analysis
#' @export
stability_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measures = NULL,
                               strata = NULL,
                               alpha = 0.05, seed = NULL, progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measures, strata, alpha, seed, samples = 2)
  parts <- run_study(study, conflict_classes, progress)
  new_study(study, parts, "judicious_stability")
}

# `code`: the decisions on the first subsets, followed by those on the second ones.
conflict_classes <- function(code) {
  first <- seq_len(ncol(code) / 2)
  a <- code[, first, drop = FALSE]
  b <- code[, -first, drop = FALSE]
  one <- xor(abs(a) == 2, abs(b) == 2)
  both <- abs(a) == 2 & abs(b) == 2
  opposite <- sign(a) * sign(b) == -1
  list(conflicts = one | (both & opposite), lack_of_power = one & !opposite, sign_swap = one & opposite,
       swap_significant = both & opposite)
}

#' Tabulate power and conflicts
#'
#' Computes Table 1 of Urbano et al. (2011): for each measure, test and number of queries, the share of significant
#' pairs, the share of conflicts, and their difference, which is the share of pairs that are significant and stable. The
#' stability analysis needs twice the queries. If it lacks a size, the largest of its smaller sizes is used instead, as
#' in the paper.
#' @param power,stability The results of [power_analysis()] and [stability_analysis()] for the same scores and tests.
#' @param sizes Numbers of queries; by default the largest size of each analysis.
#' @return A data frame of class `judicious_reliability`: `measure`, `test`, `size`, `power`, `conflicts`, `stable`,
#'   and `conflicts_size`, the number of queries to which the conflicts refer. It has a `toLatex()` method.
#' @references Urbano, J., Martin, D., Marrero, M. and Morato, J. (2011). Audio Music Similarity and Retrieval:
#'   evaluation power and stability. ISMIR.
#' @examples
#' set.seed(1)
#' scores <- outer(rnorm(40), seq(0, 1, length.out = 5), "+") + rnorm(200)
#' power <- power_analysis(scores, sizes = c(20, 40), trials = 50, seed = 1)
#' reliability_table(power, stability_analysis(scores, sizes = 20, trials = 50, seed = 1))
#' @export
reliability_table <- function(power, stability, sizes = NULL) {
  check_class(power, "judicious_power", "power", "power_analysis")
  check_class(stability, "judicious_stability", "stability", "stability_analysis")
  if (is.null(sizes)) sizes <- unique(c(max(stability$size), max(power$size)))
  absent <- setdiff(sizes, power$size)
  if (length(absent)) {
    abort_judicious(c("{.arg power} has no size {.val {absent}}.", i = "It has {.val {unique(power$size)}}."),
                    "argument", argument = "sizes")
  }
  rows <- as.data.frame(power)[power$size %in% sizes, c("measure", "test", "size", "power")]
  nearest <- vapply(rows$size, function(size) {
    known <- unique(stability$size)
    if (any(known <= size)) max(known[known <= size]) else min(known)
  }, numeric(1))
  key <- function(data, size) text_key(data$measure, data$test, size)
  at <- match(key(rows, nearest), key(stability, stability$size))
  if (anyNA(at)) {
    i <- which(is.na(at))[1]
    abort_judicious("{.arg stability} has no {.val {rows$test[i]}} of {.val {rows$measure[i]}}, which {.arg power}
      has.",
                    "argument", argument = "stability")
  }
  rows$conflicts <- stability$conflicts[at]
  rows$stable <- rows$power - rows$conflicts
  rows$conflicts_size <- nearest
  rownames(rows) <- NULL
  class(rows) <- c("judicious_reliability", "data.frame")
  rows
}
