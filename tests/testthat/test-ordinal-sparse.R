# Sparse model matrices give the same fits as dense ones, up to rounding. Dense columns are used if there are fewer than
# 60.

skip_if_not_installed("Matrix")

many_levels <- function(n = 3000, levels = 40) {
  with_seed(5, {
    data <- data.frame(f = factor(sample(levels, n, TRUE), seq_len(levels)), u = rnorm(n, 50, 3), t = runif(n) < 0.3)
    latent <- rnorm(levels)[data$f] + (data$u - 50) / 3 + rlogis(n)
    transform(data, y = findInterval(latent, c(-2, 0, 2)), w = sample(0:3, n, TRUE), o = runif(n))
  })
}

both_fits <- function(formula, data, y = data$y, ...) {
  x <- model.matrix(formula, data)
  list(sparse = pom_fit(Matrix::Matrix(x, sparse = TRUE), y, ...), dense = pom_fit(x, y, ...))
}

expect_same <- function(fits, tolerance = 1e-8) {
  expect_false(is.null(fits$sparse$information$p))
  expect_null(fits$dense$information$p)
  expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = tolerance)
  expect_equal(vcov(fits$sparse), vcov(fits$dense), tolerance = tolerance)
  expect_equal(vcov(fits$sparse, which = "slopes"), vcov(fits$dense, which = "slopes"), tolerance = tolerance)
  expect_equal(standard_errors(fits$sparse), standard_errors(fits$dense), tolerance = tolerance)
  expect_equal(logLik(fits$sparse), logLik(fits$dense), tolerance = 1e-10)
  expect_identical(fits$sparse$aliased, fits$dense$aliased)
}

test_that("a factor of many levels gives the same fit from sparse and dense columns", {
  data <- many_levels()
  fits <- both_fits(~ f + u + t, data)
  expect_same(fits)
  expect_equal(fitted(fits$sparse), unname(fitted(fits$dense)), ignore_attr = TRUE)
  new <- model.matrix(~ f + u + t, data)[1:5, ]
  expect_equal(predict(fits$sparse, Matrix::Matrix(new, sparse = TRUE), se.fit = TRUE),
               predict(fits$dense, new, se.fit = TRUE))
  expect_same(both_fits(~ f + u, data, weights = data$w, offset = data$o))
  expect_same(both_fits(~ f + u, data, control = pom_control(penalty = 2)))
})

test_that("sparse and dense columns give the same aliased columns", {
  data <- many_levels()
  data$g <- factor(as.integer(data$f) %% 5)
  data$v <- 3 * data$u - 1
  fits <- both_fits(~ f + g + u + v, data)
  expect_length(fits$sparse$aliased, 5)
  expect_same(fits)
  fits <- both_fits(~ g + f + u, data)
  expect_length(fits$sparse$aliased, 4)
  expect_same(fits)
})

test_that("sparse and dense columns give the same separation", {
  data <- many_levels()
  expect_same_report <- function(y) {
    fits <- both_fits(~ f + u, data, y)
    expect_false(fits$dense$separation == "none")
    expect_identical(fits$sparse[c("separation", "separated")], fits$dense[c("separation", "separated")])
  }
  expect_same_report(replace(data$y, data$f == "7", 0))
  expect_same_report(replace(data$y, data$f == "1", 0))
  expect_same_report(replace(replace(data$y, data$f == "3", 3), data$f %in% c("8", "9"), 0))
  expect_same_report(as.integer(data$u > 50))
  expect_identical(both_fits(~ f + u, data)$sparse$separation, "none")
})

