links <- list("logit", "probit", "cloglog", "loglog", "cauchit",
              c("log-gamma", 0.7), c("log-gamma", -0.4), c("robit", 4))
link_of <- function(l) list(link = l[1], link_parameter = if (length(l) > 1) as.numeric(l[2]))

# Distribution functions in plain R. The log-gamma distribution is that of log(lambda^2 G) / lambda.
plain_cdf <- function(l) {
  switch(l[1], logit = plogis, probit = pnorm, cauchit = pcauchy, cloglog = function(x) -expm1(-exp(x)),
         loglog = function(x) exp(-exp(-x)), robit = function(x) pt(x, as.numeric(l[2])),
         `log-gamma` = {
           lambda <- as.numeric(l[2])
           function(x) pgamma(exp(lambda * x) / lambda^2, lambda^-2, lower.tail = lambda > 0)
         })
}

# The log likelihood with one random intercept by integrate(), group by group.
integrated_loglik <- function(cdf, y, theta, eta, scale, group, sd) {
  limits <- cbind(-Inf, theta, Inf)
  of_group <- function(rows) {
    given <- function(u) vapply(u, function(v) {
      at <- function(k) cdf((limits[cbind(rows, y[rows] + k)] - eta[rows] - sd * v) / scale[rows])
      prod(at(1) - at(0)) * dnorm(v)
    }, 0)
    log(stats::integrate(given, -8, 8, rel.tol = 1e-11, subdivisions = 500L)$value)
  }
  sum(vapply(split(seq_along(y), group), of_group, 0))
}

spread_example <- function(n = 100, seed = 5) {
  set.seed(seed)
  d <- data.frame(g = factor(sample(15, n, TRUE)), h = factor(sample(6, n, TRUE)), x = rnorm(n), z = runif(n, -1, 1),
                  k = rep_len(c("a", "b"), n))
  eta <- 0.8 * d$x + rnorm(15)[d$g] + 0.4 * rnorm(6)[d$h]
  d$y <- cut(eta + exp(0.4 * d$z) * rlogis(n), c(-Inf, -1.2, 0.2, 1.8, Inf), labels = 0:3, ordered_result = TRUE)
  d
}

test_that("with every link and nominal and scale effects, the likelihood agrees with integrate()", {
  d <- spread_example()
  for (l in links) {
    fit <- do.call(pom, c(list(y ~ x + (1 | g), d, nominal = ~k, scale = ~z, nAGQ = 25), link_of(l)))
    expect_equal(fit$convergence$status, "converged")
    b <- coef(fit)
    theta <- -outer(rep(1, nrow(d)), b[1:3]) - outer(as.double(d$k == "b"), b[4:6])
    expect_equal(fit$loglik, integrated_loglik(plain_cdf(l), as.integer(d$y), theta, b[["x"]] * d$x,
                                               exp(b[["scale:z"]] * d$z), d$g, fit$sd),
                 tolerance = 1e-6, label = l[1])
  }
})

test_that("gradients by Laplace's method and by quadrature agree with finite differences", {
  d <- spread_example(80)
  for (l in links) {
    for (nodes in c(1, 7)) {
      formula <- if (nodes == 1) y ~ x + (1 + x | g) + (1 | h) else y ~ x + (1 | g)
      parts <- mixed_design(list(quote(pom), formula = formula, data = d) |> as.call(), environment(), NULL,
                            ~k, ~z + offset(0.1 * x))
      problem <- mixed_problem(parts, do.call(check_link, unname(link_of(l))), "symmetric", pom_control())
      n_loadings <- parts$effects$n_terms
      psi <- c(0.2, 1.3, 0.2, 0.1, 0.5, 0.3, c(0.9, 0.4, 0.5, -0.3)[seq_len(n_loadings)])
      at <- function(psi) mixed_laplace_cpp(problem$model, problem$effects, psi, hermite_rule(nodes))
      slopes <- vapply(seq_along(psi), function(k) {
        e <- replace(numeric(length(psi)), k, 1e-3)
        (8 * (at(psi + e)$value - at(psi - e)$value) - (at(psi + 2 * e)$value - at(psi - 2 * e)$value)) / 12e-3
      }, 0)
      expect_equal(at(psi)$gradient, slopes, tolerance = 1e-7, label = paste(l[1], nodes))
    }
  }
})

