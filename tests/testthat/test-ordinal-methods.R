test_that("coef(), AIC(), confint() and other methods are consistent with each other", {
  fit <- pom(gear ~ wt + qsec, mtcars)
  expect_identical(names(coef(fit)), c(">=4", ">=5", "wt", "qsec"))
  expect_identical(nobs(fit), 32L)
  expect_equal(AIC(fit), -2 * as.numeric(logLik(fit)) + 2 * 4)
  expect_equal(BIC(fit), -2 * as.numeric(logLik(fit)) + log(32) * 4)
  interval <- confint(fit, "wt", level = 0.9, method = "wald")
  expect_equal(unname(interval[1, ]), coef(fit)[["wt"]] + c(-1, 1) * qnorm(0.95) * sqrt(vcov(fit)["wt", "wt"]))
  expect_identical(colnames(interval), c("5 %", "95 %"))
  expect_identical(confint(fit, 3, method = "wald"), confint(fit, "wt", method = "wald"))
  expect_equal(formula(fit), gear ~ wt + qsec, ignore_attr = TRUE)
  expect_identical(colnames(model.matrix(fit)), c("(Intercept)", "wt", "qsec"))
  expect_identical(nrow(model.frame(fit)), 32L)
  nominal <- pom(rating ~ temp, ordinal::wine, nominal = ~contact)
  expect_no_warning(x <- model.matrix(nominal))
  expect_identical(colnames(x), c("(Intercept)", "tempwarm"))
  expect_identical(model.frame(pom(gear ~ wt + qsec, mtcars, model = FALSE)), model.frame(fit))
  expect_s3_class(terms(fit), "terms")
  expect_snapshot(confint(fit, "cyl", method = "wald"), error = TRUE)
})

test_that("the covariance is the inverse of the numerical Hessian of the log likelihood", {
  fit <- pom(gear ~ wt + qsec, mtcars)
  loglik <- function(p) {
    eta <- drop(as.matrix(mtcars[c("wt", "qsec")]) %*% p[3:4])
    at_least <- cbind(1, plogis(outer(eta, p[1:2], `+`)), 0)
    code <- cbind(seq_along(eta), mtcars$gear - 2)
    sum(log(at_least[code] - at_least[cbind(code[, 1], code[, 2] + 1)]))
  }
  h <- 1e-4
  hessian <- outer(1:4, 1:4, Vectorize(function(i, j) {
    e <- diag(4) * h
    (loglik(coef(fit) + e[i, ] + e[j, ]) - loglik(coef(fit) + e[i, ] - e[j, ]) -
      loglik(coef(fit) - e[i, ] + e[j, ]) + loglik(coef(fit) - e[i, ] - e[j, ])) / (4 * h^2)
  }))
  expect_equal(unname(vcov(fit)), solve(-hessian), tolerance = 1e-4)
})

test_that("standard errors and the slopes' covariance do not need the covariance of all thresholds", {
  fit <- pom(mpg ~ wt + hp + I(2 * hp), mtcars) |> suppressMessages()
  expect_equal(unname(summary(fit)$thresholds[, 2]), unname(sqrt(diag(vcov(fit))))[seq_along(fit$alpha)],
               tolerance = 1e-10)
  expect_equal(vcov(fit, which = "slopes"), vcov(fit)[-seq_along(fit$alpha), -seq_along(fit$alpha)], tolerance = 1e-10)
  set.seed(1)
  many <- pom(y ~ x, data.frame(y = rnorm(10100), x = rnorm(10100)))
  expect_true(all(is.finite(summary(many)$thresholds[, 2])))
  expect_snapshot(vcov(many), error = TRUE)
})

test_that("RMSE and R2 are computed from the expected response", {
  fit <- pom(gear ~ wt, mtcars, weights = carb)
  error <- mtcars$gear - predict(fit, type = "mean")
  squared <- weighted.mean(error^2, mtcars$carb)
  total <- weighted.mean((mtcars$gear - weighted.mean(mtcars$gear, mtcars$carb))^2, mtcars$carb)
  said <- summary(fit)
  expect_equal(said$rmse, sqrt(squared))
  expect_equal(said$r_squared, 1 - squared / total)
  expect_null(summary(pom(factor(gear, labels = c("a", "b", "c")) ~ wt, mtcars))$rmse)
})

test_that("fits and summaries print", {
  expect_snapshot({
    pom(gear ~ wt + qsec, mtcars)
    summary(pom(gear ~ wt, mtcars))
    pom(mpg ~ wt, mtcars)
    suppressWarnings(pom(y ~ x, data.frame(y = c(0, 0, 1, 1), x = 1:4)))$separated
  })
})

test_that("effects() raises an error that names a replacement", {
  expect_snapshot(effects(pom(gear ~ wt, mtcars)), error = TRUE)
})

test_that("coef() of a summary is a matrix, and print() names bias-reduced and penalized fits", {
  for (fit in list(pom(gear ~ wt, mtcars), pom(gear ~ wt, mtcars, scale = ~am))) {
    expect_identical(coef(summary(fit))[, "Estimate"], coef(fit))
  }
  reduced <- pom(gear ~ wt, mtcars, method = "bias_reduced")
  expect_output(print(reduced), "Bias-reduced")
  expect_output(print(summary(reduced)), "Bias-reduced")
  ridge <- pom(gear ~ wt, mtcars, penalty = 2, scale = ~am)
  expect_output(print(ridge), "Ridge penalty 2")
  expect_output(print(summary(ridge)), "Ridge penalty 2")
  expect_output(print(summary(ridge)), "Signif. codes")
  expect_output(print(ridge), "Log scale:")
})

test_that("formulas may refer to columns by $, and `nominal` may name a column as text", {
  expect_equal(unname(coef(pom(mtcars$gear ~ mtcars$wt))), unname(coef(pom(gear ~ wt, mtcars))))
  expect_error(pom(mtcars$gear ~ absent), class = "judicious_error_columns")
  text <- suppressWarnings(pom(gear ~ wt, mtcars, nominal = "am"))
  expect_equal(coef(text), coef(suppressWarnings(pom(gear ~ wt, mtcars, nominal = ~am))))
  expect_error(pom(gear ~ wt, mtcars, nAGQ = 10), class = "judicious_error_argument")
  with_offset <- pom(gear ~ wt, transform(mtcars, own = 0.1), offset = own)
  expect_error(predict(with_offset, mtcars), class = "judicious_error_columns")
})

test_that("marginal means require known levels, and limits of probabilities lie within 0 and 1", {
  fit <- pom(gear ~ wt, transform(mtcars, gear = ordered(gear, labels = c("a", "b", "c"))))
  rows <- marginal_means(fit, "wt", at = c(2, 5), level = 0.9999)
  expect_true(all(rows$lower > 0 & rows$upper < 1 & rows$lower < rows$estimate & rows$upper > rows$estimate))
  z <- qnorm(0.99995)
  expect_equal(rows$upper, plogis(qlogis(rows$estimate) + z * rows$sd / (rows$estimate * (1 - rows$estimate))))
  cars <- transform(mtcars, am = factor(am, labels = c("no", "yes")))
  expect_error(marginal_means(pom(cyl ~ am, cars), "am", at = "hot"), class = "judicious_error_levels")
})
