# When the goal is met, an event in the log records the end of judging.

x <- session_collection()
truth <- judgments_of(x)
true_gain <- function(d) truth$gain[match(paste(d$query, d$doc), paste(truth$query, truth$doc))]

# A session in which bob holds `held` documents when ann reaches the goal.
ended_session <- function(goal = goal_mean(0.85), store = NULL, held = 5, ...) {
  s <- judging_session(x, goal, store = store, seed = 1, judgments = FALSE, ...)
  held <- next_documents(s, held, "bob")
  run_session(s, truth, assessor = "ann", progress = FALSE)
  list(s = s, held = held)
}

# Judges documents that were assigned before the end, with gains that contradict the ranking.
judge_reserved <- function(s, held) for (i in seq_len(nrow(held))) {
  judge(s, held$query[i], held$doc[i], 100 - true_gain(held[i, ]), "bob")
}

computed <- function(s) {
  update_estimates(s$engine)
  s$engine$goal$progress(s$engine$ranking)
}
ends_of <- function(s) store_rows(s$engine$store, "event", list(kind = end_kinds))
page_of <- function(s) app_parts(judge_app(s, tokens = FALSE))$mode

test_that("a goal remains met when documents assigned earlier are judged afterwards", {
  goals <- list(goal_mean(0.85), goal_mean(0.85) | goal_budget(60), goal_budget(60) | goal_mean(0.85),
                goal_mean(0.8) & goal_budget(25), goal_ranks(3), goal_top(2, 0.9), goal_mean(0.8, delta = 1))
  for (goal in goals) {
    case <- ended_session(goal, held = 8)
    at <- progress(case$s, expect = FALSE)
    expect_identical(goal_state(at), "goal met")
    made <- nrow(judgments_of(case$s))
    for (i in 1:8) {
      judge_reserved(case$s, case$held[i, ])
      p <- progress(case$s)
      expect_true(p$goal$reached && is_met(p$goal))
      expect_identical(p$expected_more, 0L)
    }
    expect_false(computed(case$s)$reached)
    expect_identical(nrow(judgments_of(case$s)), made + 8L)
    expect_identical(nrow(ends_of(case$s)), 1L)
    value <- function(goal) stated_value(goal, p$goal$end$part)
    expect_identical(p$goal$end$value, value(at$goal))
    expect_identical(goal_state(p), sprintf("goal met at %d judgments (%s); now %s with %d", made,
                                            value_text(value(at$goal)), value_text(value(p$goal)), made + 8L))
    # No further document is judged.
    run_session(case$s, truth, assessor = "ann", progress = FALSE)
    expect_identical(nrow(judgments_of(case$s)), made + 8L)
    expect_identical(session_picture(case$s)$reached, if (is_mean_confidence(p$goal)) made else NA_real_)
  }
})

test_that("an exhausted budget remains the stated reason for the end, even if the goal is met afterwards", {
  for (goal in list(goal_budget(20), goal_budget(20) | goal_budget(90), goal_mean(0.99) | goal_budget(20),
                    goal_budget(20) | goal_width(0.05), goal_budget(20) & goal_budget(10))) {
    case <- ended_session(goal)
    p <- progress(case$s, expect = FALSE)
    expect_match(goal_state(p), "^budget spent at confidence [.][0-9]{3}$")
    before <- p$confidence
    judge_reserved(case$s, case$held)
    p <- progress(case$s, expect = FALSE)
    expect_identical(goal_state(p), sprintf("budget spent at 20 judgments (confidence %s); now %s with 25",
                                            value_text(before), value_text(p$confidence)))
    expect_false(is_met(p$goal))
    undo_judgment(case$s, "bob")
    expect_match(goal_state(progress(case$s, expect = FALSE)), "with 24$")
  }
  # The budget ended judging; later judgments meet the other goal, but the stated reason remains the budget.
  s <- judging_session(x, goal_mean(0.85) | goal_budget(19), seed = 1, judgments = FALSE)
  held <- next_documents(s, 4, "bob")
  run_session(s, truth, assessor = "ann", progress = FALSE)
  judge(s, held$query, held$doc, true_gain(held), "bob")
  expect_true(computed(s)$parts[[2]]$reached)
  expect_match(goal_state(progress(s, expect = FALSE)), "^budget spent at 19 judgments")
})

