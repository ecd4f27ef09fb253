wine_fit <- function() pom(rating ~ temp + contact, data = ordinal::wine)

# The log likelihood of a row as a function of the coefficients, by its definition.
row_loglik <- function(fit, coefs, i) {
  n_alpha <- length(fit$alpha)
  cumulative <- c(1, plogis(coefs[seq_len(n_alpha)] + sum(model.matrix(fit)[i, names(fit$beta)] *
                                                          coefs[-seq_len(n_alpha)])), 0)
  log(cumulative[fit$y[i]] - cumulative[fit$y[i] + 1])
}

test_that("scores are numerical derivatives of the rows' log likelihoods", {
  skip_if_not_installed("ordinal")
  fit <- wine_fit()
  scores <- coefficient_scores(fit)
  for (i in c(1, 2, 9, 40, 71)) {
    numerical <- central_differences(function(par) row_loglik(fit, par, i), coef(fit))
    expect_equal(unname(scores[i, ]), numerical, tolerance = 1e-7)
  }
})

test_that("the expected information sums outer products of scores over all possible responses", {
  skip_if_not_installed("ordinal")
  fit <- wine_fit()
  x <- kept_columns(fit)
  theta <- -unname(fit$alpha)
  prob <- predict(fit, type = "prob")
  sum_over_levels <- Reduce(`+`, lapply(1:5, function(level) {
    rows <- flexible_rows(theta, fit$linear_predictor, rep(level, 72), x, rep(1, 72), "logit")
    scores <- cumulative_link_gradients_cpp(rows, c(theta, numeric(ncol(x))))
    crossprod(scores, scores * prob[, level])
  }))
  rows <- flexible_rows(theta, fit$linear_predictor, rep(1L, 72), x, rep(1, 72), "logit")
  expect_equal(cumulative_link_information_cpp(rows, c(theta, numeric(ncol(x)))), unname(sum_over_levels),
               ignore_attr = TRUE)
})

test_that("with nominal and scale effects, the expected information sums over responses for any set of rows", {
  skip_if_not_installed("ordinal")
  fit <- pom(rating ~ temp, ordinal::wine, nominal = ~contact, scale = ~temp, link = "cloglog")
  prob <- predict(fit, type = "prob")
  sum_over_levels <- function(rows) Reduce(`+`, lapply(1:5, function(level) {
    fit$y[] <- level
    scores <- coefficient_scores(fit)[rows, ]
    crossprod(scores, scores * prob[rows, level])
  }))
  expect_equal(expected_information(fit), sum_over_levels(1:72), tolerance = 1e-10)
  expect_equal(expected_information(fit, 5:9), sum_over_levels(5:9), tolerance = 1e-10)
  expect_true(all(is.finite(vcov(fit, type = "sandwich", cluster = ordinal::wine$judge, correction = "CR2"))))
})

test_that("sandwich covariances equal those of the package sandwich", {
  skip_if_not_installed("ordinal")
  skip_if_not_installed("sandwich")
  fit <- wine_fit()
  expect_equal(vcov(fit, type = "sandwich"), sandwich::sandwich(fit))
  judge <- ordinal::wine$judge
  expect_equal(vcov(fit, type = "sandwich", cluster = judge),
               sandwich::vcovCL(fit, cluster = judge, type = "HC0", cadjust = TRUE))
})

test_that("the observed information is the inverse of the covariance", {
  skip_if_not_installed("ordinal")
  fit <- wine_fit()
  expect_equal(invert_information(vcov(fit)) %*% vcov(fit), diag(6), ignore_attr = TRUE)
  hessian <- ordinal::clm(rating ~ temp + contact, data = ordinal::wine)$Hessian
  signs <- rep(c(-1, 1), c(4, 2)) # of our intercepts and slopes, in terms of its thresholds and slopes
  expect_equal(invert_information(vcov(fit)), outer(signs, signs) * hessian, tolerance = 1e-5, ignore_attr = TRUE)
  expect_equal(sqrt(diag(vcov(fit))), sqrt(diag(vcov(ordinal::clm(rating ~ temp + contact, data = ordinal::wine)))),
               tolerance = 1e-5, ignore_attr = TRUE)
})

