# Estimated differences and their intervals.
#
# test_result() compares the pairs of columns of x, in the order of the core. It returns a list with `pairs`, a data
# frame of estimate, lower, upper, statistic and p_value, and with further results of the test. `alpha` is the error
# rate of one interval, after correction for the number of pairs.

test_result <- function(test, x, alpha, seed) UseMethod("test_result")

test_result.judicious_test_studentised <- function(test, x, alpha, seed) {
  n <- nrow(x)
  m <- ncol(x)
  degrees <- studentised_df(test, n, m)
  statistic <- studentised_differences(test, x, all_rows(x))[, 1]
  if (inherits(test, "judicious_test_rank_tukey")) {
    f <- friedman_cpp(x, seq_len(n), test$correct_ties)
    level <- f$mean_rank
    se <- sqrt(f$sigma2 / n)
    overall <- list(name = "Friedman's test", label = sprintf("chi2(%d)", m - 1), statistic = f$chi2, df = m - 1,
                    p_value = f$p_value)
  } else {
    mse <- residual_mean_square_cpp(x, all_rows(x), rounding_error(x))
    level <- unname(colMeans(x))
    se <- sqrt(mse / n)
    ratio <- if (mse > 0 || diff(range(level)) > rounding_error(x)) n * var(level) / mse else 0
    overall <- list(name = "Analysis of variance", label = sprintf("F(%d, %d)", m - 1, degrees), statistic = ratio,
                    df = c(m - 1, degrees), p_value = pf(ratio, m - 1, degrees, lower.tail = FALSE))
  }
  width <- studentised_critical_cpp(alpha, m, degrees) * se
  pairs <- column_pairs(m)
  d <- level[pairs$a] - level[pairs$b]
  list(pairs = data.frame(symmetric_interval(d, width), statistic = abs(statistic),
                          p_value = studentised_range_cpp(abs(statistic), m, degrees)),
       level = level, half_width = width / 2, critical_difference = width, overall = overall)
}

test_result.judicious_test_randomised_tukey <- function(test, x, alpha, seed) {
  ranges <- randomised_ranges_cpp(x, test$replicates, seed)
  d <- mean_differences(x)
  allowed <- floor(alpha * (length(ranges) + 1) * (1 + 1e-12)) - 1
  width <- if (allowed < 0) Inf else rev(ranges)[min(allowed, length(ranges) - 1) + 1]
  list(pairs = data.frame(symmetric_interval(d, width), statistic = abs(d), p_value = range_p_value(abs(d), ranges)),
       level = unname(colMeans(x)), half_width = width / 2, critical_difference = width)
}

test_result.judicious_test_pairwise <- function(test, x, alpha, seed) {
  tails <- pair_tails(test, x, all_rows(x), seed)
  system_difference <- mean_differences(x)
  # The error rate on each side of the interval, or on its only side.
  side <- if (test$alternative == "two.sided") alpha / 2 else alpha
  interval <- pair_intervals(test, x, side, seed)
  # TRUE if the interval has no upper end, FALSE if it has no lower end, NA if it has both.
  upward <- switch(test$alternative, two.sided = NA, greater = TRUE, less = FALSE, better = system_difference >= 0)
  upward <- rep_len(upward, length(system_difference))
  list(pairs = data.frame(estimate = interval$estimate, lower = ifelse(upward %in% FALSE, -Inf, interval$lower),
                          upper = ifelse(upward %in% TRUE, Inf, interval$upper), statistic = tails$statistic[, 1],
                          p_value = alternative_p(test, tails, system_difference)[, 1]))
}

# pair_intervals(), for tests of one pair at a time, returns a list of vectors (one element per pair): the `estimate`,
# and the ends `lower` and `upper` of an interval with the error rate `side` on either side.
pair_intervals <- function(test, x, side, seed) UseMethod("pair_intervals")

pair_intervals.judicious_test_t <- function(test, x, side, seed) {
  d <- pair_differences(x)
  symmetric_interval(colMeans(d), qt(1 - side, nrow(x) - 1) * column_errors(d))
}

# The Hodges-Lehmann estimate and its interval, from the order statistics of the Walsh averages (means of two
# differences). Zeros are kept, because leaving them out would bias the estimate away from zero.
pair_intervals.judicious_test_wilcoxon <- function(test, x, side, seed) {
  n <- nrow(x)
  k <- if (n <= 1000) qsignrank(side, n) else
    floor(n * (n + 1) / 4 + qnorm(side) * sqrt(n * (n + 1) * (2 * n + 1) / 24))
  w <- walsh_averages_cpp(pair_differences(x), max(k, 1))
  order_interval(w[2, ], w[1, ], w[3, ], k)
}

pair_intervals.judicious_test_sign <- function(test, x, side, seed) {
  d <- pair_differences(x)
  k <- qbinom(side, nrow(x), 0.5)
  sorted <- apply(d, 2, sort)
  order_interval(apply(d, 2, median), sorted[max(k, 1), ], sorted[nrow(x) + 1 - max(k, 1), ], k)
}

# The interval extends from the estimate by the smallest significant difference to both sides.
pair_intervals.judicious_test_resampling <- function(test, x, side, seed) {
  critical <- resampled_tails(test, x, seed, alpha = 2 * side)$critical
  d <- pair_differences(x)
  symmetric_interval(colMeans(d), if (test$statistic == "studentised") critical * column_errors(d) else critical)
}

pair_intervals.judicious_test_custom <- function(test, x, side, seed) symmetric_interval(mean_differences(x), NA_real_)

column_errors <- function(d) sqrt(colSums(sweep(d, 2, colMeans(d))^2) / (nrow(d) - 1) / nrow(d))

symmetric_interval <- function(estimate, width) {
  list(estimate = estimate, lower = estimate - width, upper = estimate + width)
}

# With k = 0, no interval between order statistics reaches the confidence level, so the interval is unbounded.
order_interval <- function(estimate, lower, upper, k) {
  list(estimate = estimate, lower = if (k < 1) -Inf else lower, upper = if (k < 1) Inf else upper)
}

# Replaces numbers below 1e-12 of the largest by 0, because they are 0 except for rounding errors.
without_rounding_errors <- function(numbers) {
  size <- abs(as.matrix(numbers))
  replace(numbers, is.finite(size) & size < 1e-12 * max(size[is.finite(size)], 0), 0)
}

# The estimated differences in a table of pairs: differences of mean ranks if there are any, or else the column
# `estimate`.
pair_estimates <- function(pairs) pairs$rank_difference %||% pairs$estimate