test_that("the page shows all assessors the end at once, and does not withdraw it", {
  skip_if_not_installed("shiny")
  skip_if_not_installed("bslib")
  file <- session_file()
  for (store in list(NULL, file)) {
    case <- ended_session(store = store, held = 8)
    s <- case$s
    made <- nrow(judgments_of(s))
    met <- sprintf("oal met at %d judgments (%s); now", made, value_text(progress(s, expect = FALSE)$confidence))
    page <- page_of(s)
    task <- mode_next(page, "bob", list(query = case$held$query[1], doc = case$held$doc[1]))
    expect_identical(task$doc, case$held$doc[1])
    gain <- as.character(100 - true_gain(case$held[1, ]))
    expect_identical(mode_answer(page, "bob", task, gain, 1), sprintf("Saved: %s.", gain))
    for (i in 2:8) judge_reserved(s, case$held[i, ])
    expect_false(computed(s)$reached)
    # The end is shown to all assessors, old and new, also on the page of another process.
    others <- if (is.null(store)) list(s) else list(s, open_session(store), open_session(store))
    for (session in others) {
      page <- page_of(session)
      for (who in c("bob", "ann", "cy", "dan", "eve")) {
        expect_null(mode_next(page, who))
        said <- mode_finished(page, page$status$recompute(), who)
        expect_true(said$end)
        expect_match(said[[1]], paste0("G", met), fixed = TRUE)
        expect_match(said[[1]], sprintf("with %d$", made + 8))
      }
      expect_match(html(gains_tiles(page$status$recompute())), paste0("g", met), fixed = TRUE)
      shown <- html(mode_panel(page, page$status$recompute(), "cy"))
      expect_match(shown, paste0("G", met), fixed = TRUE)
    }
    for (session in others) close_session(session)
  }
})

test_that("the page ends judging also if another process computes its figures", {
  skip_if_not_installed("shiny")
  skip_if_not_installed("bslib")
  file <- session_file()
  case <- ended_session(store = file)
  judge_reserved(case$s, case$held)
  tender <- open_session(file)
  store_lock(tender$engine$store, "fits")
  other <- open_session(file)
  # The stored figures are older than the end.
  old <- stored_figures(judging_session(x, seed = 1, judgments = FALSE)$engine)
  store <- other$engine$store
  store_put(store, "object", blob_row(store, name = "figures", value = old, kind = "figures"))
  page <- page_of(other)
  expect_null(mode_next(page, "cy"))
  prefetch_documents(tender, seconds = 0)
  expect_identical(stored_figures(other$engine)$goal$end$judgments, 20L)
  for (session in list(case$s, tender, other)) close_session(session)
})

test_that("undoing a judgment made before the end reopens judging, and undoing a later one does not", {
  why <- "judging goes on because a judgment that counted was undone"
  case <- ended_session()
  s <- case$s
  judge_reserved(s, case$held)
  # Undoes judgments that were made after the end, which changes nothing.
  for (i in 5:1) {
    undo_judgment(s, "bob", case$held$query[i], case$held$doc[i])
    expect_true(progress(s, expect = FALSE)$goal$reached)
  }
  expect_match(goal_state(progress(s, expect = FALSE)), "^goal met at 20 judgments .* with 20$")
  change <- function(s, which, gain = 50) {
    mine <- judgments_of(s)
    mine <- mine[mine$assessor == "ann", ][which, ]
    change_judgment(s, mine$query, mine$doc, gain, "ann")
  }
  judge_reserved(s, case$held)
  undone <- list(first = function(s) change(s, 1), last = function(s) undo_judgment(s, "ann"),
                 middle = function(s) change(s, 10, 100), two = function(s) for (i in 1:2) undo_judgment(s, "ann"),
                 named = function(s) {
                   mine <- judgments_of(s)[3, ]
                   undo_judgment(s, "ann", mine$query, mine$doc)
                 })
  for (undo in undone) {
    s <- ended_session()$s
    held <- next_documents(s, 5, "bob")
    judge_reserved(s, held)
    expect_true(progress(s, expect = FALSE)$goal$reached)
    undo(s)
    p <- progress(s, expect = FALSE)
    expect_false(p$goal$reached)
    expect_match(goal_state(p), why, fixed = TRUE)
    expect_output(print(s), why, fixed = TRUE)
    expect_gt(nrow(next_documents(s, 1, "cy")), 0)
    # The goal can be met again; the log then has a second event.
    next_documents(s, 0, "cy")
    run_session(s, truth, assessor = "ann", progress = FALSE)
    expect_match(goal_state(progress(s, expect = FALSE)), "^goal met")
    expect_identical(nrow(ends_of(s)), 2L)
  }
  # Undoing a skip changes nothing.
  s <- judging_session(x, goal_mean(0.85), seed = 1, judgments = FALSE)
  d <- next_documents(s, 1, "bob")
  skip_document(s, d$query, d$doc, assessor = "bob")
  run_session(s, truth, assessor = "ann", progress = FALSE)
  undo_judgment(s, "bob")
  expect_identical(goal_state(progress(s, expect = FALSE)), "goal met")
  expect_identical(nrow(ends_of(s)), 1L)
})

