skip_if_not_installed("ordinal")
wine <- ordinal::wine
clm_exact <- function(...) ordinal::clm(..., control = list(gradTol = 1e-10, maxIter = 200))

test_that("probit, cloglog and loglog fits agree with ordinal::clm()", {
  for (link in c("probit", "cloglog", "loglog")) {
    ours <- pom(rating ~ temp + contact, data = wine, link = link)
    theirs <- clm_exact(rating ~ temp + contact, data = wine, link = link)
    expect_equal(as.numeric(logLik(ours)), as.numeric(logLik(theirs)), tolerance = 1e-10)
    expect_equal(ours$beta, theirs$beta, tolerance = 1e-7)
    expect_equal(unname(-ours$alpha), unname(theirs$alpha), tolerance = 1e-7)
    expect_equal(unname(sqrt(diag(vcov(ours)))), unname(sqrt(diag(vcov(theirs)))), tolerance = 1e-7)
  }
})

test_that("a cauchit fit reaches a higher likelihood than polr(), which stops early", {
  ours <- pom(rating ~ temp + contact, data = wine, link = "cauchit")
  theirs <- MASS::polr(rating ~ temp + contact, data = wine, method = "cauchit",
                       control = list(reltol = 1e-14, maxit = 1000))
  expect_gt(as.numeric(logLik(ours)), as.numeric(logLik(theirs)))
  expect_lt(max(abs(colSums(coefficient_scores(ours)))), 1e-6)
})

test_that("models with nominal effects, scale effects and structured thresholds agree with ordinal::clm()", {
  models <- list(
    list(formula = rating ~ temp, nominal = ~contact),
    list(formula = rating ~ temp + contact, scale = ~temp),
    list(formula = rating ~ temp, nominal = ~contact, scale = ~temp, link = "probit"),
    list(formula = rating ~ temp + contact, threshold = "equidistant"),
    list(formula = rating ~ temp + contact, threshold = "symmetric", link = "cloglog")
  )
  for (model in models) {
    ours <- do.call(pom, c(model, list(data = quote(wine))))
    theirs <- do.call(clm_exact, c(model, list(data = quote(wine))))
    expect_equal(as.numeric(logLik(ours)), as.numeric(logLik(theirs)), tolerance = 1e-9)
    expect_equal(ours$beta, theirs$beta, tolerance = 1e-6)
    expect_equal(attr(logLik(ours), "df"), attr(logLik(theirs), "df"))
    expect_equal(unname(predict(ours, type = "prob")), unname(predict(theirs,
                                                                      newdata = subset(wine, select = -rating))$fit),
                                                                        tolerance = 1e-6)
    expect_equal(predict(ours, wine, type = "prob"), predict(ours, type = "prob"))
  }
})

test_that("coefficients of nominal and scale effects equal those of ordinal::clm()", {
  ours <- pom(rating ~ temp, nominal = ~contact, scale = ~temp, data = wine)
  theirs <- clm_exact(rating ~ temp, nominal = ~contact, scale = ~temp, data = wine)
  expect_equal(unname(coef(ours)[paste0(">=", 2:5, ":contactyes")]), unname(-theirs$alpha[5:8]), tolerance = 1e-5)
  expect_equal(coef(ours)[["scale:tempwarm"]], unname(theirs$zeta), tolerance = 1e-6)
})

test_that("with two levels, probit and cloglog fits equal those of glm()", {
  d <- transform(mtcars, y = am)
  for (link in c("probit", "cloglog")) {
    ours <- pom(y ~ hp, data = d, link = link)
    # P(y <= 0) = F(theta - eta): the cloglog model is a binomial model of y = 0 with the opposite sign of the slope.
    response <- if (link == "probit") y ~ hp else I(1 - y) ~ hp
    theirs <- glm(response, binomial(link), d, control = glm.control(epsilon = 1e-12))
    expect_equal(as.numeric(logLik(ours)), as.numeric(logLik(theirs)), tolerance = 1e-8)
    expect_equal(abs(unname(ours$beta)), abs(unname(coef(theirs)[2])), tolerance = 1e-4)
  }
})

