test_that("emmeans gives the marginal means that it gives for ordinal::clm()", {
  skip_if_not_installed("emmeans")
  skip_if_not_installed("ordinal")
  ours <- pom(rating ~ temp + contact, data = ordinal::wine)
  theirs <- ordinal::clm(rating ~ temp + contact, data = ordinal::wine, control = list(gradTol = 1e-10))
  of <- function(fit, ...) as.data.frame(emmeans::emmeans(fit, ~temp, ...))
  expect_equal(of(ours)[c("emmean", "SE")], of(theirs)[c("emmean", "SE")], tolerance = 1e-5)
  expect_equal(of(ours, mode = "mean")$SE, of(theirs, mode = "mean.class")$SE, tolerance = 1e-4)
  # marginal_means() averages over the rows; the design is balanced, so they agree.
  expect_equal(marginal_means(ours, "temp")$estimate, of(ours, mode = "mean")$emmean, tolerance = 1e-6)
})

test_that("standard errors in emmeans do not depend on the origin of a column", {
  skip_if_not_installed("emmeans")
  d <- data.frame(y = cut(quakes$mag, c(4, 4.4, 4.8, 7)), x = as.vector(scale(quakes$lat)), z = quakes$depth)
  errors <- function(data) {
    as.data.frame(emmeans::emmeans(pom(y ~ x + z, data), ~ y | z, at = list(z = c(100, 400)), mode = "prob"))$SE
  }
  expect_equal(errors(transform(d, x = x + 1e5)), errors(d), tolerance = 1e-4)
})

test_that("marginal probabilities sum to 1, and their standard errors agree with resampled coefficients", {
  fit <- pom(gear ~ wt + hp, data = mtcars)
  table <- marginal_means(fit, "wt", at = c(2, 3), type = "prob")
  expect_equal(tapply(table$estimate, table$wt, sum), c("2" = 1, "3" = 1), ignore_attr = TRUE)
  draws <- with_seed(2, {
    root <- chol(vcov(fit))
    replicate(4000, {
      coefs <- coef(fit) + drop(rnorm(4) %*% root)
      mean(plogis(coefs[2] + 3 * coefs[3] + mtcars$hp * coefs[4]))
    })
  })
  # The delta method is an approximation, so standard errors agree only roughly with those of draws.
  expect_lt(abs(log(table$sd[table$wt == 3 & table$response == "5"] / sd(draws))), 0.5)
  # The mean requires levels that are numbers.
  named <- pom(factor(c("low", "mid", "high")[gear - 2], c("low", "mid", "high")) ~ wt + hp, data = mtcars)
  expect_equal(marginal_means(named, "wt", at = c(2, 3))$estimate, table$estimate)
  expect_snapshot(error = TRUE, {
    marginal_means(named, "wt", type = "mean")
    marginal_means(fit, "cyl")
  })
})

# Version 1.0.0 of marginaleffects calls `%||%`, which exists in R 4.4 and later.
local_null_default <- function(env = parent.frame()) {
  skip_if_not_installed("marginaleffects")
  if (getRversion() >= "4.4.0") return(invisible())
  assign("%||%", rlang::`%||%`, globalenv())
  withr::defer(rm("%||%", envir = globalenv()), envir = env)
}

test_that("marginaleffects gives by default what it gives for polr()", {
  local_null_default()
  skip_if_not_installed("MASS")
  from <- function(name) getExportedValue("marginaleffects", name)
  cars <- transform(mtcars, gear = ordered(gear))
  ours <- pom(gear ~ wt + hp, cars)
  theirs <- MASS::polr(gear ~ wt + hp, cars, Hess = TRUE, control = list(reltol = 1e-14))
  by_term <- function(table) as.data.frame(table)[order(table$term, as.character(table$group)), ]
  for (name in c("avg_slopes", "avg_comparisons")) {
    tables <- lapply(list(ours, theirs), function(fit) by_term(from(name)(fit)))
    expect_equal(tables[[1]]$estimate, tables[[2]]$estimate, tolerance = 1e-4)
    expect_equal(tables[[1]]$std.error, tables[[2]]$std.error, tolerance = 0.02)
  }
  expect_equal(from("avg_predictions")(ours)$estimate, unname(colMeans(predict(ours))), tolerance = 1e-8)
  # Grids without all levels of a factor, to which marginaleffects adds rows.
  cars$cyl <- factor(cars$cyl)
  crossed <- list(pom(gear ~ wt + cyl, cars), MASS::polr(gear ~ wt + cyl, cars, Hess = TRUE))
  means <- lapply(crossed, function(fit) from("predictions")(fit, newdata = "mean")$estimate)
  expect_equal(means[[1]], means[[2]], tolerance = 1e-3)
  mixed <- pom(gear ~ wt + hp + (1 | cyl), cars, sd = c(cyl = 1))
  expect_setequal(from("avg_slopes")(mixed)$term, c("wt", "hp"))
  expect_setequal(from("avg_slopes")(pom(gear ~ wt, cars, scale = ~hp))$term, c("wt", "hp"))
})

