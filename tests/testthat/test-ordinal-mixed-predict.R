d <- systems_example(160)
d$query <- factor(sample(10, nrow(d), TRUE))
d$y <- factor(pmin(2, pmax(0, as.integer(as.character(d$y)) + (as.integer(d$query) > 7))), ordered = TRUE)
fit <- pom(y ~ x + (1 | query) + (1 | system), d)
dense <- function(rows) {
  z <- cbind(outer(as.character(rows$query), levels(d$query), `==`) * fit$sd[1],
             outer(as.character(rows$system), LETTERS[1:5], `==`) * fit$sd[2])
  unname(z)
}
posterior <- slow_laplace(as.integer(d$y), cbind(d$x), list(indicator(d$query), indicator(d$system)), -fit$alpha,
                          fit$beta, fit$sd, details = TRUE)
new <- data.frame(x = c(0, 1, -1, 0.5, 0.5), query = c("1", "3", "new", "other", NA))
new$system <- c("A", "B", "new", "new", "A")

plain_prob <- function(eta) {
  above <- cbind(1, plogis(outer(eta, fit$alpha, `+`)), 0)
  above[, -ncol(above), drop = FALSE] - above[, -1, drop = FALSE]
}

test_that("predictions for the fitted rows equal those for the same rows as new data", {
  for (type in c("prob", "cumulative", "mean", "variance", "link")) {
    for (effects in c("conditional", "none", "marginal")) {
      expect_equal(predict(fit, d, type = type, effects = effects), predict(fit, type = type, effects = effects),
                   ignore_attr = TRUE)
    }
  }
  expect_equal(fit$linear_predictor, posterior$eta, tolerance = 1e-6, ignore_attr = TRUE)
  expect_identical(predict(fit, d, type = "class"), predict(fit, type = "class"))
})

test_that("predictions without random effects use the fixed effects only", {
  expect_equal(predict(fit, new, type = "link", effects = "none"), new$x * fit$beta, ignore_attr = TRUE)
  expect_equal(unname(predict(fit, new, type = "link")),
               c(new$x[1:4] * fit$beta + drop(dense(new[1:4, ]) %*% posterior$u), NA), tolerance = 1e-6)
  expect_equal(unname(is.na(predict(fit, new, type = "mean"))), c(FALSE, FALSE, FALSE, FALSE, TRUE))
  expect_equal(predict(fit, data.frame(x = 1), effects = "none"), plain_prob(1 * fit$beta), ignore_attr = TRUE)
})

test_that("marginal probabilities integrate over the uncertainty of the random effects", {
  eta <- predict(fit, new, type = "link")[1:4]
  v <- posterior_covariance(fit, new, diagonal = TRUE)[1:4]
  got <- predict(fit, new, effects = "marginal")
  for (i in 1:4) {
    for (level in 1:3) {
      whole <- integrate(function(t) plain_prob(eta[i] + sqrt(v[i]) * t)[, level] * dnorm(t), -Inf, Inf,
                         rel.tol = 1e-10)$value
      expect_equal(got[i, level], whole, tolerance = 1e-7, ignore_attr = TRUE)
    }
  }
  expect_equal(rowSums(got)[1:4], rep(1, 4), ignore_attr = TRUE)
  expect_equal(predict(fit, new, type = "mean", effects = "marginal"), drop(got %*% 0:2), ignore_attr = TRUE)
  expect_equal(predict(fit, new, type = "cumulative", effects = "marginal")[, 2], got[, 3], ignore_attr = TRUE)
  expect_equal(predict(fit, new, type = "variance", effects = "marginal"), drop(got %*% (0:2)^2) - drop(got %*% 0:2)^2,
               ignore_attr = TRUE)
})

test_that("the covariance of random effects is that of the dense posterior, and of new groups the prior's", {
  z <- dense(d[1:20, ])
  expect_equal(posterior_covariance(fit, d[1:20, ]), z %*% solve(posterior$h) %*% t(z), tolerance = 1e-6)
  known <- dense(new[1:4, ])
  prior <- matrix(0, 4, 4)
  prior[3, 3] <- prior[4, 4] <- fit$sd[1]^2 + fit$sd[2]^2
  prior[3, 4] <- prior[4, 3] <- fit$sd[2]^2
  expected <- known %*% solve(posterior$h) %*% t(known) + prior
  got <- posterior_covariance(fit, new)
  expect_equal(got[1:4, 1:4], expected, tolerance = 1e-6)
  expect_true(all(is.na(got[5, ])))
  expect_equal(posterior_covariance(fit, new, diagonal = TRUE), diag(got))
  expect_equal(dim(posterior_covariance(fit)), c(160, 160))
})

test_that("the covariance with fixed effects agrees with the joint posterior", {
  # The dependence of the modes on thresholds and slopes, by differences of modes computed with dense matrices.
  modes <- function(alpha, beta) {
    slow_laplace(as.integer(d$y), cbind(d$x), list(indicator(d$query), indicator(d$system)), -alpha, beta, fit$sd,
                 details = TRUE)$u
  }
  par <- c(fit$alpha, fit$beta)
  z <- dense(d[1:8, ])
  slope <- vapply(seq_along(par), function(k) {
    e <- replace(par * 0, k, 1e-4)
    above <- par + e
    below <- par - e
    drop(z %*% (modes(above[1:2], above[3]) - modes(below[1:2], below[3]))) / 2e-4 + if (k == 3) d$x[1:8] else 0
  }, numeric(8))
  expected <- z %*% solve(posterior$h) %*% t(z) + slope %*% vcov(fit) %*% t(slope)
  got <- posterior_covariance(fit, d[1:8, ], fixed = TRUE)
  expect_equal(got, expected, tolerance = 1e-5, ignore_attr = TRUE)
  expect_equal(posterior_covariance(fit, d[1:8, ], fixed = TRUE, diagonal = TRUE), diag(got), ignore_attr = TRUE)
})

