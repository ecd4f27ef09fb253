# The example in section 8 of vignette("methods"): 6 queries rank 3 systems in the same order.
test_that("Friedman's test and Tukey's HSD reproduce the worked example", {
  r <- compare_systems(matrix(rep(c(3, 2, 1), 6), 6, byrow = TRUE), "friedman_tukey")
  expect_equal(r$overall$statistic, 12, tolerance = 1e-14)
  expect_lt(abs(r$overall$p_value - .002478752), 1e-9)
  expect_lt(abs(r$critical_difference - 1.353136), 1e-6)
  expect_lt(max(abs(r$pairs$p_value - c(.193225244, .001542861, .193225244))), 1e-9)
  expect_equal(r$pairs$rank_difference, c(1, 2, 1))
  expect_identical(r$pairs$significant, c(FALSE, TRUE, FALSE))
})

# An implementation of the definitions that uses no function of the package.
slow_friedman_tukey <- function(x, correct) {
  n <- nrow(x)
  m <- ncol(x)
  ranks <- t(apply(x, 1, rank))
  ties <- sum(apply(x, 1, function(row) sum(table(row)^3 - table(row))))
  sigma2 <- m * (m + 1) / 12 - if (correct) ties / (12 * n * (m - 1)) else 0
  list(chi2 = n * sum((colMeans(ranks) - (m + 1) / 2)^2) / sigma2, mean = colMeans(ranks), sigma = sqrt(sigma2))
}

expect_friedman_tukey <- function(x) {
  for (correct in c(TRUE, FALSE)) {
    r <- compare_systems(x, if (correct) significance_test("friedman_tukey") else significance_test("nemenyi"))
    slow <- slow_friedman_tukey(x, correct)
    d <- unname(slow$mean[r$pairs$system_a] - slow$mean[r$pairs$system_b])
    expect_equal(r$overall$statistic, slow$chi2, tolerance = 1e-10)
    expect_equal(pair_estimates(r$pairs), d, tolerance = 1e-10)
    expect_equal(r$pairs$p_value, ptukey(abs(d) * sqrt(nrow(x)) / slow$sigma, ncol(x), Inf, lower.tail = FALSE),
                 tolerance = 1e-8)
    # qtukey() has four digits fewer than ptukey().
    expect_equal(ptukey(r$critical_difference * sqrt(nrow(x)) / slow$sigma, ncol(x), Inf), 0.95, tolerance = 1e-10)
  }
  peer <- friedman.test(x)
  mine <- compare_systems(x, "friedman_tukey")$overall
  expect_equal(c(mine$statistic, mine$df, mine$p_value), unname(c(peer$statistic, peer$parameter, peer$p.value)),
               tolerance = 1e-10)
}

# The distribution function of the studentised range by two nested integrals. ptukey() is wrong from the ninth digit on.
studentised_range <- function(q, groups, df) {
  range <- Vectorize(function(w) {
    density <- function(z) groups * dnorm(z) * (pnorm(z) - pnorm(z - w))^(groups - 1)
    integrate(density, -9, 9 + w, rel.tol = 1e-12, subdivisions = 2000)$value
  })
  spread <- function(s) {
    exp(log(2) + df / 2 * log(df / 2) - lgamma(df / 2) + (df - 1) * log(s) - df * s^2 / 2) * range(q * s)
  }
  around <- 1 + c(-12, 12) / sqrt(2 * df)
  integrate(spread, max(1e-8, around[1]), around[2], rel.tol = 1e-11, subdivisions = 2000)$value
}