test_that("invalid clusters raise errors", {
  fit <- pom(gear ~ wt, data = mtcars)
  expect_snapshot(vcov(fit, type = "sandwich", cluster = 1:3), error = TRUE)
  expect_snapshot(vcov(fit, type = "sandwich", cluster = rep(1, 32)), error = TRUE)
  expect_snapshot(vcov(fit, cluster = 1:32), error = TRUE)
})

test_that("rows of weight 0 at an otherwise unused level do not change the fit", {
  all <- suppressMessages(pom(carb ~ wt, mtcars, weights = as.numeric(carb < 6)))
  part <- pom(carb ~ wt, mtcars[mtcars$carb < 6, ])
  expect_equal(vcov(all, type = "sandwich"), vcov(part, type = "sandwich"))
  expect_equal(proportional_odds_test(all)$statistic, proportional_odds_test(part)$statistic)
})

test_that("CR2 with one row per cluster equals HC2 of a binary logit, and exceeds CR0", {
  skip_if_not_installed("sandwich")
  d <- with_seed(6, {
    d <- data.frame(x = rnorm(60), z = rexp(60), g = gl(12, 5))
    d$y <- rbinom(60, 1, plogis(d$x - 0.5 * d$z))
    d
  })
  fit <- pom(y ~ x + z, d)
  theirs <- getExportedValue("sandwich", "vcovHC")(glm(y ~ x + z, binomial, d, control = list(epsilon = 1e-14)),
                                                  type = "HC2")
  expect_equal(unname(vcov(fit, type = "sandwich", cluster = seq_len(60), correction = "CR2")), unname(theirs),
               tolerance = 1e-6)  # glm()'s covariance is that of its last step but one
  of <- function(correction) vcov(fit, type = "sandwich", cluster = d$g, correction = correction)
  expect_equal(of("CR1"), of("CR0") * 12 / 11)
  expect_gt(of("CR2")["x", "x"], of("CR0")["x", "x"])
  three <- pom(gear ~ wt, mtcars)
  expect_true(all(is.finite(vcov(three, type = "sandwich", cluster = mtcars$carb, correction = "CR2"))))
  estimated <- pom(Sat ~ Infl, MASS::housing, weights = Freq, link = "log-gamma")
  expect_snapshot(vcov(estimated, type = "expected"), error = TRUE)
})

test_that("bootstrap covariances equal those of polr() on the same resamples", {
  skip_if_not_installed("sandwich")
  skip_if_not_installed("ordinal")
  d <- MASS::housing[rep(1:72, MASS::housing$Freq), ]
  fit <- pom(Sat ~ Infl, d)
  resample <- function(i) {
    drawn <- d[sample(nrow(d), replace = TRUE), ]
    coef(MASS::polr(Sat ~ Infl, drawn))
  }
  expect_equal(with_seed(1, sandwich::vcovBS(fit, R = 10))[3:4, 3:4],
               with_seed(1, stats::cov(t(vapply(1:10, resample, c(0, 0))))), tolerance = 1e-3)
  # Resamples of few clusters lack some levels; thresholds of these levels are then missing.
  wine <- ordinal::wine
  mixed <- pom(rating ~ temp + (1 | judge), wine, link = "probit")
  v <- with_seed(2, sandwich::vcovBS(mixed, cluster = wine$judge, R = 12))
  expect_equal(dimnames(v), dimnames(vcov(mixed)))
  expect_true(all(diag(v) > 0 & diag(v) < 2))
})

test_that("counts as weights give the sandwich and bootstrap covariances of the expanded rows", {
  skip_if_not_installed("MASS")
  skip_if_not_installed("sandwich")
  formula <- Sat ~ Infl + Type + Cont
  counted <- pom(formula, MASS::housing, weights = Freq)
  rows <- MASS::housing[rep(1:72, MASS::housing$Freq), ]
  single <- pom(formula, rows)
  expect_equal(vcov(counted, type = "sandwich"), vcov(single, type = "sandwich"), tolerance = 1e-8)
  expect_equal(sandwich::sandwich(counted), vcov(single, type = "sandwich"), tolerance = 1e-8)
  expect_equal(with_seed(1, sandwich::vcovBS(counted, R = 5)), with_seed(1, sandwich::vcovBS(single, R = 5)),
               tolerance = 1e-6)
  wide <- reshape(MASS::housing, idvar = c("Infl", "Type", "Cont"), timevar = "Sat", direction = "wide")
  counts <- pom(cbind(Freq.Low, Freq.Medium, Freq.High) ~ Infl + Type + Cont, wide)
  expect_equal(unname(vcov(counts, type = "sandwich")), unname(vcov(single, type = "sandwich")), tolerance = 1e-8)
  expect_error(vcov(counts, type = "sandwich", cluster = 1:24), class = "judicious_error_no_rows")
  # Weights that are not counts multiply the scores.
  half <- pom(formula, MASS::housing, weights = Freq / 2)
  expect_equal(vcov(half, type = "sandwich"), vcov(counted, type = "sandwich", cluster = 1:72, correction = "CR0"),
               tolerance = 1e-8)
})

