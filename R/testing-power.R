#' Power and stability of an evaluation
#'
#' How reliable are the conclusions of an evaluation with so many queries? `power_analysis()` tells how many of the
#' pairs of systems are found significantly different on random subsets of the queries. `stability_analysis()`
#' compares the systems on two disjoint subsets, as if in two evaluations, and counts the conflicts: significant in
#' one and not in the other. This is the study of Urbano et al. (2011).
#'
#' @param scores As for [compare_systems()]; with several measures, all are studied.
#' @param sizes Numbers of queries; by default 5, 10, ... up to all queries (power), up to half of them (stability).
#'   For the power of paired t-tests without correction or with Bonferroni's, also more than there are.
#' @param trials How many random subsets, or pairs of disjoint subsets, of each size. All queries make one subset only.
#' @param tests One test or a list of tests, each by [significance_test()] or its name, and named as you like.
#' @param measures Which measures of `scores`; NULL: all.
#' @param strata Optional: the queries' strata, with equal priors: subsets take as many queries from every stratum as
#'   the sizes allow, the odd ones from strata chosen at random. A vector named by query, one in the order of the
#'   queries, or a data frame with a column `query` and one other column.
#' @param alpha Significance level of tests that have none of their own.
#' @param target Optional: the power wanted of paired t-tests; the attribute `needed` then has the number of queries
#'   with which each pair of systems is found significant with this probability.
#' @param reliability The reliability wanted, for the numbers of queries in the attribute `generalisability`.
#' @param seed One stream of random numbers per size and trial comes from this seed, so that results do not depend on
#'   the number of workers. With the same seed the first subsets of `stability_analysis()` are those of
#'   `power_analysis()`. NULL takes one from R's generator.
#' @param progress Whether to show progress.
#'
#' @section Parallel: With package future.apply and a [future::plan()] of more than one worker, trials are shared out.
#'   There, progress is signalled through package progressr where it is installed.
#'
#' @section Beyond the queries at hand: Power with more queries is that of the noncentral t distribution, if the
#'   standardised differences are those seen with the queries at hand: `trials` is 0, and there is no spread.
#'   Differences that are seen exceed the true ones on average, and so does the power that they promise. The
#'   coefficients of generalisability theory say how reliable the scores are as a whole: with variance components of
#'   systems, queries and their interaction, `Erho2` is the share of the systems' variance in that of the means when
#'   only differences between systems matter, `Phi` when their level does. Intervals have a confidence of 95% (Feldt
#'   1965; Arteaga et al. 1982).
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
#'   attribute `seed` the seed, attribute `needed` of power the queries that `target` needs (`effect`, `queries`), and
#'   attribute `generalisability` of stability the coefficients `Erho2` and `Phi` of all queries, the numbers of queries
#'   that `reliability` needs, and the variance components.
#' @references Arteaga, C., Jeyaratnam, S. and Franklin, G.A. (1982). Confidence intervals for proportions of total
#'   variance in the two-way cross component of variance model. Communications in Statistics 11(15), 1643-1658.
#'
#'   Brennan, R.L. (2001). Generalizability theory. Springer.
#'
#'   Feldt, L.S. (1965). The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty.
#'   Psychometrika 30(3), 357-370.
#'
#'   Urbano, J., Marrero, M. and Martin, D. (2013). On the measurement of test collection reliability. SIGIR.
#'
#'   Urbano, J., Martin, D., Marrero, M. and Morato, J. (2011). Audio Music Similarity and Retrieval:
#'   evaluation power and stability. ISMIR.
#' @seealso [reliability_table()].
#' @examples
#' set.seed(1)
#' scores <- outer(rnorm(40), seq(0, 1, length.out = 5), "+") + rnorm(200)
#' power <- power_analysis(scores, sizes = c(10, 20, 40), trials = 50, seed = 1)
#' power
#' attr(power_analysis(scores, sizes = 100, tests = significance_test("t", adjust = "none"), target = 0.8), "needed")
#' stability <- stability_analysis(scores, sizes = c(10, 20), trials = 50, seed = 1)
#' reliability_table(power, stability, sizes = c(20, 40))
#' @export
power_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measures = NULL,
                           strata = NULL, alpha = 0.05, target = NULL, seed = NULL,
                           progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measures, strata, alpha, seed, samples = 1)
  if (!is.null(target)) check_number(target, "target", study$alpha, 1, open = TRUE)
  if (length(study$beyond) || !is.null(target)) check_beyond(study$tests, call = current_env())
  tables <- if (length(study$sizes)) {
    study_tables(study, run_study(study, function(code) list(power = abs(code) == 2), progress))
  }
  beyond <- if (length(study$beyond)) power_beyond(study, study$beyond)
  tables <- list(rows = rbind(tables$rows, beyond$rows), pairs = rbind(tables$pairs, beyond$pairs))
  out <- new_study(study, lapply(tables, order_study, study), "judicious_power")
  if (!is.null(target)) attr(out, "needed") <- needed_queries(study, target)
  out
}

#' @rdname power_analysis
#' @export
stability_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measures = NULL,
                               strata = NULL, alpha = 0.05, reliability = 0.95, seed = NULL,
                               progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measures, strata, alpha, seed, samples = 2)
  check_number(reliability, "reliability", 0, 1, open = TRUE)
  out <- new_study(study, study_tables(study, run_study(study, conflict_classes, progress)), "judicious_stability")
  coefficients <- lapply(study$matrices, generalisability, reliability)
  attr(out, "generalisability") <- data.frame(measure = rep(names(coefficients), each = 2),
                                              do.call(rbind, unname(coefficients)), stringsAsFactors = FALSE)
  out
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
