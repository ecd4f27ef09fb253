whole <- simulate_collection(queries = 10, documents = 150, artists = 20, systems = 4, seed = 1)
x <- whole
x$gain[] <- NA

plan <- judging_plan(x, goal = goal_mean(0.8) | goal_budget(25), cost = judging_cost(30, 60), hourly = 24,
                     replicates = 4, seed = 5)

test_that("a plan summarises the sessions that it simulated", {
  needed <- plan$needed
  expect_identical(dim(needed), c(4L, 6L))
  expect_true(all(needed$judged <= 25))
  expect_equal(needed$money, 24 * needed$hours)
  # Sessions that reached the goal have the requested confidence; the others end at the limit.
  expect_true(all(needed$confidence[needed$reached] >= 0.78))
  expect_true(all(needed$judged[!needed$reached] == 25))
  # A judgment takes 30 seconds, and each of at most ten queries another 60.
  expect_true(all(needed$hours * 3600 >= 30 * needed$judged + 60 * (needed$judged > 0)))
  expect_true(all(needed$hours * 3600 <= 30 * needed$judged + 60 * pmin(10, needed$judged)))
})

test_that("the curve of a plan ends with its longest session", {
  curve <- as.data.frame(plan)
  last <- curve[nrow(curve), ]
  expect_equal(last$confidence, stats::median(plan$needed$confidence))
  expect_equal(last$lower, stats::quantile(plan$needed$confidence, 0.1, names = FALSE))
  expect_equal(last$hours, stats::median(plan$needed$hours))
  expect_identical(last$share_reached, mean(plan$needed$reached))
  expect_true(all(diff(curve$share_reached) >= 0))
  # Before the first judgment, all simulated sessions state the same confidence.
  expect_equal(curve$lower[1], curve$upper[1])
})

test_that("a plan simulates gains for the measure, and uses the grades of the session", {
  y <- with_measure(x, "P(rel=85)@5")
  model <- gain_prior()
  expected <- mean(as.data.frame(joint_gains(x, model, measure = "P(rel=85)@5"))$mean)
  set.seed(4)
  relevant <- replicate(200, mean(draw_truth(belief_prepare(model, y, NULL), y) >= 85))
  expect_lt(abs(mean(relevant) - expected), 4 * stats::sd(relevant) / sqrt(200))
  levels <- length(x$scale$model_levels)
  grades <- matrix(stats::runif(n_pairs(x) * levels), ncol = levels)
  grades <- grades / rowSums(grades)
  seen <- NULL
  watch <- strategy_custom("watched", function(belief, ranking, goal, price) {
    if (is.null(seen)) seen <<- as.data.frame(belief)$mean
    strategy_random()$score(belief, ranking, goal, price)
  })
  judging_plan(x, goal = goal_mean(0.9999) | goal_budget(2), strategy = watch, audit = 0, replicates = 1, seed = 1,
               grades = grades)
  believed <- joint_gains(x, model, grades = grades)
  expect_equal(seen, as.data.frame(believed)$mean)
})

test_that("a plan is reproduced by its seed and does not change the random number generator", {
  again <- keeps_generator(judging_plan(whole, goal = goal_mean(0.8) | goal_budget(25), cost = judging_cost(30, 60),
                                        hourly = 24,
                                        judgments = FALSE, replicates = 4, seed = 5))
  expect_identical(again, plan)
})

test_that("a plan starts from the collection's judgments and counts further ones only", {
  half <- whole
  half$gain[seq(1, length(half$gain), 2)] <- NA
  with_seed(1, truth <- draw_truth(belief_prepare(gain_prior(), half, NULL), half))
  known <- !is.na(half$gain)
  expect_identical(truth[known], half$gain[known])
  expect_false(anyNA(truth))
  goal <- goal_mean(0.95)
  rest <- judging_plan(half, goal, replicates = 3, seed = 1)
  # The first confidence is that of the ranking with the judgments known.
  expect_equal(rest$curve$confidence[1], ranking_confidence(rank_systems(half)))
  expect_equal(rest$curve$hours[1], 0)
  expect_lte(max(rest$needed$judged), sum(!known))
  # A plan for a session equals that for its collection with the judgments made so far.
  s <- judging_session(x, seed = 1, judgments = judgments_of(half))
  expect_identical(judging_plan(s, goal, replicates = 3, seed = 1), rest)
  expect_snapshot(judging_plan(whole), error = TRUE)
})

