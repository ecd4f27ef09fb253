skip_if_not_installed("shiny")
skip_if_not_installed("bslib")
skip_if_not_installed("openssl")

preference_parts <- function(answers = 2, ..., level = 0.25, store = NULL) {
  s <- app_session(store = store)
  preferences <- preference_session(list(q1 = paste0("d", 1:4)), seed = 1, answers = answers, level = level)
  tokens <- vapply(c("ann", "bob"), function(name) add_assessor(s, name), "")
  list(s = s, tokens = tokens, app = judge_app(s, preferences = preferences, ...), preferences = preferences)
}

act <- function(session, kind, task = NULL, ...) {
  session$setInputs(action = list(kind = kind, task = task, ...))
}

test_that("task names can hold any identifiers", {
  odd <- c("a/b", "\"quoted\" 'id'", "<script>", "caf\u00e9", "100%", "%2F", "a b\tc", "\\")
  for (id in odd) {
    expect_identical(parse_pair_tasks(pair_task(id, rev(odd), "x")),
                     data.frame(query = id, doc_a = rev(odd), doc_b = "x"))
  }
})

test_that("the page asks for pairs until the list is sorted", {
  parts <- preference_parts()
  # The document with the smaller number is always preferred.
  for (who in c("ann", "bob")) {
    shiny::testServer(parts$app, {
      session$setInputs(login = list(token = parts$tokens[[who]]))
      while (!is.null(page$task)) {
        task <- page$task
        act(session, "answer", task$id, value = if (task$doc_a < task$doc_b) "a" else "b")
      }
      if (who == "bob") expect_match(html(output$screen$html), "Nothing to compare just now|All pairs are answered")
    })
  }
  given <- preference_answers(parts$s)
  expect_true(all(given$answer == ifelse(given$doc_a < given$doc_b, "a", "b")))
  # Bob's answers decided pairs, which made further pairs available after Ann had left. When they log in alternately,
  # all pairs are answered.
  for (who in c("ann", "bob", "ann", "bob")) {
    shiny::testServer(parts$app, {
      session$setInputs(login = list(token = parts$tokens[[who]]))
      while (!is.null(page$task)) {
        task <- page$task
        act(session, "answer", task$id, value = if (task$doc_a < task$doc_b) "a" else "b")
      }
    })
  }
  sorted <- update(parts$preferences, parts$s)
  expect_identical(nrow(next_pairs(sorted)), 0L)
  expect_identical(ordered_list(sorted)$doc, paste0("d", 1:4))
})

test_that("answers can be skipped and undone, and only the answers a, b and equal are accepted", {
  parts <- preference_parts()
  shiny::testServer(parts$app, {
    session$setInputs(login = list(token = parts$tokens[["ann"]]))
    first <- page$task
    for (value in list("c", "", NULL, 1, strrep("a", 1e4), c("a", "b"))) act(session, "answer", first$id, value = value)
    expect_identical(nrow(preference_answers(parts$s)), 0L)
    act(session, "answer", first$id, value = "a")
    act(session, "undo")
    expect_identical(page$task$id, first$id)
    expect_identical(nrow(preference_answers(parts$s)), 0L)
    act(session, "answer", first$id, value = "equal")
    second <- page$task
    act(session, "skip", second$id, choice = "1", text = "")
    expect_false(page$task$id %in% c(first$id, second$id))
    act(session, "undo")
    act(session, "undo")
    expect_identical(page$task$id, first$id)
    act(session, "undo")
    act(session, "answer", first$id, value = "b")
    act(session, "skip", page$task$id, choice = "4", text = "no sound")
  })
  given <- preference_answers(parts$s)
  expect_identical(given$answer, c("b", NA))
  expect_identical(given$worker, c("ann", "ann"))
  expect_identical(given$reason, c(NA, "Another reason: no sound"))
})

test_that("the question about the assessor is asked once, and the answer is stored and escaped", {
  parts <- preference_parts()
  shiny::testServer(parts$app, {
    session$setInputs(login = list(token = parts$tokens[["bob"]]))
    expect_match(html(output$background$html), "About you", fixed = TRUE)
    act(session, "background", text = strrep("x", 501))
    act(session, "background", text = "<b>piano</b>, ten years")
    act(session, "background", text = "another")
    session$elapse(10)
    expect_no_match(html(output$background$html), "About you", fixed = TRUE)
    act(session, "answer", page$task$id, value = "a")
  })
  expect_identical(preference_answers(parts$s)$background, "<b>piano</b>, ten years")
})