test_that("added runs and queries reopen judging, for a stated reason, unless the goal is still met", {
  all <- as.data.frame(x)[c("system", "query", "doc", "rank")]
  late <- all$system == "S05"
  last <- all$query %in% tail(x$queries$query, 2)
  begun <- function(rows, goal) {
    x <- test_collection(all[rows, ], x$documents, x$systems[x$systems$system %in% all$system[rows], ], k = x$k)
    s <- judging_session(x, goal, seed = 1, judgments = FALSE)
    run_session(s, truth, assessor = "ann", progress = FALSE)
    expect_match(goal_state(progress(s, expect = FALSE)), "^goal met")
    s
  }
  add_late <- function(s) add_runs(s, all[late & all$query %in% s$engine$x$queries$query, ], x$documents, x$systems)
  add_last <- function(s) {
    add_queries(s, all[last & all$system %in% s$engine$x$systems$system, ], documents = x$documents)
  }
  cases <- list(
    list(rows = !late, goal = goal_mean(0.85), add = add_late, why = "1 system, [0-9]+ documents to judge"),
    list(rows = !last, goal = goal_mean(0.85), add = add_last, why = "2 queries, [0-9]+ documents to judge"),
    list(rows = !late, goal = goal_mean(0.85) | goal_budget(90), add = add_late, why = "1 system"),
    list(rows = !last, goal = goal_width(0.25), add = add_last, why = "2 queries"),
    list(rows = !last & !late, goal = goal_ranks(2), add = function(s) add_last(add_late(s)), why = "1 system")
  )
  for (case in cases) {
    s <- suppressWarnings(begun(case$rows, case$goal))
    pool <- n_pairs(s$engine$x)
    suppressWarnings(case$add(s))
    p <- progress(s, expect = FALSE)
    # If the goal is still met after the addition, judging ends again, and the event states the size of the new pool.
    if (p$goal$reached) {
      expect_identical(p$goal$end$pool, n_pairs(s$engine$x))
      expect_identical(nrow(ends_of(s)), 2L)
    } else {
      expect_match(goal_state(p), paste0("judging goes on because ", case$why))
    }
    expect_gt(n_pairs(s$engine$x), pool)
  }
})

test_that("changing the goal reopens judging, and setting the same goal does not", {
  changed <- list(goal_mean(0.95), goal_width(0.1), goal_all_pairs(0.95), goal_mean(0.95) | goal_budget(90),
                  goal_top(1, 0.999))
  # Every case begins with a copy of the same session.
  ended <- session_file()
  case <- ended_session(store = ended)
  close_session(case$s)
  for (goal in changed) {
    path <- session_file()
    file.copy(ended, path)
    s <- open_session(path)
    other <- open_session(path)
    judge_reserved(s, case$held)
    update(s, goal = goal_mean(0.85), by = "lead")
    update(s, paused = TRUE)
    update(s, paused = FALSE)
    expect_true(progress(other, expect = FALSE)$goal$reached)
    update(other, goal = goal, by = "lead")
    for (session in list(s, other, open_session(path))) {
      p <- progress(session, expect = FALSE)
      expect_identical(p$goal$label, goal$label)
      expect_false(p$goal$reached)
      expect_match(goal_state(p), "judging goes on because the goal was changed", fixed = TRUE)
    }
    # When the first goal is set again, it is evaluated anew, and is not met any more.
    update(s, goal = goal_mean(0.85), by = "lead")
    expect_false(progress(s, expect = FALSE)$goal$reached)
    expect_false(progress(other, expect = FALSE)$goal$reached)
    close_session(s)
    close_session(other)
  }
})

test_that("the lead's view changes the goal and confirms the change", {
  skip_if_not_installed("shiny")
  skip_if_not_installed("bslib")
  skip_if_not_installed("openssl")
  s <- ended_session()$s
  token <- add_assessor(s, "lee", "lead")
  app <- judge_app(s)
  shiny::testServer(app, {
    session$setInputs(login = list(token = token), view = "lead")
    expect_match(html(gains_tiles(page$mode$status$recompute())), "goal met", fixed = TRUE)
    session$setInputs(lead = list(kind = "goal", choice = "mean", number = "99"))
    tiles <- html(gains_tiles(page$mode$status$recompute()))
    expect_match(tiles, "judging goes on because the goal was changed", fixed = TRUE)
    session$setInputs(view = "judge")
    expect_false(is.null(page$task))
  })
})

