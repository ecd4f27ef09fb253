x <- session_collection()

test_that("a session is reproducible, judges no pair twice, and leaves the random number generator unchanged", {
  run <- function() run_session(judging_session(x, goal = goal_budget(30), audit = 0.3, seed = 7,
                                                judgments = FALSE), progress = FALSE)
  a <- keeps_generator(run())
  b <- run()
  expect_identical(session_state(a), session_state(b))
  expect_identical(as.data.frame(a)$judged, 0:30)
  order <- judgments_of(a)
  expect_false(any(duplicated(order[c("query", "doc")])))
  truth <- judgments_of(x)
  expect_identical(order$gain, truth$gain[match(paste(order$query, order$doc), paste(truth$query, truth$doc))])
})

test_that("a finished session has the estimates of joint_gains() with its judgments", {
  s <- judging_session(x, goal = goal_budget(15), audit = 0, update_every = Inf, seed = 1, judgments = FALSE)
  run_session(s, progress = FALSE)
  g <- joint_gains(x, gain_prior(), judgments = judgments_of(s)[c("query", "doc", "gain")], update = FALSE)
  expect_equal(rank_systems(s)$mean, rank_systems(x, g)$mean)
  expect_equal(rank_systems(s)$covariance, rank_systems(x, g)$covariance)
  expect_equal(as.data.frame(gain_distribution(s)), as.data.frame(g))
  trace <- as.data.frame(s, truth = judgments_of(x))
  expect_equal(unname(ranking_accuracy(rank_systems(s), judgments_of(x))),
               unlist(trace[16, c("accuracy", "tau")], use.names = FALSE))
  expect_identical(trace[1:4], as.data.frame(s))
  # The first document is the one with the highest selection score.
  first <- select_documents(joint_gains(x, gain_prior(), judgments = judgments_of(x)[0, ]), n = 1, seed = 1)
  expect_identical(unlist(judgments_of(s)[1, c("query", "doc")], use.names = FALSE),
                   unlist(first[c("query", "doc")], use.names = FALSE))
})

test_that("a reopened session with a nonlinear measure continues with the same documents and estimates", {
  ap <- function(...) judging_session(x, measure = "AP(rel=50)@5", audit = 0, seed = 3, ..., judgments = FALSE)
  file <- withr::local_tempfile(fileext = ".db")
  s <- run_session(ap(goal = goal_budget(8), store = file), progress = FALSE)
  undo_judgment(s, "simulated")
  run_session(s, progress = FALSE)
  state <- function(s) s$engine$belief[c("gain", "sequence", "approximation")]
  again <- open_session(file)
  refresh(again$engine)
  expect_identical(state(again), state(s))
  expect_identical(progress(again)$confidence, progress(s)$confidence)
  # Estimates from the session's gains are in the unit of the measure, and documents are selected by these.
  gains <- gain_distribution(s)
  expect_equal(rank_by_belief(gains, gains$collection, 0)$mean, s$engine$ranking$mean)
  expect_lt(max(abs(s$engine$ranking$mean - rank_systems(s)$mean)), 0.05)
})

