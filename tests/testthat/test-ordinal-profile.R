test_that("profile limits are where the likelihood has dropped by the chi-squared quantile", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  fit <- pom(rating ~ temp + contact, data = wine)
  limits <- confint(fit)
  # vignette("methods"), section 3, has the limits of clm(), which interpolates: they agree up to its error.
  expect_equal(unname(limits[1, ]), c(1.50976274, 3.5952252), tolerance = 5e-5)
  expect_equal(unname(limits[2, ]), c(.61579248, 2.4924038), tolerance = 5e-5)
  for (side in 1:2) {
    wine$fixed <- limits["tempwarm", side] * (wine$temp == "warm")
    without <- ordinal::clm(rating ~ contact + offset(fixed), data = wine, control = list(gradTol = 1e-10))
    expect_equal(sqrt(2 * (fit$loglik - as.numeric(logLik(without)))), qnorm(0.975), tolerance = 1e-6)
  }
})

test_that("the signed root of a profile is 0 at the estimate and increases with the slope", {
  fit <- pom(gear ~ wt + hp, data = mtcars)
  profile <- profile(fit, points = 4)
  for (term in c("wt", "hp")) {
    one <- profile[profile$term == term, ]
    expect_equal(one$value[5], fit$beta[[term]])
    expect_equal(one$root[5], 0)
    expect_true(all(diff(one$root) > 0))
  }
  for (level in 0:1) expect_error(profile(fit, max_level = level), "strictly between 0 and 1")
})

test_that("a slope without a finite estimate has an interval that is open on one side", {
  d <- data.frame(y = rep(1:3, c(8, 8, 8)), x = c(rep(0, 16), rep(0:1, 4)))
  fit <- suppressWarnings(pom(y ~ x, d))
  expect_equal(suppressWarnings(confint(fit))[1, 2], Inf)
  expect_true(is.finite(suppressWarnings(confint(fit))[1, 1]))
})

