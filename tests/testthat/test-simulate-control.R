test_that("invalid settings of a simulation raise errors", {
  expect_snapshot(error = TRUE, {
    simulate_collection(systems = c(2, 0.5))
    simulate_collection(systems = c(2, 3), teams = 3)
    simulate_collection(systems = 2, teams = 3)
    gain_prior(variances = c(residual = 0))
    gain_prior(slopes = c(taste = 1))
    gain_prior(slopes = 1)
  })
})

test_that("ranking for new queries raises an error if the collection has a single query", {
  x <- simulate_collection(queries = 1, documents = 60, artists = 10, systems = 3, teams = 2, seed = 1)
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:3, ])
  expect_snapshot(rank_systems(x, gains, scope = "new"), error = TRUE)
})

test_that("a model without levels raises an error, also if there are no rows to predict", {
  odd <- structure(list(feature = "f", columns = c(0, 1, 2)), class = "toy_model")
  expect_snapshot(gain_distribution(odd, data.frame(f = numeric())), error = TRUE)
})