test_that("a nonlinear measure is approximated anew even if coefficients are not re-estimated", {
  s <- judging_session(x, measure = "AP(rel=50)@5", goal = goal_budget(45), update_every = Inf, audit = 0, seed = 3,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_identical(s$engine$approximated, 45L)
  expect_identical(gain_distribution(s)$fit$beta, joint_gains(x, gain_prior(), update = FALSE)$fit$beta)
  expect_identical(nrow(store_rows(s$engine$store, "fit")), 0L)
})

test_that("a large collection is approximated after several judgments, by the process that judges and by others", {
  withr::defer(assignInNamespace("results_per_judgment", 20000, "judicious"))
  assignInNamespace("results_per_judgment", 100, "judicious")
  file <- withr::local_tempfile(fileext = ".db")
  s <- judging_session(x, measure = "AP(rel=50)@5", goal = goal_budget(43), update_every = Inf, audit = 0, seed = 3,
                       judgments = FALSE, store = file)
  run_session(s, progress = FALSE)
  # 300 results: after every judgment up to the tenth, then after as many as a tenth of the judgments, up to 3.
  expect_identical(s$engine$approximated, 41L)
  again <- open_session(file)
  refresh(again$engine)
  state <- function(s) list(s$engine$approximated, s$engine$belief[c("gain", "sequence", "approximation")],
                            s$engine$ranking$mean, s$engine$ranking$covariance)
  expect_identical(state(again), state(s))
})

test_that("a judgment whose update was interrupted is counted once", {
  looks <- 0
  goal <- function(broken_at) {
    goal_custom("twelve judgments", function(ranking) {
      looks <<- looks + 1
      if (looks == broken_at) stop("interrupted")
      list(value = ranking$judged, asked = 12, reached = ranking$judged >= 12)
    })
  }
  whole <- run_session(judging_session(x, goal = goal(Inf), audit = 0, seed = 5, judgments = FALSE), progress = FALSE)
  looks <- 0
  broken <- judging_session(x, goal = goal(6), audit = 0, seed = 5, judgments = FALSE)
  expect_error(run_session(broken, progress = FALSE), "interrupted")
  run_session(broken, progress = FALSE)
  expect_identical(session_state(broken), session_state(whole))
})

test_that("recorded predictions equal the estimates of joint_gains() before each judgment", {
  s <- judging_session(x, goal = goal_budget(6), audit = 0.5, update_every = Inf, seed = 2, judgments = FALSE)
  order <- judgments_of(run_session(s, progress = FALSE))
  before <- as.data.frame(joint_gains(x, gain_prior(), judgments = order[1:5, c("query", "doc", "gain")],
                                      update = FALSE))
  row <- before[before$query == order$query[6] & before$doc == order$doc[6], ]
  expect_equal(order$mean[6], row$mean)
  expect_equal(order$sd[6], sqrt(row$variance))
})

test_that("coefficients are estimated after a fifth more judgments, and later after at least `update_every` / 4 more", {
  s <- run_session(judging_session(x, goal = goal_budget(13), update_every = 5, seed = 1,
                                   judgments = FALSE), progress = FALSE)
  fits <- store_rows(s$engine$store, "fit")
  expect_identical(fits$judged, c(1:5, 7L, 9L, 11L))
  g <- joint_gains(x, gain_prior(), judgments = judgments_of(s)[1:5, c("query", "doc", "gain", "audit")])
  expect_equal(blob_value(fits[5, ], "fit")$beta, g$fit$beta, tolerance = 1e-3)
})

test_that("estimates requested from a session include any pending estimation of coefficients", {
  order <- judgments_of(x)[1:25, ]
  s <- judging_session(x, seed = 1, judgments = FALSE)
  judge(s, order$query, order$doc, order$gain)
  known <- joint_gains(x, gain_prior(), judgments = order)
  expect_equal(progress(s)$confidence, ranking_confidence(rank_systems(x, known)))
  expect_equal(rank_systems(s)$mean, rank_systems(x, known)$mean)
})

test_that("a session can start from existing judgments", {
  some <- x
  some$gain[-(1:12)] <- NA
  s <- judging_session(some, seed = 1)
  expect_equal(judgments_of(s)[c("query", "doc", "gain")], judgments_of(some))
  expect_false(any(next_documents(s, 50)$doc %in% judgments_of(some)$doc &
                     next_documents(s, 50)$query %in% judgments_of(some)$query))
  expect_identical(nrow(judgments_of(judging_session(some, seed = 1, judgments = FALSE))), 0L)
  fewer <- judgments_of(some)[1:5, ]
  expect_equal(judgments_of(judging_session(some, seed = 1, judgments = fewer))[c("query", "doc", "gain")], fewer)
  # A simulated session needs judgments to answer with.
  expect_snapshot(error = TRUE, {
    judging_session(x)
    run_session(s)
  })
})

test_that("a session that opens with judgments has the state of one that took them one by one", {
  for (measure in c("AG", "nDCG@5")) {
    open <- function(judgments) {
      judging_session(x, seed = 1, measure = if (measure != "AG") measure, judgments = judgments)
    }
    together <- open(judgments_of(x)[seq(1, 180, 4), ])
    earlier <- judgments_of(together)
    one <- open(FALSE)
    for (i in seq_len(nrow(earlier))) {
      judge(one, earlier$query[i], earlier$doc[i], earlier$gain[i])
      belief_pairs(refresh(one$engine)$belief)
    }
    # Before the last of the judgments, a nonlinear measure is not drawn.
    traces <- list(as.data.frame(together), as.data.frame(one))
    n <- nrow(traces[[1]])
    drawn <- if (measure == "AG") seq_len(n) else c(1, n)
    expect_identical(traces[[1]][drawn, ], traces[[2]][drawn, ])
    without_draws <- lapply(traces, function(trace) trace[setdiff(names(trace), c("value", "confidence"))])
    expect_identical(without_draws[[1]], without_draws[[2]])
    expect_identical(belief_pairs(together$engine$belief), belief_pairs(one$engine$belief))
    expect_identical(next_documents(together, 5)[1:2], next_documents(one, 5)[1:2])
    expect_identical(rank_systems(together)$mean, rank_systems(one)$mean)
  }
})

test_that("a session stops when no judgment can change the comparisons in its goal", {
  run <- data.frame(query = "q1", doc = c("d1", "d2"), rank = 1:2)
  copies <- test_collection(rbind(data.frame(system = "A", run), data.frame(system = "B", run)), k = 2,
                            judgments = data.frame(query = "q1", doc = c("d1", "d2"), gain = c(10, 90)))
  judged_for <- function(goal) nrow(judgments_of(run_session(judging_session(copies, goal = goal,
                                                                             judgments = FALSE), progress = FALSE)))
  expect_identical(judged_for(goal_mean()), 0L)
  expect_identical(judged_for(goal_width(0.01)), 2L)
  expect_identical(judged_for(goal_budget(1)), 1L)
})

test_that("progress shows the state of each part of a combined goal", {
  s <- judging_session(x, goal = goal_mean(0.99) | goal_width(0.05) & goal_budget(3), audit = 0, seed = 1,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  parts <- progress(s)$goal$parts
  expect_identical(vapply(parts, `[[`, "", "label"),
                   c("mean confidence 0.99", "intervals no wider than 0.05", "3 judgments"))
  expect_equal(parts[[1]]$value, progress(s)$confidence)
})

test_that("a judging function can judge, skip and stop a session", {
  asked <- 0
  s <- judging_session(x, seed = 1, goal = goal_mean(0.9999), judgments = FALSE)
  run_session(s, function(query, doc) {
    asked <<- asked + 1
    if (asked == 2) NA else if (asked == 5) NULL else 50
  }, progress = FALSE)
  expect_identical(judgments_of(s)$gain, c(50, 50, 50))
  expect_identical(progress(s)$skipped, 1L)
  # The document requested last is released.
  expect_identical(nrow(held_slots(s$engine, "simulated")), 0L)
  expect_snapshot(error = TRUE, {
    run_session(judging_session(x, seed = 1, judgments = FALSE), function(query, doc) 300)
    run_session(judging_session(x, seed = 1, judgments = FALSE), function(query, doc) c(1, 2))
    run_session(x)
  })
})

test_that("a session ends when the whole pool is judged", {
  small <- restrict_to_queries(x, 1:2)
  s <- run_session(judging_session(small, goal = goal_width(0), batch = 7, seed = 1,
                                   judgments = FALSE), progress = FALSE)
  expect_identical(nrow(judgments_of(s)), n_pairs(small))
  expect_identical(nrow(next_documents(s)), 0L)
  expect_identical(progress(s)$open, 0L)
})

test_that("documents of a batch are selected one after another, each given the previous ones", {
  g <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ])
  batch <- select_documents(g, n = 4, seed = 1)
  pairs <- find_pairs(x, batch$query, batch$doc)
  imagined <- belief_imagine(g, pairs[1])
  scores <- strategy_gradient()$score(imagined, rank_by_belief(imagined, x, 10), goal_mean(), 1)
  expect_identical(which.max(scores), pairs[2])
  expect_equal(batch$score[2], max(scores))
  # In a session, documents that other assessors hold count as judged, too.
  s <- judging_session(x, audit = 0, seed = 1, judgments = judgments_of(x)[1:10, ])
  one_by_one <- rbind(next_documents(s, 1, "a"), next_documents(s, 1, "b"), next_documents(s, 1, "c"))
  known <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ])
  pairs <- find_pairs(x, one_by_one$query, one_by_one$doc)
  for (i in 1:3) {
    imagined <- belief_imagine(known, pairs[seq_len(i - 1)])
    scores <- strategy_gradient()$score(imagined, rank_by_belief(imagined, x, 10), goal_mean(0.95), 1)
    # Among documents with equal scores, any may be chosen.
    expect_equal(scores[pairs[i]], max(scores))
  }
})

