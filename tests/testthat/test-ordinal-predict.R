fitted_wine <- function() {
  skip_if_not_installed("ordinal")
  pom(rating ~ temp + contact, data = ordinal::wine)
}

test_that("probabilities are differences of inverse logits and sum to 1", {
  fit <- fitted_wine()
  prob <- predict(fit, type = "prob")
  expect_identical(dim(prob), c(72L, 5L))
  expect_identical(colnames(prob), as.character(1:5))
  expect_equal(unname(rowSums(prob)), rep(1, 72))
  at_least <- cbind(1, plogis(outer(unname(fit$linear_predictor), unname(fit$alpha), `+`)), 0)
  expect_equal(unname(prob), at_least[, 1:5] - at_least[, 2:6], tolerance = 1e-14)
  expect_equal(unname(predict(fit, type = "cumulative")), at_least[, 2:5])
})

test_that("mean, variance, class and link predictions are consistent with the probabilities", {
  fit <- fitted_wine()
  new <- expand.grid(temp = c("cold", "warm"), contact = c("no", "yes"))
  prob <- predict(fit, new)
  mean <- drop(prob %*% 1:5)
  expect_equal(predict(fit, new, type = "mean"), mean)
  expect_equal(predict(fit, new, type = "variance"), drop(prob %*% (1:5)^2) - mean^2)
  expect_identical(as.integer(predict(fit, new, type = "class")), unname(max.col(prob)))
  expect_equal(unname(predict(fit, new, type = "link")), c(0, fit$beta[[1]], fit$beta[[2]], sum(fit$beta)))
})

test_that("tail probabilities keep their relative precision", {
  fit <- pom(gear ~ wt, mtcars)
  far <- predict(fit, data.frame(wt = c(-200, 200)), type = "prob")
  expect_true(all(far > 0))
  expect_equal(log(far[2, 2]), unname(fit$alpha[1] + 200 * fit$beta + log1p(-exp(fit$alpha[2] - fit$alpha[1]))),
               tolerance = 1e-12)
})

test_that("rows with missing values are predicted NA, and fitted values follow na.action", {
  holes <- transform(mtcars, wt = replace(wt, c(2, 5), NA))
  fit <- pom(gear ~ wt, holes, na.action = na.exclude)
  expect_identical(which(is.na(predict(fit, type = "mean"))), c(`Mazda RX4 Wag` = 2L, `Hornet Sportabout` = 5L))
  new <- predict(fit, holes, type = "prob")
  expect_identical(unname(which(is.na(new[, 1]))), c(2L, 5L))
  expect_equal(new[-c(2, 5), ], predict(pom(gear ~ wt, holes), type = "prob"))
  expect_identical(which(is.na(predict(fit, holes, type = "class"))), c(2L, 5L))
})

test_that("predictions include offsets from the formula and from the argument", {
  data <- transform(mtcars, off = sin(seq_along(wt)))
  a <- pom(gear ~ wt + offset(off), data)
  b <- pom(gear ~ wt, data, offset = off)
  expect_equal(coef(a), coef(b))
  expect_equal(predict(a, data), predict(a), tolerance = 1e-14)
  expect_equal(predict(b, data), predict(b), tolerance = 1e-14)
  expect_equal(predict(a, transform(data, off = off + 1), type = "link"), predict(a, type = "link") + 1)
  expect_snapshot(predict(a, mtcars), error = TRUE)
})

test_that("factors in new data keep the levels and contrasts of the fit", {
  data <- transform(mtcars, cyl = factor(cyl))
  fit <- pom(carb ~ cyl, data, contrasts = list(cyl = "contr.sum"))
  expect_equal(predict(fit, data.frame(cyl = "6"), type = "mean"),
               predict(fit, type = "mean")[which(data$cyl == "6")[1]], ignore_attr = TRUE)
  cnd <- expect_error(predict(fit, data.frame(cyl = "5")), "new level \"5\" in the column \"cyl\"",
                      class = "judicious_error_levels")
  expect_identical(cnd$levels, "5")
  expect_match(conditionMessage(cnd), "The model knows the levels")
  # NA is a logical value in R, but it is accepted for any column.
  expect_silent(unknown <- predict(fit, data.frame(cyl = NA)))
  expect_true(all(is.na(unknown)) && ncol(unknown) == length(fit$levels))
})

test_that("invalid types of prediction and invalid new data raise errors", {
  fit <- pom(factor(cyl, labels = c("low", "mid", "high")) ~ wt, mtcars)
  expect_snapshot(error = TRUE, {
    predict(fit, type = "mean")
    predict(fit, data.frame(x = 1))
    predict(pom(gear ~ wt + hp, mtcars), data.frame(x = 1))
    pom(factor(gear, 1:6) ~ wt, mtcars)$levels
    predict(fit, 1:3)
    predict(fit, mtcars, type = "probability")
    predict(mirex_model())
  })
})