test_that("the lead's view shows the sorting and the work of each assessor", {
  parts <- preference_parts()
  lead <- add_assessor(parts$s, "lea", "lead")
  shiny::testServer(parts$app, {
    session$setInputs(login = list(token = lead))
    session$setInputs(view = "lead")
    session$elapse(300)
    expect_match(html(output$lead_batches$html), "no answers yet", fixed = TRUE)
  })
  for (who in c("ann", "bob")) {
    shiny::testServer(parts$app, {
      session$setInputs(login = list(token = parts$tokens[[who]]))
      for (i in 1:3) act(session, "answer", page$task$id, value = "equal")
    })
  }
  shiny::testServer(judge_app(parts$s, view = "lead", preferences = parts$preferences), {
    session$setInputs(login = list(token = lead))
    session$elapse(300)
    expect_match(html(output$lead_lists$html), "d1", fixed = TRUE)
    expect_match(html(output$lead_disagreements$html), "There is no pair", fixed = TRUE)
    expect_match(html(output$lead_assessors$html), "ann", fixed = TRUE)
    expect_match(html(output$lead_batches$html), "Median seconds", fixed = TRUE)
    expect_identical(nrow(utils::read.csv(output$file_answers)), 6L)
  })
})

test_that("a pair is assigned to no more assessors than it needs answers", {
  for (store in list(NULL, session_file())) {
    parts <- preference_parts(store = store, level = 0.5, answers = 1)
    s <- parts$s
    mode <- app_parts(parts$app)$mode
    open <- next_pairs(update(parts$preferences, s))
    asked <- lapply(seq_len(nrow(open)), function(i) mode_next(mode, paste0("a", i)))
    ids <- vapply(asked, `[[`, "", "id")
    expect_setequal(ids, pair_task(open$query, open$doc_a, open$doc_b))
    # All pairs are assigned; an assessor who asks again gets the pair that he or she already holds.
    expect_null(mode_next(mode, "late"))
    expect_match(mode_finished(mode, mode$status$recompute(), "late")[[2]], "answering them")
    expect_identical(mode_next(mode, "a2"), asked[[2]])
    # A skipped pair is assigned to another assessor; an undone pair returns to the assessor who undid it.
    mode_skip(mode, "a1", asked[[1]], "cannot tell")
    expect_identical(mode_next(mode, "late")$id, ids[1])
    mode_answer(mode, "a2", asked[[2]], "a", 1)
    undone <- mode_undo(mode, "a2")
    expect_identical(mode_next(mode, "a2", undone)$id, ids[2])
    # A pair whose lease has expired is assigned to another assessor.
    advance_clock(s, s$engine$lease + 1)
    expect_true(mode_next(mode, "later")$id %in% ids)
    close_session(s)
  }
})

test_that("processes that request pairs at the same time get different pairs", {
  testthat::skip_on_cran()
  store <- session_file()
  s <- app_session(store = store)
  tasks <- paste0("t", 1:40)
  got <- in_processes(4, function(number, store, tasks) {
    s <- judicious::open_session(store)
    vapply(1:10, function(i) {
      who <- paste(number, i)
      judicious:::lease_task(s$engine, tasks, rep(1, 40), who)
    }, 1L)
  }, store = store, tasks = tasks)
  expect_identical(sort(unlist(got)), 1:40)
  expect_identical(lease_task(s$engine, tasks, rep(1, 40), "nobody"), NA_integer_)
  # If each pair may have two assessors, there are twice as many assignments.
  expect_identical(lease_task(s$engine, tasks, rep(2, 40), "nobody"), 1L)
  close_session(s)
})

