# Columns of the model matrix that have the same name. Fits are compared with those of the same data under unambiguous
# names.

set.seed(4)
n <- 240
d <- data.frame(f = factor(sample(0:2, n, TRUE)), x = runif(n), z = runif(n), id = gl(12, 20))
d$y <- factor(findInterval(1.2 * (d$f == 1) - d$x + 2 * d$z + rlogis(n), c(-0.5, 1)))
d$w <- sample(1:3, n, TRUE)

# Names for a factor (or logical variable) `f` and a number `x` that make two columns of the model matrix equal in name.
plain_factor <- function(f) f
clashes <- list(
  digits = list(names = c("X2", "X21"), f = plain_factor),
  letters = list(names = c("sex", "sexM"), f = function(f) factor(f, labels = c("F", "M", "U"))),
  ordered = list(names = c("o", "o.L"), f = function(f) ordered(f)),
  quadratic = list(names = c("o", "o.Q"), f = function(f) ordered(f)),
  logical = list(names = c("big", "bigTRUE"), f = function(f) f == "1"),
  text = list(names = c("grade", "gradeb"), f = function(f) c("a", "b", "c")[f]),
  dot = list(names = c("a", "a.1"), f = function(f) factor(f, labels = c(".0", ".1", ".2"))),
  underscore = list(names = c("v", "v_2"), f = function(f) factor(f, labels = c("_1", "_2", "_3"))),
  numbered = list(names = c("g1", "g11"), f = plain_factor),
  suffix = list(names = c("q", "q1"), f = plain_factor),
  space = list(names = c("s p", "s p1"), f = plain_factor),
  helmert = list(names = c("h", "h1"), f = function(f) C(f, contr.helmert))
)

with_names <- function(data, names) stats::setNames(data, replace(names(data), 1:2, names))
of_names <- function(text, names) {
  stats::as.formula(gsub("\\bX\\b", paste0("`", names[2], "`"), gsub("\\bF\\b", paste0("`", names[1], "`"), text)))
}
values <- function(x) unname(unlist(lapply(x, function(v) if (is.numeric(v)) as.vector(v))))

# Fits a model with and without the ambiguous names, and returns a function that compares results of both fits.
both_ways <- function(clash, text, ...) {
  ways <- lapply(list(clash$names, c("factorial", "num")), function(names) {
    data <- with_names(transform(d, f = clash$f(f)), names)
    formula <- of_names(text, names)
    side <- lapply(list(...), function(side) if (grepl("~", side)) of_names(side, names) else side)
    fit <- suppressMessages(eval(as.call(c(list(quote(pom), formula, data, weights = quote(w)), side))))
    list(fit = fit, data = data, names = names)
  })
  function(f, tolerance = 1e-10) {
    found <- lapply(ways, function(way) f(way$fit, way$data, way$names))
    expect_equal(unname(found[[1]]), unname(found[[2]]), tolerance = tolerance, info = clash$names[2])
  }
}

test_that("methods give the same results with unique and with repeated column names", {
  for (clash in clashes) {
    same <- both_ways(clash, "y ~ F + X + z")
    same(function(fit, data, names) c(length(unique(names(coef(fit)))), unname(coef(fit))))
    for (type in c("prob", "mean", "link", "cumulative", "variance")) {
      same(function(fit, data, names) unname(predict(fit, data[5:1, ], type = type)))
    }
    same(function(fit, data, names) unname(predict(fit, data[1:9, ], type = "terms")[, 1:3]))
    same(function(fit, data, names) unname(predict(fit, data[1:9, ], interval = "confidence")$lwr))
    for (type in c("observed", "expected", "sandwich")) {
      same(function(fit, data, names) unname(vcov(fit, type = type)))
    }
    same(function(fit, data, names) unname(vcov(fit, type = "sandwich", cluster = data$id)))
    same(function(fit, data, names) unname(vcov(fit, which = "slopes")))
    for (type in c("response", "pearson", "li_shepherd", "deviance")) {
      same(function(fit, data, names) unname(residuals(fit, type)))
    }
    same(function(fit, data, names) unname(confint(fit)), 1e-6)
    same(function(fit, data, names) unname(confint(fit, method = "wald")))
    same(function(fit, data, names) unname(confint(profile(fit, points = 3))), 1e-6)
    same(function(fit, data, names) values(tidy.judicious_pom(fit, conf.int = TRUE)))
    same(function(fit, data, names) unname(summary(fit)$slopes))
    same(function(fit, data, names) values(anova(fit)))
    same(function(fit, data, names) values(anova(fit, test = "Wald")))
    same(function(fit, data, names) values(drop1(fit)))
    same(function(fit, data, names) values(Anova.judicious_pom(fit)))
    same(function(fit, data, names) values(Anova.judicious_pom(fit, test.statistic = "Wald")))
    same(function(fit, data, names) unname(vif.judicious_pom(fit)))
    for (variable in 1:2) same(function(fit, data, names) values(marginal_means(fit, names[variable])[-1]), 1e-6)
    for (method in c("score", "brant")) {
      same(function(fit, data, names) proportional_odds_test(fit, method)$statistic, 1e-6)
    }
    same(function(fit, data, names) unname(coefficient_scores(fit)))
    same(function(fit, data, names) simulate(fit, 1, seed = 1)$sim_1)
    same(function(fit, data, names) unname(unclass(model.matrix(fit))[, ]))
  }
})

