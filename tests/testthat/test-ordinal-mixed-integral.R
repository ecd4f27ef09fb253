# The Laplace approximation, its error, scores by cluster and the bootstrap, compared with plain numerical integrals.

mixed_data <- function(seed, groups = 12, rows = 6) {
  with_seed(seed, {
    d <- data.frame(g = gl(groups, rows), x = rnorm(groups * rows), z = rbinom(groups * rows, 1, 0.5))
    d$y <- cut(d$x + rnorm(groups)[d$g] + rlogis(nrow(d)) * exp(0.4 * d$z), c(-Inf, -1, 1, Inf), labels = 1:3)
    d
  })
}

# The log likelihood of a group as a function of its effects, which multiply the columns of `design`.
group_loglik <- function(theta, beta, zeta, rows, design) {
  y <- as.integer(rows$y)
  function(effects) {
    eta <- rows$x * beta + drop(design %*% effects)
    at <- function(limit) plogis((limit - eta) * exp(-zeta * rows$z))
    sum(log(at(c(theta, Inf)[y]) - at(c(-Inf, theta)[y])))
  }
}

# Laplace's approximation for one effect: the mode by optimize(), the curvature by differences.
naive_laplace <- function(fit, data, parameters = c(-fit$alpha, fit$beta, coef(fit)["scale:z"], fit$sd)) {
  parameters[is.na(parameters)] <- 0
  vapply(split(data, data$g), function(rows) {
    loglik <- group_loglik(parameters[1:2], parameters[3], parameters[4], rows, matrix(1, nrow(rows)))
    h <- function(u) loglik(parameters[5] * u) - u^2 / 2
    mode <- stats::optimize(h, c(-6, 6), maximum = TRUE, tol = 1e-9)$maximum
    mode <- stats::optimize(h, mode + c(-0.01, 0.01), maximum = TRUE, tol = 1e-12)$maximum
    e <- 1e-3
    h(mode) - 0.5 * log(-(h(mode + e) - 2 * h(mode) + h(mode - e)) / e^2)
  }, 0)
}

test_that("with scale effects, random effects are divided by the scale, and Laplace's method is used", {
  skip_if_not_installed("ordinal")
  withr::local_package("ordinal")  # clmm2() calls clm2() in the caller's environment
  d <- mixed_data(1)
  fit <- pom_mixed(y ~ x + (1 | g), d, scale = ~z)
  expect_equal(as.numeric(logLik(fit)), sum(naive_laplace(fit, d)), tolerance = 1e-7)
  # clmm2() fits the same model, and agrees if it integrates by quadrature. Its Laplace approximation does not divide
  # the curvature by the squared scale: even at its own estimates, its log likelihood differs from the Laplace
  # approximation.
  exact <- pom_mixed(y ~ x + (1 | g), d, scale = ~z, nAGQ = 15)
  quadrature <- ordinal::clmm2(y ~ x, scale = ~z, random = g, data = d, nAGQ = 15)
  expect_equal(as.numeric(logLik(exact)), as.numeric(quadrature$logLik), tolerance = 1e-6)
  laplace <- ordinal::clmm2(y ~ x, scale = ~z, random = g, data = d)
  at_theirs <- sum(naive_laplace(fit, d, c(laplace$Theta, laplace$beta, laplace$zeta, laplace$stDev)))
  expect_lt(at_theirs, as.numeric(logLik(fit)))
  expect_gt(abs(at_theirs - laplace$logLik), 1e-3)
})

test_that("the error of the Laplace approximation is reported for one, several and crossed effects", {
  d <- mixed_data(2)
  fit <- pom_mixed(y ~ x + (1 | g), d, scale = ~z)
  exact <- laplace_error(fit)
  expect_equal(-second_order_laplace(fit), exact, tolerance = 0.3)
  slopes <- suppressMessages(pom_mixed(y ~ x + (1 + x || g), mixed_data(3, 8, 12)))
  nodes <- hermite_nodes(30)
  grid <- expand.grid(nodes$x, nodes$x)
  weights <- as.vector(outer(nodes$w, nodes$w))
  whole <- vapply(split(mixed_data(3, 8, 12), mixed_data(3, 8, 12)$g), function(rows) {
    loglik <- group_loglik(-slopes$alpha, slopes$beta, 0, rows, cbind(1, rows$x))
    log(sum(weights * exp(apply(grid, 1, function(u) loglik(slopes$sd * u)))))
  }, 0)
  error <- as.numeric(logLik(slopes)) - sum(whole)
  expect_equal(summary(slopes)$laplace_error, error, tolerance = 0.01)
  expect_equal(-second_order_laplace(slopes), error, tolerance = 0.3)
  expect_gt(abs(error), 1e-3)
  crossed <- transform(d, h = factor(seq_len(nrow(d)) %% 7))
  expect_true(is.finite(summary(suppressMessages(pom_mixed(y ~ x + (1 | g) + (1 | h), crossed)))$laplace_error))
})

test_that("scores by cluster are derivatives of the clusters' likelihoods, and sandwich() uses them", {
  skip_if_not_installed("sandwich")
  d <- mixed_data(4)
  fit <- pom_mixed(y ~ x + (1 | g), d, scale = ~z)
  scores <- sandwich::estfun(fit)
  expect_identical(colnames(scores), c(names(coef(fit)), "sd(g)"))
  expect_equal(unname(colSums(scores)), rep(0, 6 - 1), tolerance = 1e-3)
  at <- c(-fit$alpha, fit$beta, coef(fit)["scale:z"], fit$sd)
  numeric <- vapply(seq_along(at), function(k) {
    h <- replace(numeric(5), k, 1e-4)
    (naive_laplace(fit, d, at + h) - naive_laplace(fit, d, at - h)) / 2e-4
  }, numeric(12))
  expect_equal(unname(scores), unname(numeric %*% diag(c(-1, -1, 1, 1, 1))), tolerance = 1e-4)
  own <- vcov(fit, sd = TRUE, type = "sandwich")
  expect_equal(unname(own), unname(sandwich::sandwich(fit)) * 12 / 11, tolerance = 1e-8)
  expect_snapshot(error = TRUE, {
    vcov(suppressMessages(pom_mixed(y ~ x + (1 | g) + (1 | h), transform(d, h = gl(6, 1, 72)))), type = "sandwich")
  })
})

