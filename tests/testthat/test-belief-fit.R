# A collection with one feature whose slope is known, and nothing but a residual.
known_model <- function(mean, slope) {
  gain_prior(mean = mean, mean_sd = 1e-6,
             slopes = replace(stats::setNames(rep(0, length(joint_features)), joint_features), "rank", slope),
             slope_sd = stats::setNames(rep(1e-6, length(joint_features)), joint_features),
             variances = replace(stats::setNames(rep(0, length(joint_terms)), joint_terms), "residual", 0.04),
             variance_sd = 1e-6)
}

# Every system alone: documents at rank 1 have the feature -1/2, at rank 2 the feature 1/2.
two_ranks <- function() {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q1", doc = c("d1", "d2", "d3", "d4"),
                     rank = c(1, 2, 1, 2))
  test_collection(runs, k = 2, scale = gain_scale(0:1))
}

test_that("gains vary as m (1 - m), from the variance of a pair of average features", {
  x <- two_ranks()
  gains <- as.data.frame(joint_gains(x, known_model(0.3, 2)))
  m <- plogis(qlogis(0.3) + 2 * c(-0.5, 0.5, -0.5, 0.5))
  expect_equal(gains$mean, m, tolerance = 1e-6)
  expect_equal(gains$variance, 0.04 * m * (1 - m) / (0.3 * 0.7), tolerance = 1e-6)
})

test_that("a pool that seems all irrelevant stays open to surprise", {
  gains <- as.data.frame(joint_gains(two_ranks(), known_model(0.001, 0)))
  expect_equal(gains$variance, rep(0.04 * 0.03 * 0.97 / (0.1 * 0.9), 4), tolerance = 1e-6)
})

test_that("variances are stated above their mode, and more so where systems share documents", {
  fit <- gain_prior()[c("variance", "variance_sd")]
  above <- fit$variance * exp(0.12 * fit$variance_sd^2)
  alone <- joint_pool(two_ranks(), "rank")
  expect_equal(stated_variance(alone, fit), above)
  # Of six results, four are of documents that two systems retrieved: 10 / 6 systems on average.
  shared <- list(results = list(offset = c(0L, 2L, 4L, 5L, 6L)))
  times <- ifelse(joint_terms %in% c("query:system", "query:team"), (10 / 6)^0.3, 1)
  expect_equal(stated_variance(shared, fit), above * times)
})
