# Multiples of 2^-10, which stay exact in sums with 2^24 and with multiples of 2^-14.
set.seed(5)
dyadic <- function(n) round(runif(n, -1.7, 1.7) * 2^10) / 2^10
near <- data.frame(x = dyadic(150), z = dyadic(150), group = gl(15, 10))
near$y <- as.integer(cut(near$x - near$z / 2 + rnorm(15)[near$group] + rlogis(150), c(-Inf, -1, 0.5, 1.5, Inf)))
far <- transform(near, x = x + 2^24)
far_models <- list(
  plain = list(y ~ x + z), nearly_collinear = list(y ~ x + I(x + z * 2^-14)), probit = list(y ~ x + z, link = "probit"),
  nominal = list(y ~ z, nominal = ~x), scale = list(y ~ x, scale = ~z),
  equidistant = list(y ~ x + z, threshold = "equidistant"), random = list(y ~ x + z + (1 | group)),
  nominal_random = list(y ~ z + (1 | group), nominal = ~x))
fits_to <- function(model) {
  lapply(list(near, far), function(data) suppressMessages(do.call(pom, c(model, list(data = data)))))
}
expect_same <- function(fits, value, info, tolerance = 1e-6) {
  expect_equal(value(fits[[2]], far), value(fits[[1]], near), tolerance = tolerance, info = info)
}

test_that("standard errors of predictions do not depend on the origin of a column, in any model", {
  for (name in names(far_models)) {
    fits <- fits_to(far_models[[name]])
    for (type in c("prob", "cumulative", "mean", "variance")) {
      expect_same(fits, function(fit, data) predict(fit, data[1:5, ], type = type, se.fit = TRUE)$se.fit, name)
      expect_same(fits, function(fit, data) predict(fit, type = type, se.fit = TRUE)$se.fit, name)
    }
    expect_same(fits, function(fit, data) predict(fit, data[1:5, ], interval = "confidence"), name)
    if (inherits(fits[[1]], "judicious_pom_mixed")) for (effects in c("none", "marginal")) {
      expect_same(fits, function(fit, data) predict(fit, data[1:5, ], effects = effects, se.fit = TRUE)$se.fit, name)
    } else expect_same(fits, function(fit, data) marginal_means(fit, "z", at = 0:1, type = "prob"), name)
  }
})

test_that("sandwich covariances, expected information and influence do not depend on the origin of a column", {
  error <- function(fit, ...) {
    slopes <- intersect(c("x", "z", "scale:z", "I(x + z * 2^-14)"), names(coef(fit)))
    sqrt(diag(vcov(fit, ...))[slopes])
  }
  for (name in names(far_models)) {
    fits <- fits_to(far_models[[name]])
    expect_same(fits, function(fit, data) error(fit, type = "sandwich"), name)
    if (inherits(fits[[1]], "judicious_pom_mixed")) next
    expect_same(fits, function(fit, data) error(fit, type = "expected"), name)
    for (correction in c("CR1", "CR2")) {
      clustered <- function(fit, data) error(fit, type = "sandwich", cluster = ~group, correction = correction)
      expect_same(fits, clustered, name)
    }
    expect_same(fits, function(fit, data) fit_statistics(fit), name)
  }
  fits <- fits_to(far_models$plain)
  expect_same(fits, function(fit, data) influence(fit)[c("hat", "cooks.distance")], "influence")
  expect_same(fits, function(fit, data) dfbetas(fit)[, c("x", "z")], "dfbetas")
})

test_that("means of emmeans do not depend on the origin of a column, with any covariance", {
  skip_if_not_installed("emmeans")
  means <- function(mode, ...) function(fit, data) {
    specs <- if (mode == "prob") ~ z | y else ~z
    as.data.frame(emmeans::emmeans(fit, specs, mode = mode, at = list(z = 0:1), ...))[c("emmean", "prob", "SE")[
      c(mode != "prob", mode == "prob", TRUE)]]
  }
  for (name in c("plain", "equidistant", "random")) {
    expect_same(fits_to(far_models[[name]]), function(fit, data) means("latent")(fit, data)["SE"], name)
  }
  for (name in names(far_models)) expect_same(fits_to(far_models[[name]]), means("prob"), name)
  for (covariance in list("HC0", ~group)) {
    expect_same(fits_to(far_models$plain), means("prob", vcov. = covariance), "vcov.")
  }
})

