# For large data, starting values come from a fit to a subsample of the rows.

large_data <- function(n, levels) {
  with_seed(1, {
    data <- data.frame(u = rnorm(n, 2), v = rexp(n), o = runif(n))
    latent <- data$u - 2 - 0.3 * data$v + data$o + rlogis(n)
    transform(data, y = ordered(findInterval(latent, seq(-1.5, 1.5, length.out = levels - 1))))
  })
}

test_that("fits of large data agree with ordinal::clm(), with one thread or two", {
  skip_if_not_installed("ordinal")
  for (size in list(c(20000, 6), c(70000, 3))) {
    data <- large_data(size[1], size[2])
    fit <- pom(y ~ u + v + offset(o), data)
    peer <- ordinal::clm(y ~ u + v + offset(o), data = data)
    expect_equal(unname(fit$beta), unname(peer$beta), tolerance = 1e-6)
    expect_equal(unname(fit$alpha), -unname(peer$alpha), tolerance = 1e-6)
    expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(peer)), tolerance = 1e-10)
    expect_identical(coef(pom(y ~ u + v + offset(o), data, num_threads = 2)), coef(fit))
  }
})

test_that("in large data, weights of 1 do not change the fit", {
  data <- large_data(70000, 3)
  fit <- pom(y ~ u + v, data)
  weighted <- pom(y ~ u + v, data, weights = rep(1, nrow(data)))
  expect_equal(coef(weighted), coef(fit), tolerance = 1e-9)
  expect_equal(vcov(weighted), vcov(fit), tolerance = 1e-8)
})

test_that("aliased columns and rare levels are handled in large data", {
  data <- large_data(70000, 3)
  data$twice <- 2 * data$u - 7
  fit <- suppressMessages(pom(y ~ u + twice, data))
  expect_identical(fit$aliased, "twice")
  expect_equal(fit$beta[["u"]], pom(y ~ u, data)$beta[["u"]], tolerance = 1e-9)
  rare <- transform(data, y = factor(ifelse(seq_along(y) == 2, 3, as.integer(y) - 1), 0:3))
  fit <- pom(y ~ 1, rare)
  # Without slopes, the fitted probabilities of a level sum to its count; this level has one row.
  expect_equal(sum(predict(fit, type = "prob")[, "3"]), 1, tolerance = 1e-6)
})