test_that("predictions for marginaleffects have the numbers of their rows and the order of the levels", {
  fit <- pom(Sat ~ Infl, MASS::housing, weights = Freq)
  rows <- data.frame(Infl = c("Low", "High"), rowid = c(-1, 7))
  predicted <- get_predict.judicious_pom(fit, rows)
  expect_identical(predicted$rowid, rep(c(-1, 7), 3))
  expect_identical(levels(predicted$group), c("Low", "Medium", "High"))
  expect_equal(predicted$estimate, as.vector(predict(fit, rows)))
})

test_that("parsnip fits models with the engine judicious", {
  skip_if_not_installed("parsnip")
  parsnip <- asNamespace("parsnip")
  skip_if_not(exists("ordinal_reg", parsnip))
  cars <- transform(mtcars, gear = ordered(gear, levels = 2:5), cyl = factor(cyl))
  model <- parsnip$set_engine(parsnip$ordinal_reg(ordinal_link = "probit"), "judicious")
  fit <- suppressMessages(generics::fit(model, gear ~ wt + cyl, data = cars))
  own <- suppressMessages(pom(gear ~ wt + cyl, cars, link = "probit"))
  expect_equal(coef(fit$fit), coef(own))
  of <- function(type) stats::predict(fit, cars, type = type)
  expect_equal(as.matrix(of("prob")), cbind(0, predict(own, cars)), ignore_attr = TRUE)
  expect_equal(as.character(of("class")[[1]]), as.character(predict(own, cars, type = "class")))
  expect_equal(of("linear_pred")[[1]], predict(own, cars, type = "link"), ignore_attr = TRUE)
  ridge <- parsnip$set_engine(parsnip$ordinal_reg(penalty = 2), "judicious")
  expect_equal(coef(generics::fit(ridge, gear ~ wt, data = droplevels(cars))$fit),
               coef(pom(gear ~ wt, droplevels(cars), penalty = 2)))
})

test_that("insight distinguishes predictors from groups of random effects", {
  skip_if_not_installed("insight")
  cars <- transform(mtcars, gear = ordered(gear))
  mixed <- pom(gear ~ wt + (1 | cyl), cars, sd = c(cyl = 1), scale = ~hp)
  if (utils::packageVersion("insight") >= "1.0") skip_if_not_installed("reformulas")
  expect_equal(unclass(insight::find_random(mixed)), list(random = "cyl"))
  expect_equal(insight::find_predictors(mixed, effects = "fixed", flatten = TRUE), c("wt", "hp"))
  expect_warning(nominal <- pom(gear ~ wt, cars, nominal = ~qsec), class = "judicious_warning_crossing")
  expect_equal(insight::find_predictors(nominal)$conditional, c("wt", "qsec"))
})

test_that("insight and performance support pom() models", {
  skip_if_not_installed("insight")
  fit <- pom(gear ~ wt + hp, data = mtcars)
  expect_equal(insight::find_predictors(fit)$conditional, c("wt", "hp"))
  expect_true(insight::model_info(fit)$is_ordinal)
  expect_equal(insight::get_statistic(fit)$Statistic, unname(coef(fit) / sqrt(diag(vcov(fit)))))
  skip_if_not_installed("performance")
  expect_equal(performance::model_performance(fit)$AIC, AIC(fit))
  expect_equal(unname(performance::r2(fit)[[1]]), fit_statistics(fit)$nagelkerke)
})

