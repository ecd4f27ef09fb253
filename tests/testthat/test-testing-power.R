x <- random_scores(51, n = 30, m = 5, values = 40)
tests <- list(FT = significance_test("friedman_tukey"),
              W1 = significance_test("wilcoxon", "better", adjust = "none", alpha = .01),
              Tukey = significance_test("tukey"),
              t = significance_test("t"), sign = significance_test("sign", "better", adjust = "BH"))

# The decision of a comparison for each pair: whether it is significant, and in which direction; named by pair.
slow_decisions <- function(x, test, alpha = 0.05) {
  r <- compare_systems(x, test, level = 1 - (if (is.null(test$alpha)) alpha else test$alpha))$pairs
  pairs <- utils::combn(colnames(x), 2)
  apply(pairs, 2, function(p) {
    i <- which((r$system_a == p[1] & r$system_b == p[2]) | (r$system_a == p[2] & r$system_b == p[1]))
    sign <- if (r$system_a[i] == p[1]) 1 else -1
    c(significant = r$significant[i], sign = sign * sign(pair_estimates(r)[i]))
  })
}

test_that("power is the share of significant pairs by compare_systems() on the same subsets", {
  power <- power_analysis(x, sizes = c(8, 15, 30), trials = 6, tests = tests, seed = 3, progress = FALSE)
  for (size in c(8, 15)) {
    subsets <- judicious:::draw_subsets_cpp(rep(1L, 30), size, 0, 6, 1, 3)
    for (name in names(tests)) {
      share <- apply(subsets, 2, function(q) mean(slow_decisions(x[q, ], tests[[name]])["significant", ]))
      row <- power[power$size == size & power$test == name, ]
      expect_equal(row$power, mean(share))
      expect_equal(row$sd, sd(share))
    }
  }
  full <- power[power$size == 30, ]
  expect_equal(full$trials, rep(1, 5))
  expect_equal(full$power, unname(sapply(tests, function(test) mean(slow_decisions(x, test)["significant", ]))))
})

test_that("`alpha` is the level of the tests that have none of their own", {
  decided <- function(f, name, ...) {
    tests <- list(t = significance_test("t", ...), own = significance_custom(function(x, y)
      stats::t.test(x, y, paired = TRUE)$p.value, ...))
    table <- f(x, sizes = 12, trials = 20, tests = tests, alpha = 0.3, seed = 1, progress = FALSE)
    expect_equal(table[[name]][1], table[[name]][2])
    table[[name]][1]
  }
  for (f in list(power_analysis, stability_analysis)) {
    name <- if (identical(f, power_analysis)) "power" else "conflicts"
    expect_equal(decided(f, name), decided(f, name, alpha = 0.3))
    expect_false(decided(f, name) == decided(f, name, alpha = 0.001))
  }
  own <- significance_custom(function(x, y) stats::t.test(x, y, paired = TRUE)$p.value, alpha = 0.3)
  expect_identical(compare_systems(x, own)$pairs$significant,
                   compare_systems(x, significance_test("t"), level = 0.7)$pairs$significant)
})

test_that("conflicts agree with decisions computed on two disjoint subsets", {
  stability <- stability_analysis(x, sizes = c(8, 15), trials = 10, tests = tests[c("FT", "W1")], seed = 3,
                                  progress = FALSE)
  for (size in c(8, 15)) {
    subsets <- judicious:::draw_subsets_cpp(rep(1L, 30), size, 0, 10, 2, 3)
    for (t in 1:10) expect_length(intersect(subsets[, t], subsets[, 10 + t]), 0)
    slow <- sapply(1:10, function(t) {
      a <- slow_decisions(x[subsets[, t], ], tests$FT)
      b <- slow_decisions(x[subsets[, 10 + t], ], tests$FT)
      one <- a["significant", ] != b["significant", ]
      both <- a["significant", ] & b["significant", ]
      opposite <- a["sign", ] * b["sign", ] < 0
      c(mean(one | both & opposite), mean(one & !opposite), mean(one & opposite), mean(both & opposite))
    })
    row <- stability[stability$size == size & stability$test == "FT",
                     c("conflicts", "lack_of_power", "sign_swap", "swap_significant")]
    expect_equal(unlist(row, use.names = FALSE), rowMeans(slow))
  }
  expect_equal(stability$conflicts, stability$lack_of_power + stability$sign_swap + stability$swap_significant)
})

