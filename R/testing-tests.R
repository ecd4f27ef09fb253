# The registry of significance tests: one entry per test.
#
# To add a test, add an entry to `significance_registry` below, and methods for the first class that the entry names:
# pair_tails() and pair_intervals() for a test of one pair at a time, otherwise test_result() and decide_subsets(). The
# comments at these generics state what the methods return.
#
# `classes`: classes for the methods, without the prefix "judicious_test_"; "pairwise" marks a test of one pair at a
# time. `compared`: what the test compares, such as "means". `fixed`: fields of the test that the user cannot set.
# `parameters`: as in the registry of measures.
test_entry <- function(title, short, classes, compared, fixed = list(), parameters = list()) {
  list(title = title, short = short, classes = classes, compared = compared, fixed = fixed, parameters = parameters)
}

replicates_parameter <- parameter(10000, function(value, name, spec) check_count(value, name, min = 100))

significance_registry <- list(
  friedman_tukey = test_entry("Friedman-Tukey", "FT", c("rank_tukey", "studentised"), "mean rank",
                              list(correct_ties = TRUE)),
  nemenyi = test_entry("Nemenyi", "Nemenyi", c("rank_tukey", "studentised"), "mean rank", list(correct_ties = FALSE)),
  tukey = test_entry("Tukey's HSD, two-way", "Tukey", c("tukey", "studentised"), "mean score"),
  randomised_tukey = test_entry("randomised Tukey's HSD", "Tukey, randomised", "randomised_tukey", "mean score",
                                parameters = list(replicates = replicates_parameter)),
  wilcoxon = test_entry("Wilcoxon's signed-rank test", "W", c("wilcoxon", "pairwise"), "pseudo-median",
                        parameters = list(zeros = choice_parameter("wilcox", c("wilcox", "pratt")),
                                          method = choice_parameter("auto", c("auto", "exact", "normal", "signed_sum")),
                                          digits = number_parameter(Inf, 1))),
  t = test_entry("paired t-test", "t", c("t", "pairwise"), "mean score"),
  one_sample_t = test_entry("one-sample t-test", "t, one sample", c("one_sample", "t", "pairwise"), "mean score",
                            parameters = list(mu = number_parameter(0))),
  sign = test_entry("sign test", "Sign", c("sign", "pairwise"), "median"),
  permutation = test_entry("paired randomisation test", "Rand.", c("permutation", "resampling", "pairwise"),
                           "mean score", list(statistic = "mean"), list(replicates = replicates_parameter)),
  bootstrap = test_entry("bootstrap test", "Boot.", c("bootstrap", "resampling", "pairwise"), "mean score",
                         parameters = list(statistic = choice_parameter("mean", c("mean", "studentised")),
                                           replicates = replicates_parameter))
)

