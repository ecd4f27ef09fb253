# Conditions whose tests the rOpenSci standards require, and that belong to no other test file.

latent_data <- function(n, slope = c(1, -0.5), seed = 1) {
  with_seed(seed, {
    data <- data.frame(u = rnorm(n), v = rnorm(n))
    data$y <- cut(drop(as.matrix(data) %*% slope) + rlogis(n), c(-Inf, -1, 1, Inf), 1:3, ordered_result = TRUE)
    data
  })
}

test_that("over 20 seeds, coefficients are unbiased, and their errors have the size of the standard errors", {
  truth <- c(`>=2` = 1, `>=3` = -1, u = 1, v = -0.5)
  z <- vapply(1:20, function(seed) {
    fit <- pom(y ~ u + v, latent_data(400, seed = seed))
    (coef(fit) - truth) / sqrt(diag(vcov(fit)))
  }, truth)
  # z has 80 nearly standard normal values. Their mean square has the standard deviation sqrt(2 / 80); means of 20
  # values have sqrt(1 / 20).
  expect_lt(abs(mean(z^2) - 1), 4 * sqrt(2 / 80))
  expect_lt(max(abs(rowMeans(z))), 4 * sqrt(1 / 20))
})

test_that("as rows increase, estimates approach the truth and standard errors fall with the square root", {
  fits <- lapply(c(200, 20000), function(n) pom(y ~ u + v, latent_data(n, seed = 5)))
  errors <- vapply(fits, function(fit) sqrt(mean((fit$beta - c(1, -0.5))^2)), 0)
  expect_lt(errors[2], errors[1])
  se <- vapply(fits, function(fit) sqrt(diag(vcov(fit))), numeric(4))
  expect_equal(unname(se[, 1] / se[, 2]), rep(10, 4), tolerance = 0.15)
})

test_that("noise of the size of rounding error, or another tolerance, does not change a fit", {
  data <- latent_data(300)
  fit <- pom(y ~ u + v, data)
  noisy <- transform(data, u = u * (1 + .Machine$double.eps * sign(sin(seq_along(u)))))
  expect_equal(coef(pom(y ~ u + v, noisy)), coef(fit), tolerance = 1e-12)
  for (tolerance in c(1e-8, 1e-12, 1e-20)) {
    expect_equal(coef(pom(y ~ u + v, data, tolerance = tolerance)), coef(fit), tolerance = 1e-6)
  }
})

test_that("pom() raises informative errors for degenerate data", {
  data <- latent_data(6, seed = 3)
  data$missing <- NA_real_
  data$one <- "a"
  data$complex <- complex(real = 1:6)
  data$raw <- as.raw(1:6)
  data$list <- as.list(1:6)
  data$many <- I(matrix(with_seed(1, rnorm(120)), 6))
  expect_snapshot(error = TRUE, {
    pom(y ~ u, data[0, ])
    pom(y ~ missing, data)
    pom(y ~ u + one, data)
    pom(y ~ u + one + (1 | v), data)
    pom(y ~ complex, data)
    pom(complex ~ u, data)
    pom(y ~ raw, data)
    pom(y ~ list, data)
    pom(y ~ u + c(1, 2, 3, 4), data)
    predict(pom(y ~ u, data), data.frame(u = I(list(1, 2))))
  })
  # With more columns than rows, columns that others explain are aliased, and the others separate the data.
  fit <- suppressMessages(suppressWarnings(pom(y ~ many, data)), classes = "judicious_message_aliased")
  expect_gt(length(fit$aliased), 10)
  expect_identical(fit$separation, "complete")
})

test_that("results of pom() and its methods keep row and column names", {
  fit <- pom(gear ~ wt + qsec, mtcars)
  expect_named(coef(fit), c(">=4", ">=5", "wt", "qsec"))
  expect_named(fitted(fit), rownames(mtcars))
  expect_named(residuals(fit), rownames(mtcars))
  expect_identical(rownames(predict(fit, mtcars[3:5, ], type = "prob")), rownames(mtcars)[3:5])
  expect_identical(dimnames(vcov(fit)), list(names(coef(fit)), names(coef(fit))))
  expect_identical(rownames(confint(fit)), c("wt", "qsec"))
})

# A class of tables that, like tibbles, are never simplified to vectors.
registerS3method("[", "test_undropped", function(x, i, j, drop = FALSE) {
  class(x) <- "data.frame"
  out <- if (nargs() - (!missing(drop)) < 3) x[i] else x[i, j, drop = FALSE]
  structure(out, class = c("test_undropped", "data.frame"))
})
undropped <- function(data) structure(data, class = c("test_undropped", "data.frame"))

test_that("data frames, tibbles and other classes of tables give the same results", {
  runs <- expand.grid(rank = 1:2, query = c("q1", "q2"), system = c("a", "b", "c"), stringsAsFactors = FALSE)
  runs$doc <- paste0("d", c(1, 2, 1, 2, 1, 3, 2, 1, 4, 1, 3, 2))
  judgments <- unique(runs[c("query", "doc")])
  judgments$gain <- seq_len(nrow(judgments)) %% 3
  documents <- data.frame(doc = unique(runs$doc), artist = "x", genre = c("g", "h"))
  make <- function(as) {
    test_collection(as(runs), as(documents), judgments = as(judgments), k = 2, scale = gain_scale(0:2))
  }
  expect_identical(make(undropped), make(identity))
  x <- make(identity)
  expect_identical(output_features(make(undropped)), output_features(x))
  expect_identical(as.data.frame(evaluate(undropped(runs), undropped(judgments), "P@2")),
                   as.data.frame(evaluate(runs, judgments, "P@2")))
  expect_identical(coef(pom(gear ~ wt, undropped(mtcars))), coef(pom(gear ~ wt, mtcars)))
  features <- output_features(ams_demo)[1:20, ]
  model <- mirex_model("output", "fine")
  expect_identical(gain_distribution(model, undropped(features))$prob, gain_distribution(model, features)$prob)
})

test_that("list columns raise an error that names them", {
  runs <- data.frame(system = c("a", "b"), query = "q", rank = 1)
  runs$doc <- list("x", "y")
  expect_snapshot(test_collection(runs, k = 1), error = TRUE)
})
