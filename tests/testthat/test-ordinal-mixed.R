test_that("fits of the wine and soup data agree with ordinal::clmm()", {
  skip_if_not_installed("ordinal")
  wine <- pom(rating ~ temp + contact + (1 | judge), ordinal::wine)
  peer <- ordinal::clmm(rating ~ temp + contact + (1 | judge), ordinal::wine)
  expect_equal(as.numeric(logLik(wine)), as.numeric(logLik(peer)), tolerance = 1e-4 / 81)
  expect_equal(attr(logLik(wine), "df"), attr(logLik(peer), "df"))
  expect_equal(unname(wine$beta), unname(peer$beta), tolerance = 1e-4)
  expect_equal(unname(-wine$alpha), unname(peer$alpha), tolerance = 1e-4)
  expect_equal(unname(sqrt(diag(vcov(wine)))), unname(sqrt(diag(vcov(peer)))[1:6]), tolerance = 1e-3)
  expect_equal(ranef(wine)$judge[[1]], ordinal::ranef(peer)$judge[[1]], tolerance = 1e-3)
  expect_equal(ranef(wine)$judge$sd^2, ordinal::condVar(peer)$judge[[1]], tolerance = 1e-3)
  expect_equal(VarCorr(wine)$variance, as.numeric(ordinal::VarCorr(peer)$judge), tolerance = 1e-3)

  soup <- pom(SURENESS ~ PROD + (1 | RESP) + (1 | RESP:PROD), ordinal::soup)
  peer <- ordinal::clmm(SURENESS ~ PROD + (1 | RESP) + (1 | RESP:PROD), ordinal::soup)
  expect_lt(abs(logLik(soup) - logLik(peer)), 1e-4)
  expect_equal(unname(soup$sd), unname(sqrt(unlist(ordinal::VarCorr(peer)))[c("RESP", "RESP:PROD")]), tolerance = 1e-3,
               ignore_attr = TRUE)
  nested <- pom(SURENESS ~ PROD + (1 | RESP / PROD), ordinal::soup)
  expect_equal(coef(nested), coef(soup))
  expect_named(nested$sd, c("RESP", "RESP:PROD"))
})

test_that("fits with crossed effects agree with ordinal::clmm() and with the definition", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 | a) + (1 | b), d)
  slow <- slow_laplace(as.integer(d$y), cbind(d$x), list(indicator(d$a), indicator(d$b)), -fit$alpha, fit$beta, fit$sd,
                       details = TRUE)
  expect_equal(fit$loglik, slow$value, tolerance = 1e-10)
  expect_equal(unlist(ranef(fit)$a[[1]]), slow$u[1:12] * fit$sd[["a"]], tolerance = 1e-7)
  expect_equal(ranef(fit)$b$sd, sqrt(diag(solve(slow$h))[13:20]) * fit$sd[["b"]], tolerance = 1e-7)
  skip_if_not_installed("ordinal")
  peer <- ordinal::clmm(y ~ x + (1 | a) + (1 | b), d)
  expect_lt(abs(logLik(fit) - logLik(peer)), 1e-4)
})

test_that("the gradient of the mixed likelihood agrees with its definition", {
  d <- crossed_example(120)
  parts <- mixed_design(bquote(pom(formula = y ~ x + (1 | a) + (0 + x | b), data = .(d))), environment(), NULL)
  problem <- mixed_problem(parts, "logit", "flexible", pom_control())
  problem$model$location <- cbind(d$x)  # not the centred columns
  x <- cbind(d$x)
  z <- list(indicator(d$a), indicator(d$b) * d$x)
  value <- function(psi) slow_laplace(as.integer(d$y), x, z, psi[1:3], psi[4], psi[5:6])
  psi <- c(-1, 0.2, 1.3, 0.6, 0.9, 0.4)
  got <- mixed_laplace_cpp(problem$model, problem$effects, psi, hermite_rule(1))
  slopes <- vapply(seq_along(psi), function(k) {
    e <- replace(rep(0, 6), k, 1e-4)
    (8 * (value(psi + e) - value(psi - e)) - (value(psi + 2 * e) - value(psi - 2 * e))) / 12e-4
  }, 0)
  expect_equal(got$value, value(psi), tolerance = 1e-12)
  expect_equal(got$gradient, slopes, tolerance = 1e-7)
})