test_that("columns far from 0 or badly scaled give the same fit as standardised ones", {
  with_seed(3, d <- data.frame(y = sample(4, 200, TRUE), u = rnorm(200), v = rnorm(200)))
  d$far <- 1e5 + d$u
  d$tiny <- d$v * 1e-6
  one <- pom(y ~ u, scale = ~v, data = d, link = "probit")
  other <- pom(y ~ far, scale = ~tiny, data = d, link = "probit")
  expect_equal(as.numeric(logLik(other)), as.numeric(logLik(one)), tolerance = 1e-9)
  expect_equal(coef(other)[["far"]], coef(one)[["u"]], tolerance = 1e-4)
  expect_equal(coef(other)[["scale:tiny"]] * 1e-6, coef(one)[["scale:v"]], tolerance = 1e-5)
  expect_equal(predict(other, type = "prob"), predict(one, type = "prob"), tolerance = 1e-6)
})

test_that("weights repeat rows, offsets are kept, and rows with missing values are predicted NA", {
  counted <- data.frame(y = c(1, 1, 2, 2, 3, 3), x = c(0, 1, 0, 1, 0, 1), n = c(5, 2, 3, 3, 1, 6))
  expect_equal(coef(pom(y ~ x, counted, weights = n, link = "probit")),
               coef(pom(y ~ x, counted[rep(1:6, counted$n), ], link = "probit")))
  wine$o <- seq_len(72) / 50
  shifted <- pom(rating ~ temp + offset(o), data = wine, link = "probit")
  expect_equal(predict(shifted, wine), predict(shifted))
  expect_equal(is.na(predict(shifted, transform(wine, temp = replace(temp, 2, NA)), type = "mean")), seq_len(72) == 2,
               ignore_attr = TRUE)
})

test_that("anova(), confint(), residuals() and sandwich() support a probit model with scale effects", {
  fit <- pom(rating ~ temp + contact, scale = ~temp, data = wine, link = "probit")
  small <- pom(rating ~ temp, scale = ~temp, data = wine, link = "probit")
  expect_equal(anova(small, fit)$Chisq[2], 2 * (fit$loglik - small$loglik))
  expect_equal(anova(fit)$`Log likelihood`[2], small$loglik)
  limits <- confint(fit, "contactyes")
  wine$fixed <- limits[1, 1] * (wine$contact == "yes")
  at_limit <- pom(rating ~ temp + offset(fixed), scale = ~temp, data = wine, link = "probit")
  expect_equal(sqrt(2 * (fit$loglik - at_limit$loglik)), qnorm(0.975), tolerance = 1e-6)
  expect_equal(sum(residuals(fit, "deviance")^2), deviance(fit))
  latent <- residuals(fit, "surrogate", seed = 1)
  at <- row_limits(fit)
  expect_true(all(latent > at$lower & latent < at$upper))
  skip_if_not_installed("sandwich")
  expect_equal(vcov(fit, type = "sandwich"), sandwich::sandwich(fit))
})

test_that("tests of nominal and scale effects equal those of ordinal::clm()", {
  fit <- pom(rating ~ temp + contact, data = wine)
  theirs <- ordinal::clm(rating ~ temp + contact, data = ordinal::wine)
  expect_equal(proportional_odds_test(fit, method = "likelihood_ratio")$Chisq[-1],
               ordinal::nominal_test(theirs)$LRT[-1], tolerance = 1e-5)
  expect_equal(proportional_odds_test(fit, method = "likelihood_ratio", against = "scale")$Chisq[-1],
               ordinal::scale_test(theirs)$LRT[-1], tolerance = 1e-5)
  expect_equal(proportional_odds_test(fit, method = "likelihood_ratio")$Df[-1], c(3, 3))
})

test_that("ordinal models print coefficients by part, and invalid models raise errors", {
  # At the maximum, the gradient is a rounding error, so it is replaced in the snapshot.
  expect_snapshot(summary(pom(rating ~ temp, nominal = ~contact, scale = ~temp, data = wine)),
                  transform = function(lines) sub("gradient [0-9.]+e-1[0-9]", "gradient 0", lines))
  expect_snapshot(pom(rating ~ temp, data = wine, threshold = "equidistant"))
  expect_snapshot(fit <- pom(rating ~ contact + temp, nominal = ~contact, data = wine))
  expect_snapshot(pom(rating ~ temp, data = wine, link = "log"), error = TRUE)
  expect_snapshot(pom(rating ~ temp, data = wine, scale = 1), error = TRUE)
  expect_snapshot(pom(am ~ wt, data = mtcars, threshold = "symmetric"), error = TRUE)
  expect_snapshot(pom(rating ~ temp, data = wine, link = "robit", penalty = 1), error = TRUE)
  expect_snapshot(hatvalues(pom(rating ~ temp, data = wine, scale = ~temp)), error = TRUE)
  expect_snapshot(fit <- pom(y ~ x, data.frame(y = rep(1:3, each = 20), x = 1:60), link = "probit"))
})