test_that("columns that are entirely NA are predicted NA, and columns of another type raise an error", {
  d <- transform(mtcars, gear = factor(gear), cyl = factor(cyl))
  fit <- pom(gear ~ wt + cyl, d)
  for (name in c("wt", "cyl")) {
    new <- d[1:2, ]
    new[[name]] <- NA
    expect_equal(unname(predict(fit, new, type = "prob")), matrix(NA_real_, 2, 3))
  }
  expect_error(predict(fit, transform(d, wt = "a")), "fitted with type", class = "judicious_error_columns")
})

test_that("variables that depend on other rows are reported in predictions for other data", {
  d <- transform(mtcars, gear = factor(gear))
  fit <- pom(gear ~ I(wt - mean(wt)) + scale(hp), d)
  expect_no_warning(predict(fit, d))
  expect_warning(new <- predict(fit, d[1:3, ]), "`I(wt - mean(wt))` depends on other rows", fixed = TRUE,
                 class = "judicious_warning_row_wise")
  # The mean is that of the three rows.
  centred <- pom(gear ~ wt + scale(hp), transform(d, wt = wt - mean(wt)))
  expect_equal(new, predict(centred, transform(d[1:3, ], wt = wt - mean(wt))))
  for (formula in c(gear ~ I(scale(wt)^2), gear ~ I(wt > median(wt)))) {
    expect_warning(predict(pom(formula, d), d[1:3, ]), class = "judicious_warning_row_wise")
  }
  # The rows of the fit are no other data, in another order and among rows that the fit left out.
  gaps <- transform(d, wt = replace(wt, 5, NA))
  centred <- pom(gear ~ I(wt - mean(wt, na.rm = TRUE)), gaps)
  expect_no_warning(again <- predict(centred, gaps[32:1, ], type = "prob"))
  expect_equal(again[rownames(gaps)[-5], ], predict(centred, type = "prob"))
  at <- 3
  for (formula in c(gear ~ scale(wt), gear ~ poly(wt, 2) + factor(vs), gear ~ I(wt - at), gear ~ cut(wt, c(0, 3, 6)))) {
    expect_no_warning(predict(pom(formula, d), d[1:3, ]))
  }
  nominal <- suppressWarnings(pom(gear ~ 1, d, nominal = ~ I(wt - mean(wt))))
  expect_warning(predict(nominal, d[1:3, ]), class = "judicious_warning_row_wise")
  expect_snapshot(error = TRUE, predict(pom(gear ~ cut(wt, 2), d), d[1:3, ]))
})

test_that("new rows of missing values are predicted NA, and no rows give no predictions, with spline bases too", {
  d <- transform(mtcars, gear = factor(gear))
  fits <- list(pom(gear ~ splines::ns(wt, 2), d), pom(gear ~ splines::bs(wt, 4), d), pom(gear ~ poly(wt, 2), d),
               suppressWarnings(pom(gear ~ am, d, scale = ~ splines::ns(wt, 2))))
  for (fit in fits) {
    for (type in c("prob", "class", "link")) {
      expect_identical(NROW(predict(fit, d[0, ], type = type)), 0L)
      expect_true(all(is.na(predict(fit, data.frame(wt = NA, am = c(NA, 1)), type = type))))
    }
    expect_equal(predict(fit, data.frame(wt = c(NA, 3), am = 1))[2, ], predict(fit, data.frame(wt = 3, am = 1))[1, ])
  }
  expect_identical(dim(predict(fits[[1]], d[0, ], type = "terms")), c(0L, 1L))
})

test_that("variables of the fitted rows do not stand in for variables missing from new data", {
  gear <- factor(mtcars$gear)
  wt <- mtcars$wt
  fit <- pom(gear ~ wt)
  expect_equal(predict(fit, data.frame(wt = 3)), predict(pom(gear ~ wt, data.frame(gear, wt)), data.frame(wt = 3)))
  few <- pom(gear ~ wt, subset = wt > 2)
  at <- c(3, 4)
  fit_knots <- pom(gear ~ splines::ns(wt, knots = at), data.frame(gear, wt))
  expect_identical(dim(predict(fit_knots, data.frame(wt = 3:5))), c(3L, 3L))
  of_dollar <- pom(factor(mtcars$gear) ~ mtcars$wt)
  # A missing column raises an error, whether the new data have as many rows as the fit or fewer.
  expect_error(predict(fit, data.frame(hp = mtcars$hp)), "no column \"wt\"", class = "judicious_error_columns")
  expect_error(predict(few, data.frame(hp = 1:2)), "no column \"wt\"", class = "judicious_error_columns")
  expect_snapshot(error = TRUE, predict(of_dollar, data.frame(wt = 3)))
})