test_that("a variance component is tested by the parametric bootstrap", {
  d <- mixed_data(5, 10, 8)
  small <- pom(y ~ x, d)
  large <- suppressMessages(pom_mixed(y ~ x + (1 | g), d))
  table <- anova(large, small, test = "bootstrap", nsim = 19, seed = 1)
  by_hand <- vapply(simulate(small, 19, seed = 1), function(y) {
    d$y <- y
    suppressMessages(2 * (logLik(pom_mixed(y ~ x + (1 | g), d)) - logLik(pom(y ~ x, d))))
  }, 0)
  expect_equal(table[2, "Pr(>Chisq)"], (1 + sum(by_hand >= table$Chisq[2])) / 20)
  expect_match(attr(table, "heading"), "19 simulated responses")
})

test_that("anova() labels models with the same formula by their differences", {
  set.seed(3)
  d <- data.frame(g = gl(15, 8), x = stats::rnorm(120))
  d$y <- cut(d$x + stats::rnorm(15)[d$g] + stats::rlogis(120), c(-Inf, -1, 1, Inf), labels = 0:2)
  fits <- list(pom(y ~ x + (1 | g), d), pom(y ~ x + (1 | g), d, scale = ~x, nAGQ = 7), pom(y ~ x, d))
  expect_identical(rownames(do.call(anova, fits)),
                   c("y ~ x", "y ~ x + (1 | g)", "y ~ x + (1 | g), scale = ~x, nAGQ = 7"))
  expect_identical(rownames(anova(pom(y ~ x, d), pom(y ~ x, d, nominal = ~x, link = "logit"))),
                   c("y ~ x", "y ~ x, link = \"logit\", nominal = ~x"))
})

test_that("anova() of models with different random terms states that p-values are conservative", {
  without <- pom(rating ~ temp, ordinal::wine)
  with <- pom(rating ~ temp + (1 | judge), ordinal::wine)
  expect_match(attr(anova(without, with), "heading")[1], "on the boundary")
  expect_match(attr(anova(with, without), "heading")[1], "on the boundary")
  expect_no_match(attr(anova(with, without, test = "bootstrap", nsim = 1, seed = 1), "heading")[1], "on the boundary")
  expect_no_match(attr(anova(with, pom(rating ~ 1 + (1 | judge), ordinal::wine)), "heading")[1], "on the boundary")
})

test_that("with crossed effects, the second-order error of the Laplace approximation agrees with its formula", {
  d <- with_seed(5, {
    d <- data.frame(g = factor(sample(60, 900, TRUE)), h = factor(sample(15, 900, TRUE)), x = rnorm(900))
    d$y <- findInterval(d$x + rnorm(60, 0, 1.5)[d$g] + rnorm(15)[d$h] + rlogis(900), c(0, 1.5))
    d
  })
  fit <- suppressMessages(pom_mixed(y ~ x + (1 | g) + (1 | h), d))
  expect_lt(length(unique(effect_row_code(fit$effect_design))), 700)
  # The formula of the second-order correction, row by row, with derivatives by differences of the log probability.
  v <- mixed_covariance_cpp(fit$effect_design, fit$loadings, fit$curvature, fit$effect_design, FALSE)
  cut <- c(-Inf, -fit$alpha, Inf)
  loglik <- function(shift) {
    log(plogis(cut[fit$y + 1] - fit$linear_predictor - shift) - plogis(cut[fit$y] - fit$linear_predictor - shift))
  }
  at <- sapply(-2:2 * 0.02, loglik)
  third <- drop(at %*% c(-1, 2, 0, -2, 1)) / (2 * 0.02^3)
  fourth <- drop(at %*% c(1, -4, 6, -4, 1)) / 0.02^4
  naive <- sum(fourth * diag(v)^2) / 8 + sum(outer(third, third) * v * (outer(diag(v), diag(v)) / 8 + v^2 / 12))
  expect_equal(second_order_laplace(fit), naive, tolerance = 1e-3)
  expect_gt(abs(naive), 0.1)
  # The correction is estimated from a sample of the rows.
  sampled <- second_order_laplace(fit, max_rows = 150)
  expect_false(identical(sampled, second_order_laplace(fit)))
  expect_equal(sampled, naive, tolerance = 0.2)
})

test_that("the bootstrap test with counts as weights equals that of the expanded rows", {
  d <- with_seed(1, {
    d <- expand.grid(g = factor(1:10), x = 0:1, y = ordered(1:3))
    transform(d, n = rpois(60, 3 * exp(0.5 * rnorm(10)[d$g] * (as.integer(d$y) - 2))))
  })
  p_value <- function(data) {
    small <- pom(y ~ x, data, weights = n)
    anova(small, pom(y ~ x + (1 | g), data, weights = n), test = "bootstrap", nsim = 19, seed = 1)$`Pr(>Chisq)`
  }
  expect_identical(p_value(d), p_value(transform(d[rep(1:60, d$n), ], n = 1)))
  expect_error(p_value(transform(d, n = n / 2)), "counts")
})
