wine <- ordinal::wine
new <- expand.grid(temp = levels(wine$temp), contact = levels(wine$contact))

test_that("standard errors and intervals of probabilities equal those of clm(), for five links", {
  for (link in c("logit", "probit", "cloglog", "loglog", "cauchit")) {
    ours <- pom(rating ~ temp + contact, data = wine, link = link)
    theirs <- ordinal::clm(rating ~ temp + contact, data = wine, link = link, control = list(gradTol = 1e-10))
    got <- predict(ours, new, se.fit = TRUE, interval = "confidence", level = 0.9)
    expected <- predict(theirs, new, se.fit = TRUE, interval = TRUE, level = 0.9)
    for (part in c("fit", "se.fit", "lwr", "upr")) {
      expect_equal(unname(got[[part]]), unname(expected[[part]]), tolerance = 1e-4)  # clm's estimates are that exact
    }
  }
})

test_that("standard errors with nominal and scale effects equal those of clm()", {
  housing <- MASS::housing
  ours <- pom(Sat ~ Cont, nominal = ~Infl, scale = ~Cont, data = housing, weights = Freq)
  theirs <- ordinal::clm(Sat ~ Cont, nominal = ~Infl, scale = ~Cont, data = housing, weights = Freq)
  rows <- unique(housing[c("Infl", "Cont")])
  got <- predict(ours, rows, se.fit = TRUE)$se.fit
  expect_equal(unname(got), unname(predict(theirs, rows, se.fit = TRUE)$se.fit), tolerance = 1e-4)
})

test_that("standard errors of other types of predictions agree with the delta method", {
  fit <- pom(rating ~ temp + contact, data = wine)
  x <- model.matrix(~ temp + contact, new)[, -1]
  at <- names(fit$beta)
  link <- predict(fit, new, type = "link", se.fit = TRUE, interval = "confidence")
  expect_equal(unname(link$se.fit), unname(sqrt(rowSums((x %*% vcov(fit)[at, at]) * x))), tolerance = 1e-8)
  expect_equal(unname(link$upr), unname(link$fit + qnorm(0.975) * link$se.fit))
  # The mean is the sum of level times probability.
  gradient <- vapply(names(coef(fit)), function(name) {
    h <- 1e-5
    up <- predict(with_coefficient(fit, name, coef(fit)[[name]] + h), new, type = "mean")
    down <- predict(with_coefficient(fit, name, coef(fit)[[name]] - h), new, type = "mean")
    (up - down) / (2 * h)
  }, numeric(4))
  expect_equal(unname(predict(fit, new, type = "mean", se.fit = TRUE)$se.fit),
               unname(sqrt(rowSums((gradient %*% vcov(fit)) * gradient))), tolerance = 1e-6)
  expect_equal(predict(fit, type = "variance", se.fit = TRUE)$fit, predict(fit, type = "variance"))
  gap <- predict(fit, rbind(new, NA), type = "cumulative", interval = "confidence")
  expect_true(all(is.na(gap$lwr[5, ])))
})

test_that("standard errors of mixed predictions include the uncertainty of random effects", {
  fit <- pom(rating ~ temp + contact + (1 | judge), data = wine)
  rows <- cbind(new, judge = c(1, 2, 3, "new"))
  link <- predict(fit, rows, type = "link", se.fit = TRUE)
  expect_equal(unname(link$se.fit), unname(sqrt(posterior_covariance(fit, rows, fixed = TRUE, diagonal = TRUE))),
               tolerance = 1e-6)
  prob <- predict(fit, rows, type = "prob", se.fit = TRUE)
  average <- predict(fit, rows, type = "prob", effects = "marginal", se.fit = TRUE)
  expect_equal(average$fit, predict(fit, rows, type = "prob", effects = "marginal"))
  expect_gt(sum(prob$se.fit[4, ]), sum(average$se.fit[4, ]))
  none <- predict(fit, new, type = "link", effects = "none", se.fit = TRUE)
  expect_equal(unname(none$se.fit[2]), sqrt(vcov(fit)["tempwarm", "tempwarm"]), tolerance = 1e-6)
})

test_that("unknown and inapplicable arguments of predict() raise errors", {
  fit <- pom(rating ~ temp, data = wine)
  expect_snapshot(predict(fit, tpye = "mean"), error = TRUE)
  expect_snapshot(predict(fit, new, type = "class", se.fit = TRUE), error = TRUE)
  expect_snapshot(predict(fit, new, "prob", na.pass, FALSE, "none", 0.95, 3), error = TRUE)
})

test_that("standard errors do not depend on the origin of a column", {
  d <- data.frame(y = cut(quakes$mag, c(4, 4.4, 4.8, 7)), x = as.vector(scale(quakes$lat)), z = quakes$depth)
  # Times in seconds, a minute apart: in double precision, all thresholds have the same variance.
  far <- transform(d, x = 1.6e9 + 60 * x)
  fits <- list(pom(y ~ x + z, d), pom(y ~ x + z, far))
  errors <- function(fit, rows, type) predict(fit, rows[1:5, ], type = type, se.fit = TRUE)$se.fit
  for (type in c("prob", "cumulative"))
    expect_equal(errors(fits[[2]], far, type), errors(fits[[1]], d, type), tolerance = 1e-4)
  averages <- lapply(fits, marginal_means, "z", at = c(100, 400), type = "prob")
  expect_equal(averages[[2]]$sd, averages[[1]]$sd, tolerance = 1e-4)
})

test_that("limits of probabilities of 0 or 1 are not NaN", {
  expect_identical(interval_limits(c(0, 1, 0.5), c(1e-300, 1e-20, NaN), "prob", 0.95), rep(list(c(0, 1, NaN)), 2))
  expect_identical(interval_limits(0, 1e-300, "variance", 0.95), list(0, 0))
})
