cars <- transform(mtcars, gear = ordered(gear), cyl = factor(cyl))

test_that("tests and plots that do not apply to a model raise informative errors", {
  fit <- pom(gear ~ wt, cars)
  expect_snapshot(error = TRUE, {
    proportional_odds_test(pom(gear ~ wt, cars, threshold = "symmetric"), method = "likelihood_ratio")
    proportional_odds_test(fit, method = "likelihood_ratio", against = "scale", "hp")
    proportional_odds_test(pom(gear ~ wt, cars, penalty = 1), method = "likelihood_ratio")
    proportional_odds_test(lm(wt ~ hp, mtcars), method = "likelihood_ratio")
    plot(pom(gear ~ 1, cars))
    plot(fit, variable = "hp")
  })
})

test_that("unknown arguments of marginal_means() raise errors", {
  expect_error(marginal_means(pom(gear ~ wt, cars), "wt", conf.level = 0.9), "conf.level",
               class = "judicious_error_argument")
})

test_that("print() distinguishes the number of rows from the number of observations", {
  fit <- pom(Sat ~ Infl, MASS::housing, weights = Freq)
  text <- "1,681 observations (counts of 72 rows)"
  for (shown in list(fit, summary(fit))) expect_output(print(shown), text, fixed = TRUE)
  for (shown in list(fit <- pom(gear ~ wt, mtcars), summary(fit))) expect_output(print(shown), "32 observations, ")
})

test_that("marginal_means() of a transformed variable raises an error if the data no longer exist", {
  gone <- cars
  fit <- pom(gear ~ log(wt), gone)
  rm(gone)
  expect_snapshot(marginal_means(fit, "wt"), error = TRUE)
})

test_that("methods that need the data raise an error if its rows are no longer those of the fit", {
  d <- transform(mtcars, gear = ordered(gear))
  fit <- pom(gear ~ log(wt) + hp, d)
  expected <- list(vcov(fit, type = "sandwich", cluster = ~carb), marginal_means(fit, "wt", at = 3))
  d <- d[32:1, ]
  expect_equal(marginal_means(fit, "wt", at = 3), expected[[2]])
  rownames(d) <- rownames(mtcars)
  expect_snapshot(error = TRUE, {
    vcov(fit, type = "sandwich", cluster = ~carb)
    marginal_means(fit, "wt", at = 3)
    anova(pom(gear ~ 1, mtcars), fit, test = "bootstrap", nsim = 2)
  })
  d <- d[32:1, ]
  rownames(d) <- rownames(mtcars)
  expect_equal(vcov(fit, type = "sandwich", cluster = ~carb), expected[[1]])
})

test_that("marginal means of a transformed variable are the same for counts in columns as for rows with weights", {
  wide <- stats::reshape(MASS::housing, direction = "wide", idvar = c("Infl", "Type", "Cont"), timevar = "Sat")
  names(wide)[4:6] <- c("Low", "Medium", "High")
  wide$x <- seq_len(nrow(wide))
  long <- merge(MASS::housing, wide[c("Infl", "Type", "Cont", "x")])
  counts <- pom(cbind(Low, Medium, High) ~ Infl + log(x), wide)
  rows <- pom(Sat ~ Infl + log(x), long, weights = Freq)
  expect_equal(marginal_means(counts, "x", at = c(2, 9)), marginal_means(rows, "x", at = c(2, 9)))
})

test_that("errors of mixed models name the variable that cannot be a random effect", {
  set.seed(1)
  d <- data.frame(y = sample(3, 30, TRUE), g = gl(5, 6), none = 0, each = seq_len(30))
  d$m <- cbind(1:30, 1)
  expect_snapshot(error = TRUE, {
    pom(y ~ 1 + (0 | g), d)
    pom(y ~ 1 + (0 + none | g), d)
    pom(y ~ 1 + (1 | m:g), d)
    pom(y ~ 1 + (1 | droplevels(g[1:30 * 0 + 1])), d)
    confint(pom(y ~ 1 + (1 | g), d, sd = 1), "slope")
  })
  expect_warning(
    suppressMessages(pom(y ~ 1 + (1 | each), d)),
    class = "judicious_warning_grouping"
  )
})

test_that("standard errors of marginal means agree with the delta method by numerical derivatives", {
  housing <- MASS::housing
  fit <- pom(Sat ~ Cont, nominal = ~Infl, scale = ~Type, data = housing, weights = Freq)
  rows <- marginal_means(fit, "Cont", type = "prob")
  data <- transform(housing, Cont = factor("High", levels(Cont)))
  average <- function(fit) colSums(housing$Freq * predict(fit, data)) / sum(housing$Freq)
  expect_equal(rows$estimate[rows$Cont == "High"], unname(average(fit)), tolerance = 1e-12)
  gradient <- vapply(names(coef(fit)), function(name) {
    at <- function(change) average(with_coefficient(fit, name, coef(fit)[[name]] + change))
    (at(1e-5) - at(-1e-5)) / 2e-5
  }, numeric(3))
  expect_equal(rows$sd[rows$Cont == "High"], unname(sqrt(rowSums((gradient %*% vcov(fit)) * gradient))),
               tolerance = 1e-8)
})

test_that("standard errors of marginal means do not depend on the origin of a variable", {
  cars <- transform(mtcars, later = wt + 2000)
  expect_equal(marginal_means(pom(gear ~ later + hp, cars), "later", at = 2003)$sd,
               marginal_means(pom(gear ~ wt + hp, cars), "wt", at = 3)$sd, tolerance = 1e-6)
})

test_that("equal_rows() groups equal rows of factors, numbers and matrices", {
  data <- data.frame(x = factor(c("a", "b", "a")), z = c(1, 1, 2))
  data$m <- cbind(1:3, 1)
  expect_identical(equal_rows(data["z"]), c(1L, 1L, 3L))
  expect_identical(equal_rows(data["x"]), c(1L, 2L, 1L))
  expect_identical(equal_rows(data[0]), c(1L, 1L, 1L))
  expect_identical(equal_rows(data[c("x", "m")]), 1:3)
})

test_that("marginal means give a warning once, not once for each value", {
  with_seed(1, d <- data.frame(x = rnorm(60), y = sample(3, 60, TRUE)))
  fit <- suppressWarnings(pom(y ~ 1, d, nominal = ~x))
  warnings <- capture_warnings(marginal_means(fit, "x", at = 8:9))
  expect_length(warnings, 1)
  expect_match(warnings, "thresholds of 1 row cross")
})
