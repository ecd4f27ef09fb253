case <- random_collection(4, systems = 6, queries = 5, k = 3, docs = 12)
prior <- gain_prior(mean = 0.4)

test_that("means, variances and covariances equal conditioning a dense normal distribution", {
  some <- case$truth[c(1, 4, 5, 9, 14, 20, 21), ]
  for (update in c(FALSE, TRUE)) {
    gains <- joint_gains(case$x, prior, judgments = some, update = update)
    judged <- which(!is.na(gains$gain))
    dense <- dense_condition(dense_joint_prior(gains), judged, gains$gain[judged] / 100)
    data <- as.data.frame(gains)
    expect_equal(data$mean, 100 * dense$mean)
    expect_equal(data$variance, 1e4 * diag(dense$covariance))
    all_pairs <- seq_along(gains$gain)
    expect_equal(vcov(gains, all_pairs), 1e4 * dense$covariance)
    expect_equal(vcov(gains, 3:6, 2), 1e4 * dense$covariance[3:6, 2, drop = FALSE])
    ranking <- rank_systems(case$x, gains)
    expect_equal(unname(ranking$mean), as.vector(100 * crossprod(dense$weights, dense$mean)))
    expect_equal(unname(ranking$covariance), 1e4 * t(dense$weights) %*% dense$covariance %*% dense$weights)
  }
})

test_that("the gains of selected documents share an unknown offset from those of random documents", {
  some <- transform(case$truth[c(1, 4, 5, 9, 14, 20, 21), ], audit = c(FALSE, TRUE, FALSE, FALSE, NA, FALSE, TRUE))
  gains <- joint_gains(case$x, prior, judgments = some, update = FALSE)
  selected <- find_pairs(case$x, some$query, some$doc)[c(1, 3, 4, 6)]
  before <- dense_joint_prior(joint_gains(case$x, prior, judgments = FALSE))
  shift <- replace(numeric(length(before$mean)), selected, 0.3 * gains$parameters$slope[selected])
  added <- dense_joint_prior(gains)
  # The sizes of the effects depend slightly on the uncertainty of the mean.
  expect_equal(added$covariance, before$covariance + tcrossprod(shift), tolerance = 1e-3)
  judged <- which(!is.na(gains$gain))
  dense <- dense_condition(added, judged, gains$gain[judged] / 100)
  expect_equal(as.data.frame(gains)$mean, 100 * dense$mean)
  expect_equal(vcov(gains, seq_along(shift)), 1e4 * dense$covariance)
  # There is no such offset if all documents were drawn at random, or if it is unknown which ones were selected.
  expect_equal(joint_gains(case$x, prior, judgments = transform(some, audit = TRUE))$parameters,
               joint_gains(case$x, prior, judgments = some[c("query", "doc", "gain")])$parameters)
  # The offset is specific to this collection, so it is not among the coefficients of the model.
  expect_false("selected" %in% names(coef(summary(joint_gains(case$x, prior, judgments = some)))))
})

test_that("the log likelihood is the normal density of the judged gains", {
  gains <- joint_gains(case$x, prior, judgments = case$truth[c(2, 3, 7, 11, 12, 19), ], update = FALSE)
  judged <- which(!is.na(gains$gain))
  y <- gains$gain[judged] / 100
  dense <- dense_joint_prior(gains)
  k <- dense$covariance[judged, judged]
  d <- y - dense$mean[judged]
  expected <- -0.5 * (length(y) * log(2 * pi) + as.numeric(determinant(k)$modulus) + sum(d * solve(k, d)))
  known <- lapply(gains$parameters, function(p) if (length(p) == length(gains$gain)) p[judged] else p)
  expect_equal(joint_log_likelihood(subset_pool(gains$pool, judged), known, y), expected)
})

test_that("variances given as parameters are matched by name, and all are required", {
  gains <- joint_gains(case$x, prior, judgments = case$truth[c(2, 3, 7), ], update = FALSE)
  at <- function(variance) {
    joint_log_likelihood(gains$pool, replace(gains$parameters, "variance", list(variance)), case$truth$gain / 100)
  }
  variance <- gains$parameters$variance
  expect_identical(at(rev(variance)), at(variance))
  expect_error(at(variance[-2]), "one named number per term")
  expect_error(at(unname(variance)), "one named number per term")
  expect_error(at(stats::setNames(variance, sub("team", "teams", names(variance)))), "no variance \"query:team\"")
})

test_that("the predicted variance reduction of a judgment equals that of making it", {
  gains <- joint_gains(case$x, prior, judgments = case$truth[c(1, 6, 13), ], update = FALSE)
  judged <- which(!is.na(gains$gain))
  dense <- dense_condition(dense_joint_prior(gains), judged, gains$gain[judged] / 100)
  directions <- rbind(c(1, -1, 0, 0, 0, 0), c(0, .5, 0, 0, 0, -2))
  reduction <- joint_reduction_cpp(joint_posterior(gains), directions, 0)
  for (pair in c(2, 10, 20)) {
    after <- dense_condition(dense, pair, 0)$covariance
    fall <- t(dense$weights) %*% (dense$covariance - after) %*% dense$weights
    expect_equal(reduction[pair], sum(diag(directions %*% fall %*% t(directions))))
  }
  expect_identical(reduction[judged], numeric(3))
  imagined <- joint_imagine_cpp(joint_posterior(gains), c(2L, 10L), 0)
  both <- dense_condition(dense, c(2, 10), c(0, 0))
  expect_equal(joint_systems_cpp(imagined)$covariance, t(both$weights) %*% both$covariance %*% both$weights)
  expect_equal(joint_systems_cpp(imagined)$mean, joint_systems_cpp(joint_posterior(gains))$mean)
})

