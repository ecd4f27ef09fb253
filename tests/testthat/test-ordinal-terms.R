# Functions of other packages must give the same result for a fit by pom() as for their own fit of the same model. Each
# test runs only if its package is installed.
peer <- function(package, name) {
  skip_if_not_installed(package)
  getExportedValue(package, name)
}
housing <- MASS::housing
fit <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
reference <- MASS::polr(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq, Hess = TRUE,
                        control = list(reltol = 1e-14))

test_that("car::Anova() gives the tests of polr(), of types II and III", {
  Anova <- peer("car", "Anova")
  crossed <- pom(Sat ~ Infl * Type + Cont, data = housing, weights = Freq)
  theirs <- MASS::polr(Sat ~ Infl * Type + Cont, data = housing, weights = Freq, Hess = TRUE,
                       control = list(reltol = 1e-14))
  for (type in list("II", "III", 2, 3)) {
    ours <- Anova(crossed, type = type)
    expected <- Anova(theirs, type = type)
    expect_equal(rownames(ours), rownames(expected))
    expect_equal(ours[["LR Chisq"]], expected[["LR Chisq"]], tolerance = 1e-6)
    expect_equal(ours$Df, expected$Df)
  }
  expect_snapshot(Anova(fit, tpye = 3), error = TRUE)
  expect_error(Anova(fit, test.statistic = "LR", vcov. = vcov(fit)), class = "judicious_error_argument")
})

test_that("car::Confint() puts beside every estimate its own limits, as for polr()", {
  Confint <- peer("car", "Confint")
  expect_equal(Confint(fit), suppressMessages(Confint(reference, thresholds = FALSE)), tolerance = 1e-4)
  expect_equal(unname(Confint(fit, estimate = FALSE)), unname(confint(fit)))
  robust <- Confint(fit, level = 0.9, vcov. = vcov(fit, type = "sandwich"))
  expect_equal(unname(robust), unname(cbind(coef(fit), confint(fit, level = 0.9, type = "sandwich"))))
  mixed <- pom(Sat ~ Infl + (1 | Type), data = housing, weights = Freq)
  expect_equal(Confint(mixed)["sd(Type)", "Estimate"], unname(mixed$sd))
})

test_that("Wald tests of terms agree with a direct computation", {
  Anova <- peer("car", "Anova")
  table <- Anova(fit, test.statistic = "Wald")
  at <- c("TypeApartment", "TypeAtrium", "TypeTerrace")
  expect_equal(table["Type", "Chisq"], drop(coef(fit)[at] %*% solve(vcov(fit)[at, at], coef(fit)[at])))
  robust <- Anova(fit, vcov. = vcov(fit, type = "sandwich"))
  expect_equal(robust["Cont", "Chisq"],
               coef(fit)[["ContHigh"]]^2 / vcov(fit, type = "sandwich")["ContHigh", "ContHigh"])
  mixed <- pom(rating ~ temp + contact + (1 | judge), data = ordinal::wine)
  expect_equal(Anova(mixed)["temp", "Chisq"], coef(mixed)[["tempwarm"]]^2 / vcov(mixed)["tempwarm", "tempwarm"])
})

test_that("car::vif() and check_collinearity() give the variance inflation factors of polr()", {
  vif <- peer("car", "vif")
  expect_equal(vif(fit), vif(reference), tolerance = 1e-5)
  check_collinearity <- peer("performance", "check_collinearity")
  expect_equal(check_collinearity(fit)$VIF, unname(vif(reference)[, "GVIF"]), tolerance = 1e-5)
  # At the limits of the share of a term that the others explain, the observed share has the tail probabilities 0.025.
  shown <- check_collinearity(fit)
  size <- vif(fit)[, "Df"]
  expect_equal(shown$SE_factor, unname(shown$VIF^(1 / (2 * size))))
  n <- nobs(fit)
  others <- sum(size) - size
  ratio <- (shown$VIF - 1) / others * (n - others - 1)
  at <- function(vif) pf(ratio, others, n - others - 1, ncp = n * (vif - 1))
  expect_equal(unname(at(shown$VIF_CI_low)), rep(0.975, 3), tolerance = 1e-6)
  expect_equal(unname(at(shown$VIF_CI_high)), rep(0.025, 3), tolerance = 1e-6)
  cars <- transform(mtcars, gear = ordered(gear))
  cars[c("wt", "qsec", "disp")] <- scale(cars[c("wt", "qsec", "disp")])
  one <- pom(gear ~ wt + qsec + disp, data = cars)
  expect_equal(vif(one), vif(MASS::polr(gear ~ wt + qsec + disp, data = cars, Hess = TRUE,
                                        control = list(reltol = 1e-14))),
               tolerance = 1e-3)
})

