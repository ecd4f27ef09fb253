x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 3, seed = 5)

test_that("two systems apart have the probability of a normal difference", {
  covariance <- matrix(c(4, 1, 0, 1, 3, 0, 0, 0, 1e-6), 3)
  ranking <- new_ranking(x, c(11, 10, -100), covariance)
  p <- rank_probabilities(ranking, draws = 40000, seed = 1)
  expect_equal(p$best[1], stats::pnorm(1 / sqrt(5)), tolerance = 0.01)
  expect_identical(p$best[3], 0)
  expect_equal(rowSums(p$probability), rep(1, 3))
  expect_equal(unname(colSums(p$probability)), rep(1, 3))
  expect_equal(p$expected_rank, as.vector(p$probability %*% 1:3))
  expect_identical(p$rank_lower, c(1L, 1L, 3L))
  expect_identical(p$rank_upper, c(2L, 2L, 3L))
})