#' Define a significance test
#'
#' `significance_test()` defines a test for [compare_systems()], [power_analysis()] and [stability_analysis()], which
#' also accept its name. `significance_custom()` defines a test by a function.
#'
#' These control the error rate over all pairs of systems:
#' - `"friedman_tukey"`, the procedure of MIREX: Friedman's test over queries, then Tukey's honestly significant
#'   difference (HSD) on the mean ranks, corrected for ties.
#' - `"nemenyi"`: the same without the correction for ties (Demsar 2006).
#' - `"tukey"`: Tukey's HSD on the scores, with the residuals of the two-way model system + query.
#' - `"randomised_tukey"` (Carterette 2012): the same with random permutations of the scores within queries.
#'
#' The others test one pair of systems at a time, and `adjust` corrects for the number of pairs:
#' - `"wilcoxon"`: the signed-rank test; `"t"`: the paired t-test; `"sign"`: the sign test.
#' - `"permutation"`, the paired randomisation test: flips the signs of the differences at random, or in all possible
#'   ways if there are at most `replicates` of them.
#' - `"bootstrap"`: resamples queries from the differences, shifted to mean 0.
#' - tests by `significance_custom()`.
#'
#' `"one_sample_t"` compares the mean of each system with the number `mu`, in [compare_systems()] only.
#'
#' @section Which test: Use the default, `"permutation"` with Holm's correction, or `"t"`. `"tukey"`,
#'   `"randomised_tukey"` and `"bootstrap"` exceed their level with 25 queries; `"friedman_tukey"`, `"nemenyi"` and
#'   `"sign"` do not test means. The article "Which significance test?" has the error rates.
#'
#' @section Parameters:
#' - `zeros` (Wilcoxon): `"wilcox"` (default) leaves out differences of 0 before ranking; `"pratt"` ranks them with the
#'   others and then leaves out their ranks (Pratt 1959).
#' - `method` (Wilcoxon): `"auto"` uses the exact distribution for fewer than 50 differences without ties and
#'   zeros, and otherwise the normal approximation with continuity correction, as [stats::wilcox.test()] before R 4.6;
#'   `"exact"` the exact distribution given the observed mid-ranks (with `zeros = "pratt"`, the default of R 4.6 for
#'   fewer than 50 differences); `"normal"` the approximation. `"signed_sum"` is z = (W - 0.5) /
#'   sqrt(n (n + 1) (2n + 1) / 6) with W the sum of all signed ranks, without a correction for ties; it requires
#'   `zeros = "wilcox"`.
#' - `digits` (Wilcoxon): number of significant digits to which differences are rounded before ranking. `Inf` (default)
#'   treats only rounding errors as ties.
#' - `statistic` (bootstrap): the `"mean"` difference (default), or its t statistic (`"studentised"`, Sakai 2006).
#' - `mu` (one-sample t): the mean under the null hypothesis, by default 0.
#' - `replicates` (permutation, bootstrap, randomised Tukey): number of permutations or samples, at least 100; by
#'   default 10,000, which [compare_systems()] raises to twice the number that the correction needs, up to 200,000.
#'
#' @param name For `significance_test()`: the name of a test. For `significance_custom()`: its name in tables and plots.
#' @param alternative The alternative hypothesis. `"two.sided"`: the systems differ. The others are one-tailed, and only
#'   for tests of one pair at a time: `"greater"` or `"less"`: the first system of the pair, in the order of the
#'   columns, is better or worse. `"better"`: the system with the higher mean is better, as in Urbano et al. (2011); its
#'   type I error rate is twice `alpha`.
#' @param ... Parameters of the test by name, such as `zeros = "pratt"`.
#' @param adjust Correction for the number of pairs, one of [stats::p.adjust.methods]. NULL is `"holm"` for tests of one
#'   pair at a time, `"none"` for the others.
#' @param alpha Significance level of this test. NULL uses `alpha` of [power_analysis()] and [stability_analysis()], and
#'   0.05 in [compare_systems()].
#' @param p_value A function of two numeric vectors, the scores of two systems for the same queries, that returns the
#'   p-value.
#' @return A `judicious_test`. An unknown name or parameter raises a `judicious_error_test`.
#' @references Urbano et al. (2011): see [power_analysis()].
#'
#'   Carterette (2012). Multiple testing in statistical analysis of systems-based information retrieval experiments.
#'   ACM TOIS 30(1).
#'
#'   Sakai (2006). Evaluating evaluation metrics based on the bootstrap. SIGIR.
#'
#'   Pratt (1959). JASA 54, 655-667.
#' @examples
#' significance_test("friedman_tukey")
#' significance_test("wilcoxon", "better", adjust = "none", alpha = 0.01)
#' significance_custom(function(a, b) t.test(a, b)$p.value, name = "Welch")
#' @export
significance_test <- function(name, alternative = c("two.sided", "better", "greater", "less"), ..., adjust = NULL,
                              alpha = NULL) {
  check_that(!is.data.frame(name), "name", c("must be the name of a test, such as {.val t}, not a data frame.",
                                             i = "{.fn compare_systems} tests the differences of scores."))
  check_string(name, "name")
  entry <- significance_registry[[name]]
  abort_unless(!is.null(entry), c(
    "There is no significance test {.val {name}}.", i = suggest_name(name, names(significance_registry)),
    i = "The tests are {.val {names(significance_registry)}}; {.fn significance_custom} makes others."
  ), "test", argument = "test", test = name)
  full <- fill_parameters(entry, list(...), name, "The test {.val {name}}", "test", test = name)
  check_that(!identical(full$method, "signed_sum") || full$zeros == "wilcox", "zeros",
             "{.code method = \"signed_sum\"} leaves zeros out: {.arg zeros} must be {.val wilcox}.")
  new_test(entry, alternative, adjust, alpha, full)
}