test_that("judgments with errors are conditioned on as noisy observations", {
  exact <- joint_gains(case$x, prior, judgments = case$truth[c(1, 6, 13), ], update = FALSE)
  judged <- which(!is.na(exact$gain))
  noise <- replace(numeric(n_pairs(case$x)), judged, c(0.05, 0, 0.1))
  gains <- rejudged_gains(exact, exact$gain, noise)
  start <- dense_joint_prior(exact)
  observed <- start$covariance[judged, judged] + diag(noise[judged])
  by <- start$covariance[, judged] %*% solve(observed)
  mean <- as.vector(start$mean + by %*% (exact$gain[judged] / 100 - start$mean[judged]))
  covariance <- start$covariance - by %*% start$covariance[judged, ]
  expect_equal(as.data.frame(gains)$mean, 100 * mean)
  expect_equal(as.data.frame(gains)$variance, 1e4 * diag(covariance))
  expect_equal(joint_systems_cpp(joint_posterior(gains))$covariance,
               t(start$weights) %*% covariance %*% start$weights)
  # A second judgment of the first pair, and a judgment of another pair.
  directions <- rbind(c(1, -1, 0, 0, 0, 0), c(0, .5, 0, 0, 0, -2))
  reduction <- joint_reduction_cpp(joint_posterior(gains), directions, 0.2)
  some <- joint_reduction_of_cpp(joint_posterior(gains), directions, c(judged[1], 10L), 0.2)
  for (i in c(judged[1], 10)) {
    taken <- covariance[, i] / sqrt(covariance[i, i] + 0.2)
    expect_equal(reduction[i], sum((directions %*% t(start$weights) %*% taken)^2))
  }
  expect_equal(some, reduction[c(judged[1], 10)])
  expect_identical(reduction[judged[2]], 0)
  imagined <- joint_imagine_cpp(joint_posterior(gains), judged[1], 0.2)
  first <- covariance[, judged[1]]
  after <- covariance - first %o% first / (first[judged[1]] + 0.2)
  expect_equal(joint_systems_cpp(imagined)$covariance, t(start$weights) %*% after %*% start$weights)
  # Draws treat judgments as exact.
  expect_identical(simulate(gains, 3, seed = 1), simulate(exact, 3, seed = 1))
})

test_that("for new queries, the expected variance between queries is added", {
  gains <- joint_gains(case$x, prior, judgments = case$truth[c(1, 6, 13, 17), ], update = FALSE)
  judged <- which(!is.na(gains$gain))
  dense <- dense_condition(dense_joint_prior(gains), judged, gains$gain[judged] / 100)
  queries <- nrow(case$x$queries)
  scores <- lapply(seq_len(queries), function(q) queries * dense$weights * (case$x$pool$query == q))
  centred <- lapply(scores, function(s) s - Reduce(`+`, scores) / queries)
  between <- Reduce(`+`, lapply(centred, function(s) {
    m <- crossprod(s, dense$mean)
    tcrossprod(m) + t(s) %*% dense$covariance %*% s
  })) / (queries - 1)
  these <- rank_systems(case$x, gains)
  new <- rank_systems(case$x, gains, scope = "new")
  expect_equal(new$mean, these$mean)
  expect_equal(unname(new$covariance - these$covariance), 1e4 * between / queries)
})

test_that("scores and level probabilities can both be used as grades", {
  x <- case$x
  p <- seq(.05, .95, length.out = length(x$pool$query))
  levels <- length(x$scale$model_levels)
  prob <- cbind(1 - p, matrix(0, length(p), levels - 2), p)
  logit <- stats::qlogis(pmin(pmax(p * 0.99, .01), .99))
  expect_equal(read_grades(x, prob)$number, logit)
  expect_equal(read_grades(x, p * 7)$number, as.vector(scale(p)))
  with_it <- joint_gains(x, prior, judgments = case$truth[1:3, ], grades = prob)
  expect_true("grades" %in% names(with_it$fit$beta))
  others <- setdiff(joint_features, grade_slopes)
  alone <- joint_gains(x, gain_prior(slopes = stats::setNames(0 * seq_along(others), others)),
                       judgments = case$truth[0, ],
                       grades = prob)
  slope <- alone$model$coefficient[grade_slopes]
  within <- within_systems(x, logit)
  between <- 0.7 * 1.4 * (logit - within)
  centred <- function(v) v - mean(v)
  expect_equal(as.data.frame(alone)$mean,
               100 * stats::plogis(gain_prior()$coefficient[[1]] + slope[[1]] * centred(within) + slope[[2]] * centred(between)))
  expect_snapshot(error = TRUE, {
    joint_gains(x, prior, grades = 1:3)
    joint_gains(x, prior, grades = prob * 2)
  })
})

