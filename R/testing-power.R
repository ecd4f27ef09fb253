#' Analyse the power and stability of an evaluation
#'
#' Estimates how reliable the conclusions of an evaluation are with a given number of queries, as Urbano et al. (2011).
#' `power_analysis()` computes the share of pairs of systems that differ significantly on random subsets of the
#' queries; `stability_analysis()` compares the systems on two disjoint subsets, and counts the conflicts.
#'
#' @param scores Effectiveness of each system for each query, as in [compare_systems()], with one or several measures:
#'   to study the depth, `evaluate(x, measure = c("AG@2", "AG@5", "AG@10"))`.
#' @param sizes Numbers of queries; by default, the multiples of 5 up to the number of queries (power) or half of it
#'   (stability). More queries than there are need `power_analysis()` and paired t-tests without correction or with
#'   Bonferroni's.
#' @param trials Number of random subsets, or of pairs of disjoint subsets, of each size.
#' @param tests A test or a list of tests, each by [significance_test()] or its name. Names of the list are used in
#'   tables and plots.
#' @param measure Names of the measures in `scores` to study; NULL for all.
#' @param strata Optional strata of the queries: a vector named by query or in their order, or a data frame with `query`
#'   and one other column. Subsets then have the same number of queries from every stratum, as far as possible.
#' @param alpha Significance level of the tests that do not define their own.
#' @param target Optional: the required power, between `alpha` and 1. The attribute `needed` then has the number of
#'   queries that each pair needs. For the tests of larger `sizes`, without `systems`.
#' @param reliability The reliability, between 0 and 1, for which the attribute `generalisability` gives the required
#'   number of queries.
#' @param seed Seed of the random numbers; NULL draws one. Results do not depend on the number of workers of a
#'   [future::plan()] (package future.apply).
#' @param systems The sets of systems to compare, for tests over all pairs. NULL: all. Whole numbers: random sets of
#'   these sizes, up to 25 for each. Or a named list of sets.
#' @param progress Whether to show a progress bar.
#' @section Larger numbers of queries: Power then comes from the noncentral t distribution with the observed
#'   standardised differences (`trials` is 0), which is too optimistic.
#'
#' @section Generalisability coefficients: The variance between systems as a share of the total variance of the mean
#'   scores, from variance components of systems, queries and their interaction (Brennan 2001; Urbano et al. 2013).
#'   `Erho2` is for differences between systems, `Phi` for the scores themselves, with intervals of 95% (Feldt 1965;
#'   Arteaga et al. 1982).
#'
#' @section Conflicts: Shares of the pairs of systems; `conflicts` is the sum of the other three. `lack_of_power`: the
#'   difference is significant in one subset only; `sign_swap`: the same, with the opposite sign in the other;
#'   `swap_significant`: it is significant in both, with opposite signs.
#'
#' @return A data frame of class `judicious_power` or `judicious_stability` with one row per measure, test and size (and
#'   set of `systems`): `measure`, `test`, `size`, `trials`, the mean over trials of the share of significant pairs
#'   (`power`) or of conflicts (`conflicts`, `lack_of_power`, `sign_swap`, `swap_significant`), its standard deviation
#'   (`sd`) and its 2.5% and 97.5% quantiles (`lower`, `upper`). Attributes (with `systems`, only `seed`):
#'   - `pairs`: a data frame of the shares by pair of systems;
#'   - `seed`: the seed;
#'   - `needed`, with `target`: a data frame with the standardised difference of each pair (`effect`) and the required
#'     number of `queries` (Inf without a difference);
#'   - `generalisability`, of `stability_analysis()`: a data frame of `Erho2` and `Phi` with all queries, their
#'     intervals, the number of `queries` required for `reliability`, and the variance components.
#' @references Arteaga et al. (1982). Communications in Statistics 11(15), 1643-1658.
#'
#'   Brennan (2001). Generalizability theory. Springer.
#'
#'   Feldt (1965). Psychometrika 30(3), 357-370.
#'
#'   Urbano et al. (2013). On the measurement of test collection reliability. SIGIR.
#'
#'   Urbano et al. (2011). Audio Music Similarity and Retrieval: evaluation power and stability. ISMIR.
#' @examples
#' set.seed(1)
#' scores <- outer(rnorm(40), seq(0, 1, length.out = 5), "+") + rnorm(200)
#' power <- power_analysis(scores, sizes = c(10, 20, 40), trials = 50, seed = 1)
#' power
#' stability <- stability_analysis(scores, sizes = c(10, 20), trials = 50, seed = 1)
#' reliability_table(power, stability, sizes = c(20, 40))
#' t <- significance_test("t", adjust = "none")
#' attr(power_analysis(scores, sizes = 100, tests = t, target = 0.8), "needed")
#' @export
power_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measure = NULL,
                           strata = NULL, alpha = 0.05, target = NULL, seed = NULL, systems = NULL,
                           progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measure, strata, alpha, seed, samples = 1)
  if (!is.null(target)) check_number(target, "target", study$alpha, 1, open = TRUE)
  outcomes <- function(code) list(power = abs(code) == 2)
  if (!is.null(target)) check_more_queries(study$tests, systems, "target")
  if (length(study$beyond)) check_more_queries(study$tests, systems, "sizes")
  if (!is.null(systems)) return(study_system_sets(study, systems, outcomes, "judicious_power", progress))
  tables <- if (length(study$sizes)) study_tables(study, run_study(study, outcomes, progress))
  beyond <- if (length(study$beyond)) power_with_more_queries(study, study$beyond)
  tables <- lapply(c(rows = "rows", pairs = "pairs"), function(part) {
    table <- rbind(tables[[part]], beyond[[part]])
    sorted <- order(match(table$measure, names(study$matrices)), match(table$test, names(study$tests)), table$size)
    without_row_names(table[sorted, , drop = FALSE])
  })
  out <- new_study(study, tables, "judicious_power")
  if (!is.null(target)) attr(out, "needed") <- needed_queries(study, target)
  out
}