test_that("reopened sessions, copies and other open sessions know that judging has ended", {
  file <- session_file()
  case <- ended_session(store = file)
  judge_reserved(case$s, case$held)
  state <- goal_state(progress(case$s, expect = FALSE))
  close_session(case$s)
  # The state is rebuilt from the stored trace, from a part of it, and from the log alone.
  for (saved in c("all", "some", "none")) {
    s <- open_session(file)
    if (saved != "all") {
      steps <- store_rows(s$engine$store, "trace")
      kept <- if (saved == "none") -1 else stats::median(steps$event)
      sql_run(s$engine$store, "DELETE FROM trace WHERE event > ?", list(kept))
      close_session(s)
      s <- open_session(file)
    }
    expect_identical(goal_state(progress(s, expect = FALSE)), state)
    expect_identical(nrow(ends_of(s)), 1L)
    close_session(s)
  }
  copy <- session_file()
  unlink(copy)
  s <- open_session(file)
  backup_session(s, copy)
  copied <- open_session(copy)
  expect_identical(goal_state(progress(copied, expect = FALSE)), state)
  close_session(copied)
  # Another process reads the log while this one writes to it.
  other <- open_session(file)
  progress(other, expect = FALSE)
  undo_judgment(s, "ann")
  expect_match(goal_state(progress(other, expect = FALSE)), "a judgment that counted was undone", fixed = TRUE)
  close_session(s)
  close_session(other)
})

test_that("if a process stops before it records the end, the next process records it once", {
  file <- session_file()
  s <- judging_session(x, goal_mean(0.83), store = file, seed = 1, judgments = FALSE)
  held <- next_documents(s, 25, "ann")
  judge(s, held$query, held$doc, true_gain(held), "ann")
  # The process stops here, before it records the end.
  expect_identical(nrow(ends_of(s)), 0L)
  close_session(s)
  a <- open_session(file)
  b <- open_session(file)
  expect_identical(nrow(ends_of(a)), 0L)
  refresh(b$engine)
  expect_identical(goal_state(progress(a, expect = FALSE)), "goal met")
  expect_identical(goal_state(progress(b, expect = FALSE)), "goal met")
  expect_identical(nrow(ends_of(a)), 1L)
  # If two processes record the end at the same time, the first event counts.
  add_events(b$engine, "met", detail = sub("judgments=25", "judgments=24", ends_of(a)$detail))
  for (session in list(a, b, open_session(file))) {
    expect_identical(progress(session, expect = FALSE)$goal$end$judgments, 25L)
  }
  close_session(a)
  close_session(b)
})

test_that("a recorded end that precedes a change of the session is ignored", {
  goes_on <- function(change) {
    case <- ended_session()
    s <- case$s
    stale <- ends_of(s)$detail
    change(s)
    judge_reserved(s, case$held)
    refresh(s$engine)
    add_events(s$engine, "met", detail = stale)
    refresh(s$engine)
    expect_null(s$engine$end)
  }
  goes_on(function(s) undo_judgment(s, "ann"))
  goes_on(function(s) update(s, goal = goal_mean(0.99)))
  goes_on(function(s) {
    update(s, goal = goal_mean(0.99))
    update(s, goal = goal_mean(0.85))
  })
  # Invalid events are ignored.
  for (detail in c("", "met", "judgments=a judged=1 value=1 asked=1 pool=1 seen=1 part=0 measure=AG@5 goal=x", NA)) {
    s <- judging_session(x, goal_mean(0.85), seed = 1, judgments = FALSE)
    add_events(s$engine, "met", detail = detail)
    expect_identical(goal_state(progress(s, expect = FALSE)), "not met yet")
  }
  skip_without_sqlite()
  # One process finds that the goal is reached; before it records the end, another process undoes a judgment.
  file <- session_file()
  a <- judging_session(x, goal_mean(0.85), store = file, seed = 1, judgments = FALSE)
  judge_truly(a, 20, "ann")
  refresh(a$engine)
  expect_true(a$engine$progress$reached)
  b <- open_session(file)
  undo_judgment(b, "ann")
  log_end(a$engine)
  for (session in list(a, b)) expect_false(progress(session, expect = FALSE)$goal$reached)
  close_session(a)
  close_session(b)
})