test_that("columns of the same name in nominal, scale and random parts are distinguished", {
  for (clash in clashes) {
    for (side in list(list(nominal = "~ F + X"), list(scale = "~ F + X"), list(nominal = "~ X", scale = "~ F + X"),
                      list(threshold = "symmetric", scale = "~ F"))) {
      same <- suppressWarnings(do.call(both_ways, c(list(clash, "y ~ F + X + z"), side)))
      same(function(fit, data, names) c(length(unique(names(coef(fit)))), unname(coef(fit))), 1e-6)
      same(function(fit, data, names) unname(predict(fit, data[5:1, ])), 1e-6)
      same(function(fit, data, names) unname(vcov(fit)), 1e-6)
      same(function(fit, data, names) unname(confint(fit, method = "wald")), 1e-6)
      same(function(fit, data, names) unname(residuals(fit)), 1e-6)
      same(function(fit, data, names) values(marginal_means(fit, names[1])[-1]), 1e-5)
      same(function(fit, data, names) values(tidy.judicious_pom(fit)), 1e-5)
    }
  }
  same <- both_ways(clashes$digits, "y ~ F + X + z", scale = "~ F + X")
  same(function(fit, data, names) unname(confint(fit)), 1e-5)
  for (random in c("(1 | id)", "(0 + F + X || id)", "(1 | id) + (0 + F | id) + (0 + X | id)")) {
    same <- suppressWarnings(both_ways(clashes$digits, paste("y ~ F + X + z +", random)))
    same(function(fit, data, names) c(length(unique(names(fixef(fit)))), unname(fixef(fit))), 1e-5)
    same(function(fit, data, names) unname(predict(fit, data[5:1, ])), 1e-5)
    same(function(fit, data, names) VarCorr(fit)$sd, 1e-4)
    same(function(fit, data, names) unname(confint(fit)), 1e-4)
    same(function(fit, data, names) unname(vcov(fit, sd = TRUE)), 1e-3)
  }
})

test_that("a scale effect and an interaction with a column named scale are told apart although their names are equal", {
  data <- stats::setNames(d, replace(names(d), 1:2, c("f", "scale")))
  fit <- pom(y ~ scale * z, data, scale = ~z)
  other <- pom(y ~ x * z, d, scale = ~z)
  expect_equal(names(coef(fit)), c(">=1", ">=2", "scale", "z", "scale:z", "scale:z.1"))
  expect_equal(unname(confint(fit)), unname(confint(other)))
  expect_equal(vcov(fit)["scale:z.1", "scale:z"], vcov(other)["scale:z", "x:z"])
  expect_snapshot(error = TRUE, pom_fit(cbind(`>=1` = d$x), d$y))
})

test_that("nested models are recognised by their columns, not by names", {
  data <- stats::setNames(d, replace(names(d), 1:2, c("X2", "X21")))
  large <- suppressMessages(pom(y ~ X2 + X21, data))
  plain <- pom(y ~ f + x, d)
  for (test in c("LR", "Wald", "score")) {
    expect_equal(values(anova(pom(y ~ X21, data), large, test = test)), values(anova(pom(y ~ x, d), plain, test = test)))
    expect_equal(values(anova(pom(y ~ X2, data), large, test = test)), values(anova(pom(y ~ f, d), plain, test = test)))
  }
  # Both models have a column X21, but neither model is nested in the other.
  expect_equal(values(anova(pom(y ~ X21, data), pom(y ~ X2, data))), values(anova(pom(y ~ x, d), pom(y ~ f, d))))
  of_scale <- function(data, location, scale) suppressWarnings(suppressMessages(pom(location, data, scale = scale)))
  expect_equal(values(anova(of_scale(data, y ~ X21, ~X21), of_scale(data, y ~ X2 + X21, ~ X2 + X21), test = "Wald")),
               values(anova(of_scale(d, y ~ x, ~x), of_scale(d, y ~ f + x, ~ f + x), test = "Wald")), tolerance = 1e-5)
})

