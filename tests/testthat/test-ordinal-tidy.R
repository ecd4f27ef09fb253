fit <- pom(gear ~ wt + hp, data = mtcars)

test_that("tidy() and glance() agree with summary()", {
  table <- generics::tidy(fit, conf.int = TRUE)
  expect_equal(table$estimate, unname(coef(fit)))
  expect_equal(table$p.value[3:4], unname(summary(fit)$slopes[, 4]))
  expect_equal(table$conf.low, unname(confint(fit, method = "wald")[, 1]))
  expect_equal(generics::tidy(fit, exponentiate = TRUE)$estimate, exp(table$estimate))
  expect_equal(generics::tidy(fit, conf.int = TRUE, conf.method = "profile")$conf.low[3:4], unname(confint(fit)[, 1]))
  expect_equal(generics::glance(fit)$AIC, AIC(fit))
})

test_that("augment() adds fitted values, for new data too", {
  expect_equal(generics::augment(fit, mtcars)$.fitted, predict(fit, type = "class"))
  expect_equal(nrow(generics::augment(fit, newdata = mtcars[1:3, ])), 3)
  for (type in c("class", "mean", "link")) {
    expect_equal(generics::augment(fit, mtcars, type.predict = type)$.fitted, predict(fit, type = type), ignore_attr = "names")
    expect_equal(generics::augment(fit, newdata = mtcars[1:3, ], type.predict = type)$.fitted,
                 predict(fit, mtcars[1:3, ], type = type), ignore_attr = "names")
  }
  expect_snapshot(generics::augment(fit, mtcars[1:3, ]), error = TRUE)
})

test_that("exponentiated thresholds are odds at predictors of 0; only with the logit link are there odds ratios", {
  table <- generics::tidy(fit, exponentiate = TRUE)
  reached <- predict(fit, data.frame(wt = 0, hp = 0), type = "cumulative")
  expect_equal(table$estimate[table$coef.type == "threshold"], as.vector(reached / (1 - reached)), tolerance = 1e-10)
  name_of <- function(fit) attr(model_parameters.judicious_pom(fit, exponentiate = TRUE), "coefficient_name")
  expect_identical(name_of(fit), "Odds Ratio")
  expect_identical(name_of(pom(gear ~ wt, mtcars, link = "probit")), "exp(Coefficient)")
})

test_that("print() states how many rows were left out, and a fit converts to LaTeX and knitr tables", {
  cars <- transform(mtcars, wt = replace(wt, 1:3, NA))
  expect_output(print(pom(gear ~ wt, cars)), "29 observations (3 left out: missing values), 3 levels", fixed = TRUE)
  expect_output(print(pom(gear ~ wt, mtcars)), "32 observations, 3 levels", fixed = TRUE)
  skip_if_not_installed("knitr")
  fit <- pom(gear ~ wt, mtcars)
  latex <- toLatex(fit, digits = 2, conf.int = TRUE)
  expect_s3_class(latex, "Latex")
  slope <- tidy(fit, conf.int = TRUE)[3, ]
  expect_match(grep("^wt", latex, value = TRUE), sprintf("%.2f & $-$%.2f", slope$std.error, -slope$statistic), fixed = TRUE)
  expect_match(latex, "$\\geq$4 & ", fixed = TRUE, all = FALSE)
  expect_match(latex, "Term & Estimate & Standard error & z & p & Lower & Upper", fixed = TRUE, all = FALSE)
  expect_identical(knitr::kable(fit), knitr::kable(tidy(fit)), ignore_attr = TRUE)
  expect_match(grep("^wt", latex, value = TRUE), " & $<$0.01 & ", fixed = TRUE)
  mixed <- toLatex(pom(rating ~ temp + (1 | judge), ordinal::wine))
  expect_match(mixed, "judge.*-- & --", all = FALSE)
})
