test_that("pom_fit() with a model matrix equals pom() with a formula", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  fit <- pom_fit(x, mtcars$gear, weights = mtcars$carb)
  whole <- pom(gear ~ wt + hp, mtcars, weights = carb)
  expect_equal(coef(fit), coef(whole))
  expect_equal(vcov(fit), vcov(whole))
  expect_equal(vcov(fit, type = "sandwich"), vcov(whole, type = "sandwich"))
  expect_equal(logLik(fit), logLik(whole))
  expect_equal(confint(fit), confint(whole))
  expect_equal(predict(fit), predict(whole))
  expect_equal(predict(fit, x[1:3, ], se.fit = TRUE), predict(whole, mtcars[1:3, ], se.fit = TRUE))
  expect_equal(summary(fit)$slopes, summary(whole)$slopes)
  expect_equal(residuals(fit), residuals(whole))
})

test_that("pom_fit() codes factor, logical, integer and double responses as pom() does", {
  x <- cbind(a = c(1, 4, 2, 8, 5, 7))
  for (y in list(factor(c(1, 2, 1, 3, 3, 2)), c(TRUE, FALSE, TRUE, TRUE, FALSE, TRUE), c(-2L, 5L, 5L, -2L, 9L, 9L),
                 c(0.1, 0.2, 0.1, 0.3, 0.3, 0.2))) {
    fit <- suppressWarnings(pom_fit(x, y))
    expect_equal(coef(fit), coef(suppressWarnings(pom(y ~ a, data.frame(y, x)))))
  }
  expect_equal(response_codes(c(7L, -3L, 7L, 0L), "y")[c("values", "codes")],
               list(values = c(-3, 0, 7), codes = c(3L, 1L, 3L, 2L)))
})

test_that("pom_fit() raises errors for repeated columns, missing values and wrong dimensions", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  expect_snapshot(error = TRUE, {
    pom_fit(mtcars, mtcars$gear)
    pom_fit(x, 1:3)
    pom_fit(cbind(x, x), mtcars$gear)
    pom_fit(replace(x, 5, NA), mtcars$gear)
    pom_fit(x, mtcars$gear, weights = 1:2)
    pom_fit(x, replace(factor(mtcars$gear), 3, NA))
    predict(pom_fit(x, mtcars$gear), mtcars)
  })
})

test_that("model frames equal those of model.frame(), with and without missing values", {
  d <- transform(mtcars, wt = replace(wt, c(2, 9), NA), cyl = factor(replace(cyl, 4, NA)))
  frame <- function(...) pom_frame(as.call(c(quote(pom), list(...))), environment())
  for (action in list(na.omit, na.exclude, "na.omit")) {
    ours <- frame(formula = gear ~ poly(hp, 2) + wt + cyl, data = d, na.action = action, subset = mtcars$carb < 8)
    theirs <- model.frame(gear ~ poly(hp, 2) + wt + cyl, data = d, na.action = action, subset = mtcars$carb < 8)
    expect_equal(ours, theirs)
  }
  expect_error(frame(formula = gear ~ wt, data = d, na.action = na.fail), "missing values")
  expect_equal(nrow(frame(formula = gear ~ wt, data = d, na.action = na.pass)), 32)
  expect_equal(frame(formula = gear ~ hp, data = d), model.frame(gear ~ hp, data = d))
})

test_that("pom_fit() supports links, bias reduction and weights", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  for (method in c("ml", "bias_reduced")) {
    fit <- pom_fit(x, mtcars$gear, weights = mtcars$carb, link = "probit", method = method)
    whole <- pom(gear ~ wt + hp, mtcars, weights = carb, link = "probit", method = method)
    expect_equal(coef(fit), coef(whole))
    expect_equal(vcov(fit), vcov(whole))
    expect_equal(summary(fit)$slopes, summary(whole)$slopes)
    expect_equal(predict(fit, x[1:3, ], se.fit = TRUE), predict(whole, mtcars[1:3, ], se.fit = TRUE),
                 ignore_attr = TRUE)
  }
  expect_output(print(fit), "columns of a matrix")
  plain <- pom_fit(cbind(`(Intercept)` = 1, x), mtcars$gear)
  expect_equal(coef(plain), coef(pom(gear ~ wt + hp, mtcars)))
  expect_snapshot(error = TRUE, pom_fit(x, mtcars$gear, link = "robit", control = pom_control(penalty = 1)))
})

test_that("a model matrix without columns gives a fit with thresholds only", {
  expect_equal(coef(pom_fit(matrix(0, 32, 0), mtcars$gear)), coef(pom(gear ~ 1, mtcars)))
})
