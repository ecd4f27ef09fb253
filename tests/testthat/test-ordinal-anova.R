housing_fit <- function(formula = Sat ~ Infl + Type + Cont) pom(formula, data = MASS::housing, weights = Freq)

test_that("likelihood ratio tests agree with MASS", {
  skip_if_not_installed("MASS")
  small <- MASS::polr(Sat ~ Infl, data = MASS::housing, weights = Freq)
  large <- MASS::polr(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
  theirs <- anova(small, large)
  ours <- anova(housing_fit(Sat ~ Infl), housing_fit())
  expect_equal(ours$Chisq[2], theirs[["LR stat."]][2], tolerance = 1e-5)
  expect_equal(ours$Df[2], 4)
  expect_equal(anova(housing_fit(), housing_fit(Sat ~ Infl)), ours)
})

test_that("anova() of one model adds its terms in order, and the last row is the full model", {
  table <- anova(housing_fit())
  expect_equal(table$`Log likelihood`[4], -1739.5746495295, tolerance = 1e-11)
  expect_equal(table$Df, c(NA, 2, 3, 1))
  expect_equal(sum(table$Chisq[-1]), 2 * diff(range(table$`Log likelihood`)))
})

test_that("Wald statistics are squared z values, and score statistics agree with numerical gradients", {
  large <- housing_fit()
  small <- housing_fit(Sat ~ Infl + Type)
  expect_equal(anova(small, large, test = "Wald")$Chisq[2], summary(large)$slopes["ContHigh", "z value"]^2)
  # The score statistic: the numerical gradient of the larger model's likelihood at the smaller fit, with the efficient
  # information.
  housing <- MASS::housing
  x <- model.matrix(large)[, -1]
  loglik <- function(parameters) {
    theta <- parameters[1:2]
    eta <- x %*% parameters[-(1:2)]
    y <- as.integer(housing$Sat)
    sum(housing$Freq * log(plogis(c(theta, Inf)[y] - eta) - plogis(c(-Inf, theta)[y] - eta)))
  }
  at <- c(-small$alpha, small$beta, 0)
  gradient <- vapply(seq_along(at), function(i) {
    h <- replace(numeric(length(at)), i, 1e-5)
    (loglik(at + h) - loglik(at - h)) / 2e-5
  }, 0)
  theta <- -unname(small$alpha)
  rows <- flexible_rows(theta, small$linear_predictor, rep(1L, nrow(x)), x, housing$Freq, "logit")
  information <- cumulative_link_information_cpp(rows, c(theta, numeric(ncol(x))))
  expect_equal(anova(small, large, test = "score")$Chisq[2], drop(gradient %*% solve(information, gradient)),
               tolerance = 1e-6)
})

test_that("drop1(), add1(), step() and update() accept ordinal models", {
  ours <- drop1(housing_fit(), test = "Chisq")
  theirs <- drop1(MASS::polr(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq), test = "Chisq")
  expect_equal(ours$AIC, theirs$AIC, tolerance = 1e-6)
  expect_equal(ours$LRT, theirs$LRT, tolerance = 1e-4)
  expect_equal(add1(housing_fit(Sat ~ Infl), ~ . + Cont)$AIC[2], AIC(housing_fit(Sat ~ Infl + Cont)))
  expect_equal(coef(step(housing_fit(), trace = 0)), coef(housing_fit()))
  expect_equal(formula(step(housing_fit(), trace = 0)), formula(housing_fit()))
  expect_equal(coef(update(housing_fit(), . ~ . - Cont)), coef(housing_fit(Sat ~ Infl + Type)))
})

test_that("anova() of models fitted to different rows raises an error", {
  d <- data.frame(y = ordered(rep(1:3, 10)), a = c(NA, seq_len(29) %% 7), b = seq_len(30) %% 4)
  expect_snapshot(anova(pom(y ~ a, d), pom(y ~ b, d)), error = TRUE)
})

test_that("models with equal formulas that differ otherwise have different labels", {
  fit <- pom(Sat ~ Infl + Type, data = MASS::housing, weights = Freq)
  table <- anova(fit, update(fit, scale = ~Type))
  expect_match(rownames(table)[2], ", scale = ~Type", fixed = TRUE)
})

test_that("drop1() keeps the rows of the model, and add1() and step() raise an error if the rows change", {
  d <- transform(mtcars, gear = ordered(gear), qsec = replace(qsec, c(3, 8, 20), NA), w = rep(1:2, 16))
  complete <- d[!is.na(d$qsec), ]
  expect_equal(drop1(pom(gear ~ wt + qsec, d, weights = w)), drop1(pom(gear ~ wt + qsec, complete, weights = w)))
  few <- pom(gear ~ wt + qsec, d, subset = hp < 200)
  expect_equal(drop1(few), drop1(pom(gear ~ wt + qsec, complete, subset = hp < 200)))
  d$g <- gl(4, 8)
  mixed <- pom(gear ~ wt + qsec + (1 | g), d, sd = c(g = 0.5))
  expect_equal(drop1(mixed), drop1(pom(gear ~ wt + qsec + (1 | g), d[!is.na(d$qsec), ], sd = c(g = 0.5))))
  fit <- pom(gear ~ wt, d)
  expect_error(add1(fit, ~ . + qsec), class = "judicious_error_not_comparable")
  expect_error(add1(pom(gear ~ wt + (1 | g), d, sd = c(g = 0.5)), ~ . + qsec), class = "judicious_error_not_comparable")
  expect_snapshot(error = TRUE, step(pom(gear ~ wt + qsec, d), trace = 0))
  # Rows without a response are missing in every model.
  fit <- pom(gear ~ wt + hp, transform(mtcars, gear = replace(gear, 3, NA)))
  expect_equal(formula(step(fit, trace = 0)), formula(step(pom(gear ~ wt + hp, mtcars[-3, ]), trace = 0)))
})

test_that("anova() tests nested models only, and labels models by link", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  fit <- pom(rating ~ temp, wine)
  table <- anova(fit, pom(rating ~ contact + judge, wine))
  expect_true(all(is.na(table[c("Chisq", "Df", "Pr(>Chisq)")])))
  expect_match(attr(table, "heading"), "compare their AIC")
  probit <- anova(fit, pom(rating ~ temp + contact, wine, link = "probit"))
  expect_identical(rownames(probit), c("rating ~ temp", "rating ~ temp + contact, link = \"probit\""))
  expect_match(attr(probit, "heading"), "^Cumulative-link models")
  expect_true(is.na(probit$Chisq[2]))
  expect_true(is.na(anova(pom(rating ~ temp, wine, scale = ~contact),
                          pom(rating ~ temp, wine, nominal = ~contact))$Chisq[2]))
  # These models are nested: with other names of columns, with an offset, with nominal effects, and with the parameter
  # of a link.
  other <- pom(rating ~ contact + I(2 - as.integer(temp)), wine)
  expect_equal(anova(fit, other)$Chisq[2], 2 * c(logLik(other) - logLik(fit)))
  known <- pom(rating ~ offset(1.5 * (temp == "warm")), wine)
  expect_equal(anova(known, fit)$Chisq[2], 2 * c(logLik(fit) - logLik(known)))
  expect_true(is.na(anova(known, pom(rating ~ contact, wine))$Chisq[2]))
  nominal <- suppressWarnings(pom(rating ~ 1, wine, nominal = ~temp))
  expect_equal(anova(fit, nominal)$Chisq[2], 2 * c(logLik(nominal) - logLik(fit)))
  expect_true(is.na(anova(fit, nominal, test = "Wald")$Chisq[2]))
  expect_true(is_special_link("probit", list(link = "robit(4)", link_name = "link:df")))
  expect_false(is_special_link("cloglog", list(link = "robit(4)", link_name = "link:df")))
  expect_false(is_special_link("probit", list(link = "robit(4)")))
  mixed <- pom(rating ~ temp + (1 | judge), wine)
  quadrature <- suppressMessages(pom(rating ~ contact + temp + (1 | judge), wine, nAGQ = 5))
  expect_true(is.na(anova(mixed, quadrature)$Chisq[2]))
})