test_that("answers can be listed and changed, pairs can have comments, and the lead can pause and assign", {
  parts <- preference_parts(level = 0.5, answers = 1)
  s <- parts$s
  shiny::testServer(parts$app, {
    session$setInputs(login = list(token = parts$tokens[["ann"]]))
    first <- page$task
    act(session, "note", first$id, text = "alike", flag = "on")
    act(session, "answer", first$id, value = "a")
    second <- page$task
    expect_match(html(history_list(page$mode, "ann")), "Variation A.*alike")
    act(session, "revise", value = first$id)
    expect_identical(page$task$was, list(text = "Variation A", value = "a"))
    shown <- task_screen(page$task, page$items, page$spec)
    expect_match(html(shown), "class=\"answer before\"", fixed = TRUE)
    act(session, "keep")
    expect_identical(page$task$id, second$id)
    act(session, "revise", value = first$id)
    act(session, "answer", first$id, value = "b")
    expect_identical(page$task$id, second$id)
    act(session, "revise", value = "pair/q1/no/such")
    expect_identical(page$task$id, second$id)
    act(session, "answer", second$id, value = "equal")
    act(session, "undo")
    expect_identical(page$task$was$text, "Both equally similar or dissimilar")
    stats::update(s, paused = TRUE)
    act(session, "answer", second$id, value = "a")
    expect_match(html(output$screen$html), "Paused by the lead", fixed = TRUE)
  })
  given <- preference_answers(s)
  expect_identical(given[c("answer", "comment", "flag")],
                   data.frame(answer = c("b", "a"), comment = c("alike", NA), flag = c(TRUE, FALSE)))
  stats::update(s, paused = FALSE, queries = c(q1 = "bob"))
  mode <- app_parts(parts$app)$mode
  expect_null(mode_next(mode, "ann"))
  mode_release(mode, "ann")
  expect_false(is.null(mode_next(mode, "bob")))
})

test_that("a lead decides a pair on which assessors disagree", {
  parts <- preference_parts(answers = 2, level = 0.5)
  s <- parts$s
  pair <- NULL
  for (who in c("ann", "bob")) {
    shiny::testServer(parts$app, {
      session$setInputs(login = list(token = parts$tokens[[who]]))
      if (who == "ann") pair <<- page$task
      while (page$task$id != pair$id) act(session, "skip", page$task$id, choice = "1", text = "")
      act(session, "answer", pair$id, value = if (who == "ann") "a" else "b")
    })
  }
  decision <- function() {
    sorted <- as.data.frame(update(parts$preferences, s))
    sorted[sorted$doc_a == pair$doc_a & sorted$doc_b == pair$doc_b, c("decision", "needed")]
  }
  expect_identical(decision()$decision, "equal")
  lead <- add_assessor(s, "lea", "lead")
  for (app in list(parts$app, judge_app(s, view = "lead", preferences = parts$preferences))) {
    shiny::testServer(app, {
      session$setInputs(login = list(token = lead), view = "lead")
      session$elapse(300)
      decide <- function(...) session$setInputs(lead = list(kind = "final", ...))
      shown <- html(output$lead_disagreements$html)
      if (page$spec$lead_only) {
        # In this view, the lead has already decided the pair on the other page.
        expect_match(shown, "There is no pair", fixed = TRUE)
      } else {
        expect_match(shown, "A 1, equal 0, B 1, skipped 0. Decided so far: equal.", fixed = TRUE)
        decide(id = "pair/q1/no/such", value = "a")
        decide(id = pair$id, value = "c")
        expect_identical(decision()$decision, "equal")
        decide(id = pair$id, value = "b")
        expect_identical(decision()$decision, "greater")
        decide(id = pair$id, value = "a")
        expect_identical(decision()$decision, "greater")
      }
    })
  }
  expect_setequal(preference_answers(s)$worker, c("ann", "bob"))
  expect_identical(final_preferences(s), data.frame(pair[c("query", "doc_a", "doc_b")], answer = "b"))
})

test_that("pairs of answers of the session's collection are shown with their texts", {
  x <- quiet_answers(answer_frame())
  page_of <- function(lists) {
    s <- judging_session(x, judgments = FALSE, seed = 1)
    judge_app(s, preferences = preference_session(lists, seed = 1), tokens = FALSE)
  }
  shiny::testServer(page_of(split(x$documents$doc, sub("@.*", "", x$documents$doc))["q1"]), {
    shown <- html(output$screen$html)
    for (text in c("Capital of France?", "Paris", "Lyon")) expect_match(shown, paste0(">", text, "<"), fixed = TRUE)
  })
  # Pairs of another collection have their identifiers only.
  shiny::testServer(page_of(list(q1 = c("one", "two", "three"))), {
    expect_match(html(output$screen$html), "only-id", fixed = TRUE)
    expect_no_match(html(output$screen$html), "cannot be shown")
  })
})