test_that("fits with independent random slopes agree with the definition", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 + x || a), d)
  expect_named(fit$sd, c("a", "x | a"))
  slow <- slow_mixed_fit(as.integer(d$y), cbind(d$x), list(indicator(d$a), indicator(d$a) * d$x))
  expect_equal(fit$loglik, slow$loglik, tolerance = 1e-6)
  expect_equal(pom(y ~ x + (1 | a) + (0 + x | a), d)$loglik, fit$loglik, tolerance = 1e-10)
})

test_that("variance components of simulated data are recovered", {
  set.seed(8)
  d <- expand.grid(query = factor(1:60), copy = 1:60)
  d$genre <- factor(sample(8, nrow(d), TRUE))
  d$system <- sample(12, nrow(d), TRUE)
  d$x <- rnorm(nrow(d))
  by_genre <- interaction(d$query, d$genre)
  system <- rnorm(12)
  eta <- 0.8 * d$x + 1.2 * rnorm(60)[d$query] + 0.7 * rnorm(nlevels(by_genre))[by_genre] +
    system[d$system]
  d$y <- findInterval(eta + rlogis(nrow(d)), c(-1.5, 0, 2))
  fit <- pom(y ~ x + (1 | query / genre) + (1 | system), d)
  components <- VarCorr(fit)
  expect_equal(components$levels, c(60, 480, 12))
  expect_true(all(abs(components$sd - c(1.2, 0.7, 1)) < 3 * components$std_error))
  expect_lt(abs(fit$beta - 0.8), 3 * sqrt(vcov(fit)["x", "x"]))
  expect_gt(cor(ranef(fit)$system[as.character(1:12), 1], system), 0.95)
})

test_that("mixed fits do not depend on row order, and follow changed units, offsets, repeated rows and levels", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 | a) + (1 | b), d)
  shuffled <- pom(y ~ x + (1 | a) + (1 | b), d[sample(nrow(d)), ])
  expect_equal(coef(shuffled), coef(fit), tolerance = 1e-6)
  expect_equal(shuffled$loglik, fit$loglik, tolerance = 1e-12)
  d$far <- 1e3 * d$x + 1e5
  expect_equal(pom(y ~ far + (1 | a) + (1 | b), d)$loglik, fit$loglik, tolerance = 1e-10)
  expect_equal(1e3 * unname(pom(y ~ far + (1 | a) + (1 | b), d)$beta), unname(fit$beta), tolerance = 1e-6)
  d$z <- factor(d$y, levels = rev(levels(d$y)), ordered = TRUE)
  turned <- pom(z ~ x + (1 | a) + (1 | b), d)
  expect_equal(turned$loglik, fit$loglik, tolerance = 1e-12)
  expect_equal(turned$beta, -fit$beta, tolerance = 1e-6)
  expect_equal(turned$sd, fit$sd, tolerance = 1e-6)
  # A row that occurs three times equals a row of weight 3, and a row of weight 0 is ignored.
  d$w <- rep(c(1, 3, 0), length.out = nrow(d))
  weighted <- pom(y ~ x + (1 | a) + (1 | b), d, weights = w)
  repeated <- pom(y ~ x + (1 | a) + (1 | b), d[rep(seq_len(nrow(d)), d$w), ])
  expect_equal(weighted$loglik, repeated$loglik, tolerance = 1e-10)
  expect_equal(weighted$sd, repeated$sd, tolerance = 1e-6)
  expect_equal(nobs(weighted), nobs(repeated))
  d$o <- 0.8 * d$x
  moved <- pom(y ~ x + offset(o) + (1 | a) + (1 | b), d)
  expect_equal(moved$beta, fit$beta - 0.8, tolerance = 1e-6)
  expect_equal(moved$linear_predictor, fit$linear_predictor, tolerance = 1e-6)
})

test_that("an estimated variance of 0 gives a message and the fit without that effect", {
  d <- crossed_example()
  d$none <- factor(rep(1:10, length.out = nrow(d)))
  d <- d[order(d$y, d$x), ]
  d$none <- factor(rep(1:10, length.out = nrow(d)))
  expect_message(fit <- pom(y ~ x + (1 | a) + (1 | none), d), class = "judicious_message_boundary")
  expect_equal(fit$sd[["none"]], 0)
  expect_equal(fit$loglik, pom(y ~ x + (1 | a), d)$loglik, tolerance = 1e-10)
  expect_equal(attr(logLik(fit), "df"), 6)
  expect_true(is.na(VarCorr(fit)$std_error[2]))
  expect_equal(confint(fit, "sd(none)", method = "profile")[1, 1], 0)
  expect_snapshot(fit <- pom(y ~ x + (1 | none), d))
  plain <- pom(y ~ x, d)
  expect_equal(coef(fit), coef(plain), tolerance = 1e-7)
  expect_equal(vcov(fit), vcov(plain), tolerance = 1e-5)
})

