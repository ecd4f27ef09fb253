# A prior with one feature whose slope is known, and no variance other than the residual one.
known_model <- function(mean, slope) {
  gain_prior(mean = mean, mean_sd = 1e-6,
             slopes = replace(stats::setNames(rep(0, length(joint_features)), joint_features), "rank", slope),
             slope_sd = stats::setNames(rep(1e-6, length(joint_features)), joint_features),
             variances = replace(stats::setNames(rep(0, length(joint_terms)), joint_terms), "residual", 0.04),
             variance_sd = 1e-6)
}

# Two systems without common documents; documents at rank 1 have the feature -1/2, those at rank 2 the feature 1/2.
two_ranks <- function(levels = c(0, 0.5, 1)) {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q1", doc = c("d1", "d2", "d3", "d4"),
                     rank = c(1, 2, 1, 2))
  test_collection(runs, k = 2, scale = gain_scale(levels))
}

test_that("without judgments, the variance of a gain with mean m is proportional to m (1 - m)", {
  x <- two_ranks()
  gains <- as.data.frame(joint_gains(x, known_model(0.3, 2)))
  m <- plogis(qlogis(0.3) + 2 * c(-0.5, 0.5, -0.5, 0.5))
  expect_equal(gains$mean, m, tolerance = 1e-6)
  expect_equal(gains$variance, 0.04 * m * (1 - m) / (0.3 * 0.7), tolerance = 1e-6)
})

test_that("gains on two levels have the variance of a binary variable, m (1 - m)", {
  gains <- as.data.frame(joint_gains(two_ranks(0:1), known_model(0.3, 2)))
  expect_equal(gains$variance, gains$mean * (1 - gains$mean), tolerance = 1e-6)
  # For precision, relevance is binary, whatever the scale.
  x <- text_demo
  all_relevant <- transform(judgments_of(x)[1:10, c("query", "doc")], gain = 2)
  joint <- joint_gains(x, judgments = all_relevant, measure = "P@5")
  fit <- joint$fit
  eta <- drop(joint$pool$x %*% fit$beta)
  spread <- diag(joint$pool$x %*% fit$beta_covariance %*% t(joint$pool$x))
  mean <- plogis(eta / sqrt(1 + 0.346 * pmin(spread, 9)))
  of_effects <- mean * (1 - mean) - plogis(eta)^2 * plogis(-eta)^2 * spread
  above <- fit$variance * exp(0.375 * fit$variance_sd^2)
  expect_equal(sum(joint$parameters$variance[fit$terms]), sum(of_effects) / sum(joint$parameters$scale^2))
  expect_equal(joint$parameters$variance[fit$terms[-1]], above[fit$terms[-1]])
  gains <- as.data.frame(joint)
  left <- gains[!gains$judged, ]
  expect_gt(mean(left$variance), 0.85 * mean(left$mean * (1 - left$mean)))
})

test_that("gains with a mean near 0 keep a minimal variance", {
  gains <- as.data.frame(joint_gains(two_ranks(), known_model(0.001, 0)))
  expect_equal(gains$variance, rep(0.04 * 0.03 * 0.97 / (0.1 * 0.9), 4), tolerance = 1e-6)
})

test_that("variances in use exceed the posterior mode by a factor of exp(sd^2 / 4)", {
  fit <- gain_prior()[c("variance", "variance_sd")]
  expect_equal(stated_variance(joint_pool(two_ranks(), "rank"), fit), fit$variance * exp(0.25 * fit$variance_sd^2))
})

# Twenty systems with single answers to sixty questions; the first two answers of each are judged.
two_answers_each <- function(gain) {
  answers <- expand.grid(system = sprintf("s%02d", 1:20), query = sprintf("q%02d", 1:60), stringsAsFactors = FALSE)
  answers$doc <- paste(answers$query, answers$system)
  x <- test_collection(transform(answers, rank = 1), k = 1, scale = 0:1)
  judged <- answers[answers$query %in% c("q01", "q02"), ]
  joint_gains(x, judgments = data.frame(judged[c("query", "doc")], gain = gain(judged)))
}

test_that("two equal judgments of every system leave open how often its answers are right", {
  passed <- function(answers) as.numeric(answers$system > "s04")
  gains <- two_answers_each(passed)
  systems <- as.data.frame(rank_systems(gains$collection, gains))
  # Two right or two wrong answers have the probability .16 if .4 or .6 of all are wrong or right.
  expect_gt(min(systems$upper[systems$system <= "s04"]), 0.4)
  expect_lt(max(systems$lower[systems$system > "s04"]), 0.6)
})

test_that("if no answer is right, a system may still have as many as the judgments allow", {
  gains <- two_answers_each(function(answers) 0)
  systems <- as.data.frame(rank_systems(gains$collection, gains))
  # Forty wrong answers have the probability .05 if .07 of all are right; two of a system .49 if .3 of its are.
  expect_lt(max(systems$estimate), 0.15)
  expect_gt(min(systems$upper), 0.3)
})

test_that("the posterior of the variances has the derivatives that its differences have", {
  gains <- two_answers_each(function(answers) as.numeric(answers$system > "s04"))
  gain <- gains$gain[gains$sequence]
  objective <- joint_objective(gains$pool, gains$sequence, gain)
  posterior <- variance_posterior(gains$fit, objective, gains$model)
  # All variance is between systems, or there is hardly any.
  for (change in list(c(residual = -4, system = 1), c(residual = -2, query = -2, system = -3))) {
    v <- log(gains$model$variance[gains$fit$terms])
    v[names(change)] <- v[names(change)] + change
    step <- 1e-5
    differences <- vapply(seq_along(v), function(i) {
      (posterior(v + step * (seq_along(v) == i))$value - posterior(v - step * (seq_along(v) == i))$value) / (2 * step)
    }, 0)
    expect_equal(unname(posterior(v)$gradient), differences, tolerance = 1e-6)
  }
})
