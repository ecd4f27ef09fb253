cars <- transform(mtcars, gear = ordered(gear), cyl = factor(cyl))

test_that("what cannot be tested is said", {
  fit <- pom(gear ~ wt, cars)
  expect_snapshot(error = TRUE, {
    proportional_odds_test(pom(gear ~ wt, cars, threshold = "symmetric"), method = "likelihood_ratio")
    proportional_odds_test(fit, method = "likelihood_ratio", against = "scale", "hp")
    proportional_odds_test(pom(gear ~ wt, cars, penalty = 1), method = "likelihood_ratio")
    proportional_odds_test(lm(wt ~ hp, mtcars), method = "likelihood_ratio")
    plot(pom(gear ~ 1, cars))
    plot(fit, variable = "hp")
  })
})

test_that("data that are gone are told of, where the fit has them transformed only", {
  gone <- cars
  fit <- pom(gear ~ log(wt), gone)
  rm(gone)
  expect_snapshot(marginal_means(fit, "wt"), error = TRUE)
})

test_that("mixed models name what cannot be a random effect", {
  set.seed(1)
  d <- data.frame(y = sample(3, 30, TRUE), g = gl(5, 6), none = 0, each = seq_len(30))
  d$m <- multi_membership(lapply(1:30, function(i) 1:2))
  expect_snapshot(error = TRUE, {
    pom(y ~ 1 + (0 | g), d)
    pom(y ~ 1 + (0 + none | g), d)
    pom(y ~ 1 + (1 | m:g), d)
    pom(y ~ 1 + (1 | droplevels(g[1:30 * 0 + 1])), d)
    confint(pom(y ~ 1 + (1 | g), d, sd = 1), "slope")
  })
  expect_warning(
    suppressMessages(pom(y ~ 1 + (1 | each), d)),
    class = "judicious_warning_grouping"
  )
})
