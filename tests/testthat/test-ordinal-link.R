# 300 rows whose noise is t distributed with 3 degrees of freedom.
heavy_rows <- with_seed(8, {
  d <- data.frame(x = rnorm(300), z = rnorm(300))
  d$y <- as.integer(cut(d$x - 0.5 * d$z + rt(300, 3), c(-Inf, -1.2, 0, 1.2, Inf)))
  d
})

# Minus the log likelihood as a function of thresholds, slopes and parameters of F, by R's own distribution functions.
minus_loglik <- function(par, cdf) {
  theta <- c(-Inf, par[1:3], Inf)
  eta <- par[4] * heavy_rows$x + par[5] * heavy_rows$z
  y <- heavy_rows$y
  upper <- theta[y + 1] - eta
  lower <- theta[y] - eta
  # The difference is computed in the nearer tail, where it is precise.
  p <- ifelse(lower > 0, cdf(lower, FALSE) - cdf(upper, FALSE), cdf(upper, TRUE) - cdf(lower, TRUE))
  -sum(log(p))
}

log_gamma_cdf <- function(x, lambda, lower) {
  shape <- lambda^-2
  pgamma(shape * exp(lambda * x), shape, lower.tail = if (lambda > 0) lower else !lower)
}

test_that("a robit fit maximises the likelihood computed with pt()", {
  fit <- pom(y ~ x + z, heavy_rows, link = "robit", link_parameter = 3.5)
  at <- c(-fit$alpha, fit$beta)
  t_cdf <- function(x, lower) pt(x, 3.5, lower.tail = lower)
  expect_equal(minus_loglik(at, t_cdf), -fit$loglik, tolerance = 1e-12)
  best <- optim(at, minus_loglik, cdf = t_cdf, method = "BFGS", control = list(reltol = 1e-14))
  expect_equal(unname(best$par), unname(at), tolerance = 1e-5)
  covariance <- solve(optimHess(at, minus_loglik, cdf = t_cdf))
  expect_equal(unname(sqrt(diag(vcov(fit)))), unname(sqrt(diag(covariance))), tolerance = 1e-4)
})

test_that("links with a parameter include their limits and special cases", {
  same <- function(parameter, family, link) {
    a <- pom(y ~ x + z, heavy_rows, link = family, link_parameter = parameter)
    b <- pom(y ~ x + z, heavy_rows, link = link)
    expect_equal(a$loglik, b$loglik, tolerance = 1e-11)
    expect_equal(coef(a), coef(b), tolerance = 1e-6)
    expect_equal(vcov(a), vcov(b), tolerance = 1e-6)
  }
  same(Inf, "robit", "probit")
  same(1, "robit", "cauchit")
  same(0, "log-gamma", "probit")
  same(1, "log-gamma", "cloglog")
  same(-1, "log-gamma", "loglog")
})

test_that("estimated degrees of freedom of a robit link and their covariance are those of the joint likelihood", {
  fit <- pom(y ~ x + z, heavy_rows, link = "robit")
  at <- c(-fit$alpha, fit$beta, coef(fit)["link:df"])
  joint <- function(par) minus_loglik(par[1:5], function(x, lower) pt(x, par[6], lower.tail = lower))
  best <- optim(at, joint, method = "BFGS", control = list(reltol = 1e-14, parscale = c(1, 1, 1, 1, 1, 5)))
  expect_lt(abs(best$value + fit$loglik), 1e-8)
  expect_equal(unname(best$par), unname(at), tolerance = 1e-3)
  covariance <- solve(optimHess(at, joint, control = list(ndeps = c(rep(1e-4, 5), 1e-3))))
  expect_equal(unname(sqrt(diag(vcov(fit)))), unname(sqrt(diag(covariance))), tolerance = 1e-3)
  expect_equal(attr(logLik(fit), "df"), 6)
  expect_lt(max(abs(colSums(coefficient_scores(fit)))), 1e-4)
})

test_that("a log-gamma fit with estimated lambda agrees with the package ordinal", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  fit <- pom(rating ~ temp + contact, wine, link = "log-gamma")
  theirs <- suppressWarnings(suppressMessages(ordinal::clm(rating ~ temp + contact, data = wine, link = "log-gamma")))
  expect_gt(fit$loglik, as.numeric(logLik(theirs)) - 1e-7)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(theirs)), tolerance = 1e-7)
  expect_equal(coef(fit)[["link:lambda"]], theirs$lambda[[1]], tolerance = 0.01)
  # clm stops at a gradient of 1e-4 and takes the Hessian by differences.
  expect_equal(unname(sqrt(diag(vcov(fit)))), unname(sqrt(diag(vcov(theirs)))), tolerance = 0.01)
  expect_equal(attr(logLik(fit), "df"), attr(logLik(theirs), "df"))

  given <- pom(rating ~ temp + contact, wine, link = "log-gamma", link_parameter = 0.5)
  clm2 <- ordinal::clm2(rating ~ temp + contact, data = wine, link = "log-gamma", lambda = 0.5)
  expect_equal(given$loglik, as.numeric(logLik(clm2)), tolerance = 1e-9)
  expect_equal(unname(given$beta), unname(clm2$beta), tolerance = 1e-4)
})