expect_two_way_tukey <- function(x) {
  long <- data.frame(value = as.vector(x), system = factor(rep(colnames(x), each = nrow(x))),
                     query = factor(rep(rownames(x), ncol(x))))
  model <- aov(value ~ system + query, long)
  peer <- TukeyHSD(model, "system")$system
  r <- compare_systems(x, significance_test("tukey"))
  forward <- match(paste(r$pairs$system_a, r$pairs$system_b, sep = "-"), rownames(peer))
  backward <- match(paste(r$pairs$system_b, r$pairs$system_a, sep = "-"), rownames(peer))
  sign <- ifelse(is.na(forward), -1, 1)
  at <- ifelse(is.na(forward), backward, forward)
  expect_equal(r$pairs$estimate, unname(sign * peer[at, "diff"]), tolerance = 1e-9)
  se <- sqrt(summary(model)[[1]]["Residuals", "Mean Sq"] / nrow(x))
  width <- (r$pairs$estimate - r$pairs$lower) / se
  expect_equal(width, rep(width[1], length(width)), tolerance = 1e-9)
  expect_equal(studentised_range(width[1], ncol(x), model$df.residual), 0.95, tolerance = 1e-9)
  # TukeyHSD() rounds its p-values to 7 digits.
  expect_lt(max(abs(r$pairs$p_value - peer[at, "p adj"])), 1e-6)
  table <- summary(model)[[1]]
  expect_equal(r$overall$statistic, table["system", "F value"], tolerance = 1e-8, ignore_attr = TRUE)
}

# R 4.6 is exact by default also with ties and zeros, and keeps the ranks of zeros. By default, R's ranks differ for
# differences that are equal but for rounding errors.
signed_rank_p <- function(a, b, alternative) {
  d <- round(a - b, 12)
  exact <- length(d) < 50 && all(d != 0) && !anyDuplicated(abs(d))
  suppressWarnings(wilcox.test(d, alternative = alternative, exact = exact)$p.value)
}

expect_pair_tests <- function(x) {
  for (alternative in c("two.sided", "greater", "less")) {
    r <- compare_systems(x, significance_test("wilcoxon", alternative))
    peer <- by_pair(r, x, function(a, b) signed_rank_p(a, b, alternative))
    expect_equal(r$pairs$p_value, ifelse(is.nan(peer), 1, peer), tolerance = 1e-10)
    r <- compare_systems(x, significance_test("t", alternative, adjust = "none"))
    varies <- by_pair(r, x, function(a, b) var(a - b) > 0)
    peer <- by_pair(r, x, function(a, b) if (var(a - b) > 0) unlist(t.test(a, b, paired = TRUE,
      alternative = alternative)[c("p.value", "conf.int")]) else c(1, 0, 0))
    expect_equal(r$pairs$p_value[varies], peer[1, varies], tolerance = 1e-10)
    expect_equal(r$pairs$lower[varies], peer[2, varies], tolerance = 1e-10)
    expect_equal(r$pairs$upper[varies], peer[3, varies], tolerance = 1e-10)
    r <- compare_systems(x, significance_test("sign", alternative))
    peer <- by_pair(r, x, function(a, b) if (all(a == b)) 1 else binom.test(sum(a > b), sum(a != b),
      alternative = alternative)$p.value)
    expect_equal(r$pairs$p_value, peer, tolerance = 1e-10)
    expect_equal(r$pairs$p_adjusted, p.adjust(peer, "holm"), tolerance = 1e-10)
  }
}

test_that("the studentised range distribution is accurate in the far tail", {
  # A value computed with 30 digits; ptukey() returns 1.8e-13 here.
  expect_equal(studentised_range_cpp(12, 18, Inf), 3.29248197180529891e-15, tolerance = 1e-12)
  expect_equal(studentised_range_cpp(c(0, 200), 2, 40), c(1, 2 * pt(200 / sqrt(2), 40, lower.tail = FALSE)),
               tolerance = 1e-11)
  expect_equal(studentised_critical_cpp(studentised_range_cpp(9, 7, 30), 7, 30), 9, tolerance = 1e-10)
})

test_that("tests agree with R's own on TREC-3 ad hoc", {
  x <- adhoc3_scores()[, 1:15]
  rownames(x) <- paste0("q", seq_len(nrow(x)))
  expect_friedman_tukey(x)
  expect_two_way_tukey(x)
  expect_pair_tests(x)
})