test_that("the approximate selection scores its best pairs exactly, and fewer than 1% of pairs are better", {
  g <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ])
  m <- n_systems(x)
  weights <- matrix(1, m, m) - diag(m)
  price <- rep(c(1, 2, Inf), length.out = n_pairs(x))
  exact <- reduction_of(g, weights, numeric(m)) / price
  look <- function(closer) {
    withr::with_seed(1, reduction_of(g, weights, numeric(m), price, max_systems = m - 1, closer = closer))
  }
  expect_equal(look(n_pairs(x)), exact)
  some <- look(40)
  # The 40 largest values are exact, and pairs that must not be judged come last.
  closer <- order(some, decreasing = TRUE)[1:40]
  expect_equal(some[closer], exact[closer])
  expect_true(all(some[is.infinite(price)] == 0))
  expect_lt(mean(exact > max(exact[closer])), 0.01)
})

test_that("a cost for new queries favours queries that have judgments", {
  g <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:3, ])
  dear <- select_documents(g, n = 5, cost = judging_cost(1, 1e6), seed = 1)
  expect_identical(unique(dear$query), unique(judgments_of(x)[1:3, "query"]))
  s <- judging_session(x, goal = goal_budget(4), cost = judging_cost(2, 10), audit = 0, seed = 1, judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_equal(as.data.frame(s)$cost[5], 2 * 4 + 10 * length(unique(judgments_of(s)$query)))
})

