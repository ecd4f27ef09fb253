quiet <- function(expr) suppressMessages(expr)

random_design <- function(seed) {
  set.seed(seed)
  n <- sample(80:200, 1)
  data <- data.frame(u = rnorm(n), v = runif(n, 10, 20), g = factor(sample(letters[1:3], n, TRUE)),
                     w = sample(1:3, n, TRUE))
  latent <- data$u * rnorm(1) + 0.2 * data$v + (data$g == "b") + rlogis(n)
  data$y <- cut(latent, c(-Inf, quantile(latent, sort(runif(sample(1:5, 1), 0.1, 0.9))), Inf), ordered_result = TRUE)
  data$y <- droplevels(data$y)
  data
}

cheese <- function() {
  counts <- rbind(c(0, 0, 1, 7, 8, 8, 19, 8, 1), c(6, 9, 12, 11, 7, 6, 1, 0, 0),
                  c(1, 1, 6, 8, 23, 7, 5, 1, 0), c(0, 0, 0, 1, 3, 7, 14, 16, 11))
  data.frame(additive = factor(rep(LETTERS[1:4], 9)), taste = ordered(rep(1:9, each = 4)), n = c(counts))
}

test_that("fits equal stored reference fits (article 'Methods', section 3)", {
  skip_if_not_installed("MASS")
  fit <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
  expect_equal(as.numeric(logLik(fit)), -1739.5746495295, tolerance = 1e-13)
  expect_equal(unname(coef(fit)), c(0.4961351382, -0.6907082593, 0.5663937379, 1.2888191104, -0.5723500020,
                                    -0.3661863707, -1.0910146590, 0.3602840046), tolerance = 1e-9)
  expect_equal(unname(sqrt(diag(vcov(fit))))[-(1:2)],
               c(0.1046528, 0.1271561, 0.1192380, 0.1551733, 0.1514860, 0.0955358), tolerance = 1e-6)
  skip_if_not_installed("ordinal")
  wine <- pom(rating ~ temp + contact, data = ordinal::wine)
  expect_equal(as.numeric(logLik(wine)), -86.491923365649, tolerance = 1e-13)
  expect_equal(unname(coef(wine)), c(1.3443834113, -1.2508087984, -3.4668869265, -5.0064042043, 2.5031020079,
                                     1.5277976581),
               tolerance = 1e-9)
})

test_that("fits equal those of polr(), clm(), vglm() and lrm() on the example data of these packages", {
  skip_if_not_installed("MASS")
  skip_if_not_installed("ordinal")
  soup <- quiet(pom(SURENESS ~ PROD * AGEGROUP, data = ordinal::soup))
  clm <- ordinal::clm(SURENESS ~ PROD * AGEGROUP, data = ordinal::soup, control = ordinal::clm.control(gradTol = 1e-9))
  expect_equal(unname(coef(soup)), unname(c(-clm$alpha, clm$beta)), tolerance = 1e-7)
  expect_equal(abs(unname(vcov(soup))), abs(unname(vcov(clm))), tolerance = 1e-6)
  table <- pom(taste ~ additive, cheese(), weights = n)
  polr <- MASS::polr(taste ~ additive, cheese(), weights = n, control = list(reltol = 1e-14))
  expect_equal(unname(coef(table)), unname(c(-polr$zeta, coef(polr))), tolerance = 1e-4)
  expect_equal(as.numeric(logLik(table)), as.numeric(logLik(polr)), tolerance = 1e-9)
  skip_if_not_installed("VGAM")
  data("pneumo", package = "VGAM", envir = environment())
  long <- data.frame(level = ordered(rep(1:3, each = nrow(pneumo))), let = log(pneumo$exposure.time),
                     n = c(pneumo$normal, pneumo$mild, pneumo$severe))
  vglm <- VGAM::vglm(cbind(normal, mild, severe) ~ log(exposure.time), VGAM::propodds, pneumo, epsilon = 1e-12)
  expect_equal(unname(coef(pom(level ~ let, long, weights = n))), unname(VGAM::coef(vglm)), tolerance = 1e-7)
  skip_if_not_installed("rms")
  lrm <- rms::lrm(SURENESS ~ PROD, data = ordinal::soup)
  expect_equal(unname(coef(pom(SURENESS ~ PROD, ordinal::soup))), unname(coef(lrm)), tolerance = 1e-4)
})

