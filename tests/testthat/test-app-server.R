skip_if_not_installed("shiny")
skip_if_not_installed("bslib")
skip_if_not_installed("openssl")

act <- function(session, kind, task = NULL, ...) {
  session$setInputs(action = list(kind = kind, task = task, ...))
}

logged_in <- function(session, token) session$setInputs(login = list(token = token))

test_that("before log-in, nothing is shown and nothing can be changed", {
  s <- app_session()
  add_assessor(s, "ann")
  app <- judge_app(s)
  shiny::testServer(app, {
    session$flushReact()
    expect_match(html(output$screen$html), "Your token", fixed = TRUE)
    expect_null(page$panel)
    act(session, "answer", NULL, value = "2")
    session$setInputs(view = "lead")
    logged_in(session, "guess")
    expect_null(page$reactive$who)
    expect_error(output$lead_tiles)
    expect_error(output$file_qrels)
  })
  expect_identical(nrow(judgments_of(s)), 0L)
})

test_that("an assessor judges, skips and undoes only under the assessor's own name", {
  s <- app_session()
  tokens <- vapply(c("ann", "bob"), function(name) add_assessor(s, name), "")
  app <- judge_app(s)
  shiny::testServer(app, {
    logged_in(session, tokens[["ann"]])
    first <- page$task
    act(session, "answer", first$id, value = "2", assessor = "bob")
    expect_false(identical(page$task$id, first$id))
    # Actions for a finished task, an unknown task, or with invalid values are ignored.
    now <- page$task
    act(session, "answer", first$id, value = "0")
    act(session, "answer", "no such task", value = "0")
    act(session, "answer", now$id, value = "7")
    act(session, "answer", now$id, value = "1; DROP TABLE event")
    act(session, "skip", now$id, text = strrep("x", 501))
    act(session, "no such thing", now$id)
    session$setInputs(action = "answer")
    session$setInputs(login = list(token = tokens[["bob"]]))
    expect_identical(page$task$id, now$id)
    expect_identical(page$reactive$who, "ann")
    expect_identical(judgments_of(s)[c("doc", "gain", "assessor")],
                     data.frame(doc = first$doc, gain = 2, assessor = "ann"))
    act(session, "skip", now$id, choice = "2", text = "it is <b>noise</b>")
    act(session, "undo")
    expect_identical(page$task$id, now$id)
    act(session, "undo")
    expect_identical(page$task$id, first$id)
    expect_identical(nrow(judgments_of(s)), 0L)
  })
  log <- tempfile()
  export_judgments(s, log, "csv", all = TRUE)
  log <- utils::read.csv(log)
  expect_identical(setdiff(log$assessor, ""), "ann")
  expect_match(log$detail[log$kind == "skip"], "I cannot judge this kind of document: it is <b>noise</b>", fixed = TRUE)
})

test_that("the screen of the next document and the acknowledgement are sent as messages", {
  s <- app_session()
  app <- judge_app(s, tokens = FALSE)
  shiny::testServer(app, {
    session$flushReact()
    sent <- list()
    page$session <- list(sendCustomMessage = function(type, message) sent[[type]] <<- message,
                         userData = list(judicious = page), onFlushed = session$onFlushed)
    first <- page$task
    turn <- page$reactive$screen_no
    expect_true(receive_at_once(list(kind = "answer", task = first$id, value = "2"), page$session, "action"))
    expect_identical(judgments_of(s)$gain, 2)
    expect_false(identical(page$task$id, first$id))
    # The next task is sent as a message; Shiny does not render the screen again.
    expect_identical(page$reactive$screen_no, turn)
    expect_identical(sent$`judicious-kept`$task, first$id)
    expect_identical(sent$`judicious-say`$text, "Saved: Very similar (2).")
    expect_identical(sent$`judicious-task`$html, html(task_screen(page$task, page$items, page$spec)))
    # An answer to a document that is not on the screen any more changes nothing.
    receive_at_once(list(kind = "answer", task = first$id, value = "0"), page$session, "action")
    expect_identical(nrow(judgments_of(s)), 1L)
    # After undo, the screen shows the earlier answer.
    receive_at_once(list(kind = "undo"), page$session, "action")
    expect_identical(page$task$id, first$id)
    expect_match(sent$`judicious-task`$html, "Your answer was: ", fixed = TRUE)
  })
})