test_that("a covariance of package sandwich with columns far from 0 gives a warning", {
  skip_if_not_installed("sandwich")
  fits <- fits_to(far_models$plain)
  expect_equal(sandwich::sandwich(fits[[1]]), vcov(fits[[1]], type = "sandwich"), tolerance = 1e-10)
  expect_warning(sandwich::sandwich(fits[[2]]), "too far from 0", class = "judicious_warning_rounding")
})

test_that("a scale effect of a column far from 0 keeps predictions and its interval, and a warning says what is lost", {
  for (side in c(-1, 1)) {
    near$w <- side * near$x
    fit <- pom(y ~ z, near, scale = ~w)
    size <- if (coef(fit)[["scale:w"]] > 0) "large" else "small"
    expect_warning(shifted <- pom(y ~ z, near, scale = ~ I(w + 2^24)), size, class = "judicious_warning_convergence")
    expect_equal(predict(shifted, se.fit = TRUE), predict(fit, se.fit = TRUE), tolerance = 1e-6)
    expect_equal(residuals(shifted), residuals(fit), tolerance = 1e-6)
    expect_equal(unname(confint(shifted)), unname(rbind(NA, confint(fit)[2, ])), tolerance = 1e-6)
  }
})

test_that("a slope that nominal effects of its column replace leaves predictions determined", {
  fit <- suppressMessages(pom(y ~ x + z, near, nominal = ~x))
  expect_no_warning(new <- predict(fit, near))
  expect_equal(new, predict(pom(y ~ z, near, nominal = ~x)), tolerance = 1e-8)
})

test_that("models are nested, and columns explained by others, at any origin of the columns", {
  compared <- anova(pom(y ~ x, far), pom(y ~ I(x - 2^24) + z, far))
  expect_equal(compared$Chisq, anova(pom(y ~ x, near), pom(y ~ x + z, near))$Chisq, tolerance = 1e-8)
  expect_equal(anova(pom(y ~ x, far), pom(y ~ I(x^2) + z, near))$Df, c(NA_real_, NA))
  fit <- suppressMessages(pom(y ~ x + z + I(x + z), far))
  expect_no_warning(predict(fit, far))
})

test_that("emmeans has latent means of models whose link has an estimated parameter", {
  skip_if_not_installed("emmeans")
  fit <- pom(y ~ x + z, near, link = "log-gamma")
  found <- as.data.frame(emmeans::emmeans(fit, ~z, at = list(x = 0, z = 1)))
  gradient <- c(rep(1 / 3, 3), 0, 1, 0)
  expect_equal(found$emmean, mean(fit$alpha) + fit$beta[["z"]])
  expect_equal(found$SE, sqrt(drop(gradient %*% vcov(fit) %*% gradient)))
})

test_that("a coefficient without a maximum leaves the sandwich variances of the others as they are", {
  d <- with_seed(1, data.frame(x = rnorm(60), w = rnorm(60), g = sample(c("a", "b", "c"), 60, TRUE)))
  d$y <- cut(d$x + with_seed(2, rlogis(60)), 4, labels = 1:4, ordered_result = TRUE)
  d$y[d$g == "b"] <- "4"
  separated <- suppressWarnings(pom(y ~ x + g, d, nominal = ~w))
  # The rows of the separated level, whose probability is nearly 1, hardly contribute.
  rest <- pom(y ~ x + g, d[d$g != "b", ], nominal = ~w)
  variances <- function(fit) diag(vcov(fit, type = "sandwich"))
  expect_equal(variances(separated)[names(coef(rest))], variances(rest), tolerance = 0.005)
  expect_gt(variances(separated)[["gb"]], 0)
})