test_that("formulas with many columns are fitted with sparse columns", {
  data <- many_levels(4000, 90)
  fit <- pom(y ~ f + u, data)
  expect_false(is.null(fit$information$p))
  # Half of the entries of Helmert contrasts are nonzero, so dense columns are used.
  helmert <- pom(y ~ f + u, data, contrasts = list(f = "contr.helmert"))
  expect_null(helmert$information$p)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(helmert)), tolerance = 1e-10)
  expect_equal(predict(fit, data[1:9, ], se.fit = TRUE), predict(helmert, data[1:9, ], se.fit = TRUE), tolerance = 1e-7)
  expect_equal(summary(fit)$slopes["u", ], summary(helmert)$slopes["u", ], tolerance = 1e-8)
  # A dense matrix with mostly zeros, as in refits, is treated as sparse.
  x <- model.matrix(y ~ f + u, data)
  expect_equal(coef(pom_fit(x, data$y)), coef(fit), tolerance = 1e-10)
  expect_identical(names(fit$linear_predictor), rownames(x))
  expect_null(pom(y ~ f + u, data, method = "bias_reduced")$information$p)
})

test_that("sparse columns are validated like dense ones", {
  x <- Matrix::Matrix(diag(6)[rep(1:6, 4), ], sparse = TRUE)
  x <- methods::as(x, "generalMatrix")
  colnames(x) <- letters[1:6]
  expect_snapshot(error = TRUE, {
    pom_fit(replace(x, 3, NA), rep(1:3, 8))
    pom_fit(cbind(x, x), rep(1:3, 8))
    pom_fit(Matrix::Diagonal(24), rep(1:3, 8))
  })
})

test_that("threshold and scale effects, and structured thresholds, give the same fit with sparse columns", {
  skip_if_not_installed("Matrix")
  d <- with_seed(4, data.frame(g = factor(sample(90, 4000, TRUE)), x = rnorm(4000)))
  d$y <- with_seed(5, findInterval(d$x + rnorm(90)[d$g] + exp(d$x / 4) * rlogis(4000), c(-1, 0, 1)))
  x <- model.matrix(y ~ g, d)[, -1]
  z <- cbind(x = d$x)
  cases <- list(list(nominal = ~x), list(scale = ~x, link = "cloglog"), list(threshold = "symmetric", penalty = 4))
  for (case in cases) {
    sparse <- do.call(pom, c(list(y ~ g, d), case))
    expect_s4_class(sparse$columns, "dgCMatrix")
    design <- list(response = list(codes = sparse$y, levels = sparse$levels))
    one <- cbind(`(Intercept)` = rep(1, 4000))
    dense <- general_fit(x, if (is.null(case$nominal)) one else cbind(one, z), if (is.null(case$scale)) x[, 0] else z,
                         design, sparse$link, sparse$threshold, sparse$control)
    expect_equal(coef(sparse), dense$parameters, tolerance = 1e-8)
    expect_equal(vcov(sparse), dense$covariance, tolerance = 1e-8)
    expect_equal(sparse$df, dense$df, tolerance = 1e-8)
    expect_equal(unname(predict(sparse, d[1:5, ])), unname(predict(sparse)[1:5, ]), tolerance = 1e-12)
  }
})

test_that("a link with estimated parameter gives the same fit with sparse and dense columns", {
  d <- with_seed(4, {
    d <- data.frame(f = factor(rep(seq_len(80), 12)), x = rnorm(960))
    d$y <- findInterval(rnorm(80)[d$f] + d$x + rt(960, 4), c(-1, 0, 1))
    d
  })
  for (link in c("robit", "log-gamma")) {
    sparse <- pom(y ~ x + f, d, link = link)
    expect_s4_class(sparse$columns, "dgCMatrix")
    dense <- fit_parts(general_parts(bquote(pom(formula = y ~ x + f, data = .(d))), environment(), NULL, NULL, NULL),
                       link, "flexible", pom_control())
    expect_equal(sparse$loglik, dense$loglik, tolerance = 1e-9)
    expect_equal(coef(sparse), coef(dense), tolerance = 1e-3)
    expect_equal(vcov(sparse), vcov(dense), tolerance = 1e-2)
    columns <- Matrix::sparse.model.matrix(~ x + f, d)[, -1]
    expect_equal(pom_fit(columns, d$y, link = link)$loglik, sparse$loglik, tolerance = 1e-9)
  }
})
