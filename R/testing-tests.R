#' Significance tests
#'
#' A test is an object that [compare_systems()], [power_analysis()] and [stability_analysis()] take. All tests
#' compare systems on the same queries.
#'
#' `test_friedman_tukey()` is the procedure of MIREX: Friedman's test over queries, then Tukey's honestly significant
#' difference on the mean ranks, with the variance of the ranks corrected for ties. `test_nemenyi()` is the same
#' without the correction. `test_tukey()` is Tukey's HSD on the scores, on the residuals of the two-way model system +
#' query. `test_randomised_tukey()` (Carterette 2012) takes the distribution of the range from permutations of the
#' scores within queries. These four hold the error rate over all pairs of systems by themselves.
#'
#' The other tests look at one pair of systems at a time, and `adjust` corrects for their number. `test_wilcoxon()` is
#' the signed-rank test, `test_t()` the paired t-test, `test_sign()` the sign test, `test_permutation()` flips the
#' signs of the differences (all of them where there are no more than `replicates` ways), and `test_bootstrap()` draws
#' queries with replacement from the differences shifted to mean 0. `test_custom()` wraps a test of one's own.
#'
#' @param alternative `"two.sided"`; `"better"`: one-tailed, that the system with the higher mean score is better, as
#'   Urbano et al. (2011) do (the direction comes from the data, so that the chance of an error in a pair of equal
#'   systems is twice `alpha`); `"greater"` or `"less"`: one-tailed, that the first system of the pair, in the order
#'   of the scores' columns, is better or worse than the second.
#' @param zeros What happens to differences of zero: `"wilcox"` leaves them out, `"pratt"` ranks them with the others
#'   and then leaves out their ranks.
#' @param method `"auto"`: exact below 50 differences without ties and zeros, otherwise the normal approximation with
#'   continuity correction, exactly as [stats::wilcox.test()]; `"exact"`: the exact distribution given the mid-ranks
#'   there are; `"normal"`.
#' @param digits Significant digits of differences that are ranked; `Inf` ranks them as they are, where 0.3 - 0.1
#'   and 0.5 - 0.3 differ by rounding.
#' @param statistic What is resampled: the `"mean"` difference, or its t statistic (`"studentised"`, Sakai 2006).
#' @param replicates How many permutations or bootstrap samples.
#' @param adjust Correction for the number of pairs, one of [stats::p.adjust.methods].
#' @param alpha Significance level of the test in studies that mix tests; NULL: that of the study.
#' @param p_value A function of two vectors, the scores of two systems for the same queries; returns the p-value.
#' @param name How the test is called in tables and plots.
#' @return A `judicious_test`.
#' @references Urbano, J., Martin, D., Marrero, M. and Morato, J. (2011). Audio Music Similarity and Retrieval:
#'   evaluation
#'   power and stability. ISMIR.
#'
#'   Carterette, B. (2012). Multiple testing in statistical analysis of systems-based information retrieval
#'   experiments. ACM Transactions on Information Systems 30(1).
#'
#'   Sakai, T. (2006). Evaluating evaluation metrics based on the bootstrap. ACM SIGIR, 525-532.
#'
#'   Pratt, J.W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank procedures. Journal of the American
#'   Statistical Association 54, 655-667.
#' @examples
#' test_friedman_tukey()
#' test_wilcoxon("better", adjust = "none", alpha = 0.01)
#' test_custom(function(a, b) t.test(a, b)$p.value, name = "Welch")
#' @name judicious_tests
NULL

#' @rdname judicious_tests
#' @export
test_friedman_tukey <- function(alpha = NULL) {
  new_test("rank_tukey", "studentised", "Friedman-Tukey", "FT", alpha = alpha, correct_ties = TRUE, on = "mean rank")
}

#' @rdname judicious_tests
#' @export
test_nemenyi <- function(alpha = NULL) {
  new_test("rank_tukey", "studentised", "Nemenyi", "Nemenyi", alpha = alpha, correct_ties = FALSE, on = "mean rank")
}

#' @rdname judicious_tests
#' @export
test_tukey <- function(alpha = NULL) {
  new_test("tukey", "studentised", "Tukey's HSD, two-way", "Tukey", alpha = alpha, on = "mean score")
}

#' @rdname judicious_tests
#' @export
test_randomised_tukey <- function(replicates = 10000, alpha = NULL) {
  check_count(replicates, "replicates", min = 100)
  new_test("randomised_tukey", character(), "randomised Tukey's HSD", "Tukey, randomised", alpha = alpha,
           replicates = replicates,
           on = "mean score")
}

#' @rdname judicious_tests
#' @export
test_wilcoxon <- function(alternative = c("two.sided", "better", "greater", "less"), zeros = c("wilcox", "pratt"),
                          method = c("auto", "exact", "normal"), digits = Inf, adjust = "holm", alpha = NULL) {
  zeros <- check_choice(zeros, c("wilcox", "pratt"), "zeros")
  method <- check_choice(method, c("auto", "exact", "normal"), "method")
  check_number(digits, "digits", min = 1)
  new_test("wilcoxon", "pairwise", "Wilcoxon's signed-rank test", "W", alternative, adjust, alpha,
           zeros = zeros, method = method, digits = digits, on = "pseudo-median")
}

