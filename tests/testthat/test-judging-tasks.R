x <- simulate_collection(queries = 5, documents = 60, artists = 12, systems = 3, scale = gain_scale(0:3), seed = 5)
truth <- judgments_of(x)
gain_of <- function(query, doc) truth$gain[match(paste(query, doc), paste(truth$query, truth$doc))]

# An assessor whose judgment is wrong by one level for one document in `each`.
erring <- function(each, count = 0) {
  function(query, doc) {
    count <<- count + 1
    gain <- gain_of(query, doc)
    if (count %% each == 0) gain + if (gain > 0) -1 else 1 else gain
  }
}

consensus_session <- function(..., assessor = "consensus", seed = 1) {
  judging_session(x, judgments = FALSE, assessor = assessor, audit = 0, seed = seed, ...)
}

# The complete state of a session after it has processed the log.
state_of <- function(e) {
  list(gain = e$gain, sequence = e$sequence, noise = e$belief$noise, errors = e$errors, mean = e$ranking$mean,
       covariance = e$ranking$covariance, pairs = belief_pairs(e$belief), trace = memory_rows(e$trace))
}

# One of several actions in a session, which three numbers from 0 to 1 determine.
act <- function(s, draw) {
  who <- c("ann", "bob", "cleo")[1 + floor(3 * draw[1])]
  made <- judgments_of(s)
  mine <- made[made$assessor == who & !made$final, ]
  if (nrow(made) < 10 || draw[2] < 0.7) {
    d <- next_documents(s, 1, who)
    if (nrow(d)) judge(s, d$query, d$doc, floor(4 * draw[3]), who)
  } else if (draw[2] < 0.85 && nrow(mine)) {
    at <- ceiling(draw[3] * nrow(mine))
    undo_judgment(s, who, mine$query[at], mine$doc[at])
  } else {
    of <- made[ceiling(draw[3] * nrow(made)), ]
    judge(s, of$query, of$doc, floor(4 * draw[1]), "lea", final = TRUE)
  }
}

test_that("a reopened session has the same state after a random sequence of judgments, undos and estimations", {
  draw <- with_seed(7, matrix(stats::runif(120), 40))
  for (assessor in c("these", "bob")) {
    file <- session_file()
    s <- judging_session(x, judgments = FALSE, assessor = assessor, audit = 0.2, overlap = 0.6, update_every = 4,
                         store = file, seed = 3)
    for (i in 1:40) {
      act(s, draw[i, ])
      if (i %% 20 != 0) next
      update_estimates(s$engine)
      expected <- state_of(s$engine)
      again <- open_session(file)
      expect_identical(state_of(refresh(again$engine)), expected)
      # The same state is rebuilt from the log alone.
      start_engine(again$engine, saved = memory_rows(new_memory_table(trace_columns)))
      expect_identical(state_of(again$engine), expected)
      close_session(again)
    }
    expect_setequal(memory_rows(s$engine$trace)$kind, c("start", "judge", "second", "undo", "final", "fit"))
    expect_identical(length(s$engine$errors$who), 3L)
    close_session(s)
  }
})

test_that("without second judgments, a session does not depend on who judges", {
  one <- run_session(judging_session(x, judgments = FALSE, goal = goal_budget(25), seed = 1))
  two <- judging_session(x, judgments = FALSE, goal = goal_budget(25), seed = 1)
  for (i in 1:25) run_session(two, function(query, doc) {
    if (nrow(judgments_of(two)) < i) gain_of(query, doc)
  }, assessor = c("ann", "bob")[1 + i %% 2])
  expect_identical(as.data.frame(one), as.data.frame(two))
  expect_identical(one$engine$ranking[c("mean", "covariance")], two$engine$ranking[c("mean", "covariance")])
})