test_that("200 random designs agree with clm(), and with glm() for two levels", {
  skip_if_not_installed("ordinal")
  differences <- vapply(1:200, function(seed) {
    data <- random_design(seed)
    fit <- pom(y ~ u + v + g, data, weights = w)
    expect_equal(fit$convergence$status, "converged")
    if (nlevels(data$y) == 2) {
      glm <- glm(y ~ u + v + g, binomial, data, weights = w, control = glm.control(1e-12))
      peer <- c(coef(glm), logLik(glm))
    } else {
      clm <- ordinal::clm(y ~ u + v + g, data = data, weights = w, control = ordinal::clm.control(gradTol = 1e-8))
      peer <- c(-clm$alpha, clm$beta, clm$logLik)
    }
    max(abs(c(coef(fit), logLik(fit)) - peer) / (1 + abs(peer)))
  }, 0)
  expect_lt(max(differences), 1e-6)
})

test_that("fits do not depend on row order or threads, and repeating a row equals weighting it", {
  data <- random_design(11)
  fit <- pom(y ~ u + v + g, data, weights = w)
  shuffled <- data[sample(nrow(data)), ]
  expect_equal(coef(pom(y ~ u + v + g, shuffled, weights = w)), coef(fit), tolerance = 1e-10)
  long <- data[rep(seq_len(nrow(data)), data$w), ]
  expanded <- pom(y ~ u + v + g, long)
  expect_equal(coef(expanded), coef(fit), tolerance = 1e-10)
  expect_equal(vcov(expanded), vcov(fit), tolerance = 1e-10)
  expect_equal(nobs(expanded), nobs(fit))
  expect_identical(coef(pom(y ~ u + v + g, data, weights = w, num_threads = 3)), coef(fit))
  many <- data[rep(seq_len(nrow(data)), 40), ]
  expect_equal(vcov(pom(y ~ u + v + g + offset(u^2), many, weights = w)),
               vcov(pom(y ~ u + v + g + offset(u^2), data, weights = 40 * w)), tolerance = 1e-10)
})

test_that("reversing the levels changes the signs of slopes, and transformed columns rescale them", {
  data <- random_design(12)
  fit <- pom(y ~ u + v, data)
  reversed <- transform(data, y = factor(y, levels = rev(levels(y)), ordered = TRUE))
  back <- pom(y ~ u + v, reversed)
  expect_equal(unname(back$beta), unname(-fit$beta), tolerance = 1e-9)
  expect_equal(unname(back$alpha), -rev(unname(fit$alpha)), tolerance = 1e-9)
  moved <- pom(y ~ I(3 * u - 7) + v, data)
  expect_equal(moved$beta[[1]], fit$beta[[1]] / 3, tolerance = 1e-9)
  expect_equal(unname(moved$alpha), unname(fit$alpha + 7 / 3 * fit$beta[[1]]), tolerance = 1e-9)
  expect_equal(vcov(moved)[["v", "v"]], vcov(fit)[["v", "v"]], tolerance = 1e-9)
})

test_that("tiny columns, columns far from 0 and extreme weights hardly change the fit", {
  data <- random_design(13)
  fit <- pom(y ~ u, data)
  data <- transform(data, tiny = u * 1e-8, far = u + 1e6, heavy = 1e9, light = 1e-9)
  expect_equal(pom(y ~ tiny, data)$beta[[1]] * 1e-8, fit$beta[[1]], tolerance = 1e-10)
  expect_equal(pom(y ~ far, data)$beta[[1]], fit$beta[[1]], tolerance = 1e-7)
  expect_equal(coef(pom(y ~ u, data, weights = heavy)), coef(fit), tolerance = 1e-9)
  expect_equal(coef(pom(y ~ u, data, weights = light)), coef(fit), tolerance = 1e-5)
  expect_equal(coef(pom(y ~ u, data, weights = as.numeric(g != "a"))), coef(pom(y ~ u, subset(data, g != "a"))),
               tolerance = 1e-10)
})