test_that("tests agree with R's own on 40 random matrices with ties", {
  for (seed in 1:40) {
    x <- random_scores(seed)
    expect_friedman_tukey(x)
    expect_two_way_tukey(x)
    expect_pair_tests(x)
  }
})

test_that("exact signed-rank p-values enumerate all changes of signs, with ties and zeros", {
  for (seed in 1:6) {
    x <- random_scores(seed, n = 9, m = 3, values = 5)
    for (zeros in c("wilcox", "pratt")) {
      r <- compare_systems(x, significance_test("wilcoxon", "greater", zeros = zeros, method = "exact"))
      slow <- by_pair(r, x, function(a, b) {
        d <- a - b
        rank <- if (zeros == "wilcox") { d <- d[d != 0]; rank(abs(d)) } else rank(abs(d))[d != 0]
        d <- d[d != 0]
        signs <- as.matrix(expand.grid(rep(list(0:1), length(d))))
        mean(signs %*% rank >= sum(rank[d > 0]))
      })
      expect_equal(r$pairs$p_value, slow, tolerance = 1e-12)
    }
    # R 4.6 has exact p-values with ties and zeros, which it ranks as Pratt.
    if (getRversion() >= "4.6") {
      r <- compare_systems(x, significance_test("wilcoxon", "less", zeros = "pratt", method = "exact"))
      peer <- by_pair(r, x, function(a, b) wilcox.test(a, b, paired = TRUE, alternative = "less")$p.value)
      expect_equal(r$pairs$p_value, peer, tolerance = 1e-12)
    }
  }
})

test_that("Pratt's normal approximation uses the variance of the ranks of nonzero differences", {
  x <- random_scores(3, n = 55, m = 3, values = 6)
  r <- compare_systems(x, significance_test("wilcoxon", "less", zeros = "pratt", method = "normal"))
  slow <- by_pair(r, x, function(a, b) {
    d <- a - b
    rank <- rank(abs(d))[d != 0]
    w <- sum(rank[d[d != 0] > 0])
    pnorm((w - sum(rank) / 2 + 0.5) / sqrt(sum(rank^2) / 4))
  })
  expect_equal(r$pairs$p_value, slow, tolerance = 1e-12)
})

test_that("differences that are equal up to rounding errors or rounded to `digits` are ties of the signed-rank test", {
  x <- cbind(A = c(0.3, 0.5, 0.9, 0.2, 0.7), B = c(0.1, 0.3, 0.5, 0.5, 0.3))
  r <- compare_systems(x, significance_test("wilcoxon", "greater", method = "exact"))
  nearly <- compare_systems(x + 1e-5 * 1:10, significance_test("wilcoxon", "greater", digits = 3, method = "exact"))
  expect_equal(nearly$pairs$p_value, r$pairs$p_value)
  d <- c(2, 2, 4, -3, 4)
  expect_equal(effect_sizes(r)$effect, sum(sign(d) * rank(abs(d))) / 15)
  signs <- as.matrix(expand.grid(rep(list(0:1), 5)))
  expect_equal(r$pairs$p_value, mean(signs %*% rank(abs(d)) >= sum(rank(abs(d))[d > 0])))
})

test_that("intervals of the pseudo-median equal R's, and those of the median are order statistics", {
  set.seed(5)
  x <- matrix(rnorm(60), 20, dimnames = list(NULL, c("A", "B", "C")))
  r <- compare_systems(x, significance_test("wilcoxon", adjust = "none"))
  peer <- by_pair(r, x, function(a, b) unlist(wilcox.test(a, b, paired = TRUE,
                                                          conf.int = TRUE)[c("conf.int", "estimate")]))
  expect_equal(rbind(r$pairs$lower, r$pairs$upper, r$pairs$estimate), unname(peer), tolerance = 1e-10)
  s <- compare_systems(x, significance_test("sign", adjust = "none"))
  d <- apply(by_pair(s, x, `-`), 2, sort)
  expect_equal(s$pairs$lower, d[6, ]) # P(Binomial(20, 1/2) <= 5) = .0207, <= 6: .0577
  expect_equal(s$pairs$upper, d[15, ])
})

