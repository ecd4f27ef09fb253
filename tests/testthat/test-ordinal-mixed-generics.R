test_that("print() of random effects shows the first of many groups", {
  with_seed(1, d <- data.frame(g = factor(rep(1:10, 6)), y = sample(3, 60, TRUE)))
  fit <- pom(y ~ 1 + (1 | g), d, sd = 1)
  shown <- capture.output(print(ranef(fit)))
  expect_match(shown, "... and 4 more", fixed = TRUE, all = FALSE)
  expect_length(grep("^[0-9]+ ", shown), 6)
  expect_length(grep("^[0-9]+ ", capture.output(print(ranef(fit), n = 20))), 10)
})

test_that("the methods for marginaleffects give coefficients, covariance and predictions, and set coefficients", {
  fit <- pom(gear ~ wt, mtcars)
  expect_identical(get_coef.judicious_pom(fit), coef(fit, complete = FALSE))
  expect_equal(get_vcov.judicious_pom(fit), vcov(fit), tolerance = 1e-8)
  asked <- get_predict.judicious_pom(fit, mtcars[1:3, ])
  prob <- predict(fit, mtcars[1:3, ], type = "prob")
  expect_identical(asked$estimate, as.vector(prob))
  expect_identical(asked$group, factor(rep(colnames(prob), each = 3), colnames(prob)))
  moved <- set_coef.judicious_pom(fit, c(wt = -1, ">=4" = 2))
  expect_identical(moved$beta[["wt"]], -1)
  expect_equal(predict(moved, mtcars[1, ], type = "cumulative")[, ">=4"], plogis(2 - mtcars$wt[1]),
               ignore_attr = TRUE)
})

test_that("an effect with variance 0 has no correlation", {
  d <- data.frame(y = rep(1:3, 24), x = rep(c(0, 1, 2, 1), 18), group = rep(1:6, each = 12))
  fit <- suppressMessages(pom(y ~ x + (x | group), d))
  expect_identical(unname(fit$sd), c(0, 0))
  expect_no_warning(correlation <- attr(VarCorr(fit), "correlation"))
  expect_true(all(is.nan(correlation[upper.tri(correlation)])))
})

test_that("parts of variance for performance::icc() are those of the latent variable", {
  with_seed(2, d <- data.frame(x = rnorm(80), group = gl(8, 10), item = gl(10, 1, 80)))
  d$y <- with_seed(3, as.integer(cut(d$x + rnorm(8)[d$group] + rlogis(80), c(-Inf, -1, 1, Inf))))
  fit <- suppressMessages(pom(y ~ x + (1 | group) + (1 | item), d))
  parts <- get_variance.judicious_pom_mixed(fit)
  expect_equal(parts$var.fixed, fit$beta[["x"]]^2 * var(d$x))
  expect_equal(parts$var.random, sum(fit$sd^2))
  expect_equal(parts$var.residual, pi^2 / 3)
  expect_identical(parts$var.intercept, fit$sd^2)
  expect_identical(get_variance.judicious_pom_mixed(fit, "random"), parts["var.random"])
  skip_if_not_installed("performance")
  expect_equal(performance::icc(fit)$ICC_adjusted, sum(fit$sd^2) / (sum(fit$sd^2) + pi^2 / 3))
})

test_that("groups whose rows have weight 0 do not count in sandwich covariances", {
  with_seed(4, d <- data.frame(x = rnorm(90), group = gl(9, 10), y = sample(3, 90, TRUE)))
  d$used <- as.numeric(d$group != "3")
  all_rows <- pom(y ~ x + (1 | group), d, weights = used, sd = 0.5)
  used_rows <- pom(y ~ x + (1 | group), d[d$used == 1, ], sd = 0.5)
  expect_equal(vcov(all_rows, type = "sandwich"), vcov(used_rows, type = "sandwich"), tolerance = 1e-6)
})