test_that("multcomp::glht() compares levels as for polr()", {
  glht <- peer("multcomp", "glht")
  mcp <- peer("multcomp", "mcp")
  of <- function(fit) summary(glht(fit, mcp(Type = "Tukey")))$test[c("coefficients", "sigma", "tstat")]
  expect_equal(of(fit), of(reference), tolerance = 1e-5)
  named <- glht(fit, "InflHigh - InflMedium = 0")
  expect_equal(unname(coef(named)), coef(fit)[["InflHigh"]] - coef(fit)[["InflMedium"]])
})

test_that("emmeans gives the means of polr() in every mode", {
  emmeans <- peer("emmeans", "emmeans")
  numbers <- function(fit, mode) {
    by <- switch(mode, latent = , mean.class = ~Infl, prob = ~Infl | Sat, ~Infl | cut)
    table <- as.data.frame(emmeans(fit, by, mode = mode))
    as.matrix(table[which(vapply(table, is.numeric, NA))[1:2]])
  }
  for (mode in c("latent", "linear.predictor", "cum.prob", "exc.prob", "prob", "mean.class")) {
    expect_equal(numbers(fit, mode), numbers(reference, mode), tolerance = 1e-5)
  }
})

test_that("lmtest::waldtest() gives the test of polr(), also with aliased columns", {
  waldtest <- peer("lmtest", "waldtest")
  expected <- waldtest(reference, "Type")
  expect_equal(as.matrix(waldtest(fit, "Type")), as.matrix(expected), tolerance = 1e-5)
  aliased <- suppressMessages(pom(Sat ~ Infl + low + Type + Cont, weights = Freq,
    data = transform(MASS::housing, low = as.numeric(Infl == "Low"))))
  expect_equal(as.matrix(suppressMessages(waldtest(aliased, "Type"))), as.matrix(expected), tolerance = 1e-5)
})

test_that("parameters::model_parameters() returns the coefficients and their intervals", {
  model_parameters <- peer("parameters", "model_parameters")
  table <- as.data.frame(model_parameters(fit))
  theirs <- as.data.frame(model_parameters(reference))
  slopes <- function(table) table[table$Component == "beta", ]
  expect_equal(slopes(table)$Coefficient, slopes(theirs)$Coefficient, tolerance = 1e-5)
  expect_equal(slopes(table)$SE, slopes(theirs)$SE, tolerance = 1e-5)
  expect_equal(slopes(table)$CI_low, unname(confint(fit, method = "wald")[names(fit$beta), 1]))
})

test_that("other packages get the covariance that is asked for", {
  d <- transform(mtcars, gear = ordered(gear))
  model <- pom(gear ~ wt + qsec, d)
  robust <- vcov(model, type = "sandwich")
  clustered <- vcov(model, type = "sandwich", cluster = d$carb)
  for (asked in list(robust, "HC0", function(fit) vcov(fit, type = "sandwich")))
    expect_equal(get_vcov.judicious_pom(model, vcov = asked), robust)
  expect_equal(get_vcov.judicious_pom(model, vcov = ~carb), clustered)
  expect_equal(get_vcov.judicious_pom(model), vcov(model))
  expect_null(get_vcov.judicious_pom(model, vcov = FALSE))
  table <- model_parameters.judicious_pom(model, vcov = ~carb, ci = 0.9)
  expect_equal(table$SE, unname(sqrt(diag(clustered))))
  expect_equal(unname(as.matrix(as.data.frame(table)[c("CI_low", "CI_high")])),
               unname(confint(model, level = 0.9, cluster = d$carb)), ignore_attr = TRUE)
  expect_identical(model_parameters.judicious_pom(model, ci_method = "wald"), model_parameters.judicious_pom(model))
  expect_equal(table$p, 2 * pnorm(-abs(unname(coef(model)) / table$SE)))
  expect_snapshot(error = TRUE, {
    model_parameters.judicious_pom(model, vcov = "HC3")
    model_parameters.judicious_pom(model, p_adjust = "holm")
    model_parameters.judicious_pom(model, ci_method = "profile")
    get_vcov.judicious_pom(model, vcov = diag(2))
  })
})