test_that("two assessors get different documents, and one cannot undo the other's judgment", {
  s <- app_session()
  tokens <- vapply(c("ann", "bob"), function(name) add_assessor(s, name), "")
  app <- judge_app(s)
  ann <- NULL
  shiny::testServer(app, {
    logged_in(session, tokens[["ann"]])
    ann <<- page$task
    act(session, "answer", ann$id, value = "1")
  })
  shiny::testServer(app, {
    logged_in(session, tokens[["bob"]])
    expect_false(identical(page$task[c("query", "doc")], ann[c("query", "doc")]))
    # Bob sends the exact identifier of Ann's task.
    act(session, "answer", ann$id, value = "0")
    act(session, "undo")
    held <- next_documents(s, 4, "bob")
    expect_false(any(held$query == ann$query & held$doc == ann$doc))
  })
  expect_identical(judgments_of(s)$gain, 1)
  expect_identical(judgments_of(s)$assessor, "ann")
})

test_that("only a lead can open the lead's view of the session", {
  s <- app_session()
  tokens <- c(ann = add_assessor(s, "ann"), lea = add_assessor(s, "lea", "lead"))
  app <- judge_app(s)
  shiny::testServer(app, {
    logged_in(session, tokens[["ann"]])
    session$setInputs(view = "lead")
    expect_identical(page$reactive$view, "judge")
    expect_error(output$lead_tiles)
    expect_error(output$file_log)
  })
  shiny::testServer(app, {
    logged_in(session, tokens[["lea"]])
    act(session, "answer", page$task$id, value = "2")
    page$mode$status$recompute()
    session$setInputs(view = "lead")
    # A lead in the lead's view holds no documents that others could judge.
    expect_identical(nrow(held_slots(s$engine, "lea")), 0L)
    expect_match(html(output$screen$html), "Lead&#39;s view|Lead's view")
    session$elapse(300)
    expect_match(html(output$lead_tiles$html), "<dt>Judged</dt>", fixed = TRUE)
    expect_match(html(output$lead_assessors$html), "lea", fixed = TRUE)
    expect_match(html(output$lead_calibration$html), "Too few randomly selected documents", fixed = TRUE)
    expect_match(readLines(output$file_qrels), "^q[12] 0 d[1-4] 2$")
    expect_match(html(output$lead_ranking_table$html), "Systems, best first", fixed = TRUE)
  })
  shiny::testServer(judge_app(s, view = "lead"), {
    logged_in(session, tokens[["ann"]])
    expect_null(page$reactive$who)
    logged_in(session, tokens[["lea"]])
    expect_identical(page$reactive$view, "lead")
    act(session, "undo")
  })
  expect_identical(nrow(judgments_of(s)), 1L)
})

test_that("a replaced token or a changed role ends the login at the assessor's next action", {
  s <- app_session()
  old <- add_assessor(s, "ann")
  app <- judge_app(s)
  shiny::testServer(app, {
    logged_in(session, old)
    held <- page$task
    new <- add_assessor(s, "ann")
    act(session, "answer", held$id, value = "2")
    expect_null(page$reactive$who)
    expect_null(page$task)
    expect_match(html(output$screen$html), "Your token", fixed = TRUE)
    expect_identical(nrow(judgments_of(s)), 0L)
    logged_in(session, new)
    expect_identical(page$task$id, held$id)
    act(session, "answer", held$id, value = "2")
    expect_identical(nrow(judgments_of(s)), 1L)
  })
  lead <- add_assessor(s, "lea", "lead")
  shiny::testServer(app, {
    logged_in(session, lead)
    session$setInputs(view = "lead")
    expect_match(html(output$lead_tiles$html), "Judged", fixed = TRUE)
    # The same token now has another role.
    store_update(s$engine$store, "assessor", quick_frame(assessor = "lea", role = "assessor"))
    expect_error(output$file_qrels)
    session$setInputs(view = "lead")
    expect_identical(page$reactive$view, "judge")
    expect_false(page$reactive$lead)
    act(session, "answer", page$task$id, value = "1")
    expect_identical(nrow(judgments_of(s)), 2L)
  })
  # A lead whose role has changed is logged out at the next check, even without an action.
  lead <- add_assessor(s, "lea", "lead")
  shiny::testServer(judge_app(s, view = "lead"), {
    logged_in(session, lead)
    expect_identical(page$reactive$who, "lea")
    store_update(s$engine$store, "assessor", quick_frame(assessor = "lea", role = "assessor"))
    update_page(page, page_time() + 6)
    expect_null(page$reactive$who)
  })
})

test_that("once the goal is reached, no more documents are assigned", {
  s <- app_session(queries = 1)
  app <- judge_app(s, tokens = FALSE)
  shiny::testServer(app, {
    session$flushReact()
    for (i in 1:4) act(session, "answer", page$task$id, value = "1")
    expect_null(page$task)
    expect_match(html(output$screen$html), "Budget spent at confidence")
    act(session, "undo")
    expect_false(is.null(page$task))
  })
  expect_identical(nrow(judgments_of(s)), 3L)
})

