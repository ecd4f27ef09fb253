x <- simulate_collection(queries = 12, documents = 150, artists = 20, systems = 5, seed = 3)
n <- nrow(pool_ids(x))
truth <- judgments_of(x)

# A feature that is correlated with the gains, with some missing values.
score <- function(x) {
  v <- x$gain / 100 + with_seed(1, stats::rnorm(length(x$gain), sd = 0.1))
  replace(v, seq(5, length(v), by = 17), NA)
}

# The mean squared error over the unjudged pairs.
error_of <- function(gains) {
  d <- as.data.frame(gains)
  mean((d$mean - gains$collection$gain)[!d$judged]^2)
}

test_that("custom features give the same values from each of the three accepted forms", {
  s <- score(x)
  wanted <- (s - mean(s, na.rm = TRUE)) / stats::sd(s, na.rm = TRUE)
  wanted[is.na(s)] <- 0
  values <- function(features, x = x_now) custom_feature_values(x, custom_features(features))
  x_now <- x
  expect_equal(values(function(x) data.frame(score = score(x))), list(score = wanted))
  expect_equal(values(data.frame(truth[c("query", "doc")], score = s)), list(score = wanted))
  # The order of the rows does not matter; pairs that are missing from the table have unknown values, which is reported.
  table <- data.frame(truth[c("query", "doc")], score = s)[rev(which(!is.na(s))), ]
  expect_warning(got <- values(table), class = "judicious_warning_no_metadata")
  expect_equal(got, list(score = wanted))
  length <- seq_len(nrow(x$documents))
  x_now$documents$length <- length
  x_now$queries$words <- seq_len(nrow(x$queries)) > 4
  x_now$systems$neural <- c(TRUE, FALSE, FALSE, TRUE, FALSE)
  standard <- function(v) as.vector(scale(v))
  expect_equal(values(c("length", many = "words")),
               list(length = standard(length[x$pool$doc]), many = standard(x$pool$query > 4)))
  expect_equal(values(data.frame(doc = x$documents$doc, length = length)), list(length = standard(length[x$pool$doc])))
  expect_equal(values(data.frame(query = x$queries$query, w = 12:1)),
               list(w = standard(-x$pool$query)))
  pair <- rep(seq_len(n), diff(x$results$offset))
  share <- as.vector(tapply(c(1, 0, 0, 1, 0)[x$results$system], pair, mean))
  expect_equal(values("neural"), list(neural = standard(share)))
  # Features without variation are left out.
  expect_length(values(function(x) data.frame(a = rep(1, n), b = NA, c = 1e6 + rep_len(c(0, 1e-10), n))), 0)
  # A feature with small values is kept, because its unit does not matter.
  expect_equal(values(function(x) data.frame(score = 1e-9 * score(x))), list(score = wanted))
})

test_that("custom features start at slope 0 with sd 1, are estimated, and serve the next collection", {
  give <- function(x) data.frame(score = score(x), noise = with_seed(2, stats::rnorm(nrow(pool_ids(x)))))
  prior <- gain_prior(features = give)
  before <- joint_gains(x, prior, judgments = truth[0, ])
  expect_identical(before$model$coefficient[["score"]], 0)
  expect_identical(before$model$coefficient_covariance[["score", "score"]], 1)
  # Before judgments the slope of the feature is 0, so the expected gains are those without the feature.
  plain <- joint_gains(x, gain_prior(), judgments = truth[0, ])
  expect_equal(as.data.frame(before)$mean, as.data.frame(plain)$mean)
  some <- truth[seq(1, n, by = 3), ]
  expect_lt(error_of(joint_gains(x, prior, judgments = some)),
            0.8 * error_of(joint_gains(x, gain_prior(), judgments = some)))

  model <- gain_model(x, ~ popularity, random = c("query", "system"), features = give)
  expect_named(model$coefficient, c("intercept", "popularity", "score", "noise", grade_slopes))
  expect_gt(model$coefficient[["score"]], 5 * coefficient_sd(model)[["score"]])
  expect_lt(abs(model$coefficient[["noise"]]), 3 * coefficient_sd(model)[["noise"]])
  # A formula selects features of the table; without one, all are used.
  one <- gain_model(x, ~ popularity + score, random = c("query", "system"), features = give)
  expect_named(one$coefficient, c("intercept", "popularity", "score", grade_slopes))
  next_one <- simulate_collection(queries = 12, documents = 150, artists = 20, systems = 5, seed = 4)
  path <- tempfile(fileext = ".rds")
  saveRDS(one, path)
  gains <- joint_gains(next_one, readRDS(path), judgments = judgments_of(next_one)[0, ])
  expect_equal(gains$pool$x[, "score"], custom_feature_values(next_one, custom_features(give))$score)
  expect_false("noise" %in% colnames(gains$pool$x))
  without <- gain_model(x, ~ popularity, random = c("query", "system"))
  expect_lt(error_of(gains), 0.8 * error_of(joint_gains(next_one, without, judgments = judgments_of(next_one)[0, ])))
  # A model used as prior keeps its own features.
  expect_named(gain_model(next_one, ~ popularity, random = "query", prior = one)$coefficient, names(one$coefficient))
})

