housing <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)

test_that("with one slope and three levels, Brant's test is a plain Wald test of two binary slopes", {
  d <- data.frame(y = mtcars$gear, x = mtcars$hp)
  # Stacked binary regressions; the covariance by the sandwich of both scores together.
  low <- glm(I(y > 3) ~ x, binomial, d)
  high <- glm(I(y > 4) ~ x, binomial, d)
  inverse <- function(g) summary(g)$cov.scaled
  score <- function(g) model.matrix(g) * (g$y - fitted(g))
  # Under the model the cross moment of the scores has the expectation P(Y > 4) (1 - P(Y > 3)).
  between <- crossprod(model.matrix(low), model.matrix(low) * (fitted(high) * (1 - fitted(low))))
  cross <- (inverse(low) %*% between %*% inverse(high))[2, 2]
  statistic <- (coef(low)[2] - coef(high)[2])^2 / (inverse(low)[2, 2] + inverse(high)[2, 2] - 2 * cross)
  ours <- proportional_odds_test(pom(y ~ x, d), "brant")
  expect_equal(ours$statistic[1], unname(statistic), tolerance = 1e-5)
  expect_equal(ours$df, c(1, 1))
})

test_that("the score test is near the likelihood ratio test of nominal effects", {
  skip_if_not_installed("ordinal")
  free <- ordinal::clm(Sat ~ 1, nominal = ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
  ratio <- 2 * (as.numeric(logLik(free)) - housing$loglik)
  ours <- proportional_odds_test(housing)
  expect_equal(ours$df, c(6, rep(1, 6)))
  expect_lt(abs(ours$statistic[1] - ratio), 0.15 * ratio)
})

test_that("data that break proportional odds are found, data that follow it are not", {
  with_seed(1, {
    x <- rnorm(2000)
    follows <- findInterval(x + rlogis(2000), c(-1, 1))
    breaks <- (runif(2000) < plogis(1 + 2 * x)) + (runif(2000) < plogis(-1))
  })
  expect_lt(proportional_odds_test(pom(breaks ~ x), "brant")$p_value[1], 1e-6)
  expect_lt(proportional_odds_test(pom(breaks ~ x))$p_value[1], 1e-6)
  expect_gt(proportional_odds_test(pom(follows ~ x), "brant")$p_value[1], 0.001)
  expect_gt(proportional_odds_test(pom(follows ~ x))$p_value[1], 0.001)
})

test_that("the tables print, and what cannot be tested is told of", {
  expect_snapshot(proportional_odds_test(housing))
  expect_snapshot(proportional_odds_test(pom(am ~ wt, data = mtcars), "brant"), error = TRUE)
})

test_that("mixed models are told how to test proportional odds", {
  fit <- pom(y ~ a + (1 | g), data.frame(y = factor(rep(1:3, 20), ordered = TRUE), a = sin(1:60), g = factor(rep(1:6, 10))))
  expect_snapshot(error = TRUE, proportional_odds_test(fit))
})

test_that("arguments of likelihood ratios raise an error with the other tests", {
  fit <- pom(gear ~ wt + hp, mtcars)
  expect_snapshot(error = TRUE, {
    proportional_odds_test(fit, terms = "typ")
    proportional_odds_test(fit, "brant", against = "scale")
  })
})