#' @rdname significance_test
#' @export
significance_custom <- function(p_value, name = "custom test", adjust = "holm", alpha = NULL) {
  check_string(name, "name")
  check_that(is.function(p_value), "p_value",
             "must be a function of two vectors of scores, not {.obj_type_friendly {p_value}}.")
  new_test(test_entry(name, name, c("custom", "pairwise"), "mean score"), "two.sided", adjust, alpha,
           list(p_value = p_value))
}

new_test <- function(entry, alternative, adjust, alpha, parameters) {
  alternative <- check_choice(alternative, c("two.sided", "better", "greater", "less"), "alternative")
  pairwise <- "pairwise" %in% entry$classes
  check_that(pairwise || alternative == "two.sided", "alternative",
             "must be {.val two.sided} with the {entry$title} test.")
  adjust <- check_choice(adjust %||% if (pairwise) "holm" else "none", p.adjust.methods, "adjust")
  if (!is.null(alpha)) check_number(alpha, "alpha", 0, 1, open = TRUE)
  short <- paste0(entry$short, if (alternative != "two.sided") "1")
  fields <- list(name = entry$title, short = short, alternative = alternative, adjust = adjust, alpha = alpha,
                 compared = entry$compared)
  structure(c(fields, entry$fixed, parameters), class = c(paste0("judicious_test_", entry$classes), "judicious_test"))
}

# Converts `test`, a test or the name of one, to a test.
as_test <- function(test, arg = "test") {
  if (inherits(test, "judicious_test")) return(test)
  if (is_string(test)) return(significance_test(test))
  abort_argument(arg, "must be a test by {.fn significance_test} or its name, not {.obj_type_friendly {test}}.")
}

is_one_sample <- function(test) inherits(test, "judicious_test_one_sample")

is_pairwise <- function(test) inherits(test, "judicious_test_pairwise")

#' @export
format.judicious_test <- function(x, ...) {
  direction <- switch(x$alternative, two.sided = "", better = "one-tailed for the better system",
                 paste0("one-tailed, ", x$alternative))
  parts <- c(x$name, direction, if (identical(x$zeros, "pratt")) "zeros ranked",
             if (!is.null(x$method) && x$method != "auto") x$method,
             if (identical(x$statistic, "studentised")) "studentised",
             if (is_one_sample(x)) paste("mu =", format(x$mu)),
             if (!is.null(x$replicates)) counted(x$replicates, "replicate"),
             if (is_pairwise(x) && x$adjust != "none") paste(adjust_label(x$adjust), "correction"),
             if (!is.null(x$alpha)) paste("alpha =", format(x$alpha)))
  paste(parts[nzchar(parts)], collapse = ", ")
}

#' @export
print.judicious_test <- function(x, ...) print_line(x, "Significance test: ", format(x))

adjust_label <- function(adjust) switch(adjust, BH = , BY = adjust, fdr = "BH", upper_first(adjust))

# Converts tests, or names of tests, to a list of tests, named for tables and plots.
as_test_list <- function(tests) {
  if (inherits(tests, "judicious_test")) tests <- list(tests)
  check_that(length(tests), "tests", "must be one test or a list of tests.")
  tests <- lapply(as.list(tests), as_test, "tests")
  check_that(!any(vapply(tests, is_one_sample, TRUE)), "tests",
             "must compare systems; the one-sample t-test is for {.fn compare_systems}.")
  short <- vapply(tests, `[[`, "", "short")
  names(tests) <- if (is.null(names(tests))) make.unique(short) else ifelse(nzchar(names(tests)), names(tests), short)
  check_that(!anyDuplicated(names(tests)), "tests",
             "More than one of {.arg tests} is named {.val {names(tests)[anyDuplicated(names(tests))]}}.")
  tests
}