test_that("a plan simulates the selection of several documents at a time, each from another query", {
  e <- new_engine(new_setup(x, belief_prepare(gain_prior(), x, NULL), goal_mean(0.9), strategy_gradient(),
                             session_control(audit = 0)))
  work <- planned_work(e)
  open <- is.na(x$gain)
  expect_identical(sort(x$pool$query[choose_ahead(e, 20, open)]), 1:10)
  best <- select_documents(x, n = 1)
  expect_identical(choose_ahead(e, 1, open), find_pairs(x, best$query, best$doc))
  expect_identical(choose_ahead(e, 4, open)[1], choose_ahead(e, 1, open))
  # After 100 judgments, documents are selected two at a time, and none is selected twice.
  chosen <- integer()
  for (i in seq_len(110)) {
    pair <- work$take(1, Inf)
    work$judge(pair, 50)
    chosen <- c(chosen, pair)
  }
  expect_identical(anyDuplicated(chosen), 0L)
  expect_identical(e$sequence, chosen)
})

test_that("simulated joint gains have the mean of the prior", {
  # Without effects and with a known intercept, gains are independent with mean 0.3, except for rounding to levels of
  # the scale.
  none <- stats::setNames(rep(0, length(joint_terms) - 1), joint_terms[-1])
  model <- gain_prior(mean = 0.3, mean_sd = 1e-6, variances = none, variance_sd = 1e-6,
                      slopes = stats::setNames(rep(0, length(joint_features)), joint_features),
                      slope_sd = stats::setNames(rep(1e-6, length(joint_features)), joint_features))
  drawn <- with_seed(1, replicate(20, draw_truth(belief_prepare(model, x, NULL), x)))
  error <- stats::sd(drawn) / sqrt(length(drawn))
  expect_lt(abs(mean(drawn) - 30), 4 * error)
})

test_that("simulated independent gains follow their distribution, and judged gains are kept", {
  y <- x
  levels <- y$scale$model_levels
  y$gain[1] <- levels[2]
  drawn <- with_seed(2, replicate(100, draw_truth(belief_prepare(independent_gains(), y, NULL), y)))
  expect_true(all(drawn[1, ] == levels[2]))
  # Every gain of the scale is equally likely, and is rounded to the nearest level of the model.
  nearest <- max.col(-abs(outer(y$scale$levels, levels, "-")))
  share <- tabulate(match(drawn[-1, ], levels), length(levels)) / length(drawn[-1, ])
  expect_lt(max(abs(share - tabulate(nearest) / length(nearest))), 4 * sqrt(0.1 / length(drawn)))
})

test_that("plans print and plot, and invalid arguments raise errors", {
  expect_snapshot(plan)
  file <- withr::local_tempfile(fileext = ".png")
  grDevices::png(file)
  plot(plan)
  s <- run_session(judging_session(x, goal = goal_budget(5), seed = 1,
                                   judgments = FALSE), judgments_of(whole), progress = FALSE)
  plot(plan, s)
  grDevices::dev.off()
  expect_gt(file.size(file), 0)
  expect_identical(unique(plan_picture(plan, s)$curves$series), c("plan", "session"))
  expect_snapshot(error = TRUE, {
    judging_plan(x, cost = 30)
    judging_plan(x, hourly = -1)
    judging_plan(simulate_collection(queries = 2, systems = 1, seed = 1), judgments = FALSE)
    plot(plan, session = 3)
  })
})

test_that("without a limit, simulated sessions of a plan continue until the goal is reached", {
  far <- judging_plan(x, goal_mean(0.93), replicates = 2, seed = 1)
  expect_true(all(far$needed$reached))
  expect_true(all(far$needed$confidence >= 0.93))
  expect_false(far$cut)
  expect_output(print(far), "reached    in all of the sessions")
  # The plot has a line at the goal if the goal is a mean confidence.
  expect_identical(plan_picture(far)$ideal$intercept, 0.93)
  expect_equal(nrow(plan_picture(judging_plan(x, goal_budget(2), replicates = 1, seed = 1))$ideal), 0)
})