test_that("probit fits with every threshold structure agree with ordinal::clmm(), scale effects with clmm2()", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  for (threshold in c("flexible", "symmetric", "equidistant")) {
    fit <- pom(rating ~ temp + contact + (1 | judge), wine, link = "probit", threshold = threshold)
    peer <- ordinal::clmm(rating ~ temp + contact + (1 | judge), wine, link = "probit", threshold = threshold)
    expect_equal(fit$loglik, as.numeric(peer$logLik), tolerance = 1e-7)
    expect_equal(unname(fit$beta), unname(peer$beta), tolerance = 1e-4)
    expect_equal(sqrt(diag(vcov(fit)))[["contactyes"]], sqrt(diag(vcov(peer)))[["contactyes"]], tolerance = 1e-3)
  }
  fit <- pom(rating ~ temp + contact + (1 | judge), wine, link = "probit", nAGQ = 7)
  peer <- ordinal::clmm(rating ~ temp + contact + (1 | judge), wine, link = "probit", nAGQ = 7)
  expect_equal(fit$loglik, as.numeric(peer$logLik), tolerance = 1e-7)
  fit <- pom(rating ~ temp + (1 | judge), wine, nominal = ~contact, scale = ~temp, nAGQ = 10)
  clm2 <- ordinal::clm2  # clmm2() looks for it here
  peer <- suppressWarnings(ordinal::clmm2(rating ~ temp, ~temp, ~contact, random = judge, data = wine, nAGQ = 10,
                                          Hess = FALSE))
  expect_equal(fit$loglik, as.numeric(peer$logLik), tolerance = 1e-6)
})

test_that("a random effect with standard deviation fixed at 0 gives the fit without it", {
  d <- spread_example()
  for (l in links) {
    same <- c(list(data = d, nominal = ~k, scale = ~z), link_of(l))
    fit <- do.call(pom, c(list(y ~ x + (1 | g), sd = c(g = 0)), same))
    plain <- do.call(pom, c(list(y ~ x), same))
    expect_equal(fit$loglik, plain$loglik, tolerance = 1e-10, label = l[1])
    expect_equal(coef(fit), coef(plain), tolerance = 1e-4)
    expect_equal(unname(vcov(fit)), unname(vcov(plain)), tolerance = 1e-3)
    expect_equal(predict(fit, effects = "none"), predict(plain), tolerance = 1e-4)
  }
})

test_that("methods support a mixed probit model with nominal and scale effects", {
  d <- spread_example()
  d$y <- factor(d$y, labels = 1:4, ordered = TRUE)
  fit <- pom(y ~ x + (1 | g), d, link = "probit", nominal = ~k, scale = ~ z + offset(x / 10))
  new <- data.frame(x = c(0.5, 0), z = c(0, 1), k = c("a", "b"), g = c("1", "new"))
  b <- coef(fit)
  by_hand <- function(effect, x, z, k) {
    s <- exp(b[["scale:z"]] * z + x / 10)
    diff(c(0, pnorm((-b[1:3] - (k == "b") * b[4:6] - b[["x"]] * x - effect) / s), 1))
  }
  p <- predict(fit, new)
  expect_equal(unname(p[1, ]), unname(by_hand(ranef(fit)$g["1", 1], 0.5, 0, "a")), tolerance = 1e-12)
  expect_equal(unname(p[2, ]), unname(by_hand(0, 0, 1, "b")), tolerance = 1e-12)
  at_effect <- function(u) vapply(u, function(v) by_hand(fit$sd * v, 0, 1, "b")[2] * dnorm(v), 0)
  averaged <- stats::integrate(at_effect, -8, 8, rel.tol = 1e-10)$value
  expect_equal(predict(fit, new, effects = "marginal")[[2, 2]], averaged, tolerance = 1e-8)
  error <- predict(fit, new, se.fit = TRUE, effects = "none")$se.fit
  plain <- list(parameters = b, covariance = vcov(fit))
  slope <- vapply(seq_along(b), function(k) {
    move <- function(h) {
      b[k] <<- b[k] + h
      on.exit(b[k] <<- b[k] - h)
      by_hand(0, 0, 1, "b")[3]
    }
    (move(1e-5) - move(-1e-5)) / 2e-5
  }, 0)
  expect_equal(error[[2, 3]], sqrt(drop(slope %*% plain$covariance %*% slope)), tolerance = 1e-5)
  expect_equal(unname(rowSums(fitted_probabilities <- predict(fit))), rep(1, nrow(d)))
  expect_equal(unname(fitted(fit)), fitted_probabilities[cbind(seq_len(nrow(d)), as.integer(d$y))])
  expect_lt(abs(mean(residuals(fit, "li_shepherd"))), 0.05)
  for (type in c("response", "pearson", "surrogate", "deviance")) expect_true(all(is.finite(residuals(fit, type))))
  drawn <- simulate(fit, 300, seed = 2, effects = "conditional")
  share <- Reduce(`+`, lapply(drawn, function(y) y == "2")) / 300
  expect_lt(max(abs(share - fitted_probabilities[, 2])), 0.14)
  limits <- confint(fit, c("x", "sd(g)", "scale:z"), method = "profile")
  expect_true(all(limits[, 1] < c(b[c("x")], fit$sd, b[["scale:z"]]) & limits[, 2] > c(b["x"], fit$sd, b[["scale:z"]])))
  without <- pom(y ~ x + (1 | g), d, link = "probit", scale = ~ offset(x / 10))
  expect_equal(anova(without, fit)$Df[2], 4)
  expect_output(print(summary(fit)), "Effects on single thresholds")
  expect_output(print(fit), "Mixed cumulative-link model \\(probit\\)")
  expect_equal(posterior_covariance(fit, new, diagonal = TRUE)[2], fit$sd[["g"]]^2, tolerance = 1e-12)
  expect_equal(predict(update(fit, data = d), new), p)
  expect_true(is.list(profile(fit, "x")))
})