test_that("corrected p-values come with simultaneous intervals", {
  x <- random_scores(8, n = 30, m = 5, values = 1000)
  r <- compare_systems(x, significance_test("t"), adjust = "hochberg")
  expect_equal(r$pairs$p_adjusted, p.adjust(r$pairs$p_value, "hochberg"))
  one <- t.test(x[, r$pairs$system_a[1]], x[, r$pairs$system_b[1]], paired = TRUE, conf.level = 1 - 0.05 / 10)
  expect_equal(c(r$pairs$lower[1], r$pairs$upper[1]), as.vector(one$conf.int))
  expect_identical(compare_systems(x, significance_test("t"), adjust = "BH")$pairs$significant,
                   p.adjust(r$pairs$p_value, "BH") <= 0.05)
})

test_that("with a baseline, only comparisons with it count in the correction", {
  x <- random_scores(9, n = 30, m = 5, values = 1000)
  r <- compare_systems(x, significance_test("t", "greater"), baseline = "sys2")
  expect_identical(r$pairs$system_a, c("sys1", "sys3", "sys4", "sys5"))
  expect_identical(unique(r$pairs$system_b), "sys2")
  p <- by_pair(r, x, function(a, b) t.test(a, b, paired = TRUE, alternative = "greater")$p.value)
  expect_equal(r$pairs$p_adjusted, p.adjust(p, "holm"))
})

test_that("alternative = \"better\" is R's one-sided test in the direction of the means", {
  x <- random_scores(10, n = 25, m = 6)
  r <- compare_systems(x, significance_test("wilcoxon", "better", adjust = "none"))
  p <- by_pair(r, x, function(a, b) signed_rank_p(a, b, if (mean(a) >= mean(b)) "greater" else "less"))
  expect_equal(r$pairs$p_value, p)
  expect_true(all(r$pairs$upper == Inf))
})

test_that("the permutation test is exact if there are few changes of signs", {
  for (seed in 1:5) {
    x <- random_scores(seed, n = 10, m = 4, values = 7)
    for (alternative in c("two.sided", "greater", "less")) {
      r <- compare_systems(x, significance_test("permutation", alternative, adjust = "none"))
      signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), 10)))
      slow <- by_pair(r, x, function(a, b) {
        t <- as.vector(signs %*% (a - b))
        seen <- sum(a - b)
        mean(switch(alternative, two.sided = abs(t) >= abs(seen), greater = t >= seen, less = t <= seen))
      })
      expect_equal(r$pairs$p_value, slow, tolerance = 1e-12)
    }
    two <- compare_systems(x, significance_test("permutation", adjust = "none"))$pairs
    expect_identical(two$p_value <= 0.05, two$lower > 1e-9 | two$upper < -1e-9)
  }
})

# With many replicates the p-value is within 5 standard errors of the limit, which differs from 0 and 1.
expect_near_p <- function(got, want, replicates) expect_true(all(abs(got - want) < 5 *
                                                                 sqrt(want * (1 - want) / replicates) + 2 / replicates))

test_that("sampled permutations agree with the exact distribution", {
  x <- random_scores(21, n = 14, m = 4, values = 20)
  exact <- compare_systems(x, significance_test("permutation", replicates = 2^14, adjust = "none"))$pairs$p_value
  fewer <- significance_test("permutation", replicates = 2^14 - 1, adjust = "none")
  sampled <- compare_systems(x, fewer, seed = 4)$pairs$p_value
  expect_false(identical(exact, sampled))
  expect_near_p(sampled, exact, 2^14)
})

