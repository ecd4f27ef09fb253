# Reference values of ordinal::clmm() 2022.11 for the same data: clmm(y ~ x + (1 + x | g), d), with its VarCorr() and
# ranef().
correlated_example <- function() {
  with_seed(3, {
    g <- gl(60, 20)
    x <- rnorm(1200)
    intercept <- rnorm(60)
    slope <- 0.6 * intercept + 0.5 * rnorm(60)
    y <- cut(x + intercept[g] + slope[g] * x + rlogis(1200), c(-Inf, -1, 1, Inf), labels = 1:3)
    data.frame(g, x, y)
  })
}
d <- correlated_example()
fit <- pom(y ~ x + (1 + x | g), d)

test_that("correlated random slopes agree with ordinal::clmm()", {
  theirs <- ordinal::clmm(y ~ x + (1 + x | g), d[1:600, ])
  ours <- pom(y ~ x + (1 + x | g), d[1:600, ])
  expect_equal(ours$loglik, as.numeric(logLik(theirs)), tolerance = 1e-8)
  covariance <- ordinal::VarCorr(theirs)$g
  expect_equal(VarCorr(ours)$variance, unname(diag(covariance)), tolerance = 1e-3)
  expect_equal(attr(VarCorr(ours), "correlation")[2, 1], attr(covariance, "correlation")[2, 1], tolerance = 1e-3)
  expect_equal(unname(ours$beta), unname(theirs$beta), tolerance = 1e-4)
  expect_equal(unname(sapply(ranef(ours), `[[`, 1)), unname(as.matrix(ordinal::ranef(theirs)$g)), tolerance = 1e-3,
               ignore_attr = TRUE)
  at <- grep("x|\\|", rownames(vcov(theirs)))[1:3]
  expect_equal(unname(sqrt(diag(vcov(ours)))), unname(sqrt(diag(vcov(theirs))))[at], tolerance = 1e-2)
})

test_that("the gradient by elements of the Cholesky factor agrees with finite differences", {
  problem <- mixed_problem(mixed_design(bquote(pom(formula = y ~ x + (1 + x | g), data = .(d))), environment(), NULL),
                           "logit", "flexible", pom_control())
  at <- c(problem$start, 0.8, 0.7, 0.3)
  laplace <- function(psi) mixed_laplace_cpp(problem$model, problem$effects, psi, hermite_rule(1))
  expect_equal(laplace(at)$gradient, central_differences(function(psi) laplace(psi)$value, at), tolerance = 1e-7)
})

test_that("fits with correlated slopes do not depend on the origin of the slope's variable", {
  moved <- pom(y ~ x + (1 + x | g), transform(d, x = x - 2))
  expect_equal(moved$loglik, fit$loglik, tolerance = 1e-9)
  expect_equal(moved$sd[["x | g"]], fit$sd[["x | g"]], tolerance = 1e-5)
  expect_equal(predict(moved), predict(fit), tolerance = 1e-6)
})

test_that("predictions, new groups and simulations use the covariance of the random effects", {
  sigma <- factor_covariance(fit$loadings, fit$factor)
  new <- data.frame(g = c("1", "new", "new"), x = c(1, 1, 0))
  covariance <- posterior_covariance(fit, new)
  expect_equal(covariance[2, 2], sum(sigma))
  expect_equal(covariance[2, 3], sum(sigma[1, ]))
  expect_equal(posterior_covariance(fit, new, diagonal = TRUE), diag(covariance), ignore_attr = TRUE)
  expect_equal(unname(predict(fit, new, type = "link"))[1],
               fit$beta[["x"]] + fit$effects[[1]][["1"]] + fit$effects[[2]][["1"]])
  sd <- ranef(fit)[[1]]$sd
  expect_equal(sd[1]^2, posterior_covariance(fit, data.frame(g = "1", x = 0), diagonal = TRUE), ignore_attr = TRUE)
  expect_equal(nrow(simulate(fit, 2, seed = 1)), 1200)
  expect_equal(rownames(confint(fit))[4:6], c("sd(g)", "sd(x | g)", "cor(g, x | g)"))
  expect_equal(logLik(fit), logLik(pom(y ~ x + (x | g), d)), ignore_attr = TRUE)
  expect_equal(attr(logLik(fit), "df"), 6)
})

test_that("known standard deviations raise an error with correlated random effects", {
  expect_snapshot(pom(y ~ x + (1 + x | g), d, sd = c(g = 1)), error = TRUE)
})

test_that("a correlation of 1 gives a message, with a likelihood no lower than that of ordinal::clmm()", {
  small <- with_seed(8, {
    g <- gl(8, 25)
    x <- rnorm(200)
    u <- rnorm(8)
    data.frame(g, x, y = cut(x + u[g] + 0.7 * u[g] * x + rlogis(200), c(-Inf, -1, 1, Inf), labels = 1:3))
  })
  expect_message(ours <- pom(y ~ x + (1 + x | g), small), "correlation is 1 or -1",
                 class = "judicious_message_boundary")
  expect_equal(attr(VarCorr(ours), "correlation")[2, 1], 1)
  theirs <- suppressWarnings(ordinal::clmm(y ~ x + (1 + x | g), small))
  expect_gt(ours$loglik, as.numeric(logLik(theirs)) - 1e-6)
})

test_that("every combination of factor levels has a unique code", {
  rows <- expand.grid(c = 1:3, b = 1:2, a = 1:5)
  part_levels <- list(a = letters[1:5], b = letters[1:2], c = letters[1:3])
  expect_equal(combination_codes(unname(as.list(rows[c("a", "b", "c")])), unname(part_levels)), 1:30)
})
