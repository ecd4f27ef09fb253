housing <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)

test_that("with one slope and three levels, Brant's test is a Wald test of two binary slopes", {
  d <- data.frame(y = mtcars$gear, x = mtcars$hp)
  # Two binary regressions for the same rows, with the sandwich covariance of their joint scores.
  low <- glm(I(y > 3) ~ x, binomial, d)
  high <- glm(I(y > 4) ~ x, binomial, d)
  inverse <- function(g) summary(g)$cov.scaled
  score <- function(g) model.matrix(g) * (g$y - fitted(g))
  # Under the model, the expected cross product of the two scores is P(Y > 4) (1 - P(Y > 3)).
  between <- crossprod(model.matrix(low), model.matrix(low) * (fitted(high) * (1 - fitted(low))))
  cross <- (inverse(low) %*% between %*% inverse(high))[2, 2]
  statistic <- (coef(low)[2] - coef(high)[2])^2 / (inverse(low)[2, 2] + inverse(high)[2, 2] - 2 * cross)
  ours <- proportional_odds_test(pom(y ~ x, d), "brant")
  expect_equal(ours$statistic[1], unname(statistic), tolerance = 1e-5)
  expect_equal(ours$df, c(1, 1))
})

test_that("tests do not depend on the origin and the unit of a column", {
  d <- data.frame(y = cut(quakes$mag, c(4, 4.4, 4.8, 7)), x = as.vector(scale(quakes$lat)), z = quakes$depth)
  fit_of <- function(change) pom(y ~ x + z, transform(d, x = change(x)))
  fits <- lapply(list(function(x) x, function(x) x + 1e5, function(x) x * 1e9, function(x) x * 1e-9), fit_of)
  for (method in c("score", "brant")) {
    statistics <- lapply(fits, function(fit) proportional_odds_test(fit, method)$statistic)
    for (other in statistics[-1]) expect_equal(other, statistics[[1]], tolerance = 1e-7)
  }
  scores <- vapply(fits, function(fit) anova(pom(y ~ z, d), fit, test = "score")$Chisq[2], 0)
  expect_equal(scores, rep(scores[1], 4), tolerance = 1e-7)
})

test_that("the score test of proportional odds is close to the likelihood ratio test of nominal effects", {
  skip_if_not_installed("ordinal")
  free <- ordinal::clm(Sat ~ 1, nominal = ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
  ratio <- 2 * (as.numeric(logLik(free)) - housing$loglik)
  ours <- proportional_odds_test(housing)
  expect_equal(ours$df, c(6, rep(1, 6)))
  expect_lt(abs(ours$statistic[1] - ratio), 0.15 * ratio)
})

test_that("tests reject data that violate proportional odds, and accept data that satisfy them", {
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

test_that("tables of tests print, and tests that do not apply raise errors", {
  expect_snapshot(proportional_odds_test(housing))
  expect_snapshot(proportional_odds_test(pom(am ~ wt, data = mtcars), "brant"), error = TRUE)
})

test_that("the error for mixed models states how to test proportional odds", {
  fit <- pom(y ~ a + (1 | g), data.frame(y = factor(rep(1:3, 20), ordered = TRUE), a = sin(1:60), g = factor(rep(1:6, 10))))
  expect_snapshot(error = TRUE, proportional_odds_test(fit))
})

test_that("arguments for likelihood ratio tests raise an error with the other tests", {
  fit <- pom(gear ~ wt + hp, mtcars)
  expect_snapshot(error = TRUE, {
    proportional_odds_test(fit, terms = "typ")
    proportional_odds_test(fit, "brant", against = "scale")
  })
})

test_that("the score test equals Rao's test with numerical derivatives for separate slopes", {
  fit <- pom(Sat ~ Infl + Cont, data = MASS::housing, weights = Freq)
  x <- model.matrix(fit)[, -1]
  w <- MASS::housing$Freq
  y <- as.integer(MASS::housing$Sat)
  # The parameters are the thresholds, followed by separate slopes for each threshold.
  at <- c(fit$alpha, rbind(fit$beta, fit$beta))
  prob <- function(parameters) {
    slopes <- matrix(parameters[-(1:2)], 2)
    above <- plogis(cbind(parameters[1] + x %*% slopes[1, ], parameters[2] + x %*% slopes[2, ]))
    cbind(1 - above[, 1], above[, 1] - above[, 2], above[, 2])
  }
  change <- lapply(seq_along(at), function(k) {
    h <- replace(numeric(length(at)), k, 1e-5)
    (prob(at + h) - prob(at - h)) / 2e-5
  })
  p <- prob(at)
  row <- cbind(seq_along(y), y)
  score <- vapply(change, function(d) sum(w * d[row] / p[row]), 0)
  information <- outer(seq_along(at), seq_along(at), Vectorize(function(j, k) sum(w * change[[j]] * change[[k]] / p)))
  statistic <- function(free) {
    basis <- diag(2 + 2 * ncol(x))[, c(1, 2, 2 * free + 1, 2 * seq_len(ncol(x)) + 2)]
    for (k in setdiff(seq_len(ncol(x)), free)) basis[2 * k + 1, 2 + length(free) + k] <- 1
    s <- crossprod(basis, score)
    drop(crossprod(s, solve(crossprod(basis, information %*% basis), s)))
  }
  expect_equal(proportional_odds_test(fit)$statistic, c(statistic(1:3), statistic(1), statistic(2), statistic(3)),
               tolerance = 1e-7)
})
