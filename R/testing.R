#' Compare systems by a significance test
#'
#' Tests which systems, evaluated on the same queries, differ significantly. Use it when judging is complete, and
#' [rank_systems()] before. The default is the paired randomisation test, with Holm's correction. `"friedman_tukey"` is
#' the procedure of MIREX (Urbano et al. 2011).
#'
#' @param scores Effectiveness of each system for each query: a data frame with columns `system`, `query`, `value` and,
#'   with several measures, `measure`, as by [evaluate()], or the path of a file with these columns; a numeric matrix
#'   or data frame with one row per query and one column per system; a [test_collection()] or a session, which is
#'   evaluated with its judgments (unjudged documents count as not relevant, with a warning); or [expected_scores()].
#'   Every system needs a value for every query.
#' @param test A test by [significance_test()] or [significance_custom()], or the name of a test.
#' @param measure Name of the measure, if `scores` has several.
#' @param level Confidence level of the intervals; by default 1 - `alpha` of the test, or 0.95. The significance level
#'   is 1 - `level`.
#' @param adjust Correction of the p-values, one of [stats::p.adjust.methods]; by default that of the test. Tests that
#'   control the error rate over all pairs accept `"none"` only.
#' @param baseline Optional: the name of a system with which the others are compared. p-values are corrected for these
#'   comparisons only, except by tests that control the error rate over all pairs.
#' @param seed Seed of resampling tests and simulations; NULL draws one.
#' @param simulations For [expected_scores()]: the number of simulations of the final scores.
#' @param ranking Optional: a ranking by [rank_systems()] with few or no judgments. `same_order` of the pairs states
#'   whether it agrees with the mean scores.
#' @param ... Not used.
#'
#' @details
#' Pairs have the better system first, the best systems at the top. For the alternatives `"greater"` and `"less"`, they
#' are in the order of the columns of the scores.
#'
#' `vignette("methods")`, section 8, has the formulas.
#'
#' An interval is for the statistic of the test: the difference of mean ranks or mean scores, the pseudo-median
#' (Wilcoxon), or the median (sign test). If p-values are corrected, intervals have Bonferroni's correction; a
#' difference that is significant with Holm's may then have an interval that contains 0. In the permutation and
#' bootstrap tests, it is the estimate plus and minus the smallest significant difference. Tests by
#' [significance_custom()] have none (NA).
#'
#' With [expected_scores()], the table compares the expected scores, and the final scores are simulated: `p_significant`
#' is the share of the simulations in which the difference is significant with the sign of the expected difference (with
#' either sign if that is 0), and `p_opposite` with the other sign.
#' @return A `judicious_comparison`, with methods print, summary, as.data.frame, tidy, plot and toLatex, and the
#'   elements
#'   - `pairs`: a data frame with `system_a`, `system_b`, `estimate` (`rank_difference` for mean ranks), `lower`,
#'     `upper`, `statistic`, `p_value`, `p_adjusted` and `significant`; also `same_order` with a `ranking`, and
#'     `p_significant` and `p_opposite` with expected scores;
#'   - `systems`: a data frame with `system`, `mean` and `sd`, and, for tests with a single critical difference,
#'     `level`, `lower` and `upper`: systems whose intervals do not overlap differ significantly;
#'   - `overall`, the omnibus test, and `critical_difference`, each NULL if the test has none;
#'   - `test`, `measure`, `level`, `adjust` and `scores`.
#' @section Errors: `judicious_error_test` for an unknown test; `judicious_error_missing_score` for a system without a
#'   value for a query; `judicious_error_weights` for queries with weights.
#' @references Urbano et al. (2011): see [power_analysis()].
#'
#'   Demsar (2006). JMLR 7, 1-30.
#' @seealso [effect_sizes()], [power_analysis()], [stability_analysis()].
#' @examples
#' scores <- cbind(
#'   A = c(.9, .8, .7, .9, .6, .8), B = c(.5, .6, .4, .7, .5, .6), C = c(.2, .3, .1, .4, .3, .1)
#' )
#' compare_systems(scores, seed = 1)
#' compare_systems(scores, "friedman_tukey")
#' compare_systems(scores, "t", adjust = "hochberg")
#' as.data.frame(compare_systems(scores, significance_test("wilcoxon", "better"), baseline = "C"))
#' @export
compare_systems <- function(scores, test = "permutation", measure = NULL,
                            level = 1 - (test$alpha %||% 0.05), adjust = test$adjust, baseline = NULL, seed = NULL,
                            simulations = 1000, ranking = NULL, ...) {
  refuse_other_arguments("compare_systems()", ...)
  inputs <- list(scores = scores, measure = measure, baseline = baseline, simulations = simulations, ranking = ranking)
  test <- as_test(test)
  check_count(simulations, "simulations")
  check_number(level, "level", 0, 1, open = TRUE)
  test$adjust <- check_adjust(adjust, test)
  matrices <- score_matrix(scores, measure, min_systems = if (is_one_sample(test)) 1 else 2)
  x <- matrices[[1]]
  if (is_one_sample(test)) {
    check_that(is.null(baseline), "baseline",
               "is not available with the one-sample t-test, which compares with {.arg mu}.")
    # The one-sample test is a paired test with an additional system, which scores mu for every query.
    baseline <- paste("mu =", format(test$mu))
    x <- cbind(x, matrix(test$mu, nrow(x), 1, dimnames = list(NULL, baseline)))
  }
  # Scores by evaluate() state whether higher values of the measure are better; plain matrices of scores do not.
  declared <- Filter(function(measure) measure$label == names(matrices), attr(scores, "measures"))
  lower_is_better <- length(declared) == 1 && identical(declared[[1]]$direction, "lower")
  x <- arrange_systems(x, test, baseline, lower_is_better)
  seed <- stream_seed(seed)
  chosen <- chosen_pairs(x, baseline)
  test <- with_enough_replicates(test, sum(chosen), 1 - level)
  warn_too_few_replicates(test, sum(chosen), 1 - level)
  expected <- inherits(scores, "judicious_expected_scores")
  advance <- start_progress("Testing", if (expected) simulations else NA)
  result <- test_result(test, x, (1 - level) / if (test$adjust == "none") 1 else sum(chosen), seed)
  pairs <- column_pairs(ncol(x))
  compared <- data.frame(system_a = colnames(x)[pairs$a], system_b = colnames(x)[pairs$b], result$pairs)[chosen, ]
  interval <- c("estimate", "lower", "upper")
  compared[interval] <- without_rounding_errors(compared[interval])
  compared$p_adjusted <- p.adjust(compared$p_value, test$adjust)
  compared$significant <- compared$p_adjusted <= 1 - level
  warn_constant_differences(compared, test)
  if (test$compared == "mean rank") names(compared)[names(compared) == "estimate"] <- "rank_difference"
  rownames(compared) <- NULL
  if (!is.null(ranking)) compared$same_order <- ranked_alike(compared, ranking, colMeans(x))
  comparison <- structure(list(
    pairs = compared, systems = system_levels(x, result), overall = result$overall,
    critical_difference = result$critical_difference, test = test, measure = names(matrices), level = level,
    adjust = test$adjust, baseline = baseline, scores = x, left_out = attr(scores, "policy")$left_out,
    arguments = c(inputs, list(test = test, level = level, adjust = test$adjust, seed = seed))
  ), class = "judicious_comparison")
  if (expected) add_final_significance(comparison, scores, simulations, seed, advance) else comparison
}