test_that("the next task is the new document or the second judgment that reduces uncertainty most", {
  s <- consensus_session(goal = goal_mean(0.999))
  run_session(s, function(query, doc) if (nrow(judgments_of(s)) < 20) gain_of(query, doc), "ann")
  # No document has been judged twice.
  expect_false(any(judgments_of(s)$overlap))
  e <- s$engine
  root <- {
    ranking <- e$ranking
    sd <- sqrt(ranking$difference_variance)
    rate <- ifelse(sd > 0, stats::dnorm(outer(ranking$mean, ranking$mean, `-`) / sd) / sd, 0)
    weight_root((rate + t(rate)) / 2, numeric(3))
  }
  # The variance reduction by a judgment with the typical error, from the covariance of each pair with the systems.
  posterior <- joint_posterior(e$belief)
  cov <- joint_covariance_cpp(posterior, seq_len(n_pairs(x)), seq_len(n_pairs(x)))
  taken <- colSums((root %*% t(pair_weights(x, seq_len(n_pairs(x)))) %*% cov)^2) / (diag(cov) + assessor_prior$error)
  held <- next_documents(s, 1, "bob")
  chosen <- find_pairs(x, held$query, held$doc)
  expect_equal(max(taken), taken[chosen])
  expect_identical(held$overlap, !is.na(e$gain[chosen]))
  next_documents(s, 0, "bob")
  # After Ann has judged everything, Bob gets only second judgments, and Ann gets none.
  run_session(s, function(query, doc) gain_of(query, doc), "ann")
  expect_identical(nrow(next_documents(s, 5, "ann")), 0L)
  again <- next_documents(s, 5, "bob")
  expect_identical(again$overlap, rep(TRUE, 5))
  before <- progress(s, expect = FALSE)$confidence
  judge(s, again$query, again$doc, gain_of(again$query, again$doc), "bob")
  expect_gt(progress(s, expect = FALSE)$confidence, before)
  expect_error(judge(s, again$query[1], again$doc[1], 1, "bob"), class = "judicious_error_already_judged")
})

test_that("second judgments are assigned before the whole pool has been judged", {
  x <- simulate_collection(queries = 8, documents = 120, artists = 20, systems = 4, scale = gain_scale(0:3), seed = 5)
  s <- judging_session(x, goal = goal_mean(0.9999), audit = 0, batch = 5, judgments = FALSE, assessor = "consensus",
                       seed = 1)
  for (i in 1:40) {
    who <- c("ann", "bob")[1 + i %% 2]
    d <- next_documents(s, 5, who)
    if (nrow(d)) judge(s, d$query, d$doc, x$gain[find_pairs(x, d$query, d$doc)], who)
  }
  made <- judgments_of(s)
  expect_gt(sum(made$overlap), 5)
  expect_lt(sum(!made$overlap), n_pairs(x))
  expect_false(any(duplicated(made[c("query", "doc", "assessor")])))
  expect_lte(max(table(text_key(made$query, made$doc))), 2)
})

test_that("prices differ by assessor, and costs are summed over the judgments of each", {
  cost <- judging_cost(c(llm = 0.01, expert = 2, 1), new_query = 3)
  expect_identical(judgment_price(cost, c("llm", "expert", "ann", "", NA)), c(0.01, 2, 1, 1, 1))
  expect_identical(judgment_price(judging_cost(c(llm = 0.01, expert = 2)), "ann"), 2)
  expect_identical(judgment_price(judging_cost(5), c("ann", "bob")), c(5, 5))
  s <- consensus_session(cost = cost)
  for (who in c("llm", "expert", "ann")) {
    d <- next_documents(s, 2, who)
    judge(s, d$query, d$doc, c(1, 2), who)
  }
  queries <- length(unique(judgments_of(s)$query))
  expect_equal(utils::tail(as.data.frame(s)$cost, 1), 2 * 3.01 + 3 * queries)
  figures <- progress(s)$assessors
  expect_equal(figures$cost[match(c("llm", "expert", "ann"), figures$assessor)], c(0.02, 4, 2))
  expect_snapshot(error = TRUE, {
    judging_cost(c(1, 2))
    judging_cost(c(llm = 0, expert = 2))
    judging_cost(c(llm = 1, llm = 2))
  })
})

test_that("a stored session with prices of assessors is opened again with the same prices", {
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".sqlite")
  cost <- judging_cost(c(llm = 0.01, expert = 2, 1), new_query = 3)
  close_session(judging_session(session_collection(), cost = cost, store = path, seed = 1, judgments = FALSE))
  s <- open_session(path)
  expect_identical(s$engine$cost, cost)
  close_session(s)
})

test_that("with a cost for new queries, the queries of assigned documents count as started", {
  judged_after <- function(...) {
    s <- judging_session(session_collection(), cost = judging_cost(1, ...), judgments = FALSE)
    next_documents(s, 1)
    view_with(s$engine, 2L)$judged
  }
  expect_null(judged_after())
  expect_identical(which(judged_after(new_query = 0.5)), 2L)
})