test_that("penalized fits solve the penalized score equations, with effects in units of column spread", {
  d <- within(mtcars, w <- rep(1:2, 16))
  for (structure in c("flexible", "equidistant")) {
    expect_warning(fit <- pom(gear ~ wt, d, w, nominal = ~qsec, scale = ~disp, threshold = structure, penalty = 3),
                   class = "judicious_warning_crossing")
    spread <- function(x) sqrt(stats::weighted.mean((x - stats::weighted.mean(x, d$w))^2, d$w))
    effect <- c("1" = 0, qsec = spread(d$qsec), wt = spread(d$wt), disp = spread(d$disp))
    size <- effect[c("1", "1", "qsec", "qsec", "wt", "disp")]
    expect_equal(colSums(estfun.judicious_pom(fit)), 3 * size^2 * coef(fit), tolerance = 1e-8, ignore_attr = TRUE)
    expect_lt(fit$df, 6)
    expect_equal(coef(pom(gear ~ wt, d, w, scale = ~disp, penalty = 1e9))[["scale:disp"]], 0, tolerance = 1e-6)
  }
  plain <- pom(gear ~ wt + qsec, d, w, penalty = 2)
  parts <- list(x = model.matrix(plain)[, -1], n = cbind(`(Intercept)` = rep(1, 32)), z = matrix(0, 32, 0))
  design <- list(response = list(codes = plain$y, levels = plain$levels), weights = d$w)
  same <- general_fit(parts$x, parts$n, parts$z, design, "logit", "flexible", plain$control)
  expect_equal(same$parameters, coef(plain), tolerance = 1e-10)
  expect_equal(same[c("loglik", "df")], plain[c("loglik", "df")], tolerance = 1e-10)
  expect_equal(same$covariance, vcov(plain), tolerance = 1e-10)
})

# Data with heavy tails, few rows, and weights over six orders of magnitude.
hard_design <- function(seed) {
  with_seed(seed, {
    n <- sample(c(8, 20, 60, 200), 1)
    p <- sample(1:4, 1)
    x <- matrix(switch(sample(3, 1), rnorm(n * p), rbinom(n * p, 1, 0.4), rt(n * p, 2) * 10), n)
    colnames(x) <- paste0("x", seq_len(p))
    latent <- drop(x %*% rnorm(p, 0, sample(c(0.3, 1, 3), 1))) + rcauchy(n)
    data.frame(y = factor(cut(latent, 4, labels = FALSE)), x, w = 10^runif(n, 0, 6))
  })
}

# clm()'s own value is imprecise far in the upper tail, so the likelihood is computed again from its estimates, by
# differences of probabilities in the nearer tail.
exact_loglik <- function(fit, d, link) {
  eta <- drop(as.matrix(d[names(fit$beta)]) %*% fit$beta)
  limits <- cbind(-Inf, outer(-eta, fit$alpha, `+`), Inf)
  at <- function(k) limits[cbind(seq_along(eta), as.integer(d$y) + k)]
  lower <- link_cdf_cpp(link, at(1), TRUE) - link_cdf_cpp(link, at(0), TRUE)
  upper <- link_cdf_cpp(link, at(0), FALSE) - link_cdf_cpp(link, at(1), FALSE)
  sum(d$w * log(ifelse(link_cdf_cpp(link, at(0), TRUE) > 0.5, upper, lower)))
}