test_that("modelsummary makes a table of pom() models", {
  skip_if_not_installed("modelsummary")
  skip_if_not_installed("broom")  # which modelsummary needs
  table <- getExportedValue("modelsummary", "modelsummary")(pom(gear ~ wt, data = mtcars), output = "data.frame")
  expect_true("wt" %in% table$term)
})

test_that("broom and parameters read the coefficients", {
  skip_if_not_installed("broom")
  skip_if_not_installed("parameters")
  fit <- pom(gear ~ wt + hp, data = mtcars)
  expect_identical(getExportedValue("broom", "tidy")(fit), generics::tidy(fit))
  read <- getExportedValue("parameters", "model_parameters")(fit)
  expect_equal(read$Coefficient[match(c("wt", "hp"), read$Parameter)], unname(fit$beta))
  expect_equal(read$SE[match("wt", read$Parameter)], sqrt(vcov(fit)["wt", "wt"]))
  bare <- getExportedValue("parameters", "model_parameters")(fit, ci = NULL)
  expect_identical(setdiff(names(read), names(bare)), c("CI", "CI_low", "CI_high"))
})

test_that("gtsummary makes a table of a pom() model", {
  skip_if_not_installed("gtsummary")
  skip_if_not_installed("broom.helpers")  # which tbl_regression() needs
  fit <- pom(Sat ~ Infl + Cont, MASS::housing, weights = Freq)
  table <- getExportedValue("gtsummary", "tbl_regression")(fit, exponentiate = TRUE)$table_body
  expect_equal(table$estimate[match("High", table$label)], exp(fit$beta[["InflHigh"]]))
})

test_that("emmeans of a probit model with equidistant thresholds agree with ordinal::clm()", {
  skip_if_not_installed("emmeans")
  skip_if_not_installed("ordinal")
  of <- function(fit, mode) as.data.frame(emmeans::emmeans(fit, ~temp, mode = mode))[, 2]
  ours <- pom(rating ~ temp, data = ordinal::wine, link = "probit", threshold = "equidistant")
  theirs <- ordinal::clm(rating ~ temp, data = ordinal::wine, link = "probit", threshold = "equidistant")
  expect_equal(of(ours, "latent"), of(theirs, "latent"), tolerance = 1e-4)
  expect_equal(of(ours, "mean"), of(theirs, "mean.class"), tolerance = 1e-4)
})

test_that("insight returns the predictions and the link", {
  skip_if_not_installed("insight")
  fit <- pom(Sat ~ Infl, MASS::housing, weights = Freq, link = "probit")
  expect_equal(insight::link_inverse(fit)(0.3), stats::pnorm(0.3))
  expect_equal(insight::link_function(fit)(0.3), stats::qnorm(0.3))
  rows <- MASS::housing[c(1, 5), ]
  found <- insight::get_predicted(fit, data = rows, ci = 0.9)
  direct <- predict(fit, rows, interval = "confidence", level = 0.9)
  expect_equal(found$Predicted, as.vector(direct$fit))
  expect_equal(found$CI_high, as.vector(direct$upr))
  expect_identical(found$Response, rep(levels(MASS::housing$Sat), each = 2))
  expect_identical(insight::get_predicted(fit, rows, predict = "classification")$Predicted,
                   predict(fit, rows, type = "class"))
  expect_equal(get_predictions.judicious_pom(fit, rows, ci_level = 0.9)$conf.low, as.vector(direct$lwr))
})

test_that("effects gives the probabilities that it gives for polr(), and ggeffects those of all levels", {
  skip_if_not_installed("effects")
  skip_if_not_installed("ggeffects")
  withr::local_package("MASS")
  fit <- pom(Sat ~ Infl + Type, MASS::housing, weights = Freq)
  other <- MASS::polr(Sat ~ Infl + Type, MASS::housing, weights = Freq, Hess = TRUE)
  ours <- utils::getFromNamespace("Effect", "effects")("Infl", fit)
  theirs <- utils::getFromNamespace("Effect", "effects")("Infl", other)
  expect_equal(ours$prob, theirs$prob, tolerance = 1e-4)
  expect_equal(ours$se.prob, theirs$se.prob, tolerance = 1e-3)
  means <- as.data.frame(utils::getFromNamespace("ggemmeans", "ggeffects")(fit, "Infl"))
  expect_setequal(as.character(means$response.level), levels(MASS::housing$Sat))
  expect_equal(sum(means$predicted), 3, tolerance = 1e-8)
})

