scripts <- reproduction_scripts()

truncated_model <- function(type, past, self = TRUE) {
  fit_mirex_model(type, past, self, fit = scripts$truncated_regression)
}

one <- simulate_collection(queries = 12, documents = 200, artists = 25, systems = 5, scale = broad_scale(), seed = 1)

features_of_one <- function() {
  cbind(output_features(one), judgment_features(one, self = FALSE)[c("aSYS", "aART")],
        gain = factor(one$gain, 0:2, ordered = TRUE))
}

# The log density of a truncated normal variable, with the normalising integral by quadrature.
log_density <- function(y, mean, sigma) {
  whole <- vapply(mean, function(m) integrate(dnorm, -0.5, 2.5, m, sigma, rel.tol = 1e-10)$value, 0)
  dnorm(y, mean, sigma, log = TRUE) - log(whole)
}

test_that("truncated regression maximises its likelihood, and predicts the probability around each level", {
  fit <- truncated_model("judge", past = one, self = FALSE)
  data <- features_of_one()
  data <- data[complete.cases(data[c("aSYS", "aART")]), ]
  x <- cbind(1, data$pTEAM, data$aSYS, data$aART)
  y <- as.numeric(as.character(data$gain))
  at <- function(p) sum(log_density(y, drop(x %*% p[1:4]), p[5]))
  best <- c(unname(fit$coefficients), fit$sigma)
  expect_equal(as.numeric(logLik(fit)), at(best), tolerance = 1e-8)
  expect_identical(attr(logLik(fit), "df"), 5)
  # The estimate is a maximum: a step in any direction lowers the likelihood, and the slope is 0.
  for (j in 1:5) {
    step <- replace(numeric(5), j, 1e-3)
    ends <- c(at(best + step), at(best - step))
    expect_lt(max(ends), at(best))
    expect_lt(abs(diff(ends)), 1e-2 * abs(sum(ends) - 2 * at(best)))
  }
  prob <- predict(fit, data[1:5, ])
  by_hand <- t(vapply(drop(x[1:5, ] %*% best[1:4]), function(m) {
    mass <- diff(pnorm(c(-0.5, 0.5, 1.5, 2.5), m, fit$sigma))
    mass / sum(mass)
  }, numeric(3)))
  expect_equal(unname(prob), by_hand)
  expect_equal(predict(fit, data[1:5, ], type = "mean"), drop(by_hand %*% 0:2), ignore_attr = TRUE)
  gains <- gain_distribution(fit, judgment_features(one) |> cbind(output_features(one)["pTEAM"]))
  expect_equal(sum(gains$fallback), sum(!complete.cases(features_of_one()[c("aSYS", "aART")])))
  expect_snapshot(fit)
})

test_that("if all gains are at the ends of the scale, the fitted standard deviation is the largest one allowed", {
  x <- test_collection(data.frame(system = rep(c("A", "B"), each = 40), query = rep(1:8, 10), doc = rep(1:80)),
                       k = 5, scale = 0:2, documents = data.frame(doc = 1:80, artist = 1:80, genre = rep(1:2, 40)))
  x$gain <- rep(c(0, 2), length.out = n_pairs(x))
  fit <- truncated_model("output", past = x)
  expect_true(fit$at_limit)
  expect_output(print(fit), "its limit")
})
