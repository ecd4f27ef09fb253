rows <- with_seed(12, {
  d <- data.frame(x = rnorm(40), z = rbinom(40, 1, 0.4), w = rep_len(c(1, 2, 0.5), 40))
  d$y <- as.integer(cut(0.8 * d$x + d$z + rlogis(40), c(-Inf, -0.5, 1, Inf)))
  d
})

# Firth's adjusted score for thresholds, slopes and a scale effect, with all derivatives of the probabilities by finite
# differences.
adjusted_score <- function(par, cdf, x, z, y, w, h = 1e-3) {
  p <- length(par)
  prob <- function(par) {
    theta <- c(-Inf, par[1:2], Inf)
    shrink <- if (is.null(z)) 1 else exp(-par[p] * z)
    eta <- drop(x %*% par[3:4])
    upper <- sapply(1:3, function(j) cdf((theta[j + 1] - eta) * shrink))
    upper - sapply(1:3, function(j) cdf((theta[j] - eta) * shrink))
  }
  unit <- function(k) replace(numeric(p), k, h)
  first <- function(par, k) (8 * (prob(par + unit(k)) - prob(par - unit(k))) -
                               (prob(par + 2 * unit(k)) - prob(par - 2 * unit(k)))) / (12 * h)
  p0 <- prob(par)
  d1 <- lapply(seq_len(p), function(k) first(par, k))
  information <- outer(seq_len(p), seq_len(p), Vectorize(function(a, b) sum(w * d1[[a]] * d1[[b]] / p0)))
  inverse <- solve(information)
  trace <- 0
  for (a in seq_len(p)) for (b in seq_len(p)) {
    d2 <- (8 * (first(par + unit(b), a) - first(par - unit(b), a)) -
             (first(par + 2 * unit(b), a) - first(par - 2 * unit(b), a))) / (12 * h)
    trace <- trace + inverse[a, b] * d2
  }
  at <- cbind(seq_along(y), y)
  score <- vapply(d1, function(d) sum((w * d / p0)[at]) + sum(w * trace * d / p0) / 2, 0)
  list(score = score, information = information)
}

test_that("bias-reduced fits with five links, and with a scale effect, solve Firth's adjusted score equations", {
  cdf <- list(probit = pnorm, cloglog = function(q) 1 - exp(-exp(q)), loglog = function(q) exp(-exp(-q)),
              cauchit = pcauchy, robit = function(q) pt(q, 5))
  for (link in names(cdf)) {
    fit <- pom(y ~ x + z, rows, weights = w, link = link, link_parameter = if (link == "robit") 5,
               method = "bias_reduced")
    at <- c(-fit$alpha, fit$beta)
    root <- adjusted_score(at, cdf[[link]], cbind(rows$x, rows$z), NULL, rows$y, rows$w)
    expect_lt(max(abs(root$score)), 1e-5)
    expect_equal(unname(sqrt(diag(vcov(fit)))), sqrt(diag(solve(root$information))), tolerance = 1e-5)
    expect_equal(fit$convergence$status, "converged")
  }
  fit <- pom(y ~ x + z, scale = ~z, data = rows, weights = w, link = "probit", method = "bias_reduced")
  at <- c(-fit$alpha, fit$beta, coef(fit)[["scale:z"]])
  expect_lt(max(abs(adjusted_score(at, pnorm, cbind(rows$x, rows$z), rows$z, rows$y, rows$w)$score)), 1e-5)
})

test_that("structured thresholds and nominal effects have the bias reduction of the equivalent plain logit model", {
  plain <- pom(y ~ x + z, rows, method = "bias_reduced")
  # With three levels, equidistant thresholds are equivalent to flexible ones.
  spaced <- pom(y ~ x + z, rows, threshold = "equidistant", method = "bias_reduced")
  expect_equal(spaced$beta, plain$beta, tolerance = 1e-7)
  expect_equal(unname(spaced$alpha), unname(plain$alpha), tolerance = 1e-7)
  expect_equal(vcov(spaced)[3:4, 3:4], vcov(plain)[3:4, 3:4], tolerance = 1e-7)
  binary <- transform(rows, y = y > 1)
  nominal <- pom(y ~ x, nominal = ~z, data = binary, method = "bias_reduced")
  expect_equal(unname(coef(nominal)[2]), unname(coef(pom(y ~ x + z, binary, method = "bias_reduced"))["z"]),
               tolerance = 1e-6)
  expect_snapshot(error = TRUE, pom(y ~ x, rows, link = "robit", method = "bias_reduced"))
})

test_that("separation is detected with every link, and bias-reduced estimates are then finite", {
  split <- transform(rows, side = as.integer(y == 3), all = y)
  for (link in setdiff(names(link_names_cpp()), "logit")) {
    parameter <- value_of_link(link)
    expect_warning(fit <- pom(y ~ x + side, split, link = link, link_parameter = parameter),
                   class = "judicious_warning_separation")
    logit <- suppressWarnings(pom(y ~ x + side, split))
    expect_equal(fit$separation, logit$separation)
    expect_equal(fit$separated, logit$separated)
    reduced <- pom(y ~ x + side, split, link = link, link_parameter = parameter, method = "bias_reduced")
    expect_true(all(is.finite(coef(reduced))) && max(sqrt(diag(vcov(reduced)))) < 15)
    expect_equal(pom(y ~ x, rows, link = link, link_parameter = parameter)$separation, "none")
  }
})

test_that("bias reduction also applies to models without slopes", {
  fit <- pom(rep(1:2, c(20, 40)) ~ 1, method = "bias_reduced")
  expect_equal(coef(fit)[[1]], log(40.5 / 20.5), tolerance = 1e-8)
  wine <- data.frame(rating = rep(1:3, 20), x = rep(0:1, 30))
  tests <- anova(pom(rating ~ x, wine, method = "bias_reduced"))
  expect_equal(tests$Parameters, 2:3)
})