# Warns if the differences of a pair are all equal: their variance is 0, so a studentised statistic is infinite,
# regardless of the number of queries.
warn_constant_differences <- function(compared, test) {
  constant <- which(is.infinite(compared$statistic))
  if (!length(constant)) return(invisible())
  first <- compared[constant[1], ]
  warn_judicious(c(
    "{length(constant)} difference{?s} {?is/are} the same for every query, so that {?its/their} variance is 0 and the
      p-value{?s} of the test {.val {test$name}} {cli::qty(length(constant))}{?is/are} 0, whatever the number of
      queries.",
    x = "The first is {.val {first$system_a}} - {.val {first$system_b}} = {signif(first$estimate, 4)}.",
    i = "{.code significance_test(\"permutation\")} needs no variance; its p-value depends on the number of queries."
  ), "constant_difference", pairs = constant)
}

# Whether a ranking orders each pair as the mean scores do; FALSE if the systems are tied in only one of the two.
ranked_alike <- function(pairs, ranking, scored) {
  ranking <- as_ranking(ranking)
  lacking <- setdiff(c(pairs$system_a, pairs$system_b), names(ranking$mean))
  check_that(!length(lacking), "ranking",
             "does not have the {cli::qty(length(lacking))}system{?s} {.val {lacking}} of {.arg scores}.")
  order_of <- function(mean) sign(signif(mean[pairs$system_a], 12) - signif(mean[pairs$system_b], 12))
  unname(order_of(ranking$mean) == order_of(scored))
}

check_adjust <- function(adjust, test) {
  adjust <- check_choice(adjust, p.adjust.methods, "adjust")
  check_that(adjust == "none" || is_pairwise(test), "adjust", c(
    "must be {.val none} with the {test$name} test.",
    i = "It controls the error rate over all pairs by itself."))
  adjust
}

# Sorts the systems, best first, so that the first system of a pair is the better one. For one-sided tests, the order of
# the columns remains, because it determines the direction. A baseline comes last, because the others are compared with
# it.
arrange_systems <- function(x, test, baseline, lower_is_better = FALSE) {
  if (!test$alternative %in% c("greater", "less")) {
    ranked <- inherits(test, "judicious_test_rank_tukey")
    mean_value <- if (ranked) friedman_cpp(x, seq_len(nrow(x)), test$correct_ties)$mean_rank else colMeans(x)
    x <- x[, order(if (lower_is_better) mean_value else -mean_value), drop = FALSE]
  }
  if (is.null(baseline)) return(x)
  check_string(baseline, "baseline")
  check_that(baseline %in% colnames(x), "baseline", c(
    "must be one of the systems, not {.val {baseline}}.", i = "They are {name_some(colnames(x))}."))
  x[, c(setdiff(colnames(x), baseline), baseline), drop = FALSE]
}

system_levels <- function(x, result) {
  systems <- data.frame(system = colnames(x), mean = unname(colMeans(x)), sd = unname(apply(x, 2, sd)))
  if (is.null(result$level)) return(systems)
  cbind(systems, level = result$level, lower = result$level - result$half_width,
        upper = result$level + result$half_width)
}
