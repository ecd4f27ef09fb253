wine_fit <- function() pom(rating ~ temp + contact, data = ordinal::wine)

# The log likelihood of a row as a function of coefficients, straight from the definition.
row_loglik <- function(fit, coefs, i) {
  n_alpha <- length(fit$alpha)
  cumulative <- c(1, plogis(coefs[seq_len(n_alpha)] + sum(model.matrix(fit)[i, names(fit$beta)] *
                                                          coefs[-seq_len(n_alpha)])), 0)
  log(cumulative[fit$y[i]] - cumulative[fit$y[i] + 1])
}

test_that("scores are the numerical derivatives of the rows' log likelihoods", {
  skip_if_not_installed("ordinal")
  fit <- wine_fit()
  scores <- coefficient_scores(fit)
  for (i in c(1, 2, 9, 40, 71)) {
    numerical <- vapply(seq_along(coef(fit)), function(k) {
      h <- replace(numeric(6), k, 1e-5)
      (row_loglik(fit, coef(fit) + h, i) - row_loglik(fit, coef(fit) - h, i)) / 2e-5
    }, 0)
    expect_equal(unname(scores[i, ]), numerical, tolerance = 1e-7)
  }
})

test_that("the expected information is the sum of the scores' outer products over all responses", {
  skip_if_not_installed("ordinal")
  fit <- wine_fit()
  x <- kept_columns(fit)
  theta <- -unname(fit$alpha)
  prob <- predict(fit, type = "prob")
  sum_over_levels <- Reduce(`+`, lapply(1:5, function(level) {
    scores <- row_scores(theta, fit$linear_predictor, rep(level, 72), x)
    crossprod(scores, scores * prob[, level])
  }))
  expect_equal(expected_information_at(theta, fit$linear_predictor, x, rep(1, 72)), unname(sum_over_levels),
               ignore_attr = TRUE)
})

test_that("sandwich covariances are those of the package sandwich", {
  skip_if_not_installed("ordinal")
  skip_if_not_installed("sandwich")
  fit <- wine_fit()
  expect_equal(vcov(fit, type = "sandwich"), sandwich::sandwich(fit))
  judge <- ordinal::wine$judge
  expect_equal(vcov(fit, type = "sandwich", cluster = judge),
               sandwich::vcovCL(fit, cluster = judge, type = "HC0", cadjust = TRUE))
})

test_that("observed information inverts the covariance", {
  skip_if_not_installed("ordinal")
  fit <- wine_fit()
  expect_equal(pom_information(fit) %*% vcov(fit), diag(6), ignore_attr = TRUE)
  expect_equal(sqrt(diag(vcov(fit))), sqrt(diag(vcov(ordinal::clm(rating ~ temp + contact, data = ordinal::wine)))),
               tolerance = 1e-5, ignore_attr = TRUE)
})

test_that("wrong clusters are told of", {
  fit <- pom(gear ~ wt, data = mtcars)
  expect_snapshot(vcov(fit, type = "sandwich", cluster = 1:3), error = TRUE)
  expect_snapshot(vcov(fit, type = "sandwich", cluster = rep(1, 32)), error = TRUE)
  expect_snapshot(vcov(fit, cluster = 1:32), error = TRUE)
})

test_that("rows of weight 0 at a level that is not used count for nothing", {
  all <- suppressMessages(pom(carb ~ wt, mtcars, weights = as.numeric(carb < 6)))
  part <- pom(carb ~ wt, mtcars[mtcars$carb < 6, ])
  expect_equal(vcov(all, type = "sandwich"), vcov(part, type = "sandwich"))
  expect_equal(proportional_odds_test(all)$statistic, proportional_odds_test(part)$statistic)
})