test_that("standard deviations can be fixed, and fixing them at 0 gives the model without random effects", {
  d <- crossed_example()
  plain <- pom(y ~ x, d)
  zero <- pom(y ~ x + (1 | a), d, sd = 0)
  expect_equal(zero$loglik, plain$loglik, tolerance = 1e-12)
  expect_equal(attr(logLik(zero), "df"), attr(logLik(plain), "df"))
  half <- pom_mixed(y ~ x + (1 | a) + (1 | b), d, sd = c(b = 0.5))
  expect_equal(half$sd[["b"]], 0.5)
  fit <- pom(y ~ x + (1 | a) + (1 | b), d)
  expect_lt(half$loglik, fit$loglik)
})

test_that("profile intervals end where the likelihood has dropped by the chi-squared quantile", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 | a) + (1 | b), d)
  interval <- confint(fit, "sd(a)", level = 0.9, method = "profile")
  for (end in interval) {
    expect_equal(2 * (fit$loglik - pom(y ~ x + (1 | a) + (1 | b), d, sd = c(a = end))$loglik), qchisq(0.9, 1),
                 tolerance = 1e-3)
  }
  wald <- confint(fit)
  expect_equal(rownames(wald), c(">=1", ">=2", ">=3", "x", "sd(a)", "sd(b)"))
  expect_equal(unname(wald["x", ]), unname(fit$beta + qnorm(c(0.025, 0.975)) * sqrt(vcov(fit)["x", "x"])))
})

test_that("mixed models are compared by likelihood ratio tests", {
  d <- crossed_example()
  both <- pom(y ~ x + (1 | a) + (1 | b), d)
  one <- pom(y ~ x + (1 | a), d)
  plain <- pom(y ~ x, d)
  table <- anova(both, plain, one)
  expect_equal(table$Parameters, c(4, 5, 6))
  expect_equal(table$Chisq[2:3], 2 * c(one$loglik - plain$loglik, both$loglik - one$loglik))
  expect_equal(table$`Pr(>Chisq)`[3], pchisq(table$Chisq[3], 1, lower.tail = FALSE))
  expect_snapshot(anova(one), error = TRUE)
  expect_snapshot(anova(one, pom(y ~ x, d[-1, ])), error = TRUE)
})

test_that("nlme's generics have methods for mixed models", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 | a), d)
  expect_equal(fixef(fit), coef(fit))
  long <- as.data.frame(ranef(fit))
  expect_equal(long$level, levels(d$a))
  expect_named(long, c("term", "effect", "level", "estimate", "sd"))
  expect_identical(names(VarCorr(fit)), c("term", "levels", "variance", "sd", "std_error"))
})

test_that("print() and summary() show the random terms", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 | a), d)
  expect_output(print(fit), "Standard deviations of random effects")
  expect_output(print(summary(fit)), "Random effects, on the scale of the linear predictor")
  expect_equal(summary(fit)$slopes["x", "Std. Error"], sqrt(vcov(fit)["x", "x"]))
  expect_equal(update(fit, . ~ . - x)$loglik, pom(y ~ (1 | a), d)$loglik)
  expect_equal(fit$call[[1]], quote(pom))
})

test_that("invalid random terms raise informative errors", {
  d <- crossed_example(60)
  d$one <- "only"
  d$each <- seq_len(nrow(d))
  d$sets <- rep(list(c("A", "B")), nrow(d))
  expect_snapshot(error = TRUE, {
    pom(y ~ x + (1 | one), d)
    pom(y ~ x + (1 | sets), d)
    pom(y ~ x + 1 | a, d)
    pom(y ~ x * (1 | a), d)
    pom(y ~ x + (1 | a + b), d)
    pom(y ~ x + (1 | a) + (1 | a), d)
    pom(y ~ x + (1 | a), d, sd = c(c = 1))
    pom_mixed(y ~ x, d)
  })
  expect_warning(pom(y ~ x + (1 | each), d, sd = 1), class = "judicious_warning_grouping")
})