test_that("on difficult designs with four links, no likelihood is lower than that of ordinal::clm()", {
  for (seed in 1:40) {
    d <- hard_design(seed)
    link <- c("cloglog", "cauchit", "loglog", "probit")[1 + seed %% 4]
    formula <- reformulate(setdiff(names(d), c("y", "w")), "y")
    theirs <- tryCatch(suppressWarnings(ordinal::clm(formula, data = d, weights = w, link = link)),
                       error = function(cnd) NULL)  # clm fails on some of them
    if (nlevels(d$y) < 2 || is.null(theirs)) next
    ours <- suppressMessages(suppressWarnings(pom(formula, d, weights = w, link = link)))
    best <- exact_loglik(theirs, d, link)
    expect_gt(ours$loglik, best - 1e-6 * max(1, abs(best)))
  }
})

test_that("if the likelihood has two maxima with opposite scale effects, the higher one is found", {
  d <- data.frame(y = c(2, 4, 2, 1, 3, 1, 5, 5, 3, 5, 4, 1), f = gl(3, 1, 12),
                  u = c(-0.21, 0.4, -0.2, -0.38, 0.43, -1.76, -0.25, 2.24, 0.51, -0.07, -1.03, -0.65),
                  v = c(-0.03, 0.92, -0.96, -0.78, 1.2, -1.46, -1.17, 0.87, -1.17, -1.17, -1.85, 0.34))
  ours <- pom(y ~ u + f, scale = ~v, data = d, link = "cloglog")
  theirs <- clm_exact(ordered(y) ~ u + f, scale = ~v, data = d, link = "cloglog")
  expect_equal(ours$loglik, as.numeric(logLik(theirs)), tolerance = 1e-9)
})

test_that("offsets and text variables in scale, and text in nominal, agree with ordinal::clm()", {
  skip_if_not_installed("ordinal")
  set.seed(3)
  d <- data.frame(x = rnorm(200), z = runif(200), text = sample(c("b", "a", "c"), 200, TRUE), o = runif(200, -0.3, 0.3),
                  w = sample(3, 200, TRUE))
  latent <- d$x + (d$text == "b") + exp(0.5 * d$z + d$o) * rlogis(200)
  d$y <- cut(latent, c(-Inf, -1, 0.5, 2, Inf), ordered_result = TRUE)
  for (scale in list(~ z + offset(o), ~ text + offset(o + z), ~ offset(o))) {
    fit <- pom(y ~ x + offset(z), d, scale = scale, weights = w)
    peer <- ordinal::clm(y ~ x + offset(z), scale = scale, data = d, weights = w)
    expect_equal(fit$loglik, as.numeric(peer$logLik), tolerance = 1e-10)
    expect_equal(unname(coef(fit)[-(1:3)]), unname(coef(peer)[-(1:3)]), tolerance = 1e-6)
    new <- data.frame(x = 0.3, z = c(0, 0.5), text = c("a", "c"), o = 0.2)
    expect_equal(unname(predict(fit, new)), unname(predict(peer, new)$fit), tolerance = 1e-6)
    expect_equal(predict(fit, d), predict(fit))
  }
  fit <- pom(y ~ x, d, nominal = ~text)
  peer <- ordinal::clm(y ~ x, nominal = ~text, data = d)
  expect_equal(fit$loglik, as.numeric(peer$logLik), tolerance = 1e-10)
  expect_equal(unname(predict(fit, d[1:9, ])), unname(predict(peer, d[1:9, -6])$fit), tolerance = 1e-6)
})

test_that("scale columns with a mean far from 0 give the fit of centred columns", {
  set.seed(4)
  d <- data.frame(x = rnorm(200), z = rnorm(200), f = gl(2, 1, 200))
  d$y <- cut(d$x + exp(0.5 * d$z) * rlogis(200), c(-Inf, -1, 0.5, 2, Inf), ordered_result = TRUE)
  centred <- pom(y ~ x + f, d, scale = ~z)
  far <- function(mean) suppressWarnings(pom(y ~ x + f, transform(d, z = z + mean), scale = ~z))
  for (mean in c(5, 1000)) {
    fit <- far(mean)
    expect_equal(fit$loglik, centred$loglik, tolerance = 1e-12)
    expect_equal(coef(fit)[["scale:z"]], coef(centred)[["scale:z"]], tolerance = 1e-10)
    expect_equal(predict(fit), predict(centred), tolerance = 1e-10)
    expect_equal(vcov(fit)["scale:z", "scale:z"], vcov(centred)["scale:z", "scale:z"], tolerance = 1e-8)
  }
  skip_if_not_installed("ordinal")
  peer <- ordinal::clm(y ~ x + f, scale = ~ I(z + 5), data = d)
  sign <- c(-1, -1, -1, 1, 1, 1)
  expect_equal(vcov(far(5)), vcov(peer) * outer(sign, sign), tolerance = 1e-6, ignore_attr = TRUE)
  expect_warning(pom(y ~ x + f, transform(d, z = z + 1e5), scale = ~z), class = "judicious_warning_convergence")
})

