# Random data of few rows with integer predictors, which have ties; about half of the data sets are separated.
small_example <- function(seed) {
  set.seed(seed)
  n <- sample(8:14, 1)
  d <- data.frame(x = sample(-2:2, n, TRUE), k = sample(-2:2, n, TRUE), y = sample(3, n, TRUE))
  d$y[1:3] <- 1:3
  if (seed %% 3 == 1) d$y <- pmax(1, pmin(3, d$y + d$k))
  if (seed %% 3 == 2) d$y <- findInterval(d$x + 0.6 * d$k, c(-0.5, 0.5)) + 1
  d[1:3, ] <- data.frame(x = c(-2, 0, 2), k = c(-1, 0, 1), y = 1:3)
  d$y <- ordered(d$y)
  d
}

core_of <- function(d, formula, nominal, threshold = "flexible") {
  parts <- general_parts(as.call(list(quote(pom), formula = formula, data = d)), environment(), nominal, NULL,
                         NULL)
  core_model(parts$x, parts$n, parts$z, parts$design, "logit", threshold)
}

# The distance of minus the sum of the rows from the cone that the rows generate, by a quasi-Newton method.
farkas_error <- function(bounds) {
  target <- -colSums(bounds)
  value <- function(y) sum((target - crossprod(bounds, y))^2)
  slope <- function(y) -2 * drop(bounds %*% (target - crossprod(bounds, y)))
  fit <- stats::optim(rep(1, nrow(bounds)), value, slope, method = "L-BFGS-B", lower = 0,
                      control = list(maxit = 5000, factr = 10))
  sqrt(fit$value / sum(target^2))
}

test_that("separation found by linear programming agrees with the C++ core for plain models", {
  kinds <- vapply(1:60, function(seed) {
    d <- small_example(seed)
    core <- core_of(d, y ~ x + k, NULL)
    exact <- fit_columns(core$columns, core$model$y, 3L)$separation
    expect_equal(model_separation(core)$kind, exact, label = seed)
    exact
  }, "")
  expect_gt(min(table(factor(kinds, c("none", "quasi-complete", "complete")))), 3)
})

test_that("with nominal effects and structured thresholds, a separating direction is found if one exists", {
  found <- vapply(1:80, function(seed) {
    d <- small_example(seed)
    cases <- list(core_of(d, y ~ x, ~k), core_of(d, y ~ x + k, NULL, "equidistant"))
    vapply(cases, function(core) {
      bounds <- limit_movements(core$model)
      kind <- model_separation(core)$kind
      inside <- project_on_cone_cpp(colSums(bounds), function(d) violated_row(bounds, d))
      if (kind != "none") {
        expect_gte(min(bounds %*% inside), -1e-7)
        expect_gt(max(bounds %*% inside), 1e-7)
      } else {
        # By Farkas' lemma, minus the sum of the rows is then a nonnegative combination of the rows.
        expect_lt(farkas_error(bounds), 1e-6)
      }
      kind != "none"
    }, NA)
  }, c(NA, NA))
  expect_gt(min(rowSums(found)), 8)
  expect_gt(min(rowSums(!found)), 8)
})

test_that("the warning names the separated coefficients of models with nominal, scale or random effects", {
  d <- data.frame(k = rep(c(0, 1), each = 12), x = rep(c(-1, 0, 1), 8), g = gl(4, 1, 24),
                  y = ordered(c(1, 1, 2, 2, 3, 3, 1, 2, 3, 1, 2, 3, 2, 3, 2, 3, 3, 2, 2, 3, 3, 2, 3, 2)))
  # No row with k = 1 is at the lowest level, which separates the data.
  expect_separated <- function(expr, names) {
    expect_warning(fit <- expr, class = "judicious_warning_separation")
    expect_equal(fit$separation, "quasi-complete")
    expect_equal(fit$separated, names)
  }
  for (link in c("logit", "probit", "cloglog", "cauchit"))
    expect_separated(pom(y ~ x, d, nominal = ~k, link = link), ">=2:k")
  expect_separated(pom(y ~ x, d, nominal = ~k, scale = ~x), ">=2:k")
  expect_separated(pom(y ~ x + (1 | g), d, nominal = ~k), ">=2:k")
  d$split <- as.integer(d$y) - 2 + (d$y == "3") * 0.3
  expect_warning(fit <- pom(y ~ split, d, threshold = "symmetric", link = "probit"),
                 class = "judicious_warning_separation")
  expect_equal(fit$separation, "complete")
  expect_silent(pom(y ~ 1, d[d$k == 0, ], nominal = ~x, link = "probit"))
})