test_that("a link's parameter can be estimated together with random effects", {
  set.seed(5)
  d <- data.frame(g = gl(15, 12), x = rnorm(180))
  d$y <- cut(d$x + rnorm(15, sd = 0.8)[d$g] + rlogis(180), c(-Inf, -1, 1, Inf), ordered_result = TRUE)
  fit <- pom(y ~ x + (1 | g), d, link = "log-gamma")
  known <- function(lambda) pom(y ~ x + (1 | g), d, link = "log-gamma", link_parameter = lambda)
  lambda <- coef(fit)[["link:lambda"]]
  best <- stats::optimize(function(l) known(l)$loglik, lambda + c(-0.1, 0.1), maximum = TRUE, tol = 1e-5)
  expect_equal(lambda, best$maximum, tolerance = 1e-3)
  expect_equal(fit$loglik, best$objective, tolerance = 1e-9)
  # The variance of the link's parameter by the inverse of the partitioned information, from fits with fixed parameters.
  h <- 0.01
  fits <- lapply(lambda + c(-h, 0, h), known)
  estimates <- function(f) c(coef(f), f$sd)
  curvature <- -sum(vapply(fits, `[[`, 0, "loglik") * c(1, -2, 1)) / h^2
  moved <- (estimates(fits[[3]]) - estimates(fits[[1]])) / (2 * h)
  expect_equal(vcov(fit)["link:lambda", "link:lambda"], 1 / curvature, tolerance = 1e-3)
  own <- c(1:3, 5)
  expect_equal(fit$full_covariance[own, own], fits[[2]]$full_covariance + outer(moved, moved) / curvature,
               tolerance = 1e-3, ignore_attr = TRUE)
  expect_equal(attr(logLik(fit), "df"), 5)
  expect_equal(predict(fit, d), predict(fits[[2]], d), tolerance = 1e-8)
  # Standard errors include the uncertainty of the link's parameter.
  error <- function(f) posterior_covariance(f, d[1:3, ], fixed = TRUE, diagonal = TRUE)
  expect_true(all(error(fit) > error(fits[[2]])))
  expect_match(paste(capture.output(print(summary(fit))), collapse = "\n"), "link:lambda", fixed = TRUE)
})

test_that("settings that mixed models do not support raise an error", {
  d <- spread_example(60)
  expect_snapshot(error = TRUE, {
    pom(y ~ x + (1 | g), d, method = "bias_reduced")
    pom(y ~ x + (1 | g), d, nominal = ~ offset(x))
    pom(y ~ x + (1 | g), d, scale = ~ (1 | h))
  })
})

test_that("columns with mean 1e6, and their squares, give the same fit as centred columns", {
  d <- spread_example(300)
  d$y <- cut(d$x + rlogis(300), c(-Inf, -1, 1, Inf), ordered_result = TRUE)
  # Quarters are exact in squares of numbers near 1e6.
  d[c("x", "z")] <- round(4 * d[c("x", "z")]) / 4
  far <- transform(d, x = x + 1e6, z = z + 1e6)
  for (nominal in list(NULL, ~ x + I(x^2))) {
    formula <- if (is.null(nominal)) y ~ x * z + I(x^2) + (1 | g) else y ~ z + (1 | g)
    near_fit <- suppressMessages(pom(formula, d, nominal = nominal))
    far_fit <- suppressMessages(pom(formula, far, nominal = nominal))
    expect_equal(far_fit$loglik, near_fit$loglik, tolerance = 1e-10)
    # With products of about 1e12 and slopes of 0.1, linear predictors have five correct digits.
    expect_equal(predict(far_fit), predict(near_fit), tolerance = 1e-4)
  }
})
