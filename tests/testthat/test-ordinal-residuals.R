fit <- pom(gear ~ wt + hp, data = mtcars)

test_that("Li-Shepherd residuals are differences of tail probabilities and have mean 0", {
  prob <- predict(fit, type = "prob")
  by_hand <- vapply(seq_len(32), function(i) {
    j <- match(mtcars$gear[i], c(3, 4, 5))
    sum(prob[i, seq_len(3) < j]) - sum(prob[i, seq_len(3) > j])
  }, 0)
  expect_equal(unname(residuals(fit, "li_shepherd")), by_hand)
  expect_equal(mean(by_hand), 0, tolerance = 1e-8)
})

test_that("surrogate responses lie between the thresholds of their level, and a seed reproduces them", {
  s <- residuals(fit, "surrogate", seed = 4)
  expect_identical(s, residuals(fit, "surrogate", seed = 4))
  latent <- s + fit$linear_predictor
  limits <- c(-Inf, -fit$alpha, Inf)
  expect_true(all(latent > limits[fit$y] & latent < limits[fit$y + 1]))
})

test_that("surrogate residuals of responses far from what the model predicts are finite", {
  set.seed(1)
  d <- data.frame(x = seq(-48, 48, length.out = 200))
  d$y <- factor(findInterval(d$x + 10 * stats::rlogis(200) / 9, c(-10, 10)), ordered = TRUE)
  d <- rbind(d, data.frame(x = c(80, -80), y = c("0", "2")))
  far <- pom(y ~ x, d, weights = c(rep(1e4, 200), 1, 1))
  s <- residuals(far, "surrogate", seed = 1)
  expect_true(all(is.finite(s)))
  latent <- s + far$linear_predictor
  expect_true(latent[201] < -far$alpha[[1]] && latent[202] > -far$alpha[[2]])
})

test_that("response, Pearson and deviance residuals agree with their definitions", {
  expected <- predict(fit, type = "mean")
  expect_equal(residuals(fit), mtcars$gear - expected)
  expect_equal(residuals(fit, "pearson"), (mtcars$gear - expected) / sqrt(predict(fit, type = "variance")))
  expect_equal(sum(residuals(fit, "deviance")^2), deviance(fit))
  expect_equal(sum(log(fitted(fit))), as.numeric(logLik(fit)))
})

test_that("residuals are padded under na.exclude", {
  d <- mtcars
  d$wt[3] <- NA
  padded <- residuals(pom(gear ~ wt, d, na.action = na.exclude), "li_shepherd")
  expect_equal(which(is.na(padded)), 3, ignore_attr = TRUE)
})

test_that("simulated responses have the fitted probabilities", {
  simulated <- simulate(fit, 2000, seed = 1)
  share <- vapply(seq_len(32), function(i) mean(unlist(simulated[i, ]) == "4"), 0)
  prob <- predict(fit, type = "prob")[, "4"]
  z <- (share - prob) / sqrt(pmax(prob * (1 - prob), 1e-6) / 2000)
  expect_lt(max(abs(z)), 4.5)
  expect_identical(simulated, simulate(fit, 2000, seed = 1))
})

test_that("response residuals raise an error if levels are not numbers", {
  fit <- pom(Sat ~ Infl, data = MASS::housing, weights = Freq)
  expect_snapshot(residuals(fit, "response"), error = TRUE)
  expect_equal(residuals(fit), residuals(fit, "li_shepherd"))
})

test_that("counts as weights are simulated as expanded rows, and omitted rows are padded with NA", {
  d <- data.frame(y = ordered(c(1, 2, 3, 1, 2)), x = c(1, 2, 3, 3, 1), n = c(3, 0, 2, 1, 4))
  expanded <- d[rep(1:5, d$n), ]
  expect_equal(simulate(pom(y ~ x, d, weights = n), 3, seed = 1), simulate(pom(y ~ x, expanded), 3, seed = 1))
  fit <- pom(y ~ x, transform(d, x = replace(x, 2, NA)), na.action = na.exclude)
  expect_identical(which(is.na(simulate(fit, 1, seed = 1)$sim_1)), 2L)
})