test_that("models without columns have marginal logits, and every value may be a level of its own", {
  data <- random_design(14)
  share <- rev(cumsum(rev(table(data$y))))[-1] / nrow(data)
  expect_equal(unname(coef(pom(y ~ 1, data))), unname(qlogis(share)), ignore_attr = TRUE, tolerance = 1e-12)
  skip_if_not_installed("rms")
  data$z <- data$u + rnorm(nrow(data))
  fit <- pom(z ~ u + v, data)
  orm <- rms::orm(z ~ u + v, data = data, eps = 1e-10)
  expect_length(fit$alpha, nrow(data) - 1)
  expect_equal(unname(fit$beta), unname(utils::tail(coef(orm), 2)), tolerance = 1e-5)
})

test_that("unused levels are dropped with a message, and do not change the fit", {
  data <- random_design(15)
  padded <- transform(data, y = factor(y, levels = c("never", levels(y))))
  expect_message(fit <- pom(y ~ u, padded), class = "judicious_message_unused_levels")
  expect_equal(coef(fit), coef(pom(y ~ u, data)))
  weightless <- transform(data, w = as.numeric(y != levels(y)[1]))
  expect_message(fit <- pom(y ~ u, weightless, weights = w), class = "judicious_message_unused_levels")
  expect_length(predict(fit, type = "link"), nrow(data))
})

test_that("aliased coefficients are NA and named, and the others equal the fit without those columns", {
  data <- transform(random_design(16), u2 = 2 * u, twin = g, one = 1)
  expect_message(fit <- pom(y ~ u + u2 + g + twin + one, data), class = "judicious_message_aliased")
  expect_identical(fit$aliased, c("u2", "twinb", "twinc", "one"))
  expect_true(all(is.na(coef(fit)[fit$aliased])))
  expect_equal(coef(fit, complete = FALSE), coef(pom(y ~ u + g, data)), tolerance = 1e-10)
  expect_true(all(is.na(vcov(fit)[fit$aliased, ])))
  expect_equal(vcov(fit, complete = FALSE), vcov(pom(y ~ u + g, data)), tolerance = 1e-9)
})

test_that("complete and quasi-complete separation are detected, and separated coefficients are named", {
  line <- data.frame(y = ordered(rep(1:3, each = 20)), x = 1:60)
  expect_snapshot(fit <- pom(y ~ x, line))
  expect_identical(fit$separation, "complete")
  data <- random_design(17)
  data$y <- cut(rank(data$y, ties.method = "first"), 3, labels = FALSE)
  data$y[data$g == "c"] <- 3
  expect_warning(fit <- pom(factor(y) ~ u + g, data), class = "judicious_warning_separation")
  expect_identical(fit$separation, "quasi-complete")
  expect_identical(fit$separated, "gc")
  data$y[which(data$g == "c")[1]] <- 1
  expect_no_warning(fit <- pom(factor(y) ~ u + g, data))
  expect_identical(fit$separation, "none")
})

test_that("bias reduction is Firth's for two levels, and estimates are finite under separation", {
  set.seed(4)
  data <- data.frame(x = rnorm(40), z = rnorm(40))
  data$y <- rbinom(40, 1, plogis(data$x))
  X <- cbind(1, data$x, data$z)
  firth <- c(0, 0, 0)
  for (i in 1:200) {
    p <- plogis(drop(X %*% firth))
    information <- crossprod(X * sqrt(p * (1 - p)))
    leverage <- p * (1 - p) * rowSums((X %*% solve(information)) * X)
    firth <- firth + solve(information, crossprod(X, data$y - p + leverage * (0.5 - p)))
  }
  fit <- pom(y ~ x + z, data, method = "bias_reduced")
  expect_equal(unname(coef(fit)), drop(firth), tolerance = 1e-8)
  expect_equal(unname(vcov(fit)), solve(information), tolerance = 1e-6)
  line <- data.frame(y = ordered(rep(1:3, each = 20)), x = 1:60)
  expect_no_warning(finite <- pom(y ~ x, line, method = "bias_reduced"))
  expect_identical(finite$convergence$status, "converged")
  expect_true(all(abs(coef(finite)) < 100))
})

