# 8 groups of 2 rows, for which the Laplace approximation is poor; and 15 groups of 3 to 6 rows with a random slope and
# weights.
tiny <- with_seed(8, {
  d <- data.frame(g = gl(8, 2), x = rnorm(16))
  d$y <- as.integer(cut(d$x + 3.5 * rnorm(8)[d$g] + rlogis(16), c(-Inf, -0.7, 0.7, Inf)))
  d
})
uneven <- with_seed(5, {
  d <- data.frame(g = factor(rep(1:15, 3 + seq_len(15) %% 4)))
  d <- transform(d, x = rnorm(nrow(d)), z = rnorm(nrow(d)), w = rep_len(c(1, 2, 0.5), nrow(d)))
  d$y <- as.integer(cut(d$x + 1.5 * rnorm(15)[d$g] + rlogis(nrow(d)), c(-Inf, -1, 0.3, 1, Inf)))
  d
})

# The log likelihood, group by group. `log_integral` computes the logarithm of an integral from the log density; here by
# R's integrate().
by_integration <- function(log_density) {
  log(integrate(function(u) exp(log_density(u)), -12, 12, rel.tol = 1e-11, subdivisions = 1000)$value)
}
integrated <- function(fit, d, group, weights = rep(1, nrow(d)), value = rep(1, nrow(d)),
                       log_integral = by_integration) {
  theta <- c(-Inf, -unname(fit$alpha), Inf)
  sum(vapply(split(seq_len(nrow(d)), d[[group]]), function(rows) {
    log_integral(function(u) vapply(u, function(one) {
      eta <- fit$fixed_predictor[rows] + fit$sd * value[rows] * one
      p <- plogis(theta[d$y[rows] + 1] - eta) - plogis(theta[d$y[rows]] - eta)
      sum(weights[rows] * log(p)) + dnorm(one, log = TRUE)
    }, 0))
  }, 0))
}

# Adaptive quadrature with `n` nodes, which are the eigenvalues of a matrix (Golub and Welsch 1969).
by_quadrature <- function(n) {
  off <- sqrt(seq_len(n - 1) / 2)
  jacobi <- matrix(0, n, n)
  jacobi[cbind(seq_along(off), seq_along(off) + 1)] <- jacobi[cbind(seq_along(off) + 1, seq_along(off))] <- off
  rule <- eigen(jacobi, symmetric = TRUE)
  weights <- sqrt(pi) * rule$vectors[1, ]^2
  function(log_density) {
    mode <- optimize(log_density, c(-8, 8), maximum = TRUE, tol = 1e-10)$maximum
    h <- 1e-3
    curvature <- -(log_density(mode + h) - 2 * log_density(mode) + log_density(mode - h)) / h^2
    scale <- sqrt(2 / curvature)
    log(sum(weights * exp(rule$values^2 + log_density(mode + scale * rule$values))) * scale)
  }
}

test_that("quadrature agrees with numerical integration, and its error decreases with the number of nodes", {
  fit_with <- function(n) pom(y ~ x + (1 | g), tiny, nAGQ = n)
  fits <- list(fit_with(1))
  expect_warning(fits[[2]] <- fit_with(5), class = "judicious_warning_convergence")
  expect_message(fits[[3]] <- fit_with(15), class = "judicious_message_quadrature")
  expect_silent(fits[[4]] <- fit_with(40))
  error <- vapply(fits, function(fit) fit$loglik - integrated(fit, tiny, "g"), 0)
  with_nodes <- function(n) integrated(fits[[2]], tiny, "g", log_integral = by_quadrature(n))
  expect_equal(fits[[2]]$loglik, with_nodes(5), tolerance = 1e-7)
  expect_equal(fits[[2]]$integral_error, with_nodes(5) - with_nodes(11), tolerance = 1e-4)
  expect_gt(abs(error[1]), 0.15)
  expect_lt(abs(error[3]), 1e-3)
  expect_lt(abs(error[4]), 1e-5)
  expect_equal(summary(fits[[1]])$laplace_error, error[1], tolerance = 1e-3)
  expect_output(print(summary(fits[[1]])), "use nAGQ = 10")
  expect_output(print(summary(fits[[3]])), "adaptive quadrature, 15 nodes")
  slope <- pom(y ~ z + (0 + x | g), uneven, weights = w, nAGQ = 30)
  expect_equal(slope$loglik, integrated(slope, uneven, "g", uneven$w, uneven$x), tolerance = 1e-8)
})