#' @rdname judicious_tests
#' @export
test_t <- function(alternative = c("two.sided", "better", "greater", "less"), adjust = "holm", alpha = NULL) {
  new_test("t", "pairwise", "paired t-test", "t", alternative, adjust, alpha, on = "mean score")
}

#' @rdname judicious_tests
#' @export
test_sign <- function(alternative = c("two.sided", "better", "greater", "less"), adjust = "holm", alpha = NULL) {
  new_test("sign", "pairwise", "sign test", "Sign", alternative, adjust, alpha, on = "median")
}

#' @rdname judicious_tests
#' @export
test_permutation <- function(alternative = c("two.sided", "better", "greater", "less"), replicates = 10000,
                             adjust = "holm", alpha = NULL) {
  check_count(replicates, "replicates", min = 100)
  new_test("permutation", c("resampling", "pairwise"), "permutation test", "Perm.", alternative, adjust, alpha,
           replicates = replicates, statistic = "mean", on = "mean score")
}

#' @rdname judicious_tests
#' @export
test_bootstrap <- function(alternative = c("two.sided", "better", "greater", "less"), statistic = c("mean",
  "studentised"),
                           replicates = 10000, adjust = "holm", alpha = NULL) {
  statistic <- check_choice(statistic, c("mean", "studentised"), "statistic")
  check_count(replicates, "replicates", min = 100)
  new_test("bootstrap", c("resampling", "pairwise"), "bootstrap test", "Boot.", alternative, adjust, alpha,
           replicates = replicates, statistic = statistic, on = "mean score")
}

#' @rdname judicious_tests
#' @export
test_custom <- function(p_value, name = "custom test", adjust = "holm", alpha = NULL) {
  check_string(name, "name")
  if (!is.function(p_value)) {
    abort_judicious("{.arg p_value} must be a function of two vectors of scores, not {.obj_type_friendly {p_value}}.",
                    "argument", argument = "p_value")
  }
  new_test("custom", "pairwise", name, name, "two.sided", adjust, alpha, p_value = p_value, on = "mean score")
}

alternatives <- c("two.sided", "better", "greater", "less")

new_test <- function(kind, family, name, short, alternative = "two.sided", adjust = "none", alpha = NULL, ...,
                     call = caller_env()) {
  alternative <- check_choice(alternative, alternatives, "alternative", call)
  adjust <- check_choice(adjust, p.adjust.methods, "adjust", call)
  if (!is.null(alpha)) check_number(alpha, "alpha", 0, 1, open = TRUE, call = call)
  tails <- if (alternative == "two.sided") "" else "1"
  structure(list(name = name, short = paste0(short, tails), alternative = alternative, adjust = adjust, alpha = alpha,
                 ...),
            class = c(paste0("judicious_test_", c(kind, family)), "judicious_test"))
}

is_pairwise <- function(test) inherits(test, "judicious_test_pairwise")

#' @export
format.judicious_test <- function(x, ...) {
  tail <- switch(x$alternative, two.sided = "", better = "one-tailed for the better system",
                 paste0("one-tailed, ", x$alternative))
  parts <- c(x$name, tail, if (identical(x$zeros, "pratt")) "zeros ranked",
             if (!is.null(x$method) && x$method != "auto") x$method, if (identical(x$statistic,
               "studentised")) "studentised",
             if (!is.null(x$replicates)) counted(x$replicates, "replicate"),
             if (is_pairwise(x) && x$adjust != "none") paste(adjust_label(x$adjust), "correction"),
             if (!is.null(x$alpha)) paste("alpha =", format(x$alpha)))
  paste(parts[nzchar(parts)], collapse = ", ")
}

#' @export
print.judicious_test <- function(x, ...) {
  cat("Significance test: ", format(x), "\n", sep = "")
  invisible(x)
}

adjust_label <- function(adjust) {
  if (adjust %in% c("BH", "BY")) return(adjust)
  if (adjust == "fdr") return("BH")
  paste0(upper_ascii(substr(adjust, 1, 1)), substring(adjust, 2))
}

# A list of tests, whatever the user gave; names are those of tables and plots.
as_test_list <- function(tests, call = caller_env()) {
  if (inherits(tests, "judicious_test")) tests <- list(tests)
  if (!is.list(tests) || !length(tests) || !all(vapply(tests, inherits, logical(1), "judicious_test"))) {
    abort_judicious("{.arg tests} must be one test or a list of tests, like {.fn test_friedman_tukey}.",
                    "argument", argument = "tests", call = call)
  }
  short <- vapply(tests, function(test) test$short, character(1))
  names(tests) <- if (is.null(names(tests))) make.unique(short) else ifelse(nzchar(names(tests)), names(tests), short)
  if (anyDuplicated(names(tests))) {
    abort_judicious("More than one of {.arg tests} is named {.val {names(tests)[anyDuplicated(names(tests))]}}.",
                    "argument", argument = "tests", call = call)
  }
  tests
}