test_that("the penalty is half the sum of squared standardised slopes", {
  data <- random_design(18)
  fit <- pom(y ~ u + v, data, penalty = 5)
  scale <- apply(data[c("u", "v")], 2, function(x) sqrt(mean((x - mean(x))^2)))
  penalised <- function(p) {
    alpha <- p[seq_along(fit$alpha)]
    eta <- drop(as.matrix(data[c("u", "v")]) %*% p[-seq_along(alpha)])
    at_least <- cbind(1, plogis(outer(eta, alpha, `+`)), 0)
    code <- cbind(seq_along(eta), as.integer(data$y))
    sum(log(at_least[code] - at_least[cbind(code[, 1], code[, 2] + 1)])) - 2.5 * sum((p[-seq_along(alpha)] * scale)^2)
  }
  expect_lt(max(abs(central_differences(penalised, coef(fit)))), 1e-4)
  expect_lt(fit$df, length(coef(fit)))
  expect_snapshot(pom(y ~ u, data, penalty = 1, method = "bias_reduced"), error = TRUE)
})

test_that("a warning explains why iterations stopped early", {
  expect_warning(pom(y ~ u + v, random_design(19), max_iterations = 1), class = "judicious_warning_convergence")
  expect_snapshot(invisible(pom(gear ~ wt + qsec, mtcars, max_iterations = 1)))
})

test_that("`subset` selects rows of variables of the workspace, also for a formula without an environment", {
  gear <- mtcars$gear
  wt <- mtcars$wt
  expect_equal(coef(pom(quote(gear ~ wt), subset = 1:20)), coef(pom(gear ~ wt, mtcars[1:20, ])))
})

test_that("errors of pom() name the argument and the row", {
  data <- random_design(20)
  expect_snapshot(error = TRUE, {
    pom(~u, data)
    pom(y ~ u, data, weights = -w)
    pom(y ~ u, data, weights = 0 * w)
    pom(y ~ u, data, offset = u / 0)
    pom(y ~ log(u - min(u)), data)
    pom(as.character(g) ~ u, data)
    pom(y ~ u, data, subset = y == levels(y)[1])
    pom(y ~ u, data, subset = c(1:10, nrow(data) + 5))
    pom(y ~ u, data, subset = c("1", "x"))
    pom(data$y ~ data$u, subset = rep(TRUE, nrow(data) + 1))
    pom(y ~ u, data, control = list())
    pom(y ~ u, data, penalty = -1)
    pom(y ~ u, data, method = "exact")
  })
  expect_snapshot(invisible(pom(y ~ u - 1, data)))
})

test_that("formulas with hundreds of terms are fitted, with and without random terms", {
  d <- with_seed(1, {
    x <- matrix(rnorm(1e3 * 400), 1e3, dimnames = list(NULL, paste0("x", 1:400)))
    data.frame(y = factor(sample(3, 1e3, TRUE)), g = gl(20, 50), x)
  })
  text <- paste("y ~", paste(paste0("x", 1:400), collapse = " + "))
  expect_length(coef(pom(as.formula(text), d)), 402)
  bars <- split_formula(as.formula(paste(text, "+ (1 | g) + (0 + x1 | g)")))
  expect_equal(bars$fixed, as.formula(text), ignore_formula_env = TRUE)
  expect_length(bars$random, 2)
})

test_that("a formula may be given as text, also with random terms", {
  expect_equal(coef(pom("gear ~ wt", mtcars)), coef(pom(gear ~ wt, mtcars)))
  mixed <- suppressMessages(pom("gear ~ wt + (1 | carb)", mtcars))
  expect_s3_class(mixed, "judicious_pom_mixed")
  expect_equal(deviance(mixed), deviance(suppressMessages(pom(gear ~ wt + (1 | carb), mtcars))))
  expect_snapshot(pom("gear is wt", mtcars), error = TRUE)
})