test_that("the formulas for nominal and scale may be text, and the response a matrix of one column", {
  wine <- if (requireNamespace("ordinal", quietly = TRUE)) ordinal::wine else skip("ordinal is not installed")
  by_text <- pom(rating ~ contact, data = wine, scale = "~ temp")
  expect_equal(coef(by_text), coef(pom(rating ~ contact, data = wine, scale = ~temp)))
  expect_equal(predict(by_text, wine), predict(by_text))
  y <- matrix(mtcars$gear)
  expect_equal(coef(pom(y ~ wt, mtcars)), coef(pom(gear ~ wt, mtcars)))
})

test_that("with few rows, the highest of several maxima of the likelihood is found", {
  # Started from the marginal thresholds, Newton's method ends at the log likelihood -21.74, where v alone explains the
  # response.
  with_seed(21, d <- data.frame(u = rnorm(30), v = 4 * rnorm(30)))
  d$y <- with_seed(22, findInterval(1.5 * d$u + rlogis(30), 0))
  for (link in c("loglog", "cauchit")) {
    fit <- suppressWarnings(pom(y ~ u, d, link = link, scale = ~v))
    best <- max(vapply(seq(-2, 2, 0.25), function(zeta) {
      value <- function(p) {
        limit <- (p[1] - p[2] * d$u) * exp(-p[3] * d$v)
        below <- if (link == "cauchit") pcauchy(limit) else exp(-exp(-limit))
        -sum(log(pmax(ifelse(d$y == 0, below, 1 - below), 1e-300)))
      }
      -stats::optim(c(0, 1, zeta), value, control = list(maxit = 5000, reltol = 1e-14))$value
    }, 0))
    expect_gt(fit$loglik, best - 1e-5)
  }
})

test_that("fits of many rows converge in few iterations, without warnings, and equal those of counts", {
  d <- with_seed(1, data.frame(y = sample(1:4, 20000, TRUE), g = sample(letters[1:4], 20000, TRUE)))
  for (link in c("probit", "cloglog", "loglog", "cauchit")) {
    expect_no_warning(fit <- pom(y ~ g, d, link = link))
    expect_identical(fit$convergence$status, "converged")
    expect_lt(fit$convergence$iterations, 8)
    counts <- as.data.frame(table(d), responseName = "n")
    expect_equal(coef(fit), coef(pom(y ~ g, counts, weights = n, link = link)), tolerance = 1e-9)
  }
})