test_that("errors of predict() name missing columns", {
  outside <- as.character(d$system)
  from_outside <- pom(y ~ x + (1 | outside), d)
  expect_equal(from_outside$loglik, pom(y ~ x + (1 | system), d)$loglik)
  expect_snapshot(error = TRUE, {
    predict(fit, data.frame(x = 1, query = "1"))
    predict(fit, data.frame(query = "1"), effects = "none")
    predict(fit, list(x = 1))
    predict(from_outside, new)
    posterior_covariance(1)
  })
})

test_that("simulated responses have the distribution of the model", {
  expect_identical(simulate(fit, 2, seed = 3), simulate(fit, 2, seed = 3))
  y <- simulate(fit, 400, seed = 1, effects = "conditional")
  expect_s3_class(y$sim_1, "ordered")
  expect_equal(dim(y), c(160, 400))
  p <- vapply(y, function(s) tabulate(s, 3), numeric(3))
  expect_equal(unname(rowMeans(p)), unname(colSums(predict(fit))), tolerance = 0.02)
  # Every simulation draws new effects, so the mean response is that of new groups.
  y <- simulate(fit, 400, seed = 2)
  strangers <- d
  strangers$query <- paste("new", d$query)
  strangers$system <- paste(d$system, "new")
  expect_equal(unname(rowMeans(vapply(y, function(s) tabulate(s, 3), numeric(3)))),
               unname(colSums(predict(fit, strangers, effects = "marginal"))), tolerance = 0.1)
})

test_that("random slopes are predicted for known and new groups, whatever the unit", {
  set.seed(6)
  r <- data.frame(g = gl(15, 20), x = rnorm(300))
  r$y <- findInterval((0.5 + rnorm(15)[r$g]) * r$x + rlogis(300), c(-1, 1))
  r$far <- 1e6 * r$x
  fit <- pom(y ~ x + (0 + x | g), r)
  far <- pom(y ~ far + (0 + far | g), r)
  expect_equal(far$loglik, fit$loglik, tolerance = 1e-10)
  expect_equal(1e6 * unname(far$sd), unname(fit$sd), tolerance = 1e-6)
  rows <- data.frame(g = c("1", "1", "new"), x = c(1, 2, 2))
  eta <- predict(fit, rows, type = "link")
  expect_equal(unname(eta), c(1, 2, 2) * fit$beta + c(1, 2, 0) * ranef(fit)[[1]]$x[1], ignore_attr = TRUE)
  v <- posterior_covariance(fit, rows)
  expect_equal(v[1, 2], 2 * v[1, 1])
  expect_equal(v[3, 3], 4 * unname(fit$sd)^2)
})

test_that("marginal_means() of a mixed model points to emmeans, and predict() accepts polr()'s type \"probs\"", {
  mixed <- pom(rating ~ temp + (1 | judge), ordinal::wine)
  expect_snapshot(marginal_means(mixed, "temp"), error = TRUE)
  expect_identical(predict(mixed, type = "probs"), predict(mixed))
  skip_if_not_installed("emmeans")
  means <- as.data.frame(emmeans::emmeans(mixed, ~ temp | rating, mode = "prob"))
  expect_equal(means$prob, as.vector(predict(mixed, data.frame(temp = c("cold", "warm")), effects = "none")))
})

test_that("bases and contrasts of random slopes keep their parameters in new data", {
  wine <- transform(ordinal::wine, x = sin(1:72), g = gl(8, 9))
  some <- c(3, 50)
  for (slopes in c("scale(x)", "poly(x, 2)", "splines::ns(x, 2)", "temp")) {
    fit <- suppressMessages(pom(reformulate(c("contact", paste("(", slopes, "|| g)")), "rating"), wine))
    expect_equal(predict(fit, wine[some, ], type = "link"), predict(fit, type = "link")[some], info = slopes)
  }
  withr::local_options(contrasts = c("contr.sum", "contr.poly"))
  expect_equal(predict(fit, wine[some, ], type = "link"), predict(fit, type = "link")[some])
  expect_error(predict(fit, data.frame(contact = "no", temp = "hot", g = 1)), "new level \"hot\"",
               class = "judicious_error_levels")
})

test_that("random slopes and groups that depend on other rows give a warning", {
  wine <- transform(ordinal::wine, x = sin(1:72), g = gl(8, 9))
  slope <- suppressMessages(pom(rating ~ temp + (0 + I(x - mean(x)) | g), wine))
  expect_warning(predict(slope, wine[1:2, ]), "depends on other rows", class = "judicious_warning_row_wise")
  group <- suppressMessages(pom(rating ~ temp + (1 | cut(x, 3)), wine))
  expect_warning(predict(group, wine[1:2, ]), "`cut(x, 3)` depends on other rows", fixed = TRUE,
                 class = "judicious_warning_row_wise")
  expect_no_warning(expect_equal(predict(group, wine, type = "link"), predict(group, type = "link")))
})