test_that("a slope that diverges with thresholds has an interval that is open on one side", {
  d <- data.frame(y = rep(1:4, c(20, 14, 12, 24)), x = rep(c(0, 1, 3, 2, 4), 14))
  d$s <- as.numeric(d$y > 2)
  fit <- suppressWarnings(pom(y ~ s + x, d))
  limits <- confint(fit)
  expect_identical(limits["s", 2], Inf)
  # At the limit, the likelihood maximised over the other coefficients is below the highest one by half the quantile.
  held <- suppressWarnings(MASS::polr(factor(y) ~ x + offset(limits["s", 1] * s), d, control = list(reltol = 1e-14)))
  expect_equal(fit$loglik - as.numeric(logLik(held)), qchisq(0.95, 1) / 2, tolerance = 1e-6)
  expect_no_warning(interpolated <- confint(profile(fit)))
  expect_equal(interpolated, limits, tolerance = 0.01)
  down <- suppressWarnings(pom(y ~ s + x, transform(d, s = -s)))
  expect_equal(confint(down)["s", ], -rev(limits["s", ]), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("profiling a threshold raises an error", {
  fit <- pom(gear ~ wt, data = mtcars)
  expect_snapshot(confint(fit, ">=4"), error = TRUE)
  expect_equal(nrow(confint(fit, ">=4", method = "wald")), 1)
})

test_that("the profile of a penalised fit includes the penalty", {
  with_seed(8, d <- data.frame(x = rnorm(200), z = rnorm(200)))
  d$y <- findInterval(d$x + with_seed(9, rlogis(200)), c(-1, 0, 1))
  fit <- pom(y ~ x + z, d, penalty = 40)
  limits <- confint(fit, "x")
  sizes <- apply(d[c("x", "z")], 2, function(column) sqrt(mean((column - mean(column))^2)))
  # The penalised likelihood at a value of the slope, by a general optimiser.
  best_at <- function(value) {
    value_of <- function(p) {
      theta <- p[1] + c(0, cumsum(exp(p[2:3])))
      eta <- value * d$x + p[4] * d$z
      prob <- plogis(c(theta, Inf)[d$y + 1] - eta) - plogis(c(-Inf, theta)[d$y + 1] - eta)
      -sum(log(prob)) + 20 * ((value * sizes[[1]])^2 + (p[4] * sizes[[2]])^2)
    }
    -optim(c(-1, 0, 0, 0), value_of, method = "BFGS", control = list(reltol = 1e-14))$value
  }
  for (side in 1:2) {
    expect_equal(sqrt(2 * (best_at(fit$beta[["x"]]) - best_at(limits[side]))), qnorm(0.975), tolerance = 1e-3)
  }
})

test_that("a bias-reduced fit has Wald intervals and no profile", {
  fit <- pom(gear ~ wt, data = mtcars, method = "bias_reduced")
  expect_equal(confint(fit, "wt"), confint(fit, "wt", method = "wald"))
  expect_snapshot(profile(fit), error = TRUE)
})

test_that("profiles of plain fits, of mixed fits and of fits with scale effects have intervals and plots", {
  wine <- ordinal::wine
  fits <- list(
    pom(rating ~ temp + contact, data = wine), pom(rating ~ temp + contact, scale = ~temp, data = wine,
                                                   link = "probit"),
    pom(rating ~ temp + contact + (1 | judge), data = wine)
  )
  for (fit in fits) {
    profile <- profile(fit)
    slopes <- c("tempwarm", "contactyes")
    # The profile is interpolated between eight values on each side of the estimate.
    expect_equal(confint(profile), confint(fit, slopes, method = "profile"), tolerance = 1e-4)
    expect_s3_class(drawn(plot(profile)), "ggplot")
  }
  theirs <- ordinal::clm(rating ~ temp + contact, scale = ~temp, data = wine, link = "probit")
  expect_equal(confint(fits[[2]])[1:2, ], confint(theirs)[1:2, ], tolerance = 1e-4, ignore_attr = TRUE)
  expect_snapshot(confint(profile(fits[[1]], max_level = 0.9)), error = TRUE)
  expect_equal(confint(profile(fits[[1]]), "tempwarm", level = 0.9), confint(fits[[1]], "tempwarm", level = 0.9),
               tolerance = 1e-4)
})

test_that("confint() uses the requested covariance or raises an error", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  fit <- pom(rating ~ temp + contact, wine)
  wald <- function(covariance) coef(fit) + outer(sqrt(diag(covariance)), qnorm(c(0.025, 0.975)))
  expect_equal(unname(confint(fit, type = "sandwich")), unname(wald(vcov(fit, type = "sandwich"))))
  expect_equal(unname(confint(fit, type = "sandwich", cluster = wine$judge, correction = "CR2")),
               unname(wald(vcov(fit, type = "sandwich", cluster = wine$judge, correction = "CR2"))))
  mixed <- pom(rating ~ temp + (1 | judge), wine)
  expect_equal(confint(mixed, "tempwarm", type = "sandwich")[2],
               mixed$beta[[1]] + qnorm(0.975) * sqrt(vcov(mixed, type = "sandwich")["tempwarm", "tempwarm"]))
  for (call in expression(
    confint(fit, type = "foo"), confint(fit, lvl = 0.9), confint(fit, type = "sandwich", method = "profile"),
    confint(fit, type = "observed", cluster = wine$judge), coef(fit, foo = 1),
    confint(mixed, mehod = "profile"), tidy(fit, vcov = "HC0"), vcov(fit, foo = 1),
    summary(fit, foo = 1), summary(pom(rating ~ temp, wine, scale = ~contact), foo = 1), simulate(fit, 1, foo = 2),
    simulate(mixed, 1, foo = 2), tidy(mixed, effects = "ran_pars")
  )) expect_error(eval(call), class = "judicious_error_argument")
  expect_equal(tidy(fit, conf.level = 0.5)$conf.low, unname(confint(fit, level = 0.5, method = "wald")[, 1]))
})

test_that("profile intervals of scale effects agree with clm()", {
  skip_if_not_installed("ordinal")
  fit <- pom(rating ~ temp + contact, ordinal::wine, scale = ~temp)
  theirs <- confint(ordinal::clm(rating ~ temp + contact, scale = ~temp, data = ordinal::wine))
  ours <- confint(fit)
  expect_identical(rownames(ours), c("tempwarm", "contactyes", "scale:tempwarm"))
  expect_equal(unname(ours), unname(theirs), tolerance = 1e-3)
  expect_equal(unlist(tidy(fit, conf.method = "profile", conf.level = 0.95)[7, c("conf.low", "conf.high")]), ours[3, ],
               ignore_attr = TRUE)
  expect_error(confint(pom(rating ~ temp, ordinal::wine, nominal = ~contact), ">=2:contactyes"), "Other coefficients")
  expect_error(profile(fit, "scale:tempwarm"), "also profiles scale effects")
  expect_error(profile(fit, alpha = 0.01), "no argument `alpha`")
  ridge <- pom(rating ~ temp, ordinal::wine, scale = ~contact, penalty = 1)
  expect_error(confint(ridge, method = "profile"), "Penalised")
})

test_that("a fit at which the likelihood of the profile cannot be computed has no profile interval", {
  d <- with_seed(5, data.frame(x = rnorm(30), z = rnorm(30) + 1e5, o = rnorm(30), y = sample(3, 30, TRUE)))
  expect_warning(fit <- pom(y ~ x + offset(o), d, scale = ~z, link = "cloglog"), class = "judicious_warning_convergence")
  expect_true(all(is.na(confint(fit, "x"))))
})
