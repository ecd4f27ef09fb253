x <- random_scores(7, n = 20, m = 4, values = 40)

test_that("power for more queries than judged is that of power.t.test() at the observed differences", {
  power <- power_analysis(x, sizes = c(10, 20, 25, 200), trials = 5, seed = 1, progress = FALSE,
                          tests = list(two = significance_test("t", adjust = "none"),
                                       one = significance_test("t", "better", adjust = "none"),
                                       many = significance_test("t", adjust = "bonferroni")))
  expect_identical(power$trials[1:4], c(5L, 1L, 0L, 0L))
  pairs <- utils::combn(colnames(x), 2)
  d <- x[, pairs[1, ]] - x[, pairs[2, ]]
  by <- function(n, level, alternative) {
    apply(d, 2, function(one) {
      power.t.test(n, abs(mean(one)), sd(one), level, type = "paired", alternative = alternative, strict = TRUE)$power
    })
  }
  for (n in c(25, 200)) {
    row <- function(test) power$power[power$test == test & power$size == n]
    expect_equal(row("two"), mean(by(n, 0.05, "two.sided")), tolerance = 1e-9)
    expect_equal(row("one"), mean(by(n, 0.05, "one.sided")), tolerance = 1e-9)
    expect_equal(row("many"), mean(by(n, 0.05 / 6, "two.sided")), tolerance = 1e-9)
  }
  of_pairs <- attr(power, "pairs")
  expect_equal(of_pairs$power[of_pairs$test == "two" & of_pairs$size == 25], unname(by(25, 0.05, "two.sided")))
})

test_that("the number of queries for a target power is the smallest that reaches it", {
  needed <- attr(power_analysis(x, sizes = 20, tests = significance_test("t", adjust = "none"), target = 0.8,
                                progress = FALSE), "needed")
  for (i in seq_len(nrow(needed))) {
    one <- x[, needed$system_a[i]] - x[, needed$system_b[i]]
    power <- function(n) {
      power.t.test(n, abs(mean(one)), sd(one), type = "paired", strict = TRUE)$power
    }
    expect_equal(needed$effect[i], mean(one) / sd(one))
    n <- needed$queries[i]
    # Two queries are the smallest number, so that the power of fewer is not defined.
    if (n > 2) expect_lt(power(n - 1), 0.8)
    expect_gte(power(n) + 1e-6, 0.8)
  }
  same <- cbind(A = x[, 1], B = x[, 1], C = x[, 1] + 0.1)
  none <- attr(power_analysis(same, sizes = 20, tests = significance_test("t", adjust = "none"), target = 0.8,
                              progress = FALSE), "needed")
  expect_identical(none$queries[1], Inf)
})

test_that("generalizability Erho2 equals Cronbach's alpha, and both coefficients follow from variance components", {
  g <- attr(stability_analysis(x, sizes = 5, trials = 2, seed = 1, progress = FALSE, reliability = 0.9),
            "generalisability")
  n <- nrow(x)
  expect_equal(g$value[1], n / (n - 1) * (1 - sum(apply(x, 1, var)) / var(colSums(x))))
  long <- data.frame(value = as.vector(x), system = factor(rep(1:4, each = n)), query = factor(rep(1:n, 4)))
  ms <- summary(aov(value ~ system + query, long))[[1]][["Mean Sq"]]
  parts <- c((ms[1] - ms[3]) / n, (ms[2] - ms[3]) / 4, ms[3])
  expect_equal(unlist(g[1, c("var_system", "var_query", "var_residual")], use.names = FALSE), pmax(parts, 0))
  expect_equal(g$value[2], parts[1] / (parts[1] + (max(parts[2], 0) + parts[3]) / n))
  error <- c(parts[3], max(parts[2], 0) + parts[3])
  reach <- function(k) parts[1] / (parts[1] + error / k)
  expect_true(all(reach(g$queries) >= 0.9 & reach(g$queries - 1) < 0.9))
  expect_true(all(g$lower < g$value & g$value < g$upper))
})

test_that("intervals of generalizability coefficients cover the true values at the stated rate", {
  set.seed(3)
  n <- 15
  m <- 12
  truth <- c(n / (n + 4), n / (n + 5))
  inside <- replicate(600, {
    scores <- outer(rnorm(n), rnorm(m), `+`) + rnorm(n * m, sd = 2)
    g <- generalisability(scores, 0.9)
    g$lower <= truth & truth <= g$upper
  })
  # The tolerance is three standard errors.
  expect_true(all(abs(rowMeans(inside) - 0.95) < 3 * sqrt(0.95 * 0.05 / 600)))
})

test_that("the one-sample t test agrees with t.test()", {
  for (alternative in c("two.sided", "greater", "less")) {
    r <- compare_systems(x, significance_test("one_sample_t", alternative, mu = 0.4, adjust = "none"))$pairs
    expect_identical(unique(r$system_b), "mu = 0.4")
    for (i in seq_len(nrow(r))) {
      peer <- t.test(x[, r$system_a[i]], mu = 0.4, alternative = alternative)
      expect_equal(r$p_value[i], peer$p.value)
      expect_equal(c(r$lower[i], r$upper[i]) + 0.4, as.vector(peer$conf.int))
    }
  }
  alone <- compare_systems(x[, 1, drop = FALSE], significance_test("one_sample_t", mu = 0.2))
  expect_equal(alone$pairs$p_value, t.test(x[, 1], mu = 0.2)$p.value)
})

test_that("errors state which tests can be extrapolated to more queries", {
  expect_snapshot(error = TRUE, {
    power_analysis(x, sizes = 50)
    power_analysis(x, sizes = 50, tests = significance_test("t"))
    power_analysis(x, sizes = 20, tests = "wilcoxon", target = 0.8)
    power_analysis(x, tests = significance_test("one_sample_t"))
    compare_systems(x, significance_test("one_sample_t"), baseline = "S1")
  })
})

test_that("scores without residual variance are perfectly reliable, and need one query", {
  constant <- matrix(c(1, 2, 5), 4, 3, byrow = TRUE)
  g <- attr(stability_analysis(constant, sizes = 2, trials = 2, seed = 1), "generalisability")
  expect_identical(c(g$value, g$lower, g$upper, g$queries), rep(1, 8))
})