test_that("judging ends in PostgreSQL as in SQLite", {
  store <- local_postgres()
  case <- ended_session(store = store)
  judge_reserved(case$s, case$held)
  state <- goal_state(progress(case$s, expect = FALSE))
  expect_match(state, "^goal met at 20 judgments")
  other <- open_session(store)
  expect_identical(goal_state(progress(other, expect = FALSE)), state)
  undo_judgment(other, "ann")
  expect_match(goal_state(progress(case$s, expect = FALSE)), "a judgment that counted was undone", fixed = TRUE)
  close_session(other)
  close_session(case$s)
})

test_that("other processes see that judging has ended, and that it is reopened", {
  file <- session_file()
  case <- ended_session(store = file)
  met <- sprintf("goal met at 20 judgments (%s)", value_text(progress(case$s, expect = FALSE)$confidence))
  judge_reserved(case$s, case$held)
  seen <- in_processes(2, function(number, file) {
    s <- judicious::open_session(file)
    before <- judicious:::goal_state(judicious::progress(s, expect = FALSE))
    # In R, next_documents() still assigns documents after the end.
    own <- judicious::next_documents(s, 1, paste0("p", number))
    judicious::judge(s, own$query, own$doc, 50, paste0("p", number))
    after <- judicious::progress(s, expect = FALSE)$goal$reached
    judicious::close_session(s)
    list(before = sub("; now.*", "", before), after = after)
  }, file = file)
  for (one in seen) {
    expect_identical(one, list(before = met, after = TRUE))
  }
  expect_identical(nrow(ends_of(case$s)), 1L)
  undo_judgment(case$s, "ann")
  opened <- in_processes(2, function(number, file) {
    s <- judicious::open_session(file)
    state <- judicious:::goal_state(judicious::progress(s, expect = FALSE))
    judicious::close_session(s)
    state
  }, file = file)
  expect_match(unlist(opened), "a judgment that counted was undone", fixed = TRUE)
  close_session(case$s)
})

test_that("a goal whose target is reached before the required number of judgments states how many remain", {
  s <- judging_session(x, goal_all_pairs(0.6), seed = 1, judgments = FALSE)
  states <- vapply(1:20, function(i) {
    judge_truly(s, 1, "ann")
    p <- progress(s, expect = FALSE)
    c(goal_state(p), p$goal$value >= 0.6)
  }, c("", ""))
  early <- states[2, 1:19] == "TRUE"
  expect_gt(sum(early), 0)
  expect_identical(unique(states[1, 1:19][early]), "not met before 20 judgments")
  expect_identical(unique(states[1, 1:19][!early]), "not met yet")
  expect_identical(states[1, 20], if (states[2, 20] == "TRUE") "goal met" else "not met yet")
  # The same holds in combined goals, with strata, and for small pools.
  either <- judging_session(x, goal_mean(0.6) | goal_budget(90), seed = 1, judgments = FALSE)
  expect_identical(goal_state(progress(either, expect = FALSE)), "not met before 20 judgments")
  judge_truly(either, 3)
  expect_output(print(either), "not met before 20 judgments", fixed = TRUE)
  expect_output(print(progress(either)), "not met before 20 judgments", fixed = TRUE)
  expect_match(html(goal_line(progress(either)$goal, 0.7, nouns_of_documents)), "not met before 20 judgments", fixed = TRUE)
  expect_match(goal_answer(progress(either)), "not met before 20 judgments", fixed = TRUE)
  small <- app_session(docs = 4)
  set_goal(refresh(small$engine), goal_mean(0.4))
  expect_identical(goal_state(progress(small, expect = FALSE)), "not met before 8 judgments")
})

test_that("a value just below its target is printed with enough digits to show it", {
  state <- function(value, asked, reached = FALSE)
    value_and_target_text(list(value = value, asked = asked, reached = reached))
  expect_identical(state(0.8499999, 0.85), "0.8499999 of 0.85")
  expect_identical(state(0.84996, 0.85), "0.84996 of 0.85")
  expect_identical(state(0.752, 0.75), "0.752 of 0.75")
  expect_identical(state(0.200001, 0.2), "0.200001 of 0.2")
  expect_identical(state(0.85, 0.85), "0.85 of 0.85")
  expect_identical(state(0.850001, 0.85, TRUE), "0.85 of 0.85")
  shown <- function(confidence, asked) {
    confidence_percent(list(confidence = confidence, goal = list(label = "mean confidence 0.95", asked = asked)))
  }
  expect_identical(shown(0.9496, 0.95), "94.96%")
  expect_identical(shown(0.94999, 0.95), "94.999%")
  expect_identical(shown(0.949, 0.95), "94.9%")
  expect_identical(shown(0.951, 0.95), "95.1%")
})
