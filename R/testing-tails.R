# Decisions of each test about all pairs of systems, on one or many subsets of the queries.
#
# pair_tails(), for tests of one pair at a time, returns a list of matrices (pairs x subsets): the `statistic` of the
# test, the p-values `greater`, `less` and `two_sided`, and `direction`, whose sign shows which system is better
# according to the test.

pair_tails <- function(test, x, subsets, seed) UseMethod("pair_tails")

pair_tails.judicious_test_wilcoxon <- function(test, x, subsets, seed) {
  d <- ranked_differences(pair_differences(x), x, test$digits)
  signed_sum <- test$method == "signed_sum"
  tails <- signed_rank_cpp(d, subsets, test$zeros, if (signed_sum) "normal" else test$method)
  if (signed_sum) tails <- signed_sum_tails(tails)
  tails$direction <- tails$statistic - tails$expected
  tails
}

# The sum of all signed ranks is twice the deviation of the sum of the positive ranks from its mean, n (n + 1) / 4. If
# all differences are zero, the p-values remain 1.
signed_sum_tails <- function(tails) {
  some <- tails$expected > 0
  n <- (sqrt(1 + 16 * tails$expected) - 1) / 2
  signed <- 2 * (tails$statistic - tails$expected)
  sum_sd <- sqrt(n * (n + 1) * (2 * n + 1) / 6)
  above <- function(signed) stats::pnorm((signed - 0.5) / sum_sd, lower.tail = FALSE)
  tails$greater[some] <- above(signed)[some]
  tails$less[some] <- above(-signed)[some]
  tails$two_sided[some] <- pmin(1, 2 * above(abs(signed)))[some]
  tails
}

pair_tails.judicious_test_t <- function(test, x, subsets, seed) {
  t_tests_cpp(pair_differences(x), subsets, rounding_error(x))
}

pair_tails.judicious_test_sign <- function(test, x, subsets, seed) sign_tests_cpp(pair_differences(x), subsets)

pair_tails.judicious_test_resampling <- function(test, x, subsets, seed) {
  over_subsets(x, subsets, function(part, t) {
    tails <- resampled_tails(test, part, seed + t - 1, alpha = 0.05)
    tails$direction <- tails$statistic <- mean_differences(part)
    tails
  })
}

pair_tails.judicious_test_custom <- function(test, x, subsets, seed) {
  pairs <- column_pairs(ncol(x))
  over_subsets(x, subsets, function(part, t) {
    p <- with_seed((seed + t) %% .Machine$integer.max,
                   mapply(function(a, b) test$p_value(part[, a], part[, b]), pairs$a, pairs$b))
    is_one_each <- is.numeric(p) && length(p) == length(pairs$a)
    check_that(is_one_each && !anyNA(p) && !any(p < 0 | p > 1), "p_value", "The function {.arg p_value} of
      {.val {test$name}} must return one number from 0 to 1 for every pair of systems.", call = NULL)
    d <- mean_differences(part)
    list(two_sided = p, greater = p, less = p, direction = d, statistic = d)
  })
}

# Runs `f` on each subset and binds the vectors that it returns as columns.
over_subsets <- function(x, subsets, f) {
  parts <- lapply(seq_len(ncol(subsets)), function(t) f(x[subsets[, t], , drop = FALSE], t))
  fields <- c("statistic", "direction", "greater", "less", "two_sided")
  sapply(fields, function(field) do.call(cbind, lapply(parts, `[[`, field)), simplify = FALSE)
}

resampled_tails <- function(test, x, seed, alpha) {
  if (inherits(test, "judicious_test_permutation")) return(permutation_tests_cpp(x, test$replicates, seed, alpha))
  bootstrap_tests_cpp(x, test$replicates, seed, alpha, test$statistic == "studentised")
}

mean_differences <- function(x, pairs = column_pairs(ncol(x))) {
  system_means <- unname(colMeans(x))
  difference <- system_means[pairs$a] - system_means[pairs$b]
  replace(difference, abs(difference) <= rounding_error(x), 0)
}

# The p-values for the alternative of the test. `mean` is the difference between the mean scores.
alternative_p <- function(test, tails, mean) {
  switch(test$alternative, two.sided = tails$two_sided, greater = tails$greater, less = tails$less,
         better = structure(ifelse(mean >= 0, tails$greater, tails$less), dim = dim(tails$greater)))
}

# decide_subsets() returns, for every pair (row) and subset (column), the sign of the difference, doubled if the
# difference is significant: -2, -1, 0, 1 or 2. `chosen` selects the pairs to test, whose number determines the
# correction of the p-values.

decide_subsets <- function(test, x, subsets, alpha, seed, chosen = TRUE) UseMethod("decide_subsets")

decide_subsets.judicious_test_studentised <- function(test, x, subsets, alpha, seed, chosen = TRUE) {
  statistic <- studentised_differences(test, x, subsets)[chosen, , drop = FALSE]
  critical <- studentised_critical_cpp(alpha, ncol(x), studentised_df(test, nrow(subsets), ncol(x)))
  sign(statistic) * (1 + (abs(statistic) >= critical))
}

decide_subsets.judicious_test_pairwise <- function(test, x, subsets, alpha, seed, chosen = TRUE) {
  tails <- pair_tails(test, x, subsets, seed)
  mean_difference <- if (test$alternative == "better") paired_statistics_cpp(pair_differences(x), subsets)$mean
  p <- alternative_p(test, tails, mean_difference)[chosen, , drop = FALSE]
  direction <- (mean_difference %||% tails$direction)[chosen, , drop = FALSE]
  if (test$adjust != "none") p[] <- apply(p, 2, p.adjust, method = test$adjust)
  sign(direction) * (1 + (p <= alpha))
}

decide_subsets.judicious_test_randomised_tukey <- function(test, x, subsets, alpha, seed, chosen = TRUE) {
  do.call(cbind, lapply(seq_len(ncol(subsets)), function(t) {
    part <- x[subsets[, t], , drop = FALSE]
    d <- mean_differences(part)[chosen]
    sign(d) * (1 + (range_p_value(abs(d), randomised_ranges_cpp(part, test$replicates, seed + t - 1)) <= alpha))
  }))
}

# Differences in units of their standard error, which are compared with quantiles of the studentised range.
studentised_differences <- function(test, x, subsets) {
  if (inherits(test, "judicious_test_rank_tukey")) return(rank_differences_cpp(x, subsets, test$correct_ties))
  mean_difference <- paired_statistics_cpp(pair_differences(x), subsets)$mean
  se <- sqrt(residual_mean_square_cpp(x, subsets, rounding_error(x)) / nrow(subsets))
  statistic <- mean_difference / rep(se, each = nrow(mean_difference))
  statistic[abs(mean_difference) <= rounding_error(x)] <- 0
  statistic
}

studentised_df <- function(test, n, m) if (inherits(test, "judicious_test_rank_tukey")) Inf else (n - 1) * (m - 1)

# The p-value of a difference: the share of the resampled `ranges`, in ascending order, that are at least as large. The
# observed range is counted, too.
range_p_value <- function(difference, ranges) {
  reached <- length(ranges) - findInterval(difference * (1 - 1e-10), ranges, left.open = TRUE)
  (1 + reached) / (1 + length(ranges))
}
