tiny_collection <- function() {
  runs <- data.frame(
    system = rep(c("A", "B", "C"), each = 6), query = rep(rep(c("q1", "q2", "q3"), each = 2), 3),
    doc = c("d1", "d2", "d1", "d3", "d2", "d4", "d1", "d3", "d1", "d2", "d4", "d5", "d4", "d2", "d3", "d5", "d1", "d2"),
    rank = rep(1:2, 9), stringsAsFactors = FALSE
  )
  list(x = test_collection(runs, k = 2, scale = broad_scale()), runs = runs)
}

test_that("expected scores and their variances are sums over the retrieved documents", {
  tiny <- tiny_collection()
  judged <- data.frame(query = c("q1", "q2", "q3"), doc = c("d1", "d3", "d2"), gain = c(2, 0, 1))
  gains <- update(uniform_gains(tiny$x), judged)
  e <- expected_scores(tiny$x, gains)
  g <- as.data.frame(gains)
  row <- match(paste(tiny$runs$query, tiny$runs$doc), paste(g$query, g$doc))
  cell <- paste(tiny$runs$system, tiny$runs$query)
  expect_equal(e$value, as.vector(tapply(g$mean[row], cell, sum)[paste(e$system, e$query)]) / 2)
  expect_equal(e$variance, as.vector(tapply(g$variance[row], cell, sum)[paste(e$system, e$query)]) / 4)
  expect_identical(unique(e$measure), "AG@2")
})

test_that("drawn scores have the expected mean, variance and covariance", {
  tiny <- tiny_collection()
  x <- tiny$x
  gains <- update(uniform_gains(x), data.frame(query = "q1", doc = "d1", gain = 1))
  e <- expected_scores(x, gains)
  draws <- judicious:::draw_final_scores(x, attr(e, "gains"), 0, 20000, 6)
  flat <- matrix(draws, 9)
  se <- sqrt(pmax(e$variance, 1e-12) / 20000)
  expect_true(all(abs(rowMeans(flat) - e$value) < 5 * se))
  expect_true(all(abs(apply(flat, 1, var) - e$variance) < 0.03))
  # A and B share document d1 for query q2, whose gain has variance 2/3, so their covariance is 2/3 divided by k^2.
  q2 <- match("q2", x$queries$query)
  expect_lt(abs(cov(draws[q2, 1, ], draws[q2, 2, ]) - (2 / 3) / 4), 0.02)
  # Different queries are independent.
  expect_lt(abs(cov(draws[1, 1, ], draws[q2, 1, ])), 0.02)
  expect_identical(draws[, , 11:20], judicious:::draw_final_scores(x, attr(e, "gains"), 10, 10, 6))
})

test_that("if every pair is judged, the probability of significance is 0 or 1", {
  tiny <- tiny_collection()
  ids <- judicious:::pool_ids(tiny$x)
  set.seed(2)
  ids$gain <- sample(0:2, nrow(ids), replace = TRUE)
  e <- expected_scores(tiny$x, update(uniform_gains(tiny$x), ids))
  expect_true(all(e$variance == 0))
  r <- compare_systems(e, significance_test("t", adjust = "none"), level = 0.5, simulations = 20, seed = 1)
  expect_equal(r$pairs$p_significant, as.numeric(r$pairs$significant))
  expect_equal(r$pairs$p_opposite, c(0, 0, 0))
})

test_that("the probability of significance is the share of drawn scores with a significant difference", {
  tiny <- tiny_collection()
  e <- expected_scores(tiny$x, update(uniform_gains(tiny$x),
                                         data.frame(query = c("q1", "q2"), doc = c("d3", "d2"), gain = c(2, 2))))
  test <- significance_test("t", adjust = "none")
  r <- compare_systems(e, test, level = 0.8, simulations = 150, seed = 5)
  draws <- judicious:::draw_final_scores(tiny$x, attr(e, "gains"), 0, 150, 5)
  dimnames(draws) <- list(tiny$x$queries$query, tiny$x$systems$system, NULL)
  slow <- sapply(1:150, function(t) {
    mapply(function(a, b, now) {
      d <- draws[, a, t] - draws[, b, t]
      p <- if (var(d) > 0) t.test(d)$p.value else as.numeric(mean(d) == 0)
      # If the systems are equal now, a significant difference in either direction counts.
      c(p <= 0.2 && sign(mean(d)) != -now, now != 0 && p <= 0.2 && sign(mean(d)) == -now)
    }, r$pairs$system_a, r$pairs$system_b, sign(pair_estimates(r$pairs)))
  })
  expect_equal(r$pairs$p_significant, rowMeans(slow[c(1, 3, 5), ]))
  expect_equal(r$pairs$p_opposite, rowMeans(slow[c(2, 4, 6), ]))
})

test_that("expected scores print, and compare_systems() rejects them without their collection", {
  tiny <- tiny_collection()
  e <- expected_scores(tiny$x, uniform_gains(tiny$x))
  expect_snapshot({
    print(e, n = 3)
    compare_systems(e, significance_test("sign", adjust = "none"), simulations = 10, seed = 1)
  })
  lost <- e
  attr(lost, "collection") <- NULL
  expect_snapshot(error = TRUE, compare_systems(lost))
  expect_snapshot(error = TRUE, expected_scores(1, uniform_gains(tiny$x)))
})