test_that("ridge fits, leverages and expected information agree with their definitions, with five links", {
  d <- transform(mtcars, gear = ordered(gear), wt = wt / 2)
  for (link in c("logit", "probit", "cloglog", "loglog", "cauchit")) {
    fit <- pom(gear ~ wt + qsec, d, link = link)
    # The fit with a ridge penalty equals that by a general optimiser.
    sd <- sqrt(colMeans(sweep(d[c("wt", "qsec")], 2, colMeans(d[c("wt", "qsec")]))^2))
    limits <- function(p) cbind(-Inf, outer(-drop(as.matrix(d[c("wt", "qsec")]) %*% p[3:4]), p[1:2], `+`), Inf)
    loglik <- function(p) {
      l <- limits(p)
      at <- function(k) l[cbind(seq_len(nrow(d)), as.integer(d$gear) + k)]
      sum(log(link_cdf_cpp(link, at(1), TRUE) - link_cdf_cpp(link, at(0), TRUE)))
    }
    ridge <- pom(gear ~ wt + qsec, d, link = link, penalty = 2)
    value <- function(p) loglik(p) - sum((p[3:4] * sd)^2)
    own <- unname(c(-ridge$alpha, ridge$beta))
    expect_equal(as.numeric(logLik(ridge)), loglik(own), tolerance = 1e-10)
    best <- stats::optim(own, value, method = "BFGS", control = list(fnscale = -1, reltol = 1e-14))
    expect_lt(best$value - value(own), 1e-9)
    # Leverages sum to the number of coefficients.
    expect_equal(sum(hatvalues(fit)), length(coef(fit)), tolerance = 1e-8)
    # The expected information is the mean of the observed information over responses that the model predicts.
    expected <- expected_information(fit)
    prob <- predict(fit, type = "prob")
    sum_over <- Reduce(`+`, lapply(seq_len(nrow(prob)), function(i) {
      Reduce(`+`, lapply(seq_len(ncol(prob)), function(k) {
        h <- 1e-4
        one <- function(p) {
          l <- limits(p)[i, k + 0:1]
          log(link_cdf_cpp(link, l[2], TRUE) - link_cdf_cpp(link, l[1], TRUE))
        }
        at <- unname(c(-fit$alpha, fit$beta))
        g <- vapply(1:4, function(j) (one(at + h * (1:4 == j)) - one(at - h * (1:4 == j))) / (2 * h), 0)
        if (prob[i, k] > 1e-9) prob[i, k] * outer(g, g) else matrix(0, 4, 4)
      }))
    }))
    sign <- c(-1, -1, 1, 1)
    expect_equal(unname(expected), sum_over * outer(sign, sign), tolerance = 1e-6)
  }
})

test_that("pom_fit(), pom() and the general likelihood agree, with four links, on a design with 80 slopes", {
  d <- with_seed(2, data.frame(y = sample(1:4, 3000, TRUE), g = factor(sample(80, 3000, TRUE)), x = rnorm(3000)))
  x <- model.matrix(~ g + x, d)
  for (link in c("probit", "cloglog", "cauchit", "robit(5)")) {
    dense <- pom_fit(x, d$y, link = link_family(link), link_parameter = link_parameter(link))
    formula <- pom(y ~ g + x, d, link = link_family(link), link_parameter = link_parameter(link))
    expect_s4_class(Matrix::Matrix(x, sparse = TRUE), "dgCMatrix")
    expect_equal(coef(dense), coef(formula), tolerance = 1e-8)
    expect_equal(unname(vcov(dense)), unname(vcov(formula)), tolerance = 1e-7)
    core <- list(link = link, structure = diag(3), nominal = matrix(1, 3000, 1), location = x[, -1], y = d$y,
                 scale = matrix(0, 3000, 0), weights = rep(1, 3000), offset = numeric(3000),
                 scale_offset = numeric(3000))
    other <- cumulative_link_pass_cpp(core, unname(c(-formula$alpha, formula$beta)))
    expect_equal(other$value, as.numeric(logLik(formula)), tolerance = 1e-12)
    expect_lt(max(abs(other$gradient)), 1e-5)
  }
})

test_that("crossing thresholds give a warning, and predicted probabilities remain valid", {
  d <- with_seed(3, {
    x <- rnorm(200)
    data.frame(x, y = as.integer(cut(x + rlogis(200) * exp(0.8 * x), c(-Inf, -2, 0, 2, Inf))))
  })
  crossing <- "judicious_warning_crossing"
  expect_warning(fit <- pom(y ~ 1, d, nominal = ~x), class = crossing)
  expect_warning(own <- predict(fit), class = crossing)
  theta <- cbind(1, d$x) %*% t(matrix(-coef(fit), 3))
  expect_equal(rowSums(own), rep(1, 200), ignore_attr = TRUE)
  sorted <- t(apply(theta, 1, sort))
  expect_equal(unname(own), cbind(plogis(sorted), 1) - cbind(0, plogis(sorted)), ignore_attr = TRUE)
  expect_gt(sum(theta != sorted), 0)
  expect_warning(predict(fit, data.frame(x = c(0, 6)), type = "mean"), "thresholds of 1 row cross")
  expect_no_warning(predict(fit, data.frame(x = c(0, NA))), class = crossing)
  expect_warning(marginal_means(fit, "x", at = 6), class = crossing)
  skip_if_not_installed("emmeans")
  expect_warning(emmeans::emmeans(fit, ~x, at = list(x = 6), mode = "mean"), class = crossing)
})