test_that("emmeans with nominal and scale effects agree with ordinal::clm(), and latent means raise an error", {
  skip_if_not_installed("emmeans")
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  ours <- list(pom(rating ~ temp, wine, nominal = ~contact), pom(rating ~ temp + contact, wine, scale = ~temp))
  theirs <- list(ordinal::clm(rating ~ temp, data = wine, nominal = ~contact),
                 ordinal::clm(rating ~ temp + contact, data = wine, scale = ~temp))
  means <- function(fit, mode, by) {
    table <- as.data.frame(emmeans::emmeans(fit, by, mode = mode))
    unname(as.matrix(table[vapply(table, is.numeric, NA)]))
  }
  for (k in 1:2) {
    for (mode in c("mean.class", "prob", "cum.prob", "exc.prob", "linear.predictor")) {
      by <- c("temp", switch(mode, mean.class = NULL, prob = "rating", "cut"))
      expect_equal(means(ours[[k]], mode, by), means(theirs[[k]], mode, by), tolerance = 1e-6)
    }
    expect_error(emmeans::emmeans(ours[[k]], ~temp, mode = "latent"), "no one latent mean")
  }
})

test_that("ggpredict() gives predict()'s probabilities and limits, with nominal and random effects too", {
  skip_if_not_installed("ggeffects")
  if (utils::packageVersion("insight") >= "1.0") skip_if_not_installed("reformulas")
  ggpredict <- getExportedValue("ggeffects", "ggpredict")
  set.seed(1)
  d <- data.frame(q = gl(20, 10), x = stats::rnorm(200), z = stats::rnorm(200))
  d$y <- cut(d$x + stats::rnorm(20)[d$q] + stats::rlogis(200), c(-Inf, -1, 1, Inf), labels = 0:2)
  fits <- list(pom(y ~ x + z, d), pom(y ~ x, d, nominal = ~z), pom(y ~ x + z + (1 | q), d))
  for (fit in fits) {
    own <- if (inherits(fit, "judicious_pom_mixed")) list(effects = "none")
    table <- as.data.frame(ggpredict(fit, c("x [-1, 0, 1]", "z [0.5]"), ci.lvl = 0.9, ci_level = 0.9))
    new <- data.frame(x = c(-1, 0, 1), z = 0.5)
    direct <- do.call(predict, c(list(fit, new, interval = "confidence", level = 0.9), own))
    table <- table[order(table$response.level, table$x), ]
    expect_identical(as.character(table$response.level), rep(c("0", "1", "2"), each = 3))
    expect_equal(table$predicted, as.vector(direct$fit))
    expect_equal(table$conf.low, as.vector(direct$lwr))
    expect_equal(table$conf.high, as.vector(direct$upr))
  }
})

test_that("limits of predictions for insight and ggeffects take the covariance that is asked for", {
  rows <- data.frame(wt = c(2, 3, 4), hp = 100)
  models <- list(pom(gear ~ wt + hp, mtcars), pom(gear ~ wt, mtcars, scale = ~hp),
                 suppressMessages(pom(gear ~ wt + (1 | carb), mtcars, sd = c(carb = 0.5))))
  for (fit in models) {
    width <- function(table, low, high) qlogis(table[[high]]) - qlogis(table[[low]])
    ours <- predict_typical(fit, rows, "prob", interval = "confidence")
    expected <- as.vector(2 * (qlogis(ours$upr) - qlogis(ours$lwr)))
    wider <- 4 * vcov(fit)
    expect_equal(width(get_predictions.judicious_pom(fit, rows, vcov = wider), "conf.low", "conf.high"), expected)
    expect_equal(width(get_predicted.judicious_pom(fit, rows, ci = 0.95, vcov = wider), "CI_low", "CI_high"), expected)
  }
})