test_that("times of new data are in the units of the fit, or an error states both units", {
  hours <- round(mtcars$wt * 10)
  data <- transform(mtcars, lag = as.difftime(hours, units = "hours"), day = as.Date("2020-01-01") + hours)
  numbers <- predict(pom(gear ~ hours, transform(mtcars, hours = hours)), data.frame(hours = 20:40), type = "prob")
  fit <- pom(gear ~ lag, data)
  expect_equal(predict(fit, data.frame(lag = as.difftime(20:40, units = "hours")), type = "prob"), numbers)
  expect_equal(predict(pom(gear ~ day, data), data.frame(day = as.Date("2020-01-01") + 20:40), type = "prob"), numbers,
               tolerance = 1e-6)
  expect_snapshot(error = TRUE, {
    predict(fit, data.frame(lag = as.difftime(120, units = "mins")))
    predict(pom(gear ~ day + lag, data), transform(data, day = as.POSIXct(day), lag = as.difftime(1, units = "days")))
    predict(pom(gear ~ wt, data, scale = ~lag), transform(data, lag = as.difftime(1, units = "days")))
  })
  # The same holds for terms that use the bare numbers of times, and for random slopes, but not for stated units.
  minutes <- transform(data, lag = `units<-`(lag, "mins"))
  refused <- function(fit) expect_error(predict(fit, minutes), "times `lag` in \"mins\"", class = "judicious_error_columns")
  refused(pom(gear ~ as.numeric(lag), data))
  refused(pom(gear ~ poly(as.numeric(lag), 2), data))
  refused(pom_mixed(gear ~ wt + (0 + lag | carb), data))
  refused(pom(gear ~ I(lag > 30), data))
  refused(pom(gear ~ scale(lag), data))
  stated <- pom(gear ~ as.numeric(lag, units = "hours"), data)
  expect_equal(predict(stated, minutes, type = "prob"), predict(stated, data, type = "prob"))
  stated <- pom(gear ~ I(lag > as.difftime(30, units = "hours")) + log(as.numeric(lag, "mins")), data)
  expect_equal(predict(stated, minutes, type = "prob"), predict(stated, data, type = "prob"))
})

test_that("contrasts without the names of factors, or not for them, raise an error", {
  expect_error(pom(gear ~ factor(cyl), mtcars, contrasts = list("contr.sum")), "must be named by factors",
               class = "judicious_error_argument")
  expect_error(pom(gear ~ wt, mtcars, contrasts = list(wt = "contr.sum")), "`contrasts` cannot be used: contrasts apply",
               class = "judicious_error_argument")
  expect_equal(coef(pom(gear ~ factor(cyl), mtcars, contrasts = c(`factor(cyl)` = "contr.sum"))),
               coef(pom(gear ~ factor(cyl), mtcars, contrasts = list(`factor(cyl)` = "contr.sum"))))
})

test_that("a term that cannot be computed is named, in data and in new data", {
  data <- transform(mtcars, gear = ordered(gear), lag = as.difftime(qsec, units = "hours"), cyl = factor(cyl))
  expect_error(pom(gear ~ cut(lag, 3), data), "term `cut(lag, 3)` cannot be computed: 'x' must be numeric", fixed = TRUE,
               class = "judicious_error_columns")
  expect_error(pom(gear ~ unknown(wt), data), "term `unknown(wt)` cannot be computed", fixed = TRUE,
               class = "judicious_error_columns")
  expect_error(pom(gear ~ wt + df, data), "`data` has no column \"df\"", class = "judicious_error_columns")
  fit <- pom(gear ~ log(wt) + cyl, data)
  expect_error(predict(fit, data.frame(wt = "3", cyl = "4")), "`newdata` cannot be used",
               class = "judicious_error_columns")
  expect_no_warning(expect_error(predict(fit, data.frame(wt = 3, cyl = 4)), "was fitted with type",
                                 class = "judicious_error_columns"))
})

test_that("the argument offset has values for the rows of new data that na.omit() keeps", {
  rows <- replace(mtcars[1:4, ], "wt", c(3, NA, 2, 4))
  in_argument <- pom(gear ~ wt, mtcars, offset = qsec)
  expect_equal(predict(in_argument, rows, type = "link", na.action = na.omit),
               predict(in_argument, rows[-2, ], type = "link"))
})
