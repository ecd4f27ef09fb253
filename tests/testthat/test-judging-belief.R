x <- session_collection()
published <- function() independent_gains(mirex_model("output", "fine"), mirex_model("judge", "fine"))

test_that("a session with the published models equals mtc()", {
  wanted <- mtc(x, NULL, mirex_model("output", "fine"), mirex_model("judge", "fine"), confidence = 0.97,
                update_every = 7)
  s <- judging_session(x, past = published(), goal = goal_mean(0.97), strategy = strategy_weight(tie_break = "pool"),
                       audit = 0, update_every = 7,
                       seed = 1, judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_equal(judgments_of(s)[c("query", "doc", "gain")], judgments_of(wanted)[c("query", "doc", "gain")])
  trace <- as.data.frame(s, truth = judgments_of(x))
  columns <- c("judged", "confidence", "accuracy", "tau")
  expect_equal(trace[columns], as.data.frame(wanted, truth = judgments_of(x))[columns])
  expect_equal(rank_systems(s)$mean, rank_systems(wanted)$mean)
  expect_equal(as.data.frame(gain_distribution(s)), as.data.frame(gain_distribution(wanted)))
})

test_that("sessions with the published models support storage, batches, audits, overlap and combined goals", {
  file <- session_file()
  begin <- function(...) {
    judging_session(x, past = published(), goal = goal_top(2, 0.99) | goal_budget(30), strategy = strategy_gradient(),
                    audit = 0.2, batch = 4,
                    overlap = 0.3, update_every = 6, seed = 3, ..., judgments = FALSE)
  }
  whole <- run_session(begin(), progress = FALSE)
  s <- begin(store = file)
  judge_truly(s, 5, "simulated")
  undo_judgment(s, "simulated")
  judge_truly(s, 8, "simulated")
  close_session(s)
  s <- open_session(file)
  run_session(s, progress = FALSE)
  fresh <- open_session(file)
  expect_identical(as.data.frame(fresh), as.data.frame(s))
  expect_identical(rank_systems(fresh)$mean, rank_systems(s)$mean)
  expect_true(progress(s)$goal$reached)
  # The estimates depend only on the judgments, not on the course of the session.
  made <- judgments_of(s)
  first <- made[!made$overlap, c("query", "doc", "gain")]
  gains <- updated_gains(s$engine$initial, s$engine$fit)
  expect_equal(rank_systems(s)$mean, rank_systems(x, update(gains, first))$mean)
  expect_lte(nrow(judgments_of(whole)), 40)
})

test_that("sessions with independent gains support rank-weighted measures and AP", {
  for (measure in c("P(rel=50)@5", "DCG@5", "RBP(p=0.8)@5")) {
    s <- judging_session(x, past = independent_gains(), goal = goal_budget(20), measure = measure, audit = 0, seed = 1,
                         judgments = FALSE)
    run_session(s, progress = FALSE)
    made <- judgments_of(s)[c("query", "doc", "gain")]
    wanted <- rank_systems(x, update(uniform_gains(x), made), measure = measure)
    expect_equal(rank_systems(s)$mean, wanted$mean)
    expect_equal(s$engine$ranking$mean, wanted$mean)
    expect_equal(s$engine$ranking$covariance, wanted$covariance)
    expect_equal(s$engine$ranking$difference_variance, wanted$difference_variance)
  }
  by <- function(strategy) {
    judging_session(x, past = independent_gains(), goal = goal_budget(5), strategy = strategy, measure = "AP(rel=50)@5",
                    audit = 0, seed = 1,
                    judgments = FALSE)
  }
  s <- run_session(by(strategy_weight()), progress = FALSE)
  made <- judgments_of(s)[c("query", "doc", "gain")]
  expect_equal(rank_systems(s)$mean, rank_systems(x, update(uniform_gains(x), made), measure = "AP(rel=50)@5")$mean)
  expect_snapshot(error = TRUE, {
    run_session(by(strategy_gradient()), progress = FALSE)
    judging_session(x, past = independent_gains(), measure = "RR@5", judgments = FALSE)
    judging_session(x, past = independent_gains(), grades = numeric(n_pairs(x)), judgments = FALSE)
    judging_session(x, past = 3, judgments = FALSE)
  })
})

test_that("the expected variance reduction of planned judgments equals that of making them", {
  belief <- belief_restore(belief_begin(belief_prepare(published(), x, NULL), x), NULL, rep(NA_real_, n_pairs(x)),
                           integer())
  pairs <- c(3L, 17L, 5L)
  imagined <- belief_imagine(belief, pairs)
  known <- belief
  for (pair in pairs) known <- belief_judge(belief_imagine(known, integer()), pair, 40)
  expect_equal(belief_systems(imagined)$covariance, belief_systems(known)$covariance)
  expect_equal(belief_systems(imagined)$mean, belief_systems(belief)$mean)
  directions <- diag(n_systems(x))[1:2, ]
  expect_equal(belief_reduction(belief, directions), belief_reduction.default(belief, directions))
  expect_equal(belief_pairs(known, 17L), list(mean = 40, variance = 0))
})

# A third class of gain models: every gain has the mean of the judged gains, and the variance of a binary variable.
belief_prepare.toy_model <- function(model, x, grades) structure(list(guess = model$guess),
                                                                       class = "toy_prepared")
belief_begin.toy_prepared <- function(prepared, x) {
  structure(list(x = x, gain = rep(NA_real_, n_pairs(x)), sure = logical(n_pairs(x)), guess = prepared$guess),
            class = "toy_belief")
}
belief_judge.toy_belief <- function(belief, pair, gain, noise) {
  belief$gain[pair] <- gain
  belief
}
belief_imagine.toy_belief <- function(belief, pairs) {
  belief$sure[pairs] <- TRUE
  belief
}
belief_pairs.toy_belief <- function(belief, pairs = NULL) {
  known <- !is.na(belief$gain)
  mean <- ifelse(known, belief$gain, mean(c(belief$guess, belief$gain[known])))
  pairs <- pairs %||% seq_along(mean)
  list(mean = mean[pairs], variance = ifelse(known | belief$sure, 0, 2500)[pairs])
}
belief_systems.toy_belief <- function(belief) {
  of <- belief_pairs(belief)
  estimate_systems(belief$x, of$mean, of$variance)
}
belief_gains.toy_belief <- function(belief) {
  gains <- uniform_gains(belief$x)
  gains[c("mean", "variance")] <- belief_pairs(belief)
  gains$judged <- !is.na(belief$gain)
  gains
}
as.data.frame.toy_belief <- function(x, ...) data.frame(belief_pairs(x))

test_that("a user's class of gain models works in sessions once it has methods for a few generics", {
  for (generic in c("prepare", "begin", "judge", "imagine", "pairs", "systems", "gains")) {
    class <- c(prepare = "toy_model", begin = "toy_prepared")[generic]
    if (is.na(class)) class <- "toy_belief"
    method <- get(paste0("belief_", generic, ".", class))
    registerS3method(paste0("belief_", generic), class, method, envir = asNamespace("judicious"))
  }
  registerS3method("as.data.frame", "toy_belief", as.data.frame.toy_belief)
  toy <- structure(list(guess = 30), class = "toy_model")
  s <- judging_session(x, past = toy, goal = goal_mean(0.9) | goal_budget(25), audit = 0.1, batch = 3, seed = 1,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  trace <- as.data.frame(s)
  expect_true(progress(s)$goal$reached)
  made <- judgments_of(s)
  expect_equal(made$mean[1], 30)
  expect_equal(made$mean[3], mean(c(30, made$gain[1:2])))
  undo_judgment(s, "simulated")
  expect_equal(progress(s)$confidence, trace$confidence[nrow(trace) - 1])
  gain <- replace(rep(NA_real_, n_pairs(x)), find_pairs(x, made$query, made$doc)[-nrow(made)], made$gain[-nrow(made)])
  mean <- ifelse(is.na(gain), mean(c(30, gain), na.rm = TRUE), gain)
  expect_equal(unname(s$engine$ranking$mean), estimate_systems(x, mean, numeric(length(mean)))$mean)
  # The class also works in rankings, with a custom strategy, and in plans, for which the true gains must be given.
  expect_equal(rank_systems(s)[c("mean", "judged")], s$engine$ranking[c("mean", "judged")])
  unsure <- strategy_custom("unsure", function(belief, ranking, goal, price) as.data.frame(belief)$variance / price)
  short <- judging_session(x, past = toy, goal = goal_budget(4), strategy = unsure, seed = 1, judgments = FALSE)
  expect_equal(progress(run_session(short, progress = FALSE))$judged, 4)
  plan <- function(...) judging_plan(x, goal_budget(4), toy, ..., judgments = FALSE, replicates = 1, seed = 1)
  expect_equal(plan(truth = judgments_of(x))$needed$judged, 4)
  expect_snapshot(error = TRUE, plan())
})

test_that("a session tells the gain model which documents the strategy selected", {
  s <- judging_session(x, goal = goal_budget(24), audit = 0.3, update_every = 12, seed = 2, judgments = FALSE)
  run_session(s, progress = FALSE)
  made <- judgments_of(s)[seq_len(s$engine$fitted), ]
  expect_setequal(s$engine$fit$selected, with(made[!made$audit, ], find_pairs(x, query, doc)))
  expect_gt(sum(made$audit), 0)
  at_random <- judging_session(x, goal = goal_budget(24), strategy = strategy_random(), update_every = 12, seed = 2,
                               judgments = FALSE)
  expect_length(run_session(at_random, progress = FALSE)$engine$fit$selected, 0)
  undo_judgment(s, "simulated")
  progress(s)
  # After the next estimation, a pair whose judgment was undone does not count as selected.
  refit(s$engine)
  made <- judgments_of(s)
  expect_setequal(s$engine$fit$selected, with(made[!made$audit, ], find_pairs(x, query, doc)))
})

test_that("a new session object has all fields of its state", {
  s <- judging_session(x, goal = goal_budget(12), audit = 0.3, overlap = 0.2, update_every = 5, seed = 1,
                       judgments = FALSE)
  fields <- sort(names(s$engine))
  run_session(s, progress = FALSE)
  undo_judgment(s, "simulated")
  progress(s)
  as.data.frame(s, truth = judgments_of(x))
  close_session(s)
  expect_identical(sort(names(s$engine)), fields)
})

test_that("constructors create objects with all their fields", {
  fields <- function(object) sort(names(object))
  again <- transform(as.data.frame(x)[c("system", "query", "doc", "rank")], system = paste(system, "2"))
  more <- add_runs(x, again, systems = transform(x$systems, system = paste(system, "2")))
  expect_identical(fields(with_measure(more, "AP")), fields(x))
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:20, ], measure = "AP")
  made <- new_joint_gains(x, gains$model, gains$pool, gains$fit, gains$gain)
  for (one in list(gains, belief_expect(gains, 0.1))) expect_identical(fields(one), fields(made))
  fit <- new_joint_fit(gains$pool, gains$model)
  expect_identical(fields(gains$fit), fields(fit))
  typed <- x
  typed$queries$type <- rep(c("a", "b"), length.out = n_queries(x))
  n <- n_systems(x)
  ranking <- new_ranking(x, numeric(n), diag(n))
  s <- judging_session(x, goal = goal_budget(3), seed = 1, judgments = FALSE)
  for (made in list(rank_systems(x, gains), rank_systems(x, uniform_gains(x)), rank_systems(s),
                    rank_systems(typed, uniform_gains(typed), by = "type")[[1]])) {
    expect_identical(fields(made), fields(ranking))
  }
  goal <- goal_custom("any", function(ranking) list(value = 1, asked = 1, reached = TRUE))
  for (made in list(goal_mean(), goal_top(2), goal_budget(3), goal_mean() & goal_budget(3), goal_mean(by = "type"))) {
    expect_identical(fields(made), fields(goal))
  }
  strategy <- strategy_custom("any", function(...) 1)
  for (made in list(strategy_gradient(), strategy_weight("undecided"), strategy_random())) {
    expect_identical(fields(made), fields(strategy))
  }
})