#' @rdname power_analysis
#' @export
stability_analysis <- function(scores, sizes = NULL, trials = 500, tests = "friedman_tukey", measure = NULL,
                               strata = NULL, alpha = 0.05, reliability = 0.95, seed = NULL, systems = NULL,
                               progress = getOption("judicious.progress", interactive())) {
  study <- plan_study(scores, sizes, trials, tests, measure, strata, alpha, seed, samples = 2)
  check_number(reliability, "reliability", 0, 1, open = TRUE)
  if (!is.null(systems)) return(study_system_sets(study, systems, conflict_classes, "judicious_stability", progress))
  out <- new_study(study, study_tables(study, run_study(study, conflict_classes, progress)), "judicious_stability")
  attr(out, "generalisability") <- data.frame(
    measure = rep(names(study$matrices), each = 2),
    do.call(rbind, unname(lapply(study$matrices, generalisability, reliability))))
  out
}

# Classifies the disagreements between the decisions on two subsets. `code`: the decisions on the first subset of each
# trial in the first columns, and those on the second subset in the others; see decide_subsets().
conflict_classes <- function(code) {
  first <- seq_len(ncol(code) / 2)
  a <- code[, first, drop = FALSE]
  b <- code[, -first, drop = FALSE]
  one_significant <- xor(abs(a) == 2, abs(b) == 2)
  both_significant <- abs(a) == 2 & abs(b) == 2
  opposite <- sign(a) * sign(b) == -1
  list(conflicts = one_significant | (both_significant & opposite), lack_of_power = one_significant & !opposite,
       sign_swap = one_significant & opposite,
       swap_significant = both_significant & opposite)
}

#' Tabulate power and conflicts
#'
#' Computes Table 1 of Urbano et al. (2011; see [power_analysis()]): for each measure, test and number of queries, the
#' shares of significant pairs and of conflicts, and their difference. For a size that the stability analysis lacks, the
#' largest of its smaller sizes is used, as in the paper.
#' @param power,stability The results of [power_analysis()] and [stability_analysis()] for the same scores and tests,
#'   without the argument `systems`.
#' @param sizes Numbers of queries, which `power` must have; by default the largest size of each analysis.
#' @return A data frame of class `judicious_reliability`: `measure`, `test`, `size`, `power`, `conflicts`, `stable`,
#'   and `conflicts_size`, the number of queries to which the conflicts refer. It has a `toLatex()` method.
#' @examples
#' set.seed(1)
#' scores <- outer(rnorm(40), seq(0, 1, length.out = 5), "+") + rnorm(200)
#' power <- power_analysis(scores, sizes = c(20, 40), trials = 50, seed = 1)
#' reliability_table(power, stability_analysis(scores, sizes = 20, trials = 50, seed = 1))
#' @export
reliability_table <- function(power, stability, sizes = NULL) {
  check_class(power, "judicious_power", "power", "power_analysis")
  check_class(stability, "judicious_stability", "stability", "stability_analysis")
  check_that(is.null(power$systems) && is.null(stability$systems), "power",
             "and {.arg stability} must be of all systems, without the argument {.arg systems}.")
  if (is.null(sizes)) sizes <- unique(c(max(stability$size), max(power$size)))
  absent <- setdiff(sizes, power$size)
  check_that(!length(absent), "sizes", c(
    "{.arg power} has no size {.val {absent}}.", i = "It has {.val {unique(power$size)}}."))
  rows <- as.data.frame(power)[power$size %in% sizes, c("measure", "test", "size", "power")]
  subset_sizes <- sort(unique(stability$size))
  nearest <- subset_sizes[pmax(findInterval(rows$size, subset_sizes), 1)]
  key <- function(data, size) text_key(data$measure, data$test, size)
  stability_row <- match(key(rows, nearest), key(stability, stability$size))
  i <- which(is.na(stability_row))[1]
  check_that(is.na(i), "stability", "has no {.val {rows$test[i]}} of {.val {rows$measure[i]}}, which {.arg power} has.")
  rows$conflicts <- stability$conflicts[stability_row]
  rows$stable <- rows$power - rows$conflicts
  rows$conflicts_size <- nearest
  structure(without_row_names(rows), class = c("judicious_reliability", "data.frame"))
}