test_that("rows with a missing group are left out like rows with other missing values", {
  d <- crossed_example()
  d$a[3:5] <- NA
  fit <- pom(y ~ x + (1 | a), d, na.action = na.exclude)
  expect_equal(nobs(fit), nrow(d) - 3)
  expect_equal(fit$loglik, pom(y ~ x + (1 | a), d[-(3:5), ])$loglik)
  expect_equal(which(is.na(predict(fit, type = "link"))), 3:5, ignore_attr = TRUE)
})

test_that("a warning names parameters that the data do not determine", {
  d <- crossed_example()
  d$sure <- as.integer(d$y == "3")
  expect_warning(pom(y ~ sure + (1 | a), d), class = "judicious_warning_separation")
  # The same factor occurs under two names, so only the sum of its variances is determined.
  d$same <- d$a
  heard <- NULL
  fit <- withCallingHandlers(pom(y ~ x + (1 | a) + (1 | same), d), judicious_warning_convergence = function(w) {
    heard <<- w
    invokeRestart("muffleWarning")
  })
  expect_setequal(heard$parameters, c("sd(a)", "sd(same)"))
  expect_output(print(fit), "NOT CONVERGED: singular")
})

test_that("a mixed fit that does not converge gives a warning", {
  d <- crossed_example()
  heard <- tryCatch(pom(y ~ x + (1 | a) + (1 | b), d, max_iterations = 1), judicious_warning_convergence = identity)
  expect_equal(heard$status, "iteration_limit")
  expect_match(conditionMessage(heard), "has not converged after .* The largest gradient is [-0-9.e+]+, at")
})

test_that("methods of mixed models agree with each other, and those that do not apply raise errors", {
  d <- crossed_example()
  fit <- pom(y ~ x + (1 | a), d)
  expect_snapshot(error = TRUE, {
    influence(fit)
    pom(y ~ x + (1 | a), d, penalty = 1)
    vcov(fit, type = "expected")
  })
  expect_equal(pom(y ~ x + (1 | a), d, link = "logit")$loglik, fit$loglik)
  expect_equal(AIC(fit), -2 * fit$loglik + 2 * 5)
  expect_equal(drop1(fit)["x", "AIC"], AIC(pom(y ~ (1 | a), d)))
  expect_equal(df.residual(fit), nobs(fit) - 5)
  expect_equal(generics::glance(fit)$AIC, AIC(fit))
  all_rows <- generics::tidy(fit, conf.int = TRUE)
  expect_equal(all_rows$std.error, unname(sqrt(diag(vcov(fit, sd = TRUE)))))
  expect_equal(all_rows$conf.low, unname(confint(fit)[, 1]))
  deviation <- all_rows$coef.type == "ran_pars"
  expect_identical(all_rows$term[deviation], setdiff(rownames(confint(fit)), names(coef(fit))))
  expect_equal(all_rows$estimate[deviation], unname(fit$sd))
  expect_true(all(is.na(all_rows$p.value[deviation])))
  ratios <- generics::tidy(fit, exponentiate = TRUE)$estimate
  expect_equal(ratios, ifelse(deviation, all_rows$estimate, exp(all_rows$estimate)))
  skip_if_not_installed("emmeans")
  means <- as.data.frame(emmeans::emmeans(fit, "x", at = list(x = c(0, 1))))
  expect_equal(diff(means$emmean), unname(fit$beta), tolerance = 1e-8)
})

test_that("with two levels, mixed fits agree with the definition of a logistic mixed model", {
  d <- crossed_example()
  d$up <- d$y > "1"
  fit <- pom(up ~ x + (1 | a), d)
  slow <- slow_mixed_fit(d$up + 1L, cbind(d$x), list(indicator(d$a)))
  expect_equal(fit$loglik, slow$loglik, tolerance = 1e-8)
  expect_equal(unname(fit$sd), slow$sd, tolerance = 1e-3)
})

test_that("a response with as many levels as values can be fitted", {
  set.seed(4)
  d <- data.frame(x = rnorm(90), g = gl(9, 10))
  d$y <- d$x + rnorm(9)[d$g] + rlogis(90)
  fit <- pom(y ~ x + (1 | g), d)
  expect_equal(fit$convergence$status, "converged")
  expect_equal(fit$loglik, slow_laplace(rank(d$y), cbind(d$x), list(indicator(d$g)), -fit$alpha, fit$beta, fit$sd),
               tolerance = 1e-9)
  # An increasing transformation of the response does not change the fit.
  expect_equal(pom(exp(y) ~ x + (1 | g), d)$sd, fit$sd, tolerance = 1e-7)
})

