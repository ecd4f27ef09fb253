# Correspondence of estimates with those of polr(), clm(), orm() and vglm(). polr() and clm() have thresholds of P(Y <=
# j), pom() and orm() of P(Y >= j), so their thresholds have opposite signs and their slopes are equal.

housing_fit <- function(link = "logit") pom(Sat ~ Infl + Type + Cont, MASS::housing, weights = Freq, link = link)

test_that("slopes, thresholds and their covariance agree with polr()", {
  for (link in c("logit", "probit", "cloglog", "loglog")) {  # polr() finds no start for the cauchit here
    fit <- housing_fit(link)
    other <- MASS::polr(Sat ~ Infl + Type + Cont, MASS::housing, weights = Freq, Hess = TRUE,
                        method = if (link == "logit") "logistic" else link)
    expect_equal(coef(other), fit$beta, tolerance = 1e-3)
    expect_equal(unname(other$zeta), unname(-fit$alpha), tolerance = 1e-3)
    sign <- rep(c(1, -1), c(length(fit$beta), length(fit$alpha)))
    order <- c(names(fit$beta), names(fit$alpha))
    expect_equal(unname(vcov(other)), unname(vcov(fit)[order, order] * outer(sign, sign)), tolerance = 0.01)
    expect_equal(unname(predict(other, type = "probs")), unname(predict(fit, type = "probs")), tolerance = 1e-3)
    expect_identical(as.character(predict(other)), as.character(predict(fit, type = "class")))
  }
})

# Tolerances are those at which the other packages stop.
test_that("slopes, thresholds, nominal and scale effects agree with clm()", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  for (link in c("logit", "probit", "cloglog", "loglog", "cauchit")) {
    fit <- pom(rating ~ temp + contact, wine, link = link)
    other <- ordinal::clm(rating ~ temp + contact, data = wine, link = link)
    expect_equal(other$beta, fit$beta, tolerance = 2e-4)
    expect_equal(unname(other$alpha), unname(-fit$alpha), tolerance = 2e-4)
    expect_equal(unname(predict(other, wine[c("temp", "contact")], type = "prob")$fit),
                 unname(predict(fit, wine, type = "prob")), tolerance = 2e-4)
  }
  fit <- pom(rating ~ temp, wine, nominal = ~contact, scale = ~temp)
  other <- ordinal::clm(rating ~ temp, nominal = ~contact, scale = ~temp, data = wine)
  expect_equal(unname(other$zeta), unname(coef(fit)[["scale:tempwarm"]]), tolerance = 1e-5)
  expect_equal(as.numeric(logLik(other)), as.numeric(logLik(fit)), tolerance = 1e-8)
})

test_that("slopes, intercepts and predictions agree with orm()", {
  skip_if_not_installed("rms")
  data <- transform(mtcars, gear = ordered(gear))
  fit <- pom(gear ~ wt + qsec, data)
  other <- rms::orm(gear ~ wt + qsec, data)
  expect_equal(unname(coef(other)), unname(c(fit$alpha, fit$beta)), tolerance = 1e-3)
  expect_equal(unname(as.matrix(predict(other, data, type = "fitted.ind"))), unname(predict(fit, type = "prob")),
               tolerance = 1e-3)
  expect_equal(unname(as.matrix(predict(other, data, type = "fitted"))), unname(predict(fit, type = "cumulative")),
               tolerance = 1e-3)
})

test_that("both directions of the cumulative family, and fits to counts, agree with vglm()", {
  skip_if_not_installed("VGAM")
  wide <- stats::reshape(MASS::housing, direction = "wide", idvar = c("Infl", "Type", "Cont"), timevar = "Sat")
  names(wide)[4:6] <- c("low", "medium", "high")
  fit <- pom(cbind(low, medium, high) ~ Infl + Type + Cont, wide)
  expect_equal(unname(coef(fit)), unname(coef(housing_fit())))
  expect_equal(nobs(fit), sum(MASS::housing$Freq))
  family <- function(reverse) VGAM::cumulative(parallel = TRUE, reverse = reverse)
  up <- VGAM::vglm(cbind(low, medium, high) ~ Infl + Type + Cont, family(TRUE), wide)
  down <- VGAM::vglm(cbind(low, medium, high) ~ Infl + Type + Cont, family(FALSE), wide)
  expect_equal(unname(VGAM::coef(up)), unname(coef(fit)), tolerance = 1e-5)
  expect_equal(unname(VGAM::coef(down)), -unname(coef(fit)), tolerance = 1e-5)
  expect_equal(unname(VGAM::predict(up, wide, type = "response")), unname(predict(fit, wide, type = "response")),
               tolerance = 1e-5)
})

test_that("formula terms of other packages raise errors that name the replacement", {
  expect_snapshot(error = TRUE, {
    pom(Sat ~ Infl + strata(Type), MASS::housing)
    pom(Sat ~ s(Freq), MASS::housing)
    pom(Sat ~ Infl, MASS::housing, contrasts = list(unknown = "contr.sum"))
    pom(cbind(a, b) ~ 1, data.frame(a = c(1, -1), b = 1))
    pom(cbind(a, b) ~ 1, data.frame(a = gl(2, 2), b = 1:4))
    influence(pom(cbind(a, b) ~ x, data.frame(a = 1:4, b = 4:1, x = c(1, 3, 2, 5))))
  })
})

test_that("terms of the linear predictor are centred and sum to it", {
  fit <- pom(gear ~ poly(wt, 2) + factor(cyl), mtcars)
  parts <- predict(fit, type = "terms")
  expect_identical(colnames(parts), c("poly(wt, 2)", "factor(cyl)"))
  expect_equal(unname(colMeans(parts)), c(0, 0))
  expect_equal(rowSums(parts) + attr(parts, "constant"), fit$linear_predictor)
  expect_equal(predict(fit, mtcars[3:1, ], type = "terms")[3, ], parts[1, ])
  mixed <- pom(gear ~ wt + factor(cyl) + (1 | carb), mtcars, sd = c(carb = 0.5))
  parts <- predict(mixed, type = "terms")
  expect_identical(colnames(parts), c("wt", "factor(cyl)"))
  expect_equal(rowSums(parts) + attr(parts, "constant"), predict(mixed, type = "link", effects = "none"),
               ignore_attr = TRUE)
  expect_equal(predict(mixed, mtcars[3:1, -11], type = "terms")[3, ], parts[1, ])
})
