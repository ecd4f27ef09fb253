strata_case <- function() {
  x <- simulate_collection(queries = 8, documents = 120, artists = 20, systems = 4, seed = 5)
  x$queries$language <- rep(c("de", "en"), 4)
  x
}

test_that("a goal by stratum is reached when every stratum reaches it", {
  x <- strata_case()
  goal <- goal_mean(0.9, by = "language")
  s <- run_session(judging_session(x, goal = goal, seed = 1, update_every = Inf, judgments = FALSE))
  confidence <- vapply(rank_systems(s, by = "language"), ranking_confidence, 0)
  state <- progress(s)$goal
  expect_true(state$reached)
  expect_gte(min(confidence), 0.9)
  expect_equal(state$value, min(confidence), tolerance = 1e-6)
  expect_equal(vapply(state$parts, `[[`, 0, "value"), unname(confidence), tolerance = 1e-6)
  # Before the last judgment, the goal was not reached.
  trace <- as.data.frame(s)
  expect_lt(max(utils::head(trace$value, -1)), 0.9)
})

test_that("strata do not change a session's estimates, and are kept when it is reopened", {
  x <- strata_case()
  file <- withr::local_tempfile(fileext = ".sqlite")
  goal <- goal_all_pairs(0.99, by = "language") | goal_budget(25)
  s <- judging_session(x, goal = goal, store = file, seed = 1, update_every = Inf, judgments = FALSE)
  run_session(s)
  plain <- judging_session(x, seed = 1, judgments = judgments_of(s), update_every = Inf)
  expect_equal(rank_systems(s)[c("mean", "covariance")], rank_systems(plain)[c("mean", "covariance")])
  before <- s$engine$ranking$strata
  value <- s$engine$progress$value
  close_session(s)
  again <- open_session(file)
  expect_equal(progress(again)$goal$value, value)
  expect_equal(again$engine$ranking$strata$language$en$covariance, before$language$en$covariance)
  undo_judgment(again, "simulated")
  expect_equal(progress(again)$judged, 24)
  expect_equal(again$engine$ranking$strata$language$de$mean, rank_systems(again, by = "language")$de$mean)
  close_session(again)
})

test_that("documents are selected for the strata that have not reached the goal", {
  x <- strata_case()
  # With independent gains, a judgment gives no information about other queries.
  gains <- update(uniform_gains(x), judgments_of(x)[x$queries$language[x$pool$query] == "de", ])
  asked <- select_documents(x, gains, n = 5, goal = goal_all_pairs(0.9, by = "language"), seed = 1)
  expect_true(all(x$queries$language[match(asked$query, x$queries$query)] == "en"))
  some <- judgments_of(x)[1:20, ]
  within <- update(uniform_gains(x), some)
  weights <- select_documents(x, within, n = 500, goal = goal_mean(0.9, by = "language"),
                           strategy = strategy_weight("goal", tie_break = "pool"), seed = 1)
  c <- diff(x$results$offset)[find_pairs(x, weights$query, weights$doc)]
  expect_equal(weights$score, c * (4 - c))
  for (measure in list(NULL, "nDCG@5")) {
    gains <- joint_gains(x, gain_prior(), judgments = some, measure = measure)
    expect_equal(nrow(select_documents(gains, n = 2, goal = goal_mean(0.9, by = "language"), seed = 1)), 2)
  }
})

test_that("combined goals, plans and the expected number of judgments support strata", {
  x <- strata_case()
  goals <- list(goal_top(1, by = "language"), goal_beats("S01", by = "language"), goal_absolute(5, by = "language"),
                goal_width(0.1, by = "language"), goal_mean(0.9) & goal_width(0.05, by = "language"))
  some <- judgments_of(x)[1:15, ]
  for (goal in goals) {
    s <- judging_session(x, goal = goal, seed = 1, update_every = Inf, judgments = some)
    ranking <- refresh(s$engine)$ranking
    state <- goal$progress(ranking)
    expect_equal(progress(s, expect = FALSE)$goal$value, state$value, tolerance = 1e-6)
    expect_false(is_settled(s$engine))
  }
  wide <- vapply(rank_systems(s, by = "language"), function(r) {
    max(2 * qnorm(0.975) * sqrt(diag(r$covariance)) / 100)
  }, 0)
  expect_equal(goals[[4]]$progress(ranking)$value, max(wide), tolerance = 1e-6)
  s <- judging_session(x, goal = goal_mean(0.8, by = "language"), seed = 1, update_every = Inf, judgments = FALSE)
  expect_gt(progress(s)$expected_more, 0)
  plan <- judging_plan(x, goal_mean(0.8, by = "language") | goal_budget(40), judgments = FALSE, replicates = 2,
                       seed = 1)
  expect_equal(nrow(plan$needed), 2)
})

test_that("goals by stratum print, and unsupported uses of strata raise errors", {
  x <- strata_case()
  belief <- structure(list(), class = "own_belief")
  expect_snapshot({
    goal_mean(0.9, by = "language") | goal_budget(10)
    progress(judging_session(x, goal = goal_mean(0.9, by = "language"), seed = 1, judgments = FALSE), expect = FALSE)
  })
  expect_snapshot(error = TRUE, {
    judging_session(x, goal = goal_mean(0.9, by = "region"), judgments = FALSE)
    judging_plan(x, goal_mean(0.9, by = "region"), judgments = FALSE)
    select_documents(x, goal = goal_mean(0.9, by = "region"), judgments = FALSE)
    goal_mean(0.9, by = 1)
    goal_mean(0.9, by = "language")$progress(rank_systems(x))
    belief_reweigh(belief, x)
  })
})
