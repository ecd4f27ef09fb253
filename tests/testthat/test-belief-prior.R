test_that("gain_prior() replaces the built-in values that are given by name", {
  prior <- gain_prior(mean = 0.5, slopes = c(rank = -1), slope_sd = c(rank = 2), variances = c(query = 0.5, team = 0),
                      variance_sd = 3)
  expect_identical(prior$coefficient[["intercept"]], 0)
  expect_identical(prior$coefficient[["rank"]], -1)
  expect_identical(prior$coefficient_covariance[["rank", "rank"]], 4)
  expect_identical(prior$variance[c("query", "team")], c(query = 0.5, team = 0))
  expect_identical(unique(prior$variance_sd), 3)
  some <- gain_prior(variance_sd = c(query = 2))$variance_sd
  expect_identical(some, replace(gain_prior()$variance_sd, "query", 2))
  other <- setdiff(joint_terms, c("query", "team"))
  expect_identical(prior$variance[other], gain_prior()$variance[other])
})

test_that("invalid priors raise errors", {
  expect_snapshot(error = TRUE, {
    gain_prior(mean = 1)
    gain_prior(slopes = 3)
    gain_prior(slopes = c(length = 1))
    gain_prior(slope_sd = c(rank = 0))
    gain_prior(variances = c(query = -1))
    gain_prior(variances = c(residual = 0))
    gain_prior(variance_sd = c(query = 0))
    gain_prior(variance_sd = c(1, 2))
    gain_prior(variance_sd = "wide")
  })
  expect_error(gain_prior(mean = 0), class = "judicious_error_argument")
})
