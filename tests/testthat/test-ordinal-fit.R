test_that("invalid settings of pom_control() raise errors", {
  expect_s3_class(pom_control(tolerance = 1e-20), "judicious_pom_control")
  expect_snapshot(error = TRUE, {
    pom_control(max_iterations = 0)
    pom_control(tolerance = 2)
    pom_control(penalty = Inf)
    pom_control(num_threads = 1.5)
  })
})

test_that("settings given by name replace those in `control`, and unknown settings raise errors", {
  control <- pom_control(penalty = 1, max_iterations = 50)
  fit <- pom(gear ~ wt, mtcars, control = control, penalty = 2, model = FALSE)
  expect_equal(fit$control, pom_control(penalty = 2, max_iterations = 50, model = FALSE))
  expect_equal(coef(fit), coef(pom(gear ~ wt, mtcars, control = pom_control(penalty = 2))))
  expect_equal(coef(pom_fit(as.matrix(mtcars["wt"]), mtcars$gear, control = control, penalty = 2)), coef(fit))
  expect_null(fit$model)
  sums <- list(`factor(cyl)` = "contr.sum")
  expect_equal(coef(pom(gear ~ factor(cyl), mtcars, control = pom_control(contrasts = sums))),
               coef(pom(gear ~ factor(cyl), mtcars, contrasts = sums)))
  expect_snapshot(error = TRUE, {
    pom(gear ~ wt, mtcars, penaltie = 2)
    pom(gear ~ wt, mtcars, weigths = hp)
    pom(gear ~ wt, mtcars, control = control, penalty = -1)
    pom(gear ~ wt, mtcars, sd = c(cyl = 1))
    pom_fit(as.matrix(mtcars["wt"]), mtcars$gear, NULL, NULL, control, "logit", NULL, 3)
  })
})

test_that("one message states the order in which factor() sorted text levels", {
  d <- with_seed(1, data.frame(satisfaction = factor(sample(c("Low", "Medium", "High"), 60, TRUE)), x = rnorm(60)))
  told <- paste("judicious", "satisfaction", "High < Low < Medium")
  rlang::reset_message_verbosity(told)
  expect_message(pom(satisfaction ~ x, d), "High < Low < Medium", class = "judicious_message_level_order")
  expect_no_message(pom(satisfaction ~ x, d))
  rlang::reset_message_verbosity(told)
  expect_message(pom(satisfaction ~ x + (1 | g), transform(d, g = gl(6, 10)), sd = c(g = 1)),
                 class = "judicious_message_level_order")
  shuffled <- transform(d, satisfaction = factor(c("1", "2", "10")[satisfaction], c("1", "10", "2")))
  rlang::reset_message_verbosity("judicious satisfaction 1 < 10 < 2")
  expect_message(pom(satisfaction ~ x, shuffled), "1 < 10 < 2", class = "judicious_message_level_order")
  in_order <- list(factor(d$satisfaction, c("Low", "Medium", "High")), ordered(d$satisfaction),
                   factor(as.integer(d$satisfaction)), cut(rev(d$x), c(-Inf, -1, 1, Inf)))
  for (y in in_order) expect_no_message(pom(y ~ x, list2DF(list(y = y, x = d$x))))
})

test_that("errors about weights and offset name the argument and the lengths", {
  expect_snapshot(error = TRUE, {
    pom(gear ~ wt, mtcars, weights = "hp")
    pom(gear ~ wt, mtcars, weights = 1:3)
    pom(gear ~ wt + (1 | cyl), mtcars, offset = 1:3)
  })
  expect_error(pom(gear ~ wt, mtcars, weights = 1:3), class = "judicious_error_argument")
})

test_that("arguments of polr() raise an error that names their replacement", {
  expect_snapshot(error = TRUE, {
    pom(gear ~ wt, mtcars, method = "logistic")
    pom(gear ~ wt, mtcars, method = "probit")
    pom(gear ~ wt, mtcars, Hess = TRUE)
  })
})

test_that("fits do not depend on the unit of weights", {
  set.seed(2)
  d <- data.frame(x = rnorm(100), z = rnorm(100))
  d$y <- findInterval(d$x + rlogis(100), c(-1, 1))
  for (settings in list(list(), list(link = "cauchit"), list(link = "probit"), list(scale = ~z), list(nominal = ~z),
                        list(threshold = "symmetric"))) {
    fit_with <- function(w) {
      do.call(pom, c(list(y ~ x + z, transform(d, w = w), weights = quote(w)), settings))
    }
    plain <- suppressMessages(fit_with(1))
    # If a second maximisation ends lower, the fit is evaluated again at the first maximum. It must report the
    # iterations that led there, not the 0 of this evaluation.
    expect_gt(plain$convergence$iterations, 0)
    for (w in c(1e-3, 1e-20, 1e-100, 1e20)) {
      fit <- suppressMessages(fit_with(w))
      expect_equal(fit$convergence$status, "converged")
      expect_equal(coef(fit), coef(plain), tolerance = 1e-6)
      expect_equal(vcov(fit) * w, vcov(plain), tolerance = 1e-6)
    }
  }
})

test_that("an expression of the data is evaluated once, so that it may be random", {
  d <- transform(mtcars, gear = factor(gear), group = rep(1:8, 4))
  rows <- with_seed(1, sample(32, replace = TRUE))
  for (fit_with in c(
    function(data) pom(gear ~ log(wt), data), function(data) pom(gear ~ log(wt), data, scale = ~ vs),
    function(data) suppressWarnings(pom_mixed(gear ~ log(wt) + (1 | group), data))
  )) {
    random <- with_seed(1, fit_with(d[sample(32, replace = TRUE), ]))
    expect_equal(coef(random), coef(fit_with(d[rows, ])))
  }
  count <- 0
  counted <- function() {
    count <<- count + 1
    d
  }
  fit <- pom(gear ~ log(wt), counted(), scale = ~ vs)
  expect_identical(count, 1)
  # The fit keeps the expression, for update(), instead of the data.
  expect_identical(fit$call$data, quote(counted()))
  expect_identical(fit$frame_call$data, quote(counted()))
  # Random variables do not draw from the user's generator more often than model.frame() does.
  state <- function(code) {
    set.seed(1)
    force(code)
    stats::runif(1)
  }
  expect_identical(state(pom(gear ~ jitter(wt), d)), state(stats::model.frame(gear ~ jitter(wt), d)))
})