test_that("performance returns Nakagawa's R2 of mixed fits", {
  r2 <- peer("performance", "r2")
  wine <- ordinal::wine
  mixed <- pom(rating ~ temp + contact + (1 | judge), data = wine)
  fixed <- var(drop(model.matrix(~ temp + contact, wine)[, -1] %*% mixed$beta))
  random <- sum(mixed$sd^2)
  by_hand <- c(fixed + random, fixed) / (fixed + random + pi^2 / 3)
  expect_equal(unname(unlist(unclass(r2(mixed)))), by_hand, tolerance = 1e-8)
  measures <- peer("performance", "model_performance")(mixed)
  expect_equal(measures$AIC, AIC(mixed))
  expect_equal(measures$ICC, unname(mixed$sd^2 / (mixed$sd^2 + pi^2 / 3)))
})

test_that("sandwich::vcovBS() refits mixed models", {
  vcovBS <- peer("sandwich", "vcovBS")
  skip_if_not("package:sandwich" %in% search() || isTRUE(suppressWarnings(require("sandwich", quietly = TRUE))))
  d <- with_seed(4, {
    d <- data.frame(g = gl(30, 20), x = rnorm(600))
    d$y <- cut(d$x + rnorm(30)[d$g] + rlogis(600), c(-Inf, -1, 1, Inf), labels = 0:2)
    d
  })
  mixed <- pom(y ~ x + (1 | g), data = d)
  covariance <- with_seed(5, suppressWarnings(vcovBS(mixed, cluster = d$g, R = 30)))
  expect_equal(dimnames(covariance), dimnames(vcov(mixed)))
  # With a bootstrap of 30 samples, the standard error of the slope is within a factor of 2.
  expect_lt(abs(log2(sqrt(covariance["x", "x"] / vcov(mixed)["x", "x"]))), 1)
})

test_that("emmeans accepts a covariance matrix, or a function that returns one", {
  emmeans <- peer("emmeans", "emmeans")
  fit <- pom(gear ~ wt + qsec, mtcars)
  errors <- function(object, ...) as.data.frame(emmeans(object, ~wt, at = list(wt = 2:3), ...))$SE
  for (mode in c("latent", "mean", "mean.class", "exc.prob")) {
    expect_equal(errors(fit, vcov. = 4 * vcov(fit), mode = mode), 2 * errors(fit, mode = mode), tolerance = 1e-6)
  }
  robust <- vcov(fit, type = "sandwich")
  given <- errors(fit, vcov. = robust)
  expect_false(isTRUE(all.equal(given, errors(fit), tolerance = 0.01)))
  expect_equal(errors(fit, vcov. = function(fit) vcov(fit, type = "sandwich")), given)
  expect_equal(errors(fit, vcov. = robust[4:1, 4:1]), given)
  expect_equal(errors(fit, vcov. = unname(robust)), given)
  expect_error(errors(fit, vcov. = diag(3)), "4 coefficients: it is 3 by 3")
  mixed <- pom(gear ~ wt + (1 | carb), mtcars, sd = c(carb = 1))
  expect_equal(errors(mixed, vcov. = 4 * vcov(mixed)), 2 * errors(mixed), tolerance = 1e-6)
})

test_that("a response that is also among the predictors raises an error", {
  expect_error(pom(gear ~ gear + wt, mtcars), "the response `gear` on both sides", class = "judicious_error_argument")
  expect_error(pom(gear ~ wt + (1 | carb) + gear, mtcars), "on both sides", class = "judicious_error_argument")
  expect_error(pom(factor(gear) ~ factor(gear), mtcars), "on both sides", class = "judicious_error_argument")
})

test_that("an error names the variable whose missing or infinite values a term such as poly() does not accept", {
  d <- transform(mtcars, gear = ordered(gear), wt = replace(wt, 3, NA), qsec = replace(qsec, 4, Inf))
  expect_snapshot(error = TRUE, {
    pom(gear ~ mpg + poly(wt, 2), d)
    pom(gear ~ mpg, d, scale = ~ poly(hp, wt, degree = 2))
    pom(gear ~ splines::ns(qsec, 3), d)
  })
  # Missing values that a term accepts are left out, and other mistakes keep their messages.
  expect_identical(nobs(pom(gear ~ splines::ns(wt, 2), d)), nrow(d) - 1L)
  expect_error(pom(gear ~ poly(mpg, -1), d), "degree", fixed = TRUE)
})