test_that("gradients by quadrature agree with finite differences, with one to three effects per group", {
  loadings <- list(`y ~ z + (0 + x | g)` = 1.3, `y ~ z + (1 + x || g)` = c(1.3, 0.7),
                   `y ~ z + (1 + x | g)` = c(1.3, 0.7, -0.4),
                   `y ~ z + (1 + x + z | g)` = c(1, 0.8, 0.6, 0.3, -0.2, 0.1))
  for (formula in names(loadings)) {
    call <- bquote(pom(formula = .(stats::as.formula(formula)), data = .(uneven), weights = w))
    problem <- mixed_problem(mixed_design(call, environment(), NULL), "logit", "flexible", pom_control())
    for (nodes in c(2, 3, 7)) {
      value <- function(psi) mixed_laplace_cpp(problem$model, problem$effects, psi, hermite_rule(nodes))
      at <- c(problem$start, loadings[[formula]])
      expect_equal(value(at)$gradient, central_differences(function(psi) value(psi)$value, at), tolerance = 1e-7)
    }
  }
})

# The log likelihood of correlated intercepts and slopes: sums over a grid of both effects, with their density.
by_grid <- function(fit, d) {
  sd <- VarCorr(fit)$sd
  r <- attr(VarCorr(fit), "correlation")[2, 1]
  at <- expand.grid(seq(-9, 9, by = 0.12), seq(-9, 9, by = 0.12))
  a <- sd[1] * at[[1]]
  b <- sd[2] * (r * at[[1]] + sqrt(1 - r^2) * at[[2]])
  theta <- c(-Inf, -unname(fit$alpha), Inf)
  sum(vapply(split(d, d$g), function(rows) {
    density <- 0.12^2 * dnorm(at[[1]]) * dnorm(at[[2]])
    for (i in seq_len(nrow(rows))) {
      eta <- fit$beta[["x"]] * rows$x[i] + a + b * rows$x[i]
      density <- density * (plogis(theta[rows$y[i] + 1] - eta) - plogis(theta[rows$y[i]] - eta))
    }
    log(sum(density))
  }, 0))
}

test_that("fits with two correlated effects per group have the likelihood of a sum over a grid of both", {
  d <- with_seed(2, {
    d <- data.frame(g = gl(25, 4), x = rnorm(100))
    effect <- matrix(rnorm(50), 25)
    d$y <- findInterval(effect[d$g, 1] + (effect[d$g, 1] + effect[d$g, 2]) * d$x + rlogis(100), c(-1, 1)) + 1L
    d
  })
  laplace <- pom(y ~ x + (1 + x | g), d)
  fit <- suppressMessages(pom(y ~ x + (1 + x | g), d, nAGQ = 25))
  exact <- by_grid(fit, d)
  expect_equal(fit$loglik, exact, tolerance = 1e-7)
  expect_gt(exact, by_grid(laplace, d))
  expect_gt(abs(laplace$loglik - by_grid(laplace, d)), 0.1)
  expect_equal(summary(laplace)$laplace_error, laplace$loglik - by_grid(laplace, d), tolerance = 1e-4)
  expect_lt(fit$convergence$max_gradient, 1e-4)
  # The fit maximises this sum: moving a parameter decreases it.
  moved <- function(change) by_grid(replace(fit, "beta", list(fit$beta + change)), d)
  expect_lt(max(moved(0.05), moved(-0.05)), exact)
})

test_that("fits agree with clmm() for the same number of nodes", {
  skip_if_not_installed("ordinal")
  d <- transform(uneven, y = ordered(y))
  for (nodes in c(5, 10)) {
    ours <- suppressMessages(pom(y ~ x + z + (1 | g), d, nAGQ = nodes))
    theirs <- ordinal::clmm(y ~ x + z + (1 | g), data = d, nAGQ = nodes)
    expect_equal(ours$loglik, as.numeric(logLik(theirs)), tolerance = 1e-6)
    expect_equal(unname(ours$beta), unname(theirs$beta), tolerance = 1e-3)
    expect_equal(ours$sd[[1]], unname(theirs$ST[[1]][1]), tolerance = 1e-3)
    expect_lt(ours$convergence$max_gradient, 1e-4)
  }
})

test_that("refits keep the number of nodes, and an nAGQ that does not apply raises an error", {
  fit <- suppressMessages(pom(y ~ x + (1 | g), uneven, nAGQ = 7))
  expect_equal(confint(fit, "sd(g)", method = "profile")[1, 1] < fit$sd, c(g = TRUE))
  expect_equal(suppressMessages(update(fit, . ~ . + z))$nAGQ, 7)
  crossed <- transform(uneven, h = factor(seq_along(y) %% 4))
  expect_snapshot(error = TRUE, pom(y ~ x + (1 | g) + (1 | h), crossed, nAGQ = 5))
  expect_snapshot(error = TRUE, pom(y ~ x + (1 + x | g), uneven, nAGQ = 40))
  expect_snapshot(error = TRUE, pom(y ~ x + (1 | g), uneven, nAGQ = 0))
})
