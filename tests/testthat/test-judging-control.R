# A session in memory, and one in a file that is open a second time.
controlled <- function(...) {
  lapply(list(NULL, tempfile(fileext = ".sqlite")), function(store) {
    s <- app_session(store = store, ...)
    list(s = s, other = if (is.null(store)) s else open_session(store))
  })
}

test_that("only the assigned assessor gets documents of an assigned query, in every open session", {
  for (of in controlled(queries = 3, docs = 8)) {
    # Documents of the query that Bob holds are released.
    held <- next_documents(of$other, 24, "bob")
    expect_identical(nrow(held), 24L)
    update(of$s, queries = c(q1 = "ann", q2 = "ann"))
    expect_setequal(next_documents(of$other, 24, "bob")$query, "q3")
    expect_setequal(next_documents(of$other, 24, "ann")$query, c("q1", "q2"))
    update(of$s, queries = c(q1 = NA))
    next_documents(of$other, 0, "ann")
    expect_setequal(next_documents(of$other, 24, "bob")$query, c("q1", "q3"))
    log <- store_rows(of$s$engine$store, "event", list(kind = "lead"))
    expect_identical(log$detail, c("\"q1\", \"q2\" to ann", "\"q1\" to everybody"))
    close_session(of$s)
  }
})

test_that("second judgments of an assigned query's documents go to other assessors", {
  s <- app_session(queries = 1, docs = 4, overlap = 1)
  update(s, queries = c(q1 = "ann"))
  first <- next_documents(s, 1, "ann")
  expect_identical(nrow(next_documents(s, 1, "bob")), 0L)
  judge(s, first$query, first$doc, 1, "ann")
  second <- next_documents(s, 4, "bob")
  expect_identical(second[c("doc", "overlap")], data.frame(doc = first$doc, overlap = TRUE))
})

test_that("a paused session assigns no documents, but accepts judgments of documents already assigned", {
  for (of in controlled()) {
    held <- next_documents(of$other, 1, "ann")
    update(of$s, paused = TRUE, by = "lea")
    expect_identical(nrow(next_documents(of$other, 2, "ann")), 0L)
    judge(of$other, held$query, held$doc, 1, "ann")
    update(of$s, paused = FALSE, by = "lea")
    expect_identical(nrow(next_documents(of$other, 2, "ann")), 2L)
    expect_identical(store_rows(of$s$engine$store, "event", list(kind = "lead"))$assessor, c("lea", "lea"))
    close_session(of$s)
  }
})

test_that("a changed goal applies in every open session, also after runs are added and the session is reopened",
          {
  for (of in controlled()) {
    run_session(of$s, function(query, doc) if (nrow(judgments_of(of$s)) < 3) 1)
    before <- progress(of$other)
    update(of$s, goal = goal_mean(0.9) | goal_budget(3))
    expect_identical(progress(of$other)$goal$label, (goal_mean(0.9) | goal_budget(3))$label)
    expect_true(progress(of$other)$goal$reached)
    expect_identical(progress(of$other)$confidence, before$confidence)
    update(of$s, goal = goal_budget(7))
    add_runs(of$s, data.frame(system = "C", query = rep(c("q1", "q2"), 2), doc = paste0("n", 1:4)))
    expect_identical(progress(of$other)$goal[c("label", "asked")], list(label = "7 judgments", asked = 7))
    expect_identical(nrow(judgments_of(of$other)), 3L)
    close_session(of$s)
  }
  file <- session_file()
  s <- app_session(store = file)
  update(s, goal = goal_budget(2))
  close_session(s)
  s <- open_session(file)
  expect_identical(progress(s)$goal$label, "2 judgments")
  close_session(s)
})

test_that("a final judgment replaces the assessors' judgments in the estimates, and the log keeps them", {
  for (store in list(NULL, session_file())) {
    s <- app_session(queries = 1, docs = 4, overlap = 1, store = store)
    ask <- next_documents(s, 4, "ann")
    judge(s, ask$query, ask$doc, c(0, 1, 2, 2), "ann")
    again <- next_documents(s, 4, "bob")
    judge(s, again$query, again$doc, rep(2, 4), "bob")
    agreement <- progress(s)$agreement$estimate
    expect_error(judge(app_session(), "q1", "d1", 1, "lea", final = TRUE), class = "judicious_error_not_judged")
    judge(s, ask$query[1], ask$doc[1], 1, "lea", final = TRUE)
    judge(s, ask$query[2], ask$doc[2], 0, "lea", final = TRUE)
    judge(s, ask$query[1], ask$doc[1], 2, "lea", final = TRUE)
    expect_identical(progress(s)$agreement$estimate, agreement)
    made <- judgments_of(s)
    expect_identical(made[!made$overlap, c("doc", "gain", "assessor")],
                     data.frame(doc = ask$doc, gain = c(2, 0, 2, 2), assessor = c("lea", "lea", "ann", "ann")),
                     ignore_attr = TRUE)
    expect_identical(sum(made$overlap), 6L)
    expect_false(anyNA(made$mean[!made$overlap]))
    # The ranking uses final judgments, and the consensus for other documents; it is the same after the session is
    # reopened. If a document has a final judgment, the other judgments of it inform only about the leniency of their
    # assessors.
    recomputed <- joint_gains(s$engine$x, gain_prior(), judgments = made)
    expect_equal(rank_systems(s)$mean, rank_systems(s$engine$x, recomputed)$mean, tolerance = 1e-8)
    expect_identical(s$engine$gain[find_pairs(s$engine$x, ask$query[1:2], ask$doc[1:2])], c(2, 0))
    if (!is.null(store)) {
      mean <- rank_systems(s)$mean
      close_session(s)
      s <- open_session(store)
      expect_equal(rank_systems(s)$mean, mean)
      expect_identical(judgments_of(s), made)
    }
    undo_judgment(s, "lea", ask$query[1], ask$doc[1])
    expect_identical(judgments_of(s)$gain[!judgments_of(s)$overlap], c(0, 0, 2, 2))
    # The document is not assigned again.
    expect_identical(nrow(next_documents(s, 4, "carl")), 0L)
    close_session(s)
  }
})

test_that("settings that do not apply to the session raise errors", {
  s <- app_session()
  expect_snapshot(error = TRUE, update(s, queries = c(q9 = "ann")))
  expect_snapshot(error = TRUE, update(s, queries = "ann"))
  expect_snapshot(error = TRUE, update(s, goal = 0.9))
  expect_snapshot(error = TRUE, update(s, paused = "yes"))
  custom <- goal_custom("mine", function(ranking) list(value = 0, asked = 1, reached = FALSE))
  expect_error(update(s, goal = custom), class = "judicious_error_not_given")
  expect_identical(nrow(store_rows(s$engine$store, "event", list(kind = "lead"))), 0L)
})