test_that("tasks go to the cheaper assessor or, at equal prices, to the more precise one", {
  s <- consensus_session(cost = judging_cost(c(llm = 0.01, expert = 2)))
  task <- select_documents(s, n = 3)
  expect_identical(task$assessor, rep("llm", 3))
  expect_false(any(task$again))
  expect_false(any(duplicated(task[c("query", "doc")])))
  p <- progress(s)
  expect_identical(p$next_task[c("query", "doc", "assessor")], task[1, c("query", "doc", "assessor")])
  expect_output(print(p), "llm judges document")
  # After the language model has judged everything, the expert gets the document whose second judgment reduces
  # uncertainty most.
  run_session(s, gain_of, "llm")
  task <- select_documents(s, n = 1)
  expect_identical(task[c("assessor", "again")], data.frame(assessor = "expert", again = TRUE))
  # If prices are equal, the assessor with the smaller error gets the task. Here, two experts agree and the language
  # model does not.
  equal <- consensus_session(cost = judging_cost(c(llm = 1, expert = 1)))
  rows <- 1:20
  judged <- function(who, rows, gain) {
    data.frame(pair = rows, gain = gain, assessor = who, final = FALSE)
  }
  record <- rbind(judged("expert", rows, truth$gain[rows]), judged("second", rows, truth$gain[rows]),
                  judged("llm", rows, 3 - truth$gain[rows]))
  equal$engine$errors <- assessor_errors(record, x$scale)
  expect_lt(error_variance_of(equal$engine$errors, "expert"), error_variance_of(equal$engine$errors, "llm"))
  refresh(equal$engine)
  equal$engine$errors <- assessor_errors(record, x$scale)
  expect_identical(best_tasks(equal$engine, c("llm", "expert"))$assessor, "expert")
  # Without prices, the next task is the session's next document.
  plain <- judging_session(x, judgments = FALSE, audit = 0, seed = 1)
  expect_identical(select_documents(plain, n = 1)[c("query", "doc")], next_documents(plain)[c("query", "doc")])
  expect_snapshot(error = TRUE, select_documents(plain, goal = goal_budget(3)))
})

test_that("several graders can judge in one session, and the cheaper one judges more documents", {
  s <- consensus_session(cost = judging_cost(c(llm = 0.01, expert = 2)), goal = goal_mean(0.95), assessor = "expert")
  asked <- c(llm = 0, expert = 0)
  llm <- erring(2)
  counting <- function(name, judge) {
    function(query, doc) {
      asked[name] <<- asked[name] + 1
      judge(query, doc)
    }
  }
  run_session(s, list(llm = counting("llm", llm), expert = counting("expert", gain_of)), progress = FALSE)
  made <- judgments_of(s)
  expect_equal(c(table(made$assessor)[names(asked)]), asked)
  expect_gt(asked[["llm"]], asked[["expert"]])
  expect_gt(asked[["expert"]], 0)
  expect_false(any(duplicated(made[c("query", "doc", "assessor")])))
  # An assessor function that returns NULL is not called again; the other one continues.
  s <- consensus_session(cost = judging_cost(c(llm = 0.01, expert = 2)), goal = goal_budget(20))
  left <- 5
  run_session(s, list(llm = function(query, doc) if ((left <<- left - 1) >= 0) 1, expert = truth), progress = FALSE)
  expect_identical(c(table(judgments_of(s)$assessor)), c(expert = 15L, llm = 5L))
  expect_snapshot(error = TRUE, run_session(s, list(gain_of, gain_of)))
})

test_that("a session for one assessor assigns second judgments to that assessor and treats them as exact", {
  s <- consensus_session(assessor = "expert", goal = goal_width(0))
  run_session(s, erring(3), "llm")
  expect_identical(nrow(next_documents(s, 1, "bob")), 0L)
  expect_identical(s$engine$belief$noise, rep(2 * assessor_prior$error, n_pairs(x)))
  run_session(s, truth, "expert")
  expect_identical(sum(judgments_of(s)$overlap), n_pairs(x))
  expect_identical(s$engine$belief$noise, numeric(n_pairs(x)))
  expect_identical(s$engine$gain, x$gain)
  expect_equal(s$engine$ranking$mean, rank_systems(x, judgments = truth)$mean)
  expect_lt(max(abs(s$engine$ranking$covariance)), 1e-12)
})

test_that("measures that do not support a consensus of assessors raise an error", {
  expect_snapshot(error = TRUE, {
    consensus_session(measure = "AP(rel=2)@5")
    consensus_session(past = independent_gains())
    consensus_session(assessor = "another")
    consensus_session(assessor = 3)
  })
})