test_that("three random terms are fitted to MIREX 2011", {
  m <- mirex_2011()
  features <- output_features(m$x)
  document <- m$x$documents[match(features$doc, m$x$documents$doc), ]
  features$genre <- document$genre
  features$artist <- document$artist
  levels <- m$x$scale$model_levels
  features$gain <- levels[max.col(-abs(outer(m$truth$gain[match(paste(features$query, features$doc),
                                                                paste(m$truth$query, m$truth$doc))],
                                             levels, `-`)), ties.method = "first")]
  formula <- gain ~ pTEAM + pART + sGEN * pGEN + (1 | query) + (1 | query:genre) + (1 | query:artist)
  fit <- pom(formula, features)
  expect_equal(nobs(fit), 6279)
  expect_equal(fit$convergence$status, "converged")
  expect_lt(fit$convergence$max_gradient, 1e-4)
  expect_true(all(fit$sd > 0.2))
  expect_equal(VarCorr(fit)$levels[1], 100)
  # The fit to six queries is compared with the dense definition.
  few <- na.omit(features[features$query %in% unique(features$query)[1:6],
                          c("gain", "pTEAM", "query", "genre", "artist")])
  small <- pom(gain ~ pTEAM + (1 | query:genre) + (1 | query:artist), few)
  z <- list(indicator(interaction(few$query, few$genre, drop = TRUE)),
            indicator(interaction(few$query, few$artist, drop = TRUE)))
  slow <- slow_laplace(match(few$gain, levels), cbind(few$pTEAM), z, -small$alpha, small$beta, small$sd)
  expect_equal(small$loglik, slow, tolerance = 1e-10)
})

test_that("step() and add1() keep the random terms", {
  skip_if_not_installed("ordinal")
  wine <- ordinal::wine
  wine$u <- with_seed(5, rnorm(72))
  chosen <- step(pom(rating ~ temp + contact + u + (1 | judge), data = wine), trace = 0)
  expect_s3_class(chosen, "judicious_pom_mixed")
  expect_equal(AIC(chosen), AIC(pom(rating ~ temp + contact + (1 | judge), data = wine)), tolerance = 1e-6)
  added <- add1(pom(rating ~ temp + (1 | judge), data = wine), ~ . + contact)
  expect_equal(added$AIC[2], AIC(pom(rating ~ temp + contact + (1 | judge), data = wine)), tolerance = 1e-6)
})

test_that("dates and times group rows of pom_mixed() and can be plotted, and dates group queries", {
  d <- data.frame(y = with_seed(1, sample(1:3, 60, TRUE)), x = sin(1:60), k = rep(1:10, 6))
  d$day <- as.Date("2024-03-29") + d$k
  d$time <- as.POSIXct("2024-03-29", tz = "Europe/Berlin") + 86400 * d$k
  d$lag <- d$day - d$day[1]
  expected <- pom_mixed(y ~ x + (1 | k), d)
  expect_equal(text_factor(d$day), factor(as.character(d$day)))
  for (formula in list(y ~ x + (1 | day), y ~ x + (1 | time), y ~ x + (1 | lag))) {
    fit <- pom_mixed(formula, d)
    expect_equal(logLik(fit), logLik(expected))
    expect_equal(predict(fit, d[5:1, ]), predict(expected, d[5:1, ]))
  }
  for (variable in c("day", "time", "lag")) {
    plain <- pom(y ~ x + k, d)
    fit <- pom(stats::reformulate(c("x", variable), "y"), d)
    for (shown in c("x", variable)) {
      of_number <- if (shown == "x") "x" else "k"
      expect_equal(probabilities_picture(fit, shown)$data$prob, probabilities_picture(plain, of_number)$data$prob)
    }
  }
  runs <- data.frame(system = rep(c("A", "B"), each = 4), query = 1:4, doc = c("a", "b", "a", "b", "b", "b", "a", "a"))
  by <- function(value) {
    x <- test_collection(transform(runs, rank = 1), queries = data.frame(query = 1:4, part = value),
                         judgments = data.frame(query = 1:4, doc = c("a", "b"), gain = 0:1), k = 1, scale = 0:1)
    lapply(rank_systems(x, by = "part"), function(ranking) ranking$mean)
  }
  expect_equal(by(as.Date("2024-01-01") + c(1, 1, 0, 0)), by(c("2024-01-02", "2024-01-01")[c(1, 1, 2, 2)]))
})