test_that("calibration() uses the recorded predictions", {
  s <- judging_session(x, goal = goal_budget(40), audit = 0.5, seed = 3, judgments = FALSE)
  order <- judgments_of(run_session(s, progress = FALSE))
  k <- calibration(s)
  z <- with(order[order$audit, ], (gain - mean) / sd)
  expect_identical(k$n[1:2], as.integer(table(order$audit)[c("TRUE", "FALSE")]))
  expect_equal(k$z2[1], mean(z^2))
  expect_equal(k$within_80[1], mean(abs(z) < 1.2815515655446004))
  expect_snapshot(print(s))
})

test_that("invalid arguments of a session raise errors", {
  expect_snapshot(error = TRUE, {
    judging_session(1, judgments = FALSE)
    judging_session(x, overlap = 2, judgments = FALSE)
    judging_session(x, lease = 0, judgments = FALSE)
    judging_session(x, store = 3, judgments = FALSE)
    open_session(NULL)
    progress(1)
    as.data.frame(judging_session(x, judgments = FALSE), truth = judgments_of(x)[1:3, ])
    rank_systems(judging_session(x, judgments = FALSE), judgments = FALSE)
    judge(judging_session(x, judgments = FALSE), judgments_of(x)[1:2, ])
  })
})

test_that("session settings can be given as arguments or by session_control()", {
  of <- function(s) mget(session_settings, envir = s$engine)
  s <- judging_session(x, batch = 3, same_query = TRUE, seed = 1, judgments = FALSE)
  expect_identical(of(s), list(audit = 0.1, overlap = 0, batch = 3, same_query = TRUE, update_every = 20, lease = 600))
  controlled <- judging_session(x, seed = 1, judgments = FALSE, control = session_control(batch = 3, same_query = TRUE))
  expect_identical(of(controlled), of(s))
  expect_snapshot(error = TRUE, {
    judging_session(x, batches = 3)
    judging_session(x, control = session_control(), batch = 3)
    judging_session(x, control = list(batch = 3))
  })
})

test_that("using a closed session raises an error that says it is closed", {
  s <- close_session(judging_session(x, seed = 1, judgments = FALSE))
  expect_snapshot(error = TRUE, next_documents(s))
  expect_output(print(s), "closed")
})

test_that("with same_query, each batch holds documents of one query, in audits too", {
  for (audit in c(0, 0.5)) {
    s <- judging_session(x, audit = audit, batch = 3, same_query = TRUE, goal = goal_budget(30), seed = 2,
                         judgments = FALSE)
    run_session(s, progress = FALSE)
    made <- judgments_of(s)
    batch <- rep(1:10, each = 3)
    expect_true(all(tapply(made$query, batch, function(q) length(unique(q))) == 1))
    expect_true(all(tapply(made$audit, batch, function(a) length(unique(a))) == 1))
    expect_identical(any(made$audit), audit > 0)
  }
  expect_error(judging_session(x, same_query = NA, judgments = FALSE), class = "judicious_error_argument")
  # The chosen query is the one whose four best documents have the largest total score. Its documents are then chosen
  # one after another, as without `same_query`.
  s <- judging_session(x, audit = 0, batch = 4, same_query = TRUE, seed = 2, judgments = FALSE)
  first <- next_documents(s, 4)
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[0, ])
  pairs <- find_pairs(x, first$query, first$doc)
  score_after <- function(before) {
    imagined <- belief_imagine(gains, before)
    strategy_gradient()$score(imagined, rank_by_belief(imagined, x, 0), goal_mean(), 1)
  }
  total <- tapply(score_after(integer()), x$pool$query, function(scores) sum(sort(scores, decreasing = TRUE)[1:4]))
  expect_identical(unique(x$pool$query[pairs]), which.max(unname(total)))
  for (i in 1:4) {
    before <- pairs[seq_len(i - 1)]
    scores <- score_after(before)
    others <- setdiff(which(x$pool$query == x$pool$query[pairs[1]]), before)
    # Among documents with equal scores, any may be chosen.
    expect_equal(scores[pairs[i]], max(scores[others]))
  }
})

test_that("a second judgment of a document counts towards the budget", {
  s <- judging_session(session_collection(), goal = goal_budget(3), overlap = 1, seed = 1, judgments = FALSE)
  ask <- next_documents(s, 1, "ann")
  judge(s, ask$query, ask$doc, 50, "ann")
  expect_identical(progress(s)$expected_more, 2L)
  judge(s, ask$query, ask$doc, 50, "bob")
  expect_identical(progress(s)$judged, 1L)
  expect_identical(progress(s)$goal$value, 2L)
  expect_identical(progress(s)$expected_more, 1L)
})