test_that("columns of mean 1e6, their squares and products are fitted to the precision of the data", {
  near <- with_seed(1, data.frame(a = rnorm(400), b = rnorm(400)))
  near$y <- with_seed(2, cut(near$a + rlogis(400), c(-Inf, -1, 1, Inf), labels = 1:3))
  near$g <- gl(20, 20)
  far <- transform(near, a = 1e6 + a, b = 1e6 + b)
  for (formula in list(y ~ a + I(a^2), y ~ a * b, y ~ a + b + I(a^2) + I(b^2) + a:b)) {
    for (link in c("logit", "probit", "cloglog")) {
      expected <- pom(formula, near, link = link)
      fit <- pom(formula, far, link = link)
      expect_equal(fit$convergence$status, "converged")
      # A square of 1e12 is rounded to 1e-4.
      expect_equal(fit$loglik, expected$loglik, tolerance = 1e-6)
      expect_equal(sum(log(fitted(fit))), expected$loglik, tolerance = 1e-5)
      last <- names(fit$beta)[length(fit$beta)]  # a square or product: the same in both
      expect_equal(fit$beta[last], expected$beta[last], tolerance = 2e-3)
      expect_equal(sqrt(vcov(fit)[last, last]), sqrt(vcov(expected)[last, last]), tolerance = 1e-2)
    }
  }
  mixed <- suppressMessages(pom(y ~ a * b + (1 | g), far))
  expect_equal(mixed$loglik, suppressMessages(pom(y ~ a * b + (1 | g), near))$loglik, tolerance = 1e-6)
})

test_that("contrasts set on factors are used, also in predictions", {
  d <- transform(mtcars, gear = ordered(gear), cyl = factor(cyl))
  contrasts(d$cyl) <- contr.sum(3)
  fit <- pom(gear ~ cyl + wt, d)
  expect_equal(coef(fit), coef(pom(gear ~ cyl + wt, d, contrasts = list(cyl = "contr.sum"))))
  fresh <- transform(mtcars, cyl = factor(cyl))
  expect_equal(predict(fit, fresh), predict(fit), ignore_attr = TRUE)
})

test_that("the error about an unknown variable states where it was searched", {
  housing <- MASS::housing
  expect_snapshot(pom(Sat ~ Nothing + Infl, housing), error = TRUE)
  expect_snapshot(pom(Sat ~ Infl, housing, scale = ~Nowhere, weights = w), error = TRUE)
  expect_snapshot(pom_mixed(Sat ~ Infl + (1 | Block), housing), error = TRUE)
  expect_snapshot(pom(Sat ~ Infl), error = TRUE)
})

test_that("a missing formula, or a column name for a one-sided formula, raises an error that says what to do", {
  expect_error(pom(data = mtcars), "`formula` is missing", class = "judicious_error_argument")
  expect_error(pom(gear ~ wt, mtcars, scale = hp), "`scale` must be a one-sided formula",
               class = "judicious_error_argument")
  expect_error(pom(gear ~ wt + (1 | carb), mtcars, nominal = hp), "`nominal` must be a one-sided formula",
               class = "judicious_error_argument")
})

test_that("offsets that are not numbers are errors", {
  data <- transform(mtcars, cyl = factor(cyl), text = as.character(wt))
  refused <- function(code, what) expect_error(code, what, class = "judicious_error_offset")
  refused(pom(gear ~ wt, data, offset = cyl), "`\\(offset\\)` is a <factor> object")
  refused(pom(gear ~ wt + offset(qsec) + offset(text), data), "`offset\\(text\\)` is a")
  refused(pom(gear ~ wt, data, scale = ~ offset(cyl)), "`offset\\(cyl\\)` is a <factor> object")
  fit <- pom(gear ~ wt, data, offset = log(qsec))
  expect_equal(is.na(predict(fit, data.frame(wt = 3, qsec = NA), type = "mean")), TRUE, ignore_attr = TRUE)
  refused(predict(update(fit, offset = qsec), transform(data, qsec = text)), "`qsec` is a character vector")
})

test_that("offsets and weights of several columns are errors", {
  two <- cbind(mtcars$wt, mtcars$wt)
  expect_snapshot(error = TRUE, {
    pom(gear ~ mpg, mtcars, offset = two)
    pom(gear ~ mpg + offset(two), mtcars)
    pom(gear ~ mpg, mtcars, weights = two)
  })
  expect_equal(coef(pom(gear ~ mpg, mtcars, weights = two[, 1, drop = FALSE])), coef(pom(gear ~ mpg, mtcars, weights = wt)))
})

test_that("an update where the data of the fit do not exist says so", {
  fit_in_function <- function(formula, data) pom(formula, data = data)
  fit <- fit_in_function(gear ~ wt, mtcars)
  expect_snapshot(error = TRUE, update(fit, . ~ . + mpg))
})