test_that("anova() of fits that do not maximise the likelihood uses Wald tests", {
  fits <- lapply(list(list(method = "bias_reduced"), list(penalty = 2)), function(settings) {
    do.call(pom, c(list(gear ~ wt + qsec, quote(mtcars)), settings))
  })
  for (fit in fits) {
    table <- anova(fit)
    z <- summary(fit)$slopes["qsec", "z value"]
    expect_match(attr(table, "heading"), "Wald tests")
    expect_equal(c(table$Chisq[3], table$Df[3]), c(z^2, 1))
    expect_error(anova(fit, test = "LR"), class = "judicious_error_argument")
    expect_error(anova(fit, test = "score"), class = "judicious_error_argument")
    expect_error(drop1(fit, test = "Chisq"), class = "judicious_error_argument")
    expect_s3_class(drop1(fit), "anova")
  }
})

test_that("likelihood ratio and bootstrap tests accept models with and without random effects in any order", {
  skip_if_not_installed("ordinal")
  fixed <- pom(rating ~ temp, ordinal::wine)
  mixed <- pom(rating ~ temp + (1 | judge), ordinal::wine)
  by <- function(...) anova(..., nsim = 3, seed = 1)
  expect_equal(by(fixed, mixed, test = "bootstrap"), by(mixed, fixed, test = "bootstrap"))
  expect_equal(by(fixed, mixed, test = "LR"), by(mixed, fixed, test = "Chisq"))
  expect_match(attr(by(fixed, mixed), "heading"), "^Mixed proportional-odds models")
  expect_error(by(mixed, fixed, test = "Wald"), class = "judicious_error_mixed_model")
  expect_error(by(fixed, test = "bootstrap"), class = "judicious_error_argument")
  # Without random effects, the bootstrap distribution of the likelihood ratio is discrete, but close to chi-squared.
  small <- pom(gear ~ wt, mtcars)
  large <- pom(gear ~ wt + hp, mtcars)
  bootstrap <- anova(small, large, test = "bootstrap", nsim = 99, seed = 1)
  expect_lt(abs(bootstrap$`Pr(>Chisq)`[2] - anova(small, large)$`Pr(>Chisq)`[2]), 0.1)
})