test_that("conflicts between two subsets are classified by type", {
  # Each row is a pair of systems. The sign is the direction, and 2 means significant. The first two columns are for the
  # first subsets, the others for the second ones.
  code <- cbind(c(2, 2, 2, 1, 2), c(1, -2, 0, -1, 2), c(1, -1, -2, -1, 2), c(-2, -2, 2, 1, 0))
  expect_identical(judicious:::conflict_classes(code), list(
    conflicts = cbind(c(TRUE, TRUE, TRUE, FALSE, FALSE), c(TRUE, FALSE, TRUE, FALSE, TRUE)),
    lack_of_power = cbind(c(TRUE, FALSE, FALSE, FALSE, FALSE), c(FALSE, FALSE, TRUE, FALSE, TRUE)),
    sign_swap = cbind(c(FALSE, TRUE, FALSE, FALSE, FALSE), c(TRUE, FALSE, FALSE, FALSE, FALSE)),
    swap_significant = cbind(c(FALSE, FALSE, TRUE, FALSE, FALSE), rep(FALSE, 5))
  ))
})

test_that("subsets are stratified and disjoint, and do not change if second subsets are drawn too", {
  stratum <- rep(1:4, c(10, 10, 10, 3))
  for (size in c(2, 6, 12, 16)) {
    pairs <- judicious:::draw_subsets_cpp(stratum, size, 0, 200, 2, 9)
    first <- pairs[, 1:200]
    expect_identical(first, judicious:::draw_subsets_cpp(stratum, size, 0, 200, 1, 9))
    expect_identical(first[, 101:200], judicious:::draw_subsets_cpp(stratum, size, 100, 100, 1, 9))
    count <- apply(first, 2, function(q) tabulate(stratum[q], 4))
    even <- apply(count, 2, function(k) max(k) - min(k[k < c(10, 10, 10, 3)], max(k)))
    expect_true(all(even <= 1))
    expect_true(all(apply(pairs[, 1:200], 2, anyDuplicated) == 0))
    expect_true(all(sapply(1:200, function(t) !any(pairs[, t] %in% pairs[, 200 + t]))))
  }
})

test_that("every query, and every subset of queries, is drawn with equal probability", {
  draws <- judicious:::draw_subsets_cpp(rep(1L, 6), 3, 0, 20000, 1, 5)
  expect_gt(chisq.test(tabulate(draws, 6))$p.value, 1e-4)
  subset <- apply(draws, 2, function(q) sum(2^(q - 1)))
  expect_length(unique(subset), 20)
  expect_gt(chisq.test(table(subset))$p.value, 1e-4)
})

test_that("a study depends on its seed or, without one, on R's random number generator", {
  a <- power_analysis(x, sizes = 10, trials = 250, seed = 4, progress = FALSE)
  expect_identical(a, power_analysis(x, sizes = c(10), trials = 250, seed = 4, progress = FALSE))
  expect_false(identical(a$power, power_analysis(x, sizes = 10, trials = 250, seed = 5, progress = FALSE)$power))
  set.seed(8)
  b <- power_analysis(x, sizes = 10, trials = 20, progress = FALSE)
  set.seed(8)
  expect_identical(b, power_analysis(x, sizes = 10, trials = 20, progress = FALSE))
})

test_that("power and conflicts do not depend on the number of parallel workers", {
  skip_if_not_installed("future.apply")
  skip_on_cran()
  slow_tests <- list(FT = significance_test("friedman_tukey"),
                     P = significance_test("permutation", replicates = 200, adjust = "none"),
                     own = significance_custom(function(a, b) runif(1), adjust = "none"))
  alone <- stability_analysis(x, sizes = c(5, 10), trials = 150, tests = slow_tests, seed = 4, progress = FALSE)
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old))
  expect_identical(stability_analysis(x, sizes = c(5, 10), trials = 150, tests = slow_tests, seed = 4,
                                      progress = FALSE), alone)
})

test_that("a study accepts several measures, and strata as a vector or a data frame", {
  long <- rbind(
    data.frame(system = rep(colnames(x), each = 30), query = rep(rownames(x), 5), measure = "AG@5",
               value = as.vector(x)),
    data.frame(system = rep(colnames(x), each = 30), query = rep(rownames(x), 5), measure = "AG@10",
               value = as.vector(x^2))
  )
  strata <- setNames(rep(c("jazz", "rock", "folk"), 10), rownames(x))
  a <- power_analysis(long, sizes = 12, trials = 20, strata = strata, seed = 1, progress = FALSE)
  b <- power_analysis(long[sample(nrow(long)), ], sizes = 12, trials = 20, measure = "AG@10",
                      strata = data.frame(query = names(strata), genre = strata), seed = 1, progress = FALSE)
  expect_identical(a$measure, c("AG@5", "AG@10"))
  expect_identical(power_analysis(x, sizes = 12, trials = 20, strata = unname(strata), seed = 1,
                                  progress = FALSE)$power, a$power[1])
  expect_equal(nrow(b), 1)
})

