x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 5)
ranking <- new_ranking(x, c(10, 20, 21, 40), diag(c(4, 4, 4, 4)), judged = 3L)
pair <- function(a, b, delta = 0) stats::pnorm((abs(c(10, 20, 21, 40)[a] - c(10, 20, 21, 40)[b]) - delta) / sqrt(8))
all_pairs <- utils::combn(4, 2)

test_that("each goal depends on the confidences in its definition", {
  each <- apply(all_pairs, 2, function(p) pair(p[1], p[2]))
  expect_equal(goal_mean(.9)$progress(ranking)$value, mean(each))
  expect_equal(goal_all_pairs(.9)$progress(ranking)$value, min(each))
  # The probability of a top set comes from joint draws. It is about that of the most uncertain pair, because all other
  # pairs are nearly certain.
  expect_equal(goal_top(2, .9)$progress(ranking)$value, pair(2, 3), tolerance = .05)
  expect_equal(goal_top(1, .9)$progress(ranking)$value, pair(3, 4), tolerance = .05)
  expect_equal(goal_ranks(2)$progress(ranking)$value, 2)
  expect_true(goal_ranks(2)$progress(replace(ranking, "judged", least_judgments))$reached)
  open <- interests_of(goal_ranks(1), ranking)[[1]]$pairs
  expect_identical(which(open > 0, arr.ind = TRUE, useNames = FALSE), cbind(c(3L, 2L), c(2L, 3L)))
  expect_equal(goal_beats("S01", .9)$progress(ranking)$value, pair(1, 2))
  expect_equal(goal_beats("S01", .9, delta = 3)$progress(ranking)$value, pair(1, 2, 3))
  expect_equal(goal_width(.1)$progress(ranking)$value, 2 * 1.959963984540054 * 2 / 100)
  expect_true(goal_budget(3)$progress(ranking)$reached)
  expect_false(goal_budget(4)$progress(ranking)$reached)
})

test_that("goals include every difference by default, and are met if there are no pairs of systems", {
  expect_identical(goal_custom("mine", identity)$delta, 0)
  expect_identical(smallest_confidence(numeric()), 1)
  expect_identical(smallest_confidence(c(0.9, 0.6)), 0.6)
})

test_that("goals are combined by the operators & and |", {
  yes <- goal_budget(1)
  no <- goal_budget(9)
  expect_true((yes | no)$progress(ranking)$reached)
  expect_false((yes & no)$progress(ranking)$reached)
  expect_true((yes & yes)$progress(ranking)$reached)
  expect_snapshot(goal_top(2, .9, delta = 1) & goal_width(.05) | goal_budget(100))
})

test_that("a combined goal selects documents for its unmet goals, each with its own delta", {
  top <- goal_top(2, .999, delta = 1)
  mean <- goal_mean(.999, delta = 8)
  width <- goal_width(.01)
  expect_identical(interests_of(top | goal_budget(100), ranking), interests_of(top, ranking))
  expect_identical(interests_of(goal_budget(100) | mean, ranking), interests_of(mean, ranking))
  expect_identical(interests_of(top & mean & width, ranking),
                   c(interests_of(top, ranking), interests_of(mean, ranking), interests_of(width, ranking)))
  enough <- replace(ranking, "judged", least_judgments)
  expect_identical(interests_of(goal_mean(.1) | top, enough), interests_of(top, enough))
  # A budget has no comparisons of its own, so all comparisons count.
  expect_identical(interests_of(goal_budget(100), ranking)[[1]]$pairs, 1 - diag(4))
  # The order of the operands does not affect the selection.
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:20, ])
  next_by <- function(goal) select_documents(gains, n = 5, goal = goal, seed = 1)
  expect_equal(next_by(goal_budget(500) | mean), next_by(mean))
  expect_equal(next_by(top & mean), next_by(mean & top))
})

test_that("goals other than a budget need 20 judgments, or all judgments of a smaller pool", {
  goals <- list(goal_mean(.1), goal_all_pairs(.1), goal_top(1, .1), goal_absolute(1e6), goal_width(1))
  reached <- function(judged, of = ranking) {
    vapply(goals, function(goal) goal$progress(replace(of, "judged", judged))$reached, NA)
  }
  expect_false(any(reached(19)))
  expect_true(all(reached(20)))
  expect_true(goal_budget(2)$progress(replace(ranking, "judged", 2))$reached)
  small <- ranking
  small$collection$pool <- lapply(small$collection$pool, utils::head, 4)
  expect_false(any(reached(3, small)))
  expect_true(all(reached(4, small)))
})

test_that("the square root of the goal's weights reproduces their quadratic form", {
  w <- matrix(c(0, 1, 2, 1, 0, .5, 2, .5, 0), 3)
  v <- c(.3, 0, 1)
  a <- c(1.5, -2, .7)
  expected <- sum(w * outer(a, a, `-`)^2) / 2 + sum(v * a^2)
  expect_equal(sum((weight_root(w, v) %*% a)^2), expected)
  set.seed(1)
  drawn <- replicate(4000, sum((random_combinations(weight_root(w, v), 2) %*% a)^2))
  expect_lt(abs(mean(drawn) - expected), 4 * stats::sd(drawn) / sqrt(4000))
})

test_that("invalid goals raise errors", {
  expect_snapshot(error = TRUE, {
    goal_mean(1)
    goal_top(0)
    goal_top(4)$progress(ranking)
    goal_beats(3)
    goal_beats("nobody")$progress(ranking)
    goal_budget(1) & 3
  })
})

test_that("sessions and plans raise an error for a goal that does not apply to their collection", {
  x <- ranking$collection
  x$gain[] <- NA
  expect_snapshot(error = TRUE, {
    judging_session(x, goal = goal_budget(3) | goal_beats("nobody"))
    judging_session(x, goal = goal_mean() & goal_top(9))
    judging_plan(x, goal_beats("nobody"))
    select_documents(x, goal = goal_top(4))
  })
})

test_that("selection for an absolute goal weights variances by the derivative of the goal's value", {
  goal <- goal_absolute(2, 0.9)
  variance <- diag(ranking$covariance)
  value <- function(v) mean(2 * pnorm(2 / sqrt(v)) - 1)
  expect_equal(goal$progress(ranking)$value, value(variance))
  rate <- vapply(seq_along(variance), function(i) {
    h <- 1e-5 * variance[i]
    (value(replace(variance, i, variance[i] + h)) - value(replace(variance, i, variance[i] - h))) / (2 * h)
  }, 0)
  wanted <- interests_of(goal, ranking)[[1]]
  ratio <- wanted$systems / sqrt(variance) / -rate
  expect_equal(unname(ratio), rep(ratio[[1]], length(ratio)), tolerance = 1e-6)
  expect_true(all(wanted$pairs == 0))
})

test_that("a session in which all remaining documents were skipped stops with this reason", {
  x <- simulate_collection(queries = 4, documents = 50, artists = 10, systems = 3, seed = 1)
  s <- judging_session(x, goal_mean(0.999), judgments = FALSE, seed = 1)
  suppressWarnings(run_session(s, judgments_of(x)[1:5, ], progress = FALSE))
  expect_identical(goal_state(progress(s)), "not met, and all other documents are skipped")
})