test_that("a plan states the minimum number of judgments if the goal is already met", {
  said <- "The ranking is as sure already; a session makes at least 20 judgments before it says so."
  start <- plan$curve$confidence[1]
  sure <- judging_plan(x, goal_mean(start - 0.02), replicates = 2, seed = 1)
  expect_true(any(sure$needed$judged == least_judgments))
  expect_output(print(sure), said, fixed = TRUE)
  # There is no such statement if the goal is not met yet, if more judgments than the minimum are planned, or if the
  # minimum has been judged already.
  expect_null(plan_least(plan))
  expect_null(plan_least(judging_plan(x, goal_budget(10), replicates = 1, seed = 1)))
  later <- sure
  later$needed$judged <- later$needed$judged + 1
  expect_null(plan_least(later))
  begun <- judging_session(x, seed = 1, judgments = judgments_of(whole)[1:20, ])
  expect_null(plan_least(judging_plan(begun, goal_mean(0.6), replicates = 1, seed = 1)))
})

test_that("a plan reports a goal that cannot be reached", {
  # Two equal systems: no judgment can tell which is better.
  twins <- test_collection(data.frame(system = rep(c("A", "B"), each = 2), query = "q", doc = rep(c("d1", "d2"), 2)),
                           k = 2, scale = broad_scale())
  never <- judging_plan(twins, goal_mean(0.9), replicates = 2, seed = 1)
  expect_false(any(never$needed$reached))
  expect_output(print(never), "in 0% of the sessions, with all judgments that can change the ranking.*of 0.500")
})

test_that("a budget in a combined goal is the upper end of a plan's interval", {
  for (confidence in c(0.8, 0.9999)) {
    short <- judging_plan(x, goal_mean(confidence) | goal_budget(22), replicates = 3, hourly = 20, seed = 1)
    judged <- sort(short$needed$judged)
    expect_identical(unlist(summary(short)[1, c("median", "lower", "upper")], use.names = FALSE), judged[c(2, 1, 3)])
    expect_lte(max(judged), 22)
    expect_true(all(is.finite(summary(short)$upper)))
  }
  expect_false(any(short$needed$reached))
  # Known judgments count towards the budget.
  known <- judgments_of(whole)[seq(1, 60, 3), ]
  rest <- judging_plan(x, goal_mean(0.9999) | goal_budget(22), judgments = known, replicates = 2, seed = 1)
  expect_identical(rest$needed$judged, c(2, 2))
})

test_that("a plan's interval contains a new session's length in at least 80% of cases, and wide ones are reported", {
  expect_identical(interval_places(10), c(1, 10))
  expect_identical(interval_places(20), c(2, 19))
  expect_identical(interval_places(1), c(1, 1))
  # The order statistics a and b of n draws enclose a further draw of the same distribution with probability (b - a) /
  # (n + 1).
  held <- vapply(9:200, function(n) diff(interval_places(n)) / (n + 1), 1)
  expect_true(all(held >= 0.8 - 1e-9 & held < 0.92))
  wide <- plan
  wide$needed$judged <- c(2, 4, 6, 25)
  wide$needed$reached <- TRUE
  # For an even number of sessions, the median is the mean of the two middle values.
  expect_identical(unlist(summary(wide)[1, c("median", "lower", "upper")], use.names = FALSE), c(5, 2, 25))
  expect_output(print(wide), "5 (range of 4 sessions: from 2 to 25); cannot be planned yet, because",
                fixed = TRUE)
  wide$known <- 50
  expect_output(print(wide), "judge about 50 more documents first\n")
  wide$needed$judged[1] <- 3
  expect_false(grepl("cannot be planned", paste(capture.output(print(wide)), collapse = " ")))
})

test_that("plans draw variances around the values that sessions typically estimate at their end", {
  logs <- function(model) log(t(with_seed(1, replicate(4000, draw_variances(model)))) / rep(model$variance, each = 4000))
  near <- function(values, mean) expect_lt(abs(mean(values) - mean), 4 * stats::sd(values) / sqrt(length(values)))
  drawn <- logs(gain_prior())
  near(drawn[, "residual"], log(2))
  near(drawn[, "system"], -log(1.7))
  near(drawn[, "query"], 0)
  # The variances of a model that was learned from past collections are not changed.
  near(logs(gain_prior(variances = c(query = 0.02)))[, "residual"], 0)
})

test_that("a plan says that the known judgments have spent its budget", {
  spent <- judging_plan(x, goal_mean(0.999) | goal_budget(3), judgments = judgments_of(whole)[1:5, ], replicates = 2,
                        seed = 1)
  expect_identical(plan_reached(spent), sprintf(
    "no: the known judgments have spent the budget, at a mean confidence of %.3f", spent$curve$confidence[1]))
})