test_that("the formula of a gain model can name columns of the collection", {
  x$documents$length <- seq_len(nrow(x$documents))
  model <- gain_model(x, ~ popularity + length, random = "query")
  expect_equal(model$coefficient,
               gain_model(x, ~ popularity, random = "query", features = "length")$coefficient)
  expect_error(joint_gains(simulate_collection(queries = 3, documents = 50, systems = 3, seed = 1), model),
               class = "judicious_error_columns")
})

test_that("sessions, plans and studies use custom features, and sessions store them", {
  give <- function(x) data.frame(score = score(x))
  file <- session_file()
  s <- judging_session(x, past = gain_prior(features = give), store = file, goal = goal_budget(6), update_every = 3,
                       seed = 1,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_true("score" %in% names(belief_gains(s$engine$belief)$fit$beta))
  before <- rank_systems(s)
  close_session(s)
  expect_error(open_session(file), class = "judicious_error_not_given")
  s <- open_session(file, past = gain_prior(features = give))
  expect_equal(rank_systems(s)$mean, before$mean)
  close_session(s)
  plan <- judging_plan(x, goal_budget(3), gain_prior(features = give), judgments = FALSE, replicates = 2, seed = 1)
  expect_equal(plan$needed$judged, c(3, 3))
  methods <- list(own = joint_method(features = give, random = "query"), plain = joint_method(random = "query"))
  results <- mtc_study(x, methods = methods, budgets = c(0, 5), replicates = 1, seed = 1)$results
  expect_true(all(results$brier[results$method == "own"] != results$brier[results$method == "plain"]))
})

test_that("invalid features raise informative errors", {
  expect_snapshot(error = TRUE, {
    gain_prior(features = 1)
    joint_gains(x, gain_prior(features = "length"))
    joint_gains(x, gain_prior(features = "genre"))
    joint_gains(x, gain_prior(features = function(x) data.frame(a = 1:3)))
    joint_gains(x, gain_prior(features = function(x) data.frame(rank = seq_len(n))))
    joint_gains(x, gain_prior(features = data.frame(a = 1)))
    joint_gains(x, gain_prior(features = data.frame(doc = c("d1", "d1"), a = 1:2)))
    gain_model(x, ~ popularity + b, features = function(x) data.frame(a = seq_len(n)))
  })
})

test_that("a prior with custom features prints them", {
  expect_output(print(gain_prior(features = c("length", "age"))), "features of your own .*: length, age")
  expect_output(print(gain_prior(features = score)), "features of your own")
})

test_that("first_ranks() counts, for each document, the lists that have it at rank 1", {
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 2), query = "q", rank = 1:2,
                     doc = c("d1", "d2", "d1", "d3", "d2", "d1"))
  x <- test_collection(runs, k = 2, scale = 0:1)
  expect_equal(first_ranks(x)[match(c("d1", "d2", "d3"), pool_ids(x)$doc)], c(2, 1, 0))
  unranked <- test_collection(runs[c("system", "query", "doc")], k = 2, scale = 0:1)
  expect_equal(first_ranks(unranked), numeric(3))
})
