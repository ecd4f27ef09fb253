x <- random_scores(31, n = 24, m = 4, values = 50)

test_that("the interval of the paired effect size follows from the noncentral t distribution", {
  r <- compare_systems(x, significance_test("t"))
  e <- effect_sizes(r)
  for (i in seq_len(nrow(e))) {
    d <- x[, e$system_a[i]] - x[, e$system_b[i]]
    expect_equal(e$effect[i], mean(d) / sd(d))
    t <- sqrt(24) * mean(d) / sd(d)
    expect_equal(pt(t, 23, e$lower[i] * sqrt(24)), 0.975, tolerance = 1e-6)
    expect_equal(pt(t, 23, e$upper[i] * sqrt(24)), 0.025, tolerance = 1e-6)
  }
})

test_that("for large samples, the approximate interval is close to the exact one", {
  # With n = 400 and d = 1.7, t is 34, for which R's noncentral t distribution still gives bounds; with n = 600 it does
  # not.
  exact <- judicious:::noncentral_effect(1.7, 400, 0.025)
  se <- function(n) sqrt((1 + 1.7^2 * n / (2 * (n - 1))) / n)
  expect_equal(exact, 1.7 - qnorm(0.975) * se(400), tolerance = 2e-3)
  expect_equal(judicious:::noncentral_effect(1.7, 600, 0.025), 1.7 - qnorm(0.975) * se(600), tolerance = 1e-12)
})

test_that("the residual effect size is in standard deviations of the two-way residuals", {
  r <- compare_systems(x, significance_test("tukey"))
  e <- effect_sizes(r)
  long <- data.frame(value = as.vector(x), system = factor(rep(colnames(x), each = 24)), query = factor(rep(1:24, 4)))
  sigma <- sigma(lm(value ~ system + query, long))
  expect_equal(e$effect, r$pairs$estimate / sigma)
  expect_equal(e$lower, r$pairs$lower / sigma)
})

test_that("the rank-biserial effect and the share of better queries agree with their definitions", {
  e <- effect_sizes(compare_systems(x, significance_test("wilcoxon")))
  s <- effect_sizes(compare_systems(x, "friedman_tukey"))
  for (i in seq_len(nrow(e))) {
    d <- x[, e$system_a[i]] - x[, e$system_b[i]]
    d <- d[d != 0]
    expect_equal(e$effect[i], sum(rank(abs(d)) * sign(d)) / sum(rank(abs(d))))
    a <- x[, s$system_a[i]]
    b <- x[, s$system_b[i]]
    expect_equal(s$effect[i], mean((a > b) + (a == b) / 2))
    if (all(a != b)) expect_equal(c(s$lower[i], s$upper[i]),
                                  as.vector(prop.test(sum(a > b), 24, correct = FALSE)$conf.int))
  }
  expect_true(all(e$lower < e$effect & e$effect < e$upper))
})

test_that("effect sizes of systems with equal scores are 0, and superiority is 0.5", {
  same <- matrix(rep(c(.1, .5, .3, .9), 2), 4)
  r <- compare_systems(same, significance_test("t"))
  expect_equal(effect_sizes(r, "d_paired")$effect, 0)
  expect_equal(effect_sizes(r, "rank_biserial")$effect, 0)
  expect_equal(effect_sizes(r, "superiority")$effect, 0.5)
})

test_that("scores that differ by rounding errors only are equal in tests and effect sizes", {
  # AG of the same documents in two orders: 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are different numbers.
  documents <- data.frame(doc = c("a", "b", "c"), gain = c(0.1, 0.2, 0.3))
  runs <- rbind(data.frame(system = "A", merge(1:6, documents[1]), rank = rep(1:3, each = 6)),
                data.frame(system = "B", merge(1:6, documents[1]), rank = rep(3:1, each = 6)))
  names(runs)[2] <- "query"
  scores <- evaluate(runs, setNames(merge(1:6, documents), c("query", "doc", "gain")), "AG@3")
  expect_length(unique(scores$value), 2)
  for (test in c("sign", "wilcoxon", "permutation", "friedman_tukey")) {
    comparison <- compare_systems(scores, test)
    expect_identical(comparison$pairs$p_value, 1)
    expect_identical(effect_sizes(comparison, "superiority")$effect, 0.5)
  }
  # Differences of 0.1 that rounding errors make different have the effect size of equal differences.
  base <- c(0.27, 0.37, 0.57, 0.91, 0.2, 0.9, 0.94, 0.66)
  shifted <- suppressWarnings(compare_systems(cbind(a = base + 0.1, b = base), "t"))
  expect_identical(effect_sizes(shifted)[c("effect", "lower")], data.frame(effect = Inf, lower = NA_real_))
  all_equal <- compare_systems(matrix(0.3, 4, 2), "tukey")
  expect_identical(effect_sizes(all_equal)$effect, 0)
})

test_that("a mean difference that is due to rounding is 0", {
  # 0.1 - 0.3, 0.2 - 0.1 and 0.3 - 0.2 sum to a number near 2.8e-17.
  permuted <- cbind(a = c(0.1, 0.2, 0.3), b = c(0.3, 0.1, 0.2))
  expect_identical(compare_systems(permuted, "t")$pairs$statistic, 0)
})

test_that("no warning of the noncentral t distribution reaches the user", {
  expect_silent(effect_sizes(compare_systems(cbind(a = 7.5945883 + c(-1, 0, 1), b = 0), "t")))
})
