test_that("a comparison is decided by the sign of its difference, or by equality within a given margin", {
  x <- simulate_collection(queries = 6, documents = 80, artists = 12, systems = 3, seed = 2)
  ranking <- rank_systems(x, judgments = judgments_of(x)[1:40, ])
  d <- system_differences(ranking, equal = 4)
  within <- mapply(function(m, s) stats::integrate(dnorm, -4, 4, mean = m, sd = s, rel.tol = 1e-10)$value,
                   d$difference, d$sd)
  expect_equal(d$equal, within)
  state <- goal_all_pairs(0.9, equal = 4)$progress(ranking)
  expect_equal(state$value, min(pmax(d$confidence, d$equal)))
  expect_equal(goal_beats("S02", 0.9, equal = 4)$progress(ranking)$value,
               min(pmax(d$confidence, d$equal)[d$system_a == "S02" | d$system_b == "S02"]))
  # Only undecided pairs have a selection weight.
  open <- goal_all_pairs(0.9, equal = 4)$interest(ranking)[[1]]$pairs
  at <- cbind(match(d$system_a, x$systems$system), match(d$system_b, x$systems$system))
  expect_equal(open[at], as.numeric(pmax(d$confidence, d$equal) < 0.9))
  # If the variance is 0, the probability is 1 or 0.
  expect_equal(equal_probability(c(1, 4, 5), rep(0, 3), 4), c(1, 0, 0))
})

test_that("sessions with `equal` decide every pair, and are right at the stated rate", {
  # The true gains are drawn from the model, so accuracy should equal the stated confidence. For each pair, the session
  # states its order or that it differs by less than `equal`, whichever is more probable.
  x <- simulate_collection(queries = 8, documents = 80, artists = 12, systems = 3, seed = 7)
  unknown <- x
  unknown$gain[] <- NA
  goal <- goal_all_pairs(0.9, equal = 20)
  outcomes <- lapply(1:8, function(seed) {
    model <- gain_prior()
    x$gain <- with_seed(seed, draw_truth(belief_prepare(model, x, NULL), unknown))
    s <- run_session(judging_session(x, past = model, goal = goal, seed = seed, audit = 0, update_every = Inf,
                                     batch = 4,
                                     judgments = FALSE))
    ranking <- rank_systems(s)
    d <- system_differences(ranking, equal = 20)
    truth <- true_means(x, x$gain)
    true <- truth[match(d$system_a, x$systems$system)] - truth[match(d$system_b, x$systems$system)]
    right <- ifelse(d$equal > d$confidence, abs(true) < 20, true * d$difference > 0)
    data.frame(reached = progress(s, expect = FALSE)$goal$reached, judged = ranking$judged,
               stated = pmax(d$confidence, d$equal), right = right, equal = d$equal > d$confidence)
  })
  all <- do.call(rbind, outcomes)
  expect_true(all(all$reached))
  expect_gte(min(all$stated), 0.9)
  expect_lt(max(all$judged), n_pairs(x))
  expect_true(any(all$equal) && any(!all$equal))
  # Accuracy may be at most three standard errors below the stated confidence.
  expect_gte(mean(all$right), mean(all$stated) - 3 * sqrt(mean(all$stated * (1 - all$stated)) / nrow(all)))
})

test_that("`equal` is validated and printed", {
  expect_snapshot(goal_top(2, 0.9, equal = 3))
  expect_snapshot(error = TRUE, {
    goal_all_pairs(0.9, equal = -1)
    goal_all_pairs(0.9, delta = 3, equal = 2)
    system_differences(rank_systems(simulate_collection(queries = 2, documents = 40, systems = 2, seed = 1)), equal = 0)
  })
})