test_that("the bootstrap test agrees with an enumeration of all samples of few queries", {
  x <- random_scores(22, n = 5, m = 3, values = 30)
  samples <- as.matrix(expand.grid(rep(list(1:5), 5)))
  t_of <- function(d) if (var(d) > 0) mean(d) / sqrt(var(d) / 5) else if (abs(mean(d)) < 1e-9) 0 else sign(mean(d)) *
    Inf
  for (statistic in c("mean", "studentised")) {
    test <- significance_test("bootstrap", statistic = statistic, replicates = 40000, adjust = "none")
    r <- compare_systems(x, test, seed = 2)
    f <- if (statistic == "mean") mean else t_of
    slow <- by_pair(r, x, function(a, b) {
      d <- a - b
      drawn <- apply(samples, 1, function(i) f((d - mean(d))[i]))
      mean(abs(drawn) >= abs(f(d)) - 1e-9)
    })
    expect_near_p(r$pairs$p_value, slow, 40000)
  }
})

test_that("randomised Tukey HSD agrees with an enumeration of all permutations within queries", {
  x <- random_scores(23, n = 4, m = 3, values = 30)
  orders <- rbind(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
  ways <- as.matrix(expand.grid(rep(list(1:6), 4)))
  ranges <- apply(ways, 1, function(w) diff(range(colMeans(t(sapply(1:4, function(q) x[q, orders[w[q], ]]))))))
  r <- compare_systems(x, significance_test("randomised_tukey", replicates = 20000), seed = 3)
  slow <- sapply(abs(r$pairs$estimate), function(d) mean(ranges >= d - 1e-9))
  expect_near_p(r$pairs$p_value, slow, 20000)
  expect_equal(r$critical_difference, r$systems$upper[1] - r$systems$lower[1])
})

test_that("a seed reproduces resampling and leaves R's random number generator unchanged", {
  x <- random_scores(24, n = 30, m = 4)
  test <- significance_test("permutation", replicates = 500, adjust = "none")
  a <- keeps_generator(compare_systems(x, test, seed = 7))
  expect_identical(a, compare_systems(x, test, seed = 7))
  set.seed(5)
  b <- compare_systems(x, test)
  set.seed(5)
  expect_identical(b, compare_systems(x, test))
})

test_that("a custom test can be used like the built-in ones", {
  x <- random_scores(25, n = 12, m = 4, values = 1000)
  r <- compare_systems(x, significance_custom(function(a, b) ks.test(a, b, exact = TRUE)$p.value, "Kolmogorov-Smirnov"))
  expect_equal(r$pairs$p_value, by_pair(r, x, function(a, b) ks.test(a, b, exact = TRUE)$p.value))
  expect_true(all(is.na(r$pairs$lower)))
  expect_false(any(grepl("interval", utils::capture.output(print(r)))))
})

test_that("systems with equal scores have p-value 1 in every test", {
  x <- matrix(rep(c(.1, .5, .3, .9), 3), 4)
  # One-sample tests compare each system with a number, not with the others.
  tests <- c(lapply(setdiff(names(significance_registry), "one_sample_t"), significance_test),
             list(significance_test("bootstrap", statistic = "studentised")))
  for (test in tests) expect_equal(compare_systems(x, test, seed = 1)$pairs$p_value, c(1, 1, 1))
})

test_that("p-values of Friedman's test with Tukey's HSD do not depend on the order of systems and queries", {
  x <- random_scores(26, n = 20, m = 6)
  long <- data.frame(system = rep(colnames(x), each = 20), query = rep(rownames(x), 6), measure = "AG@5",
                     value = as.vector(x))
  shuffled <- long[sample(nrow(long)), ]
  by_name <- function(r) {
    p <- r$pairs
    setNames(p$p_value, mapply(function(a, b) paste(sort(c(a, b)), collapse = "-"), p$system_a, p$system_b))
  }
  expected <- by_name(compare_systems(x, "friedman_tukey"))
  expect_equal(by_name(compare_systems(shuffled, "friedman_tukey"))[names(expected)], expected)
})

test_that("errors name the argument that compare_systems() cannot use", {
  x <- random_scores(1, n = 6, m = 3)
  long <- data.frame(system = rep(colnames(x), each = 6), query = rep(rownames(x), 3), value = as.vector(x))
  expect_snapshot(error = TRUE, {
    compare_systems("scores")
    compare_systems(long[-4, ])
    compare_systems(rbind(long, long[2, ]))
    compare_systems(transform(long, value = replace(value, 5, NA)))
    compare_systems(replace(x, 7, Inf))
    compare_systems(x[, 1, drop = FALSE])
    compare_systems(rbind(cbind(long, measure = "P@5"), cbind(long, measure = "AP")))
    compare_systems(cbind(long, measure = "P@5"), measure = "nDCG")
    compare_systems(x, "wilcoxson")
    compare_systems(x, 1)
    compare_systems(x, "friedman_tukey", adjust = "holm")
    compare_systems(x, significance_test("t"), adjust = "magic")
    compare_systems(x, baseline = "nobody")
    compare_systems(x, level = 95)
    compare_systems(x, significance_custom(function(a, b) NA))
    compare_systems(x, significance_custom(function(a, b) c(0.1, 0.2)))
    significance_test("wilcoxon", "both")
    compare_systems(x, "wilcox")
    significance_test("t", replicates = 500)
    significance_test("tukey", "better")
    significance_test("wilcoxon", zeros = "split")
    significance_test("permutation", replicates = 3)
  })
  expect_error(compare_systems(long[-4, ]), class = "judicious_error_missing_score")
  listed <- long
  listed$value <- as.list(long$value)
  expect_error(compare_systems(listed), "\"value\" of `scores` must hold finite numbers")
  expect_error(compare_systems(cbind(long, measure = NA_character_)), "\"measure\" of `scores` has .* missing")
})

test_that("a warning states that the replicates are too few for the correction", {
  x <- random_scores(2, n = 30, m = 8)
  expect_snapshot(r <- compare_systems(x, significance_test("permutation", replicates = 200), seed = 1))
})

test_that("the default number of replicates suffices for the correction of many pairs", {
  scores <- outer(seq_len(30) / 100, (40:1) / 10, `+`)
  expect_no_warning(many <- compare_systems(scores, seed = 1))
  expect_identical(many$test$replicates, 2 * 780 / 0.05)
  expect_true(any(many$pairs$significant))
  expect_identical(compare_systems(scores[, 1:3], seed = 1)$test$replicates, 10000)
})

test_that("the best system comes first for measures where lower is better", {
  runs <- expand.grid(system = c("A", "B", "C"), query = paste0("q", 1:8), doc = paste0("d", 1:6),
                      stringsAsFactors = FALSE)
  judgments <- unique(runs[c("query", "doc")])
  judgments$gain <- rep(c(2, 1, 0, 0, 0, 0), each = 8)
  gain <- judgments$gain[match(paste(runs$query, runs$doc), paste(judgments$query, judgments$doc))]
  runs$score <- c(A = 1, B = 0.1, C = -1)[runs$system] * gain + seq_len(nrow(runs)) %% 7 / 10
  first <- measure_custom("first", function(x) c(which(x$gain >= 1), 7)[1], direction = "lower")
  scores <- evaluate(runs, judgments, list(first))
  expect_equal(suppressWarnings(compare_systems(scores, significance_test("t")))$systems[[1]][1], "A")
})

test_that("Wilcoxon's test by the signed sum agrees with the textbook formula", {
  set.seed(3)
  d <- cbind(a = round(rnorm(12), 1), b = rnorm(12), none = 0)
  by_hand <- function(x, alternative) {
    x <- x[x != 0]
    n <- length(x)
    w <- sum(sign(x) * rank(abs(x)))
    z <- function(w) (w - 0.5) / sqrt(n * (n + 1) * (2 * n + 1) / 6)
    p <- switch(alternative, greater = pnorm(-z(w)), less = pnorm(-z(-w)), two.sided = 2 * pnorm(-z(abs(w))))
    min(1, p)
  }
  for (alternative in c("greater", "less", "two.sided")) {
    test <- significance_test("wilcoxon", alternative, method = "signed_sum", adjust = "none")
    p <- function(x) compare_systems(cbind(x = x + 1, y = 1), test)$pairs$p_value
    for (column in 1:2) expect_equal(p(d[, column]), by_hand(d[, column] + 1 - 1, alternative))
    expect_equal(p(d[, 3]), 1)
  }
  # Without ties, the continuity correction of this formula is half that of stats::wilcox.test().
  x <- d[, "b"]
  n <- length(x)
  z <- (sum(rank(abs(x))[x > 0]) - n * (n + 1) / 4 - 0.25) / sqrt(n * (n + 1) * (2 * n + 1) / 24)
  test <- significance_test("wilcoxon", "greater", method = "signed_sum")
  expect_equal(compare_systems(cbind(x, 0), test)$pairs$p_value, pnorm(-z))
  expect_snapshot(error = TRUE, significance_test("wilcoxon", method = "signed_sum", zeros = "pratt"))
})

test_that("ends of intervals within rounding error of 0 are 0", {
  numbers <- data.frame(estimate = c(0.5, -1e-19), lower = c(-2.168404e-19, -Inf), upper = c(1, 1e-11))
  expect_identical(without_rounding_errors(numbers),
                   data.frame(estimate = c(0.5, 0), lower = c(0, -Inf), upper = c(1, 1e-11)))
  expect_identical(without_rounding_errors(data.frame(lower = c(NA, 0))), data.frame(lower = c(NA, 0)))
  # One interval ends at 0 up to rounding: the smallest significant difference equals the estimate, but is summed in
  # another order.
  scores <- with_seed(3, matrix(sample(0:10, 40, replace = TRUE) / 10 * 0.3, 8, dimnames = list(NULL, LETTERS[1:5])))
  r <- compare_systems(scores, significance_test("permutation", adjust = "none"), seed = 1, level = 0.5)
  ends <- unlist(r$pairs[c("estimate", "lower", "upper")])
  expect_true(any(ends == 0))
  expect_false(any(ends != 0 & abs(ends) < 1e-12))
})

test_that("a constant difference gives a warning, and its p-value does not depend on rounding", {
  a <- withr::with_seed(1, stats::runif(10))
  scores <- cbind(a = a, b = a + 0.1, c = a + 0.3)
  for (test in c("t", "tukey")) {
    expect_warning(r <- compare_systems(scores, test), "same for every query", class = "judicious_warning_constant_difference")
    expect_identical(r$pairs$p_value, c(0, 0, 0))
    expect_identical(abs(r$pairs$statistic), rep(Inf, 3))
    expect_equal(r$pairs$estimate, c(0.2, 0.3, 0.1))
    expect_identical(decide_subsets(r$test, scores, all_rows(scores), 0.05, 1)[, 1], rep(-2, 3))
  }
  expect_identical(suppressWarnings(compare_systems(scores, "tukey"))$overall$p_value, 0)
  expect_snapshot(invisible(compare_systems(scores[, 1:2], "tukey")))
  # With so few queries, this is the smallest possible p-value.
  expect_no_warning(exact <- compare_systems(scores[, 1:2], "permutation"))
  expect_equal(exact$pairs$p_value, 2 / 2^10)
  # Scores that differ only by rounding errors count as equal.
  same <- cbind(a = a, b = (a / 3 + a / 3) + a / 3)
  same[1, 2] <- a[1] + 2^-54
  for (test in c("t", "tukey")) {
    expect_no_warning(r <- compare_systems(same, test))
    expect_identical(r$pairs$p_value, 1)
  }
})