test_that("the table of a study has power, conflicts and their difference", {
  power <- power_analysis(x, sizes = c(15, 30), trials = 20, tests = tests[1:2], seed = 2, progress = FALSE)
  stability <- stability_analysis(x, sizes = c(10, 15), trials = 20, tests = tests[1:2], seed = 2, progress = FALSE)
  table <- reliability_table(power, stability)
  expect_equal(table$size, c(15, 30, 15, 30))
  expect_equal(table$conflicts_size, rep(15, 4))
  expect_identical(tidy(power), as.data.frame(power))
  expect_error(tidy(power, conf.int = FALSE), "conf.int", class = "judicious_error_argument")
  expect_error(tidy(stability, conf.int = TRUE), "conf.int", class = "judicious_error_argument")
  expect_equal(table$stable, table$power - rep(stability$conflicts[stability$size == 15], each = 2))
  expect_snapshot({
    power
    stability
    table
    toLatex(table)
  })
})

test_that("power and stability analyses raise errors for invalid arguments", {
  expect_snapshot(error = TRUE, {
    power_analysis(x, sizes = c(10, 40))
    stability_analysis(x, sizes = 20)
    power_analysis(x, trials = 0)
    power_analysis(x, tests = list(5))
    power_analysis(x, tests = list(a = significance_test("t"), a = significance_test("sign")))
    power_analysis(x, strata = 1:3)
    power_analysis(x, strata = c(q1 = "rock"))
    power_analysis(x, measure = "AP")
    reliability_table(power_analysis(x, sizes = 15, trials = 2, seed = 1),
                      stability_analysis(x, sizes = 15, trials = 2, seed = 1), sizes = 20)
  })
})

test_that("power and conflicts on MIREX 2011 change with the number of queries as in the paper's Figures 1 to 4", {
  # The paper is Urbano, Martin, Marrero and Morato (2011), on power and stability. Its figures are of MIREX 2009.
  collection <- mirex_2011()$x
  # AG@5, computed here.
  pair <- rep(seq_along(collection$pool$query), diff(collection$results$offset))
  ag <- unclass(stats::xtabs(collection$gain[pair] ~ collection$pool$query[pair] + collection$results$system)) / 5
  ag <- matrix(ag, 100, 18, dimnames = list(collection$queries$query, collection$systems$system))
  strata <- collection$queries[c("query", "genre")]
  two <- list(FT = significance_test("friedman_tukey"),
              W1 = significance_test("wilcoxon", "better", adjust = "none", alpha = 0.01))
  power <- power_analysis(ag, sizes = c(20, 40, 70, 100), trials = 100, tests = two, strata = strata, seed = 1,
                          progress = FALSE)
  stability <- stability_analysis(ag, sizes = c(10, 30, 50), trials = 100, tests = two, strata = strata, seed = 1,
                                  progress = FALSE)
  ft <- power$power[power$test == "FT"]
  w1 <- power$power[power$test == "W1"]
  # Figures 1 and 3: power increases with the number of queries, ever more slowly; Wilcoxon's test with half the queries
  # has the power of Friedman and Tukey's with all.
  expect_true(all(diff(ft) > 0) && all(diff(w1) > 0))
  expect_true(all(diff(diff(ft) / c(20, 30, 30)) < 0))
  expect_true(all(w1 > ft))
  half <- power_analysis(ag, sizes = 50, trials = 100, tests = two, strata = strata, seed = 1, progress = FALSE)
  expect_gt(half$power[half$test == "W1"], ft[4])
  # Figures 2 and 4: conflicts decrease after a maximum; nearly all are due to lack of power, and with Friedman and
  # Tukey's test none is significant in both directions.
  conflicts <- split(stability$conflicts, stability$test)
  expect_lt(conflicts$FT[3], conflicts$FT[2])
  expect_lt(conflicts$W1[3], conflicts$W1[2])
  expect_true(all(stability$lack_of_power > 0.9 * stability$conflicts))
  expect_true(all(stability$swap_significant[stability$test == "FT"] == 0))
})
