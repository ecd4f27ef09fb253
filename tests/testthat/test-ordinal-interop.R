test_that("emmeans gives ordinal::clm's marginal means", {
  skip_if_not_installed("emmeans")
  skip_if_not_installed("ordinal")
  ours <- pom(rating ~ temp + contact, data = ordinal::wine)
  theirs <- ordinal::clm(rating ~ temp + contact, data = ordinal::wine, control = list(gradTol = 1e-10))
  of <- function(fit, ...) as.data.frame(emmeans::emmeans(fit, ~temp, ...))
  expect_equal(of(ours)[c("emmean", "SE")], of(theirs)[c("emmean", "SE")], tolerance = 1e-5)
  expect_equal(of(ours, mode = "mean")$SE, of(theirs, mode = "mean.class")$SE, tolerance = 1e-4)
  # marginal_means() averages over the rows; the design is balanced, so they agree.
  expect_equal(marginal_means(ours, "temp")$estimate, of(ours, mode = "mean")$emmean, tolerance = 1e-6)
})

test_that("marginal probabilities add up to one and their sd is that of resampled coefficients", {
  fit <- pom(gear ~ wt + hp, data = mtcars)
  table <- marginal_means(fit, "wt", at = c(2, 3), type = "prob")
  expect_equal(tapply(table$estimate, table$wt, sum), c("2" = 1, "3" = 1), ignore_attr = TRUE)
  draws <- with_seed(2, {
    root <- chol(vcov(fit))
    replicate(4000, {
      coefs <- coef(fit) + drop(rnorm(4) %*% root)
      mean(plogis(coefs[2] + 3 * coefs[3] + mtcars$hp * coefs[4]))
    })
  })
  # Linearised against exact: the same order, not the same number.
  expect_lt(abs(log(table$sd[table$wt == 3 & table$response == "5"] / sd(draws))), 0.5)
  expect_snapshot(marginal_means(fit, "cyl"), error = TRUE)
})

test_that("marginaleffects averages our predictions", {
  skip_if_not_installed("marginaleffects")
  skip_if(getRversion() < "4.4.0", "marginaleffects needs the %||% of R 4.4")
  withr::local_options(marginaleffects_model_classes = "judicious_pom")
  fit <- pom(gear ~ wt + hp, data = mtcars)
  theirs <- getExportedValue("marginaleffects", "avg_predictions")(fit, type = "prob")
  expect_equal(theirs$estimate, unname(colMeans(predict(fit, type = "prob"))), tolerance = 1e-8)
})

test_that("insight and performance know the model", {
  skip_if_not_installed("insight")
  fit <- pom(gear ~ wt + hp, data = mtcars)
  expect_equal(insight::find_predictors(fit)$conditional, c("wt", "hp"))
  expect_true(insight::model_info(fit)$is_ordinal)
  expect_equal(insight::get_statistic(fit)$Statistic, unname(coef(fit) / sqrt(diag(vcov(fit)))))
  skip_if_not_installed("performance")
  expect_equal(performance::model_performance(fit)$AIC, AIC(fit))
  expect_equal(unname(performance::r2(fit)[[1]]), fit_measures(fit)$nagelkerke)
})

test_that("modelsummary makes a table", {
  skip_if_not_installed("modelsummary")
  table <- getExportedValue("modelsummary", "modelsummary")(pom(gear ~ wt, data = mtcars), output = "data.frame")
  expect_true("wt" %in% table$term)
})

test_that("emmeans of other links and thresholds are clm's", {
  skip_if_not_installed("emmeans")
  skip_if_not_installed("ordinal")
  of <- function(fit, mode) as.data.frame(emmeans::emmeans(fit, ~temp, mode = mode))[, 2]
  ours <- pom(rating ~ temp, data = ordinal::wine, link = "probit", threshold = "equidistant")
  theirs <- ordinal::clm(rating ~ temp, data = ordinal::wine, link = "probit", threshold = "equidistant")
  expect_equal(of(ours, "latent"), of(theirs, "latent"), tolerance = 1e-4)
  expect_equal(of(ours, "mean"), of(theirs, "mean.class"), tolerance = 1e-4)
})
