test_that("settings are checked", {
  expect_s3_class(pom_control(tolerance = 1e-20), "judicious_pom_control")
  expect_snapshot(error = TRUE, {
    pom_control(max_iterations = 0)
    pom_control(tolerance = 2)
    pom_control(penalty = Inf)
    pom_control(num_threads = 1.5)
  })
})

test_that("settings given by name replace those of `control`, and others are errors", {
  control <- pom_control(penalty = 1, max_iterations = 50)
  fit <- pom(gear ~ wt, mtcars, control = control, penalty = 2, model = FALSE)
  expect_equal(fit$control, pom_control(penalty = 2, max_iterations = 50, model = FALSE))
  expect_equal(coef(fit), coef(pom(gear ~ wt, mtcars, control = pom_control(penalty = 2))))
  expect_equal(coef(pom_fit(as.matrix(mtcars["wt"]), mtcars$gear, control = control, penalty = 2)), coef(fit))
  expect_null(fit$model)
  sums <- list(`factor(cyl)` = "contr.sum")
  expect_equal(coef(pom(gear ~ factor(cyl), mtcars, control = pom_control(contrasts = sums))),
               coef(pom(gear ~ factor(cyl), mtcars, contrasts = sums)))
  expect_snapshot(error = TRUE, {
    pom(gear ~ wt, mtcars, penaltie = 2)
    pom(gear ~ wt, mtcars, control = control, penalty = -1)
    pom(gear ~ wt, mtcars, sd = c(cyl = 1))
    pom_fit(as.matrix(mtcars["wt"]), mtcars$gear, NULL, NULL, control, "logit", NULL, 3)
  })
})