test_that("the documents of a query are shown together, in a fixed random order for each assessor", {
  held <- expand.grid(doc = paste0("d", 1:6), query = c("q1", "q2", "q3"), stringsAsFactors = FALSE)
  shown <- held[shuffled_by_query(held, "ann"), ]
  expect_length(rle(shown$query)$lengths, 3)
  # The order is the same after a reload, whatever the order in which the documents are held.
  expect_identical(held[18:1, ][shuffled_by_query(held[18:1, ], "ann"), ], shown)
  others <- vapply(paste0("a", 1:50), function(a) paste(shuffled_by_query(held, a), collapse = " "), "")
  expect_gt(length(unique(others)), 45)
  first <- held[shuffled_by_query(held, "ann", list(query = "q2", doc = "d5"))[1], ]
  expect_identical(c(first$query, first$doc), c("q2", "d5"))
})

test_that("a cached value is recomputed after touch(), but not before a given time has passed", {
  now <- 0
  count <- 0
  cached <- cached_value(function() {
    count <<- count + 1
    now <<- now + 0.1
    count
  }, clock = function() now)
  expect_null(cached$last())
  expect_identical(cached$get(), 1)
  expect_identical(cached$get(), 1)
  expect_identical(cached$last(), 1)
  cached$touch()
  expect_identical(cached$get(), 1)
  now <- now + 1
  expect_identical(cached$get(), 2)
  now <- now + 4.9
  expect_identical(cached$get(), 2)
  now <- now + 0.2
  expect_identical(cached$get(), 3)
  expect_identical(cached$recompute(), 4)
})

test_that("the expected number of judgments is known after the first answer", {
  s <- app_session(queries = 4, docs = 8)
  app <- judge_app(s, tokens = FALSE)
  shiny::testServer(app, {
    session$flushReact()
    act(session, "answer", page$task$id, value = "1")
    session$elapse(10)
    # The goal is to judge all 32 documents of the pool; the figure may have been computed before or after this
    # judgment.
    expect_true(page$mode$status$recompute()$expected_more %in% c(32, 31))
  })
})

test_that("invalid arguments of judge_app() raise errors", {
  s <- app_session()
  expect_snapshot(error = TRUE, judge_app("session.sqlite"))
  expect_snapshot(error = TRUE, judge_app(s, preferences = "p"))
  expect_snapshot(error = TRUE, judge_app(s, guidelines = 1))
  expect_snapshot(error = TRUE, judge_app(s, reasons = character()))
  expect_snapshot(error = TRUE, judge_app(s, ahead = 0))
  expect_snapshot(error = TRUE, judge_app(s, media = "no/such/folder"))
  expect_snapshot(error = TRUE, judge_app(s, tokens = "secret"))
  expect_s3_class(judge_app(s), "shiny.appobj")
})

test_that("the last screen shows the closing text that was set", {
  last_screen <- function(...) {
    s <- app_session(queries = 1, docs = 2)
    token <- add_assessor(s, "ann")
    shown <- NULL
    shiny::testServer(judge_app(s, ...), {
      logged_in(session, token)
      for (i in 1:2) act(session, "answer", page$task$id, value = "1")
      session$flushReact()
      shown <<- html(output$screen$html)
    })
    shown
  }
  expect_match(last_screen(), "Everything is saved. Thank you")
  expect_match(last_screen(ending = "Your code is <7>."), "<p>Your code is &lt;7&gt;.</p>", fixed = TRUE)
  paid <- last_screen(ending = function(assessor) htmltools::tags$a(href = "https://example.org", assessor))
  expect_match(paid, "<p>\\s*<a href=\"https://example.org\">ann</a>\\s*</p>")
  expect_no_match(paid, "Thank you")
  expect_error(app_control(ending = 7), "`ending` must be", class = "judicious_error_argument")
})

test_that("figures beside the document are sent again only if they changed", {
  show_status <- function(mode, status, who) paste(status, "judgments by", who)
  registerS3method("mode_panel", "told_mode", show_status, asNamespace("judicious"))
  sent <- character()
  session <- list(sendCustomMessage = function(type, message) sent <<- c(sent, message$html))
  page <- list2env(list(status = NULL, who = "ann", mode = structure(list(), class = "told_mode"), session = session))
  for (status in list(3, 3, 4, NULL)) show_panel(page, status)
  expect_identical(sent, c("3 judgments by ann", "4 judgments by ann", ""))
})
