#' Compute effect sizes of the differences between systems
#'
#' Computes a standardised effect size, with a confidence interval, for every pair of systems of a comparison.
#'
#' @param comparison The result of [compare_systems()].
#' @param type The effect size:
#'   - `"d_paired"`: the mean difference, divided by the standard deviation of the differences, with the exact interval
#'     from the noncentral t distribution.
#'   - `"d_residual"`: the mean difference, divided by the residual standard deviation of the two-way model system +
#'     query, with the interval of Tukey's HSD (Sakai 2014).
#'   - `"rank_biserial"`: (W+ - W-)/(W+ + W-), with W+ and W- the sums of the positive and the negative signed ranks,
#'     and an interval on Fisher's z scale (Kerby 2014).
#'   - `"superiority"`: the share of queries on which the first system is better, with equal scores counted as half, and
#'     Wilson's interval (conservative if there are ties).
#'   - `"auto"`: `"superiority"` for Friedman-Tukey, Nemenyi and sign tests, `"d_residual"` for Tukey's HSD and its
#'     randomised version, `"rank_biserial"` for Wilcoxon tests, and `"d_paired"` for all others.
#' @param level Confidence level; by default that of the comparison. Only intervals of `"d_residual"` hold
#'   simultaneously for all pairs.
#' @return A data frame with one row per pair: `system_a`, `system_b`, `type`, `effect`, `lower` and `upper`. If all
#'   differences of a pair are equal and not 0, `"d_paired"` is infinite and has no interval (NA).
#' @references Sakai (2014). SIGIR Forum 48(1), 3-12.
#'
#'   Kerby (2014). The simple difference formula. Comprehensive Psychology 3.
#' @examples
#' scores <- cbind(
#'   A = c(.9, .8, .7, .9, .6, .8), B = c(.5, .6, .4, .7, .5, .6), C = c(.2, .3, .1, .4, .3, .1)
#' )
#' effect_sizes(compare_systems(scores, significance_test("t")))
#' @export
effect_sizes <- function(comparison, type = c("auto", "d_paired", "d_residual", "rank_biserial", "superiority"),
                         level = comparison$level) {
  check_class(comparison, "judicious_comparison", "comparison", "compare_systems")
  type <- check_choice(type, c("auto", "d_paired", "d_residual", "rank_biserial", "superiority"), "type")
  check_number(level, "level", 0, 1, open = TRUE)
  if (type == "auto") type <- default_effect_type(comparison$test)
  x <- comparison$scores
  pairs <- list(a = match(comparison$pairs$system_a, colnames(x)), b = match(comparison$pairs$system_b, colnames(x)))
  d <- pair_differences(x, pairs)
  effect <- switch(type, d_paired = paired_effect(x, d, level), d_residual = residual_effect(x, d, level),
                   rank_biserial = rank_biserial_effect(ranked_differences(d, x, comparison$test$digits), level),
                   superiority = superiority_effect(d, level))
  data.frame(comparison$pairs[c("system_a", "system_b")], type = type, effect)
}

default_effect_type <- function(test) {
  switch(sub("judicious_test_", "", class(test)[1]), tukey = , randomised_tukey = "d_residual",
         wilcoxon = "rank_biserial", rank_tukey = , sign = "superiority", "d_paired")
}

# The differences `d` between columns of `x` in units of their standard deviation, by pair of systems.
paired_effect_size <- function(x, d = pair_differences(x)) {
  t_tests_cpp(d, all_rows(d), rounding_error(x))$statistic[, 1] / sqrt(nrow(d))
}

paired_effect <- function(x, d, level) {
  n <- nrow(d)
  effect <- paired_effect_size(x, d)
  tail <- (1 - level) / 2
  data.frame(effect = effect, lower = noncentral_effect(effect, n, tail), upper = -noncentral_effect(-effect, n, tail))
}

# The effect size for which a t statistic at least as large as the observed one has the probability `tail`. R's
# noncentral t distribution is accurate up to a noncentrality of 37; beyond that, the large-sample variance of t is
# used.
noncentral_effect <- function(effect, n, tail) {
  vapply(effect * sqrt(n), function(statistic) {
    if (!is.finite(statistic)) return(NA_real_)
    bracket <- statistic - (qnorm(1 - tail) + c(1, 0, -1)) * sqrt(1 + statistic^2 / (2 * (n - 1)))
    if (max(abs(bracket)) > 37) return(bracket[2] / sqrt(n))
    # R warns of errors near 1e-10, in brackets far from the root.
    excess <- function(ncp) 1 - tail - suppressWarnings(pt(statistic, n - 1, ncp))
    uniroot(excess, bracket[c(1, 3)], extendInt = "upX", tol = 1e-10)$root / sqrt(n)
  }, numeric(1))
}

residual_effect <- function(x, d, level) {
  n <- nrow(x)
  m <- ncol(x)
  mean <- colMeans(d)
  effect <- ifelse(mean == 0, 0, mean / sqrt(residual_mean_square_cpp(x, all_rows(x), rounding_error(x))))
  width <- studentised_critical_cpp(1 - level, m, (n - 1) * (m - 1)) / sqrt(n)
  data.frame(effect = effect, lower = effect - width, upper = effect + width)
}

rank_biserial_effect <- function(d, level) {
  s <- signed_rank_cpp(d, all_rows(d), "wilcox", "normal")
  total <- 2 * s$expected[, 1]
  effect <- ifelse(total > 0, (2 * s$statistic[, 1] - total) / total, 0)
  n <- colSums(d != 0)
  se <- sqrt((2 * n^3 + 3 * n^2 + n) / 6) / ((n^2 + n) / 2)
  half_width <- qnorm(1 - (1 - level) / 2) * ifelse(n > 0, se, Inf)
  shifted <- function(shift) ifelse(abs(effect) < 1, tanh(atanh(effect) + shift), effect)
  data.frame(effect = effect, lower = shifted(-half_width), upper = shifted(half_width))
}

superiority_effect <- function(d, level) {
  share <- (colSums(d > 0) + colSums(d == 0) / 2) / nrow(d)
  data.frame(effect = share, wilson_interval(share, nrow(d), level))
}

# Wilson's interval for a proportion `share` of n.
wilson_interval <- function(share, n, level = 0.95) {
  z <- qnorm((1 + level) / 2)
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half_width <- z / (1 + z^2 / n) * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  # Wilson's interval always contains the proportion itself; rounding errors at 0 and 1 are corrected.
  list(lower = pmin(pmax(centre - half_width, 0), share), upper = pmax(pmin(centre + half_width, 1), share))
}