test_that("a message lists renamed columns, and slopes agree with polr() and clmm()", {
  skip_if_not_installed("MASS")
  set.seed(1)
  own <- data.frame(X2 = factor(rep(0:1, each = 50)), X21 = runif(100), y = factor(sample(0:2, 100, TRUE)))
  expect_snapshot(fit <- pom(y ~ X2 + X21, own))
  expected <- MASS::polr(y ~ X2 + X21, own)
  expect_equal(unname(fit$beta), unname(coef(expected)), tolerance = 1e-5)
  expect_equal(unname(predict(fit, own)), unname(predict(expected, own, type = "probs")), tolerance = 1e-5)
  skip_if_not_installed("ordinal")
  set.seed(5)
  for (i in 1:3) runif(1)
  mixed <- data.frame(grade = factor(sample(c(0, 11), 300, TRUE)), grade1 = factor(sample(0:1, 300, TRUE)),
                      id = factor(sample(1:20, 300, TRUE)))
  mixed$y <- factor(findInterval(1.5 * (mixed$grade == "11") - (mixed$grade1 == "1") + rnorm(20)[mixed$id] + rlogis(300),
                                 c(-1, 1)), ordered = TRUE)
  fit <- suppressMessages(pom(y ~ grade + grade1 + (1 | id), mixed))
  expect_equal(unname(fit$beta), unname(ordinal::clmm(y ~ grade + grade1 + (1 | id), data = mixed)$beta),
               tolerance = 1e-3)
})

test_that("formulas with functions as arguments are predicted as in clm()", {
  skip_if_not_installed("ordinal")
  twice <- function(v, of) of(of(v))
  new <- d[c(1, 90, 200), c("f", "x", "z")]
  for (formula in list(y ~ C(f, contr.sum), y ~ sapply(x, abs), y ~ vapply(x, exp, 0) + f, y ~ twice(z, sqrt),
                       y ~ C(f, contr.helmert) * x, y ~ Reduce(`+`, list(x, z)))) {
    expect_silent(found <- predict(pom(formula, d), new))
    expected <- suppressWarnings(predict(ordinal::clm(formula, data = d), newdata = new)$fit)
    expect_equal(unname(found), unname(expected), tolerance = 1e-6)
  }
  fit <- pom(y ~ C(f, contr.sum) + x, d)
  expect_equal(marginal_means(fit, "f")$estimate, marginal_means(pom(y ~ f + x, d), "f")$estimate)
  # A column that is missing from newdata may have the name of a function.
  expect_snapshot(error = TRUE, predict(pom(y ~ exp(df), transform(d, df = x)), d["z"]))
})

test_that("errors name columns of extreme size, and a response level called NA", {
  expect_snapshot(error = TRUE, {
    pom(y ~ z + I(x * 1e200), d)
    pom(y ~ I(x * 1e-200), d)
    pom(y ~ z, transform(d, x = x * 1e200), scale = ~x)
    pom(y ~ z, transform(d, x = x * 1e-200), nominal = ~x)
    pom_fit(cbind(a = d$x * 1e200), d$y)
    pom(addNA(y) ~ x, transform(d, y = replace(y, 1:9, NA)))
  })
  for (size in c(1e140, 1e-140)) {
    expect_equal(unname(coef(pom(y ~ I(x * size), d)) * c(1, 1, size)), unname(coef(pom(y ~ x, d))))
  }
  # A level NA without rows is dropped like other unused levels.
  expect_equal(coef(pom(addNA(y) ~ x, d)), coef(pom(y ~ x, d)), ignore_attr = TRUE)
})

test_that("64-bit integers are treated as numbers in predictors, responses, groups, weights and scale effects", {
  # The bits of small whole numbers are those of multiples of the smallest double.
  int64 <- function(v) structure(v * 4.940656458412465e-324, class = "integer64")
  d$k <- rep(1:6, 40)
  wide <- transform(d, k = NULL)
  wide$k <- int64(d$k)
  for (formula in list(y ~ k, y ~ log(k) + x, y ~ factor(k) + z, k ~ x, y ~ poly(k, 2), y ~ x + (1 | k))) {
    fits <- suppressMessages(suppressWarnings(lapply(list(d, wide), function(data) pom(formula, data))))
    expect_equal(coef(fits[[2]]), coef(fits[[1]]))
    expect_equal(predict(fits[[2]], wide), predict(fits[[1]], d))
  }
  expect_equal(coef(pom(y ~ x, wide, weights = k)), coef(pom(y ~ x, d, weights = k)))
  expect_equal(coef(pom(y ~ x, wide, scale = ~k)), coef(pom(y ~ x, d, scale = ~k)))
  expect_equal(marginal_means(pom(y ~ k, wide), "k"), marginal_means(pom(y ~ k, d), "k"))
})
