test_that("measures of fit equal those of rms::lrm()", {
  skip_if_not_installed("rms")
  skip_if_not_installed("ordinal")
  theirs <- rms::lrm(rating ~ temp + contact, data = ordinal::wine)$stats
  ours <- fit_statistics(pom(rating ~ temp + contact, data = ordinal::wine))
  expect_equal(ours$lr, theirs[["Model L.R."]], tolerance = 1e-6)
  expect_equal(ours$nagelkerke, theirs[["R2"]], tolerance = 1e-6)
  expect_equal(ours$c_index, theirs[["C"]], tolerance = 1e-6)
  expect_equal(ours$somers_d, theirs[["Dxy"]], tolerance = 1e-6)
  expect_equal(ours$gamma, theirs[["Gamma"]], tolerance = 1e-6)
  expect_equal(ours$tau_a, theirs[["Tau-a"]], tolerance = 1e-6)
})

test_that("McFadden's and the other R2 measures agree with their definitions", {
  fit <- pom(gear ~ wt, data = mtcars)
  null <- sum(table(mtcars$gear) * log(table(mtcars$gear) / 32))
  ours <- fit_statistics(fit)
  expect_equal(ours$mcfadden, 1 - fit$loglik / null)
  expect_equal(ours$mcfadden_adjusted, 1 - (fit$loglik - 1) / null)
  expect_equal(ours$r_squared_adjusted, 1 - (1 - summary(fit)$r_squared) * 31 / 30)
})

test_that("in measures of fit, weights count as repeated rows", {
  counted <- data.frame(y = c(1, 1, 2, 2, 3, 3), x = c(0, 1, 0, 1, 0, 1), n = c(5, 2, 3, 3, 1, 6))
  repeated <- counted[rep(1:6, counted$n), ]
  expect_equal(fit_statistics(pom(y ~ x, counted, weights = n)), fit_statistics(pom(y ~ x, repeated)), tolerance = 1e-8)
})

test_that("the null model has the threshold structure of the model", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  fit <- pom(rating ~ temp + contact, data = wine, threshold = "equidistant")
  null <- ordinal::clm(rating ~ 1, data = wine, threshold = "equidistant")
  expect_equal(fit_statistics(fit)$lr, 2 * (fit$loglik - as.numeric(logLik(null))), tolerance = 1e-6)
  expect_equal(fit_statistics(fit)$df, 2)
})
