fit <- pom(gear ~ wt, data = transform(mtcars, gear = pmin(gear, 5)))

test_that("leverages sum to the number of coefficients", {
  expect_equal(sum(hatvalues(fit)), 3)
})

test_that("measures of influence have a row for each row that na.exclude() left out, as in lm()", {
  data <- replace(mtcars, "wt", replace(mtcars$wt, c(2, 5), NA))
  all_rows <- influence(pom(gear ~ wt, data, na.action = na.exclude))
  complete <- influence(pom(gear ~ wt, data))
  expect_equal(all_rows$hat[-c(2, 5)], complete$hat)
  expect_equal(which(is.na(unname(all_rows$cooks.distance))), c(2, 5))
  expect_equal(all_rows$dfbeta[-c(2, 5), ], complete$dfbeta)
})

test_that("dfbeta is one Newton step from the estimate towards the fit without the row", {
  x <- model.matrix(fit)[, "wt", drop = FALSE]
  y <- fit$y
  eta <- fit$linear_predictor
  theta <- -unname(fit$alpha)
  # The information of all rows but one, by numerical derivatives of their scores.
  score_without <- function(coefs, i) {
    changed <- fit
    changed$alpha[] <- coefs[1:2]
    changed$beta[] <- coefs[3]
    changed$linear_predictor <- drop(x * coefs[3])
    colSums(coefficient_scores(changed)[-i, ])
  }
  for (i in c(1, 17, 32)) {
    hessian <- vapply(1:3, function(k) {
      h <- replace(numeric(3), k, 1e-5)
      (score_without(coef(fit) + h, i) - score_without(coef(fit) - h, i)) / 2e-5
    }, numeric(3))
    expect_equal(dfbeta(fit)[i, ], solve(hessian, score_without(coef(fit), i)), tolerance = 1e-5, ignore_attr = TRUE)
  }
})

test_that("dfbeta is close to the change when a row is left out", {
  out <- coef(fit) - coef(update(fit, data = transform(mtcars, gear = pmin(gear, 5))[-1, ]))
  expect_lt(max(abs(dfbeta(fit)[1, ] - out)), 0.2 * max(abs(out)))
})

test_that("Cook's distance and dfbetas agree with their definitions from dfbeta", {
  d <- dfbeta(fit)
  expect_equal(unname(cooks.distance(fit)[5]), drop(d[5, ] %*% solve(vcov(fit), d[5, ])) / 3)
  expect_equal(dfbetas(fit)[5, ], d[5, ] / sqrt(diag(vcov(fit))))
})

test_that("influence measures raise an error if an estimate is infinite", {
  d <- data.frame(y = factor(rep(1:3, each = 10)), x = 1:30, z = rep(c(0, 1, 3), 10))
  fit <- suppressWarnings(pom(y ~ x + z, d))
  expect_snapshot(influence(fit), error = TRUE)
  d$b <- as.numeric(d$y == "3")
  expect_error(cooks.distance(suppressWarnings(pom(y ~ b + z, d))), class = "judicious_error_separation")
  expect_true(all(is.finite(cooks.distance(pom(y ~ x + z, d, method = "bias_reduced")))))
})
