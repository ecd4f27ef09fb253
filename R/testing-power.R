#' Power and stability of an evaluation
#'
#' How reliable are the conclusions of an evaluation with so many queries? `power_analysis()` tells how many of the
#' pairs of systems are found significantly different on random subsets of the queries. `stability_analysis()`
#' compares the systems on two disjoint subsets, as if in two evaluations, and counts the conflicts: significant in
#' one and not in the other. This is the study of Urbano et al. (2011).
#'
#' @param scores As for [compare_systems()]; with several measures, all are studied.
#' @param sizes Numbers of queries; by default 5, 10, ... up to all queries (power), up to half of them (stability).
#' @param trials How many random subsets, or pairs of disjoint subsets, of each size. All queries make one subset only.
#' @param tests One test or a list of tests, each by [significance_test()] or its name, and named as you like.
#' @param measures Which measures of `scores`; NULL: all.
#' @param strata Optional: the queries' strata, with equal priors: subsets take as many queries from every stratum as
#'   the sizes allow, the odd ones from strata chosen at random. A vector named by query, one in the order of the
#'   queries, or a data frame with a column `query` and one other column.
#' @param alpha Significance level of tests that have none of their own.
#' @param seed One stream of random numbers per size and trial comes from this seed, so that results do not depend on
#'   the number of workers. With the same seed the first subsets of `stability_analysis()` are those of
#'   `power_analysis()`. NULL takes one from R's generator.
#' @param systems The effect of the systems that are compared together, which tests over all pairs depend on: NULL
#'   compares all of them; numbers of systems compare random sets of so many, up to 25 sets for each number among which
#'   the trials are shared; a named list of vectors of systems, such as the systems of each team, compares these sets.
#' @param progress Whether to show progress.
#'
#' @section Depth: The effect of the depth of an evaluation is that of the measure's cutoff: the scores of
#'   `evaluate(x, measures = c("AG@2", "AG@5", "AG@10"))` are studied side by side.
#'
#' @section Parallel: With package future.apply and a [future::plan()] of more than one worker, trials are shared out.
#'   There, progress is signalled through package progressr where it is installed.
#'
#' @section Conflicts: A difference is one that the test looks at (of mean ranks, of mean scores, of signed ranks).
#'   `lack_of_power`: significant in one subset only, with no opposite sign in the other; `sign_swap`: significant in
#'   one only, with the opposite sign in the other; `swap_significant`: significant in both, with opposite signs.
#'   `conflicts` is their sum. All are shares of the pairs of systems.
#'
#' @return Data frames of class `judicious_power` and `judicious_stability`, one row per measure, test and size:
#'   `measure`, `test`, `size`, `trials`, the mean over trials of the share of significant pairs (`power`) or of
#'   conflicts (`conflicts`, `lack_of_power`, `sign_swap`, `swap_significant`), its standard deviation over trials
#'   (`sd`) and its 2.5% and 97.5% quantiles (`lower`, `upper`). Attribute `pairs` has the shares by pair of systems,
#'   attribute `seed` the seed. With the argument `systems`, there is a column `systems` with the number or the name,
#'   and no attribute `pairs`.
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
#' # With fewer systems the correction for their number costs less power.
#' power_analysis(scores, sizes = 20, trials = 50, systems = c(2, 5), seed = 1)
#' @export
power_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measures = NULL,
                           strata = NULL, alpha = 0.05, seed = NULL, systems = NULL,
                           progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measures, strata, alpha, seed, samples = 1)
  run_studies(study, systems, function(code) list(power = abs(code) == 2), "judicious_power", progress)
}

#' @rdname power_analysis
#' @export
stability_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measures = NULL,
                               strata = NULL, alpha = 0.05, seed = NULL, systems = NULL,
                               progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measures, strata, alpha, seed, samples = 2)
  run_studies(study, systems, conflict_classes, "judicious_stability", progress)
}

# The decisions on the first subsets, then those on the second ones.
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

#' Power, conflicts and what is both significant and stable
#'
#' The table of Urbano et al. (2011, Table 1): for each measure and test and some numbers of queries, the share of
#' significant pairs, the share of conflicts, and their difference. Where a size is larger than those of the stability
#' analysis, which needs twice the queries, the conflicts of its largest size stand in, as in the paper.
#' @param power,stability By [power_analysis()] and [stability_analysis()], of the same scores and tests.
#' @param sizes Numbers of queries, by default the largest size of both analyses.
#' @return A data frame of class `judicious_reliability`: `measure`, `test`, `size`, `power`, `conflicts`, `stable`,
#'   and `conflicts_size`, the size that the conflicts are of. Its toLatex method typesets it.
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
  if (!is.null(power$systems) || !is.null(stability$systems)) {
    abort_judicious("{.arg power} and {.arg stability} must be of all systems, without the argument {.arg systems}.",
                    "argument", argument = "power")
  }
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