test_that("warnings of drop1() and add1() name the term", {
  d <- with_seed(1, data.frame(y = rep(1:3, each = 20), s = rep(0:1, c(40, 20)), a = rnorm(60), b = rnorm(60)))
  separated <- suppressWarnings(pom(y ~ s + a, d))
  expect_warning(drop1(separated), "^Without `a`: The data are separated", class = "judicious_warning_separation")
  expect_warning(add1(pom(y ~ a, d), ~ . + s), "^With `s`: The data are separated")
  expect_no_warning(drop1(pom(y ~ a + b, d)))
})

test_that("a note explains the tests of terms that also have nominal effects", {
  wine <- ordinal::wine
  fit <- suppressMessages(pom(rating ~ contact + temp, wine, nominal = ~contact))
  expect_match(attr(suppressMessages(drop1(fit)), "heading"), "Df 0 are the same model", all = FALSE)
  expect_match(attr(suppressMessages(anova(fit)), "heading"), "Df 0 are the same model", all = FALSE)
  expect_no_match(attr(drop1(pom(rating ~ contact + temp, wine)), "heading"), "Df 0")
})

test_that("warnings about separation name the tested effect", {
  expect_warning(proportional_odds_test(pom(rating ~ temp + contact, ordinal::wine), "likelihood_ratio"),
                 "nominal effect of `temp`", class = "judicious_warning_separation")
})

test_that("a mixed model that step() does not change keeps its random terms", {
  fit <- pom(rating ~ temp + contact + (1 | judge), ordinal::wine)
  found <- step(fit, trace = 0)
  expect_output(print(found), "temp + contact + (1 | judge)", fixed = TRUE)
  expect_equal(response_refitter(found)(fit$model$rating), as.numeric(logLik(fit)), tolerance = 1e-8)
})

test_that("models are nested only if the larger one can have the smaller one's standard deviation and link", {
  nested <- function(small, large) is_nested(small, large)
  fixed <- function(...) pom(rating ~ temp + (1 | judge), ordinal::wine, ...)
  expect_true(nested(fixed(sd = 1), fixed(sd = 1)))
  expect_true(nested(fixed(sd = 1), fixed()))
  expect_false(nested(fixed(sd = 1), fixed(sd = 2)))
  expect_false(nested(fixed(), fixed(sd = 1)))
  estimated <- list(link = "robit(3)", link_name = "link:df")
  expect_true(is_special_link("cauchit", estimated))
  expect_false(is_special_link("cloglog", estimated))
  unlike <- anova(pom(rating ~ temp, ordinal::wine), pom(rating ~ contact, ordinal::wine), test = "bootstrap", nsim = 9,
                  seed = 1)
  expect_no_match(attr(unlike, "heading"), "same model")
})

test_that("a note of anova() states that fits with different nAGQ cannot be tested", {
  wine <- ordinal::wine
  fits <- list(pom(rating ~ temp + (1 | judge), wine), pom(rating ~ temp + contact + (1 | judge), wine, nAGQ = 3))
  expect_match(attr(do.call(anova, fits), "heading"), "Models of different nAGQ", all = FALSE)
})

test_that("drop1(), step() and update() leave contrasts of the removed variables out", {
  data <- transform(mtcars, cyl = factor(cyl))
  fit <- pom(carb ~ wt + cyl, data, contrasts = list(cyl = "contr.sum"))
  expect_silent(tests <- drop1(fit))
  expect_equal(tests$AIC, c(AIC(fit), AIC(pom(carb ~ cyl, data)), AIC(pom(carb ~ wt, data))))
  without_data <- with(data, pom(carb ~ wt + cyl, contrasts = list(cyl = "contr.sum")))
  expect_equal(drop1(without_data)$AIC, tests$AIC)
  expect_message(small <- update(fit, . ~ . - cyl), "contrasts of \"cyl\" are not used",
                 class = "judicious_message_contrasts")
  expect_equal(coef(small), coef(pom(carb ~ wt, data)))
  with_scale <- pom(carb ~ wt + cyl, data, scale = ~vs, contrasts = list(cyl = "contr.sum"))
  expect_equal(drop1(with_scale)$AIC[3], AIC(pom(carb ~ wt, data, scale = ~vs)))
  expect_message(pom(carb ~ wt + factor(gear), data, contrasts = list(gear = "contr.sum")), "contrasts of \"gear\"")
  expect_snapshot(error = TRUE, pom(carb ~ wt, data, contrasts = list(geer = "contr.sum")))
})