test_that("clusters may be given for all rows of the data", {
  d <- ordinal::wine
  d$temp[3] <- NA
  fit <- pom(rating ~ temp, d)
  expect_equal(vcov(fit, type = "sandwich", cluster = d$judge),
               vcov(fit, type = "sandwich", cluster = d$judge[-3]))
})

test_that("a small-sample correction without a sandwich covariance raises an error", {
  fit <- pom(gear ~ wt, data = mtcars)
  expect_error(vcov(fit, correction = "CR2"), "only available")
  expect_error(confint(fit, correction = "CR2"), "only available")
  expect_error(vcov(fit, type = "sandwich", correction = "none"), "must be one of")
})

test_that("clusters can be a column name, or a value for each row before `subset`", {
  wine <- ordinal::wine
  fit <- pom(rating ~ temp, wine, subset = contact == "yes")
  used <- vcov(fit, type = "sandwich", cluster = wine$judge[wine$contact == "yes"])
  for (cluster in list(wine$judge, ~judge, "judge")) {
    expect_equal(vcov(fit, type = "sandwich", cluster = cluster), used)
  }
  wine$temp[5] <- NA
  gap <- pom(rating ~ temp, wine)
  expect_equal(vcov(gap, type = "sandwich", cluster = ~judge),
               vcov(gap, type = "sandwich", cluster = wine$judge[-5]))
  expect_error(vcov(fit, type = "sandwich", cluster = ~ judge + bottle), "name one variable")
  se <- sqrt(diag(used))
  expect_equal(confint(fit, cluster = ~judge)[, 2], coef(fit) + qnorm(0.975) * se)
  expect_equal(dim(with_seed(1, sandwich::vcovBS(fit, cluster = ~judge, R = 3))), c(5, 5))
})

test_that("covariances of separated fits are symmetric, and log likelihoods are at most 0", {
  d <- data.frame(y = ordered(c(1, 2, 3, 1, 2, 3, 3, 3, 3)), g = rep(c("a", "b", "z"), each = 3))
  v <- vcov(suppressWarnings(pom(y ~ g, d)))
  expect_identical(v, t(v))
  expect_lte(as.numeric(logLik(suppressWarnings(pom(y ~ x, data.frame(y = rep(1:3, each = 5), x = 1:15))))), 0)
})

test_that("clusters of rows of weight 0 do not count", {
  skip_if_not_installed("ordinal")
  wine <- transform(ordinal::wine, used = as.numeric(judge != "3"))
  all_rows <- pom(rating ~ temp, wine, weights = used)
  used_rows <- pom(rating ~ temp, wine[wine$used == 1, ])
  expect_equal(vcov(all_rows, type = "sandwich", cluster = ~judge),
               vcov(used_rows, type = "sandwich", cluster = ~judge), tolerance = 1e-6)
})

test_that("the sandwich covariance is type HC0 of package sandwich, which has no other type of these models", {
  skip_if_not_installed("sandwich")
  fit <- pom(gear ~ wt, mtcars)
  expect_equal(sandwich::vcovHC(fit, type = "HC0"), sandwich::sandwich(fit), tolerance = 1e-10)
  expect_snapshot(error = TRUE, sandwich::vcovHC(fit))
  mixed <- suppressMessages(pom(gear ~ wt + (1 | carb), mtcars))
  expect_error(sandwich::vcovHC(mixed, type = "HC0"), class = "judicious_error_mixed_model")
})