test_that("the lambda of a log-gamma fit maximises the likelihood, and changes its sign with the response's", {
  fit <- pom(y ~ x + z, heavy_rows, link = "log-gamma")
  at <- c(-fit$alpha, fit$beta)
  lambda <- coef(fit)[["link:lambda"]]
  value <- minus_loglik(at, function(x, lower) log_gamma_cdf(x, lambda, lower))
  expect_equal(value, -fit$loglik, tolerance = 1e-10)
  for (other in c(-2, -1, -0.5, 0.5, 1, 2)) {
    expect_lt(pom(y ~ x + z, heavy_rows, link = "log-gamma", link_parameter = other)$loglik, fit$loglik)
  }
  turned <- pom(-y ~ x + z, heavy_rows, link = "log-gamma")
  expect_equal(coef(turned)[["link:lambda"]], -lambda, tolerance = 1e-5)
  expect_equal(turned$loglik, fit$loglik, tolerance = 1e-10)
})

test_that("methods of a fit use the link's parameter", {
  fit <- pom(y ~ x + z, heavy_rows, link = "robit")
  given <- pom(y ~ x + z, heavy_rows, link = "robit", link_parameter = coef(fit)[["link:df"]])
  expect_equal(predict(fit, type = "prob"), predict(given, type = "prob"), tolerance = 1e-7)
  # The delta method with P(Y = 1) by pt().
  at <- coef(fit)
  lowest <- function(par) pt(-par[1] - par[4] * heavy_rows$x[1:5] - par[5] * heavy_rows$z[1:5], par[6])
  slope <- vapply(seq_along(at), function(k) {
    h <- replace(numeric(6), k, 1e-5)
    (lowest(at + h) - lowest(at - h)) / 2e-5
  }, numeric(5))
  expect_equal(unname(predict(fit, type = "prob", se.fit = TRUE)$se.fit[1:5, 1]),
               sqrt(rowSums((slope %*% vcov(fit)) * slope)), tolerance = 1e-5)
  expect_gt(vcov(fit)["x", "x"], vcov(given)["x", "x"])
  expect_equal(anova(pom(y ~ x, heavy_rows, link = "robit"), fit)$Df[2], 1)
  expect_equal(residuals(fit, "surrogate", seed = 1), residuals(given, "surrogate", seed = 1), tolerance = 1e-5)
  expect_output(print(summary(fit)), "link:df")
  expect_output(print(given), "robit, df = ")
})

test_that("invalid link parameters raise errors, and a likelihood without a maximum in one gives a warning", {
  expect_snapshot(error = TRUE, pom(y ~ x, heavy_rows, link_parameter = 2))
  expect_snapshot(error = TRUE, pom(y ~ x, heavy_rows, link = "robit", link_parameter = 0))
  light <- with_seed(1, data.frame(x = rnorm(200), u = runif(200, -3, 3)))
  light$y <- as.integer(cut(light$x + light$u, c(-Inf, -1, 0, 1, Inf)))
  expect_warning(fit <- pom(y ~ x, light, link = "robit"), class = "judicious_warning_link_parameter")
  expect_equal(fit$loglik, pom(y ~ x, light, link = "probit")$loglik, tolerance = 1e-12)
})

test_that("every link parameter has a range and a scale on which it is estimated", {
  expect_setequal(names(link_scales), setdiff(link_names_cpp(), ""))
})

test_that("every link states the variance of its distribution, or that it has none", {
  parameters <- link_names_cpp()
  for (name in names(parameters)) {
    link <- if (nzchar(parameters[[name]])) link_with(name, value_of_link(name)) else name
    traits <- link_traits_cpp(link)
    # Integrates over both halves of the distribution, each by the quantile function of its tail.
    half <- function(lower) {
      stats::integrate(function(p) (link_quantile_cpp(link, p, lower) - traits$mean)^2, 0, 0.5, rel.tol = 1e-9,
                       subdivisions = 1000L)$value
    }
    if (is.na(traits$variance)) expect_error(half(TRUE), "divergent|non-finite") else
      expect_equal(traits$variance, half(TRUE) + half(FALSE), tolerance = 1e-6)
  }
  expect_equal(link_traits_cpp("robit(2)")$variance, NA_real_)
  expect_equal(link_traits_cpp("log-gamma(1e-6)")$variance, 1, tolerance = 1e-11)
})

test_that("an infinite linear predictor gives an end level probability 1 and all others 0", {
  names <- c("logit", "probit", "cloglog", "loglog", "cauchit", "log-gamma(0.5)", "robit(4)")
  for (link in names) {
    terms <- link_rows_cpp(link, c(-Inf, Inf, -Inf, Inf), c(Inf, Inf, -Inf, Inf))
    expect_identical(terms[, "log_prob"], c(0, -Inf, -Inf, -Inf))
    rows <- flexible_rows(c(-1, 1), c(Inf, -Inf), c(3L, 1L), matrix(0, 2, 0), c(1, 1), link)
    certain <- cumulative_link_pass_cpp(rows, c(-1, 1))
    expect_identical(certain$value, 0)
    expect_identical(certain$gradient, c(0, 0))
    rows$y <- c(2L, 1L)
    expect_identical(cumulative_link_pass_cpp(rows, c(-1, 1))$value, -Inf)
  }
  for (link in names[1:5]) {
    dense <- function(y) {
      pom_pass_cpp(matrix(c(1e308, -1e308)), y, 3L, numeric(), numeric(), 0, 1, c(-1, 1, 1e10), link, 1L)
    }
    expect_identical(dense(c(3L, 1L))[c("value", "gradient")], list(value = 0, gradient = c(0, 0, 0)))
    expect_identical(dense(c(2L, 1L))$value, -Inf)
  }
})