test_that("emmeans that the data do not determine are marked as not estimable, as for ordinal::clm()", {
  skip_if_not_installed("emmeans")
  skip_if_not_installed("ordinal")
  d <- withr::with_seed(1, data.frame(y = factor(sample(1:4, 150, TRUE), ordered = TRUE), x = rnorm(150),
                                      g = factor(rep(c("a", "b", "c"), 50)), h = factor(rep(c("u", "v"), 75))))
  d <- d[!(d$g == "c" & d$h == "v"), ]
  expect_message(fit <- pom(y ~ x + g * h, d), "gc:hv")
  theirs <- ordinal::clm(y ~ x + g * h, data = d)
  for (mode in c("latent", "mean.class")) {
    table <- as.data.frame(emmeans::emmeans(fit, ~ g * h, mode = mode))
    expected <- as.data.frame(emmeans::emmeans(theirs, ~ g * h, mode = mode))
    expect_equal(is.na(table[[3]]), rep(c(FALSE, TRUE), c(5, 1)))
    expect_equal(table$SE, expected$SE, tolerance = 1e-4)
    expect_equal(table[[3]], expected[[3]], tolerance = 1e-4)
  }
  # Level c of g occurs only with level u of h, so comparisons with c are not estimable for level v.
  pairs_of <- function(fit) as.data.frame(pairs(emmeans::emmeans(fit, ~ g | h)))
  expect_equal(pairs_of(fit)$estimate, pairs_of(theirs)$estimate, tolerance = 1e-4)
  new <- data.frame(x = 0, g = c("a", "c", "c"), h = c("v", "v", "u"))
  expect_warning(predict(fit, new), "1 row of `newdata`, first row 2, has", class = "judicious_warning_not_estimable")
  expect_no_warning(predict(fit, new[-2, ]))
  # A duplicated column is estimable if it is also a duplicate in the new rows.
  suppressMessages(copied <- pom(y ~ x + I(2 * x), d))
  expect_no_warning(predict(copied, new))
})

test_that("emmeans adds an offset to the linear predictor, not to probabilities and means", {
  skip_if_not_installed("emmeans")
  d <- transform(mtcars, am = factor(am), shift = qsec / 5)
  at_mean <- data.frame(am = c("0", "1"), shift = mean(d$shift))
  for (fit in list(pom(carb ~ am + offset(shift), d), pom(carb ~ am + offset(2 * shift), d, scale = ~am))) {
    prob <- as.matrix(predict(fit, at_mean, type = "prob"))
    found <- function(...) {
      table <- as.data.frame(emmeans::emmeans(fit, ...))
      table[[intersect(c("emmean", "prob", "cumprob"), names(table))]]
    }
    expect_equal(found(c("am", as.character(formula(fit)[[2]])), mode = "prob"), as.vector(prob), tolerance = 1e-6)
    expect_equal(found("am", mode = "mean"), predict(fit, at_mean, type = "mean"), ignore_attr = TRUE, tolerance = 1e-6)
    expect_equal(found(c("am", "cut"), mode = "cum.prob"), as.vector(t(apply(prob, 1, cumsum))[, -ncol(prob)]),
                 tolerance = 1e-6)
  }
  fit <- pom(carb ~ am + offset(shift), d)
  link <- as.data.frame(emmeans::emmeans(fit, "am"))$emmean
  expect_equal(diff(link), coef(fit)[["am1"]])
  expect_equal(link[1], mean(coef(fit)[names(fit$alpha)]) + mean(d$shift))
})

test_that("insight knows that the statistic is z, so that p values and degrees of freedom are found", {
  skip_if_not_installed("parameters")
  skip_if_not(isTRUE(utils::isS3stdGeneric(insight::find_statistic)), "Older versions of insight have a fixed list")
  fit <- pom(gear ~ wt + hp, data = mtcars)
  expect_equal(getExportedValue("parameters", "p_value")(fit)$p, unname(summary(fit)$coefficients[, 4]))
  expect_equal(insight::get_df(fit), df.residual(fit))
})

test_that("no component of a fit is NULL, because ggeffects takes such a list for no model", {
  wine <- ordinal::wine
  fits <- list(pom(rating ~ temp, wine), pom(rating ~ temp, wine, scale = ~contact),
               pom(rating ~ temp + (1 | judge), data = wine))
  for (fit in fits) expect_false(any(vapply(unclass(fit), is.null, NA)))
})