test_that("joint gains are the same after saving and loading", {
  gains <- joint_gains(case$x, prior, judgments = case$truth[1:4, ])
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(gains, file)
  expect_equal(as.data.frame(readRDS(file)), as.data.frame(gains))
})

test_that("joint gains raise an error with a collection that has other systems or results", {
  gains <- joint_gains(case$x, prior, judgments = case$truth[1:4, ])
  renamed <- moved <- case$x
  renamed$systems$system <- rev(renamed$systems$system)
  moved$results$system <- n_systems(moved) + 1L - moved$results$system
  expect_error(rank_systems(renamed, gains), class = "judicious_error_missing_gains")
  expect_error(rank_systems(moved, gains), class = "judicious_error_missing_gains")
})

test_that("gains of another collection, and scope = \"new\" with independent gains, raise errors", {
  other <- random_collection(5)
  expect_snapshot(error = TRUE, {
    rank_systems(other$x, joint_gains(case$x, prior, judgments = case$truth[1:4, ]))
    rank_systems(case$x, uniform_gains(case$x), scope = "new")
    vcov(joint_gains(case$x, prior, judgments = case$truth[1:4, ]), 0)
  })
})

test_that("judgments_until() returns the smallest number of judgments that meets a condition on the covariance", {
  x <- simulate_collection(queries = 8, documents = 60, artists = 10, systems = 4, seed = 2)
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ])
  open <- rev(which(is.na(gains$gain)))
  variance <- function(covariance) difference_variance_cpp(covariance)[1, 2]
  of_first <- function(n) {
    variance(joint_systems_cpp(joint_imagine_cpp(joint_posterior(gains), open[seq_len(n)], 0))$covariance)
  }
  for (share in c(0.9, 0.3)) {
    aim <- share * of_first(0)
    n <- judgments_until(gains, open, function(covariance) variance(covariance) <= aim)
    expect_lte(of_first(n), aim)
    expect_gt(of_first(n - 1), aim)
    expect_equal(variance(joint_systems_cpp(imagined_posterior(gains, open[seq_len(n)]))$covariance), of_first(n),
                 tolerance = 1e-10)
  }
  expect_identical(judgments_until(gains, open, function(covariance) FALSE), NA_integer_)
  expect_identical(judgments_until(gains, integer(), function(covariance) TRUE), NA_integer_)
})

test_that("judgments of relevant documents only are reported, because all others are then expected to be relevant", {
  runs <- data.frame(system = rep(c("A", "B"), each = 40), query = rep(1:10, each = 4), doc = 1:80, rank = 1:4)
  x <- test_collection(runs, k = 4, scale = 0:2)
  judged <- runs[seq(1, 79, 2), c("query", "doc")]
  only_relevant <- transform(judged, gain = rep(1:2, 20))
  expect_warning(joint_gains(x, judgments = only_relevant), "None of the 40 judgments is 0",
                 class = "judicious_warning_only_relevant")
  expect_warning(rank_systems(x, judgments = only_relevant), class = "judicious_warning_only_relevant")
  expect_warning(rank_systems(x, "design", judgments = only_relevant), class = "judicious_warning_only_relevant")
  expect_warning(judging_session(x, judgments = only_relevant), class = "judicious_warning_only_relevant")
  # No warning with a judgment of 0, with fewer than 30 judgments, or on a scale of ratings.
  expect_no_warning(joint_gains(x, judgments = transform(judged, gain = c(0, rep(1, 39)))))
  expect_no_warning(joint_gains(x, judgments = only_relevant[1:29, ]))
  # The warning is about the estimates: neither ranking them nor printing repeats it, and grades have their own check.
  gains <- suppressWarnings(joint_gains(x, judgments = only_relevant))
  expect_no_warning(rank_systems(x, gains))
  grades <- transform(runs[c("query", "doc")], grade = rep(0:2, length.out = 80))
  ranking <- suppressWarnings(rank_systems(x, judgments = only_relevant, grades = grades))
  expect_no_warning(utils::capture.output(ranking))
  assessed <- test_collection(runs, k = 4, scale = 0:2, judgments = transform(only_relevant, assessor = "a"))
  expect_no_warning(grader_validation(assessed, list(g = grades)))
  session <- judging_session(x, judgments = FALSE, goal = goal_budget(40), audit = 0.5, seed = 1)
  run_session(session, transform(runs[c("query", "doc")], gain = 1))
  expect_no_warning(utils::capture.output(rank_systems(session)))
  # Ratings from 1 to 4 may have a scale without 0.
  inferred <- test_collection(runs, k = 4, judgments = transform(judged, gain = rep(1:4, 10)))
  expect_warning(rank_systems(inferred), "state `scale = 1:4`", class = "judicious_warning_only_relevant")
  ratings <- test_collection(runs, k = 4, scale = 1:5)
  expect_no_warning(joint_gains(ratings, judgments = transform(judged, gain = rep(2:5, 10))))
})
