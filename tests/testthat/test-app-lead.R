skip_if_not_installed("htmltools")

test_that("HTML tables have row and column headings, and escaped text", {
  shown <- html(figure_table(data.frame(a = "<b>", b = 1234.5, c = NA_real_, d = 2), "A & B",
                             c(a = "<i>", b = "B", c = "C", d = "D")))
  expect_no_match(shown, "<b>|<i>")
  expect_match(shown, "<th scope=\"row\">&lt;b&gt;</th>", fixed = TRUE)
  expect_identical(lengths(regmatches(shown, gregexpr("scope=\"col\"", shown))), 4L)
  expect_identical(show_figures(c(1, 1200, NA)), c("1", "1,200", "\u2013"))
  expect_identical(show_figures(c(0.12345, NA)), c("0.123", "\u2013"))
})

test_that("an assessor's agreement compares the judgments of documents that others judged too", {
  judgments <- data.frame(query = "q", doc = c("a", "b", "c", "d", "a", "b", "c"), gain = c(0, 1, 2, 2, 0, 1, 1),
                          assessor = c("ann", "ann", "ann", "ann", "bob", "carl", "carl"))
  expected <- agreement(c(0, 1, 2), c(0, 1, 1), weights = "quadratic", levels = 0:2)
  expect_identical(assessor_agreement("ann", judgments, broad_scale())[c("estimate", "units")],
                   unclass(expected)[c("estimate", "units")])
  expect_identical(assessor_agreement("bob", judgments, broad_scale())$units, 1L)
  expect_null(assessor_agreement("dora", judgments, broad_scale()))
})

test_that("the lead's view describes the calibration in the words of a report, and has its figures in a table", {
  table <- data.frame(judgments = c("audit", "selected", "systems"), n = c(30, 200, 6), bias = c(-0.5, NA, NA),
                      z2 = c(1.2, NA, 2), lower = c(0.5, NA, 1.5), upper = c(1.9, NA, 2.5), within_50 = c(0.5, NA, 0),
                      within_80 = c(0.75, NA, 0), within_95 = c(1, NA, 0))
  shown <- html(calibration_panel(table))
  for (sentence in calibration_verdict(table)) expect_match(shown, sentence, fixed = TRUE)
  cells <- regmatches(shown, gregexpr("(?<=<td>)[^<]+", shown, perl = TRUE))[[1]]
  expect_identical(cells, c("30", "200", "-0.50", "\u2013", "1.20", "\u2013", "0.50\u20131.90", "\u2013", "50%",
                            "\u2013", "75%", "\u2013", "100%", "\u2013"))
})

test_that("tables of the lead's view show numbers with three digits, and no point at the end", {
  expect_identical(show_figures(c(0.25, 2.9, 61.34, 123.4, 1234.6, NA)),
                   c("0.250", "2.90", "61.3", "123", "1235", "\u2013"))
  assessors <- data.frame(assessor = "ann", judged = 2L, skipped = 0L, median_seconds = 0.000156)
  panel <- html(assessors_panel(list(assessors = assessors), data.frame(query = character(), doc = character(),
                                                                        gain = numeric(), assessor = character()),
                                broad_scale()))
  expect_match(panel, "<td>2</td>\\s*<td>0</td>\\s*<td>0</td>")
})

test_that("the progress bar marks the goal's target only if the bar shows the goal's quantity", {
  asked <- function(goal) {
    x <- simulate_collection(queries = 5, documents = 60, artists = 20, systems = 3, seed = 1)
    html(gains_panel(progress(judging_session(x, goal = goal, seed = 1, judgments = FALSE), expect = FALSE), "ann"))
  }
  expect_match(asked(goal_mean(0.9)), "bar-mark\" style=\"left:90.0%", fixed = TRUE)
  expect_match(asked(goal_mean(0.9) | goal_budget(5)), "bar-mark", fixed = TRUE)
  width <- asked(goal_width(0.1))
  expect_no_match(width, "bar-mark")
  expect_match(width, "intervals no wider than 0.1, now [0-9.]+</p>")
  expect_match(asked(goal_budget(1) & goal_mean(0.1)), "Judged by you", fixed = TRUE)
})

test_that("the page serves the files of a media folder", {
  skip_if_not_installed("shiny")
  folder <- new_folder()
  writeLines("x", file.path(folder, "d1.txt"))
  app <- judge_app(app_session(), documents = "media/{doc}.txt", tokens = FALSE, media = folder)
  shiny::testServer(app, {
    session$flushReact()
    expect_match(html(output$screen$html), "href=\"media/d[1-4].txt\"")
  })
  expect_identical(media_folder(folder), normalizePath(folder))
})

test_that("only a lead can act in the lead's view, and invalid actions change nothing", {
  testthat::skip_if_not_installed("openssl")
  s <- app_session(queries = 2, docs = 4, overlap = 1)
  tokens <- c(ann = add_assessor(s, "ann"), lea = add_assessor(s, "lea", "lead"))
  add_assessor(s, "bob")
  ask <- next_documents(s, 2, "ann")
  judge(s, ask$query, ask$doc, c(0, 2), "ann")
  judge(s, ask$query, ask$doc, c(2, 2), "bob")
  lead <- function(session, kind, ...) session$setInputs(lead = list(kind = kind, ...))
  events <- function() store_rows(s$engine$store, "event", list(kind = "lead"))
  shiny::testServer(judge_app(s), {
    session$setInputs(login = list(token = tokens[["ann"]]))
    lead(session, "pause")
    session$setInputs(view = "lead")
    lead(session, "pause")
    expect_identical(nrow(events()), 0L)
  })
  shiny::testServer(judge_app(s), {
    session$setInputs(login = list(token = tokens[["lea"]]))
    # A lead's actions have no effect outside the lead's view.
    lead(session, "pause")
    expect_identical(nrow(events()), 0L)
    session$setInputs(view = "lead")
    session$elapse(300)
    expect_match(html(output$lead_decided$html), "1 of 1 pair of systems|0 of 1 pair of systems")
    expect_match(html(output$lead_disagreements$html), "ann: Not similar (0); bob: Very similar (2)", fixed = TRUE)
    id <- gains_task_id("", ask$query[1], ask$doc[1])
    for (value in list("3", "", NULL)) lead(session, "final", id = id, value = value)
    lead(session, "final", id = "x", value = "1")
    expect_identical(nrow(judgments_of(s)), 4L)
    lead(session, "final", id = id, value = "1")
    session$elapse(300)
    expect_match(html(output$lead_disagreements$html), "no document on which", fixed = TRUE)
    lead(session, "goal", choice = "budget", number = "9", budget = "")
    lead(session, "goal", choice = "mean", number = "200", budget = "")
    lead(session, "goal", choice = "no such", number = "2", budget = "")
    expect_identical(s$engine$goal$label, "9 judgments")
    expect_match(html(output$lead_goal$html), "9 judgments", fixed = TRUE)
    lead(session, "assign", queries = list("q1"), name = "ann")
    lead(session, "assign", queries = list("q1"), name = "nobody")
    lead(session, "assign", queries = list("q9"), name = "ann")
    expect_identical(s$engine$control$assigned, c(q1 = "ann"))
    lead(session, "add", name = "carl", choice = "assessor")
    lead(session, "add", name = "lea", choice = "assessor")
    lead(session, "add", name = "dora", choice = "king")
    expect_setequal(assessors(s)$assessor, c("ann", "bob", "carl", "lea"))
    lead(session, "suspend", name = "ann")
    lead(session, "suspend", name = "lea")
    expect_identical(assessors(s)$role[match(c("ann", "lea"), assessors(s)$assessor)], c("suspended", "lead"))
    lead(session, "pause")
    expect_match(html(output$lead_run$html), "Continue judging", fixed = TRUE)
    lead(session, "continue")
    expect_false(s$engine$control$paused)
  })
  expect_identical(unique(events()$assessor), "lea")
  expect_identical(judgments_of(s)$gain[!judgments_of(s)$overlap], c(1, 2))
})

test_that("the lead's view shows stored figures until new ones are computed", {
  s <- app_session()
  run_session(s, function(query, doc) if (nrow(judgments_of(s)) < 3) 1)
  known <- stored_figures(s$engine)
  expect_equal(known[c("judged", "confidence")], unclass(progress(s, expect = FALSE))[c("judged", "confidence")])
  expect_match(html(gains_tiles(known)), "<dt>Judged</dt>\\s*<dd>\\s*3\\s*<small>5 not judged")
  expect_match(html(gains_tiles(stored_figures(app_session()$engine))), "\u2013", fixed = TRUE)
  for (store in list(NULL, session_file())) {
    s <- app_session(store = store)
    run_session(s, function(query, doc) if (nrow(judgments_of(s)) < 3) 1)
    made <- save_figures(s, function() 5)
    expect_identical(stored_figures(s$engine), made)
    expect_identical(made$expected_more, 5)
  }
  # Another process shows the stored figures without reading the log, also on a page that was just created.
  other <- open_session(store)
  other$engine$seen <- NULL
  expect_identical(stored_figures(other$engine), made)
  expect_identical(app_parts(judge_app(other, tokens = FALSE))$mode$status$last(), made)
  expect_null(other$engine$seen)
})

test_that("while another process updates the estimates, the page shows that process's figures", {
  s <- app_session(store = session_file())
  path <- s$engine$store$state$path
  tender <- open_session(path)
  expect_false(is_estimated_elsewhere(s$engine))
  store_lock(tender$engine$store, "fits")
  expect_true(is_estimated_elsewhere(s$engine))
  mode <- app_parts(judge_app(s, tokens = FALSE))$mode
  task <- mode_next(mode, "ann")
  mode_answer(mode, "ann", task, "1", 1)
  s$engine$seen <- NULL
  expect_false(is.null(mode_next(mode, "ann")))
  update_expected(mode)
  expect_identical(mode$status$recompute()$judged, 0)
  expect_null(s$engine$seen)
  prefetch_documents(tender, seconds = 0)
  expect_false(is_estimated_elsewhere(s$engine))
  expect_identical(mode$status$recompute()$judged, 1L)
})

test_that("long system names are shortened in plots, and remain distinct", {
  x <- simulate_collection(queries = 5, documents = 60, artists = 20, systems = 3, seed = 1)
  ranking <- rank_systems(x, judgments = FALSE)
  shown <- function(names) {
    names(ranking$mean) <- names
    names(with_short_names(ranking)$mean)
  }
  long <- paste0("a-university-with-a-long-name-", c("first", "second", "third"), "-run-of-the-year")
  expect_identical(shown(c(long[1], "an-institute-elsewhere-run-1", "BM25")),
                   c("a-univers...the-year", "an-instit...re-run-1", "BM25"))
  expect_identical(shown(long), c("a-uni...first", "a-uni...second", "a-uni...third"))
  expect_identical(shown(c(long[1:2], long[2])), c("a-uni...first", "a-uni...second", "a-uni...second.1"))
  expect_identical(names(with_short_names(rank_systems(x, judgments = FALSE))$mean), x$systems$system)
})

test_that("the documents that assessors hold never exceed the remaining budget", {
  s <- app_session(docs = 8, store = session_file())
  update(s, goal_mean(0.99999) | goal_budget(3))
  mode <- app_parts(judge_app(s, tokens = FALSE))$mode
  tasks <- list(ann = mode_next(mode, "ann"))
  mode_release(mode, "ann")
  for (who in c("ann", "bob")) tasks[[who]] <- mode_next(mode, who)
  expect_null(tasks$bob)
  waiting <- mode_finished(mode, save_figures(s, function() 1), "bob")
  expect_identical(waiting[[1]], "Nothing to judge just now")
  expect_match(waiting[[2]], "Other assessors are judging")
  # Assessors who hold no documents are not counted as judging.
  expect_identical(count_held_by_others(s$engine, "ann"), 0L)
  expect_match(mode_finished(mode, save_figures(s, function() 1), "ann")[[2]], "^No document is waiting for you")
  for (i in 1:3) {
    mode_answer(mode, "ann", tasks$ann, "1", 1)
    tasks <- list(ann = mode_next(mode, "ann"), bob = mode_next(mode, "bob"))
  }
  expect_identical(tasks, list(ann = NULL, bob = NULL))
  expect_identical(progress(s)$judged, 3L)
  expect_identical(budget_of((goal_mean(0.9) & goal_budget(9))$recipe), Inf)
  expect_identical(budget_of((goal_budget(4) & goal_budget(9))$recipe), 9)
})

test_that("judging continues while a second judgment of a document is outstanding", {
  s <- app_session(queries = 1, overlap = 0.9)
  update(s, goal_mean(0.99999))
  mode <- app_parts(judge_app(s, tokens = FALSE))$mode
  for (i in 1:4) mode_answer(mode, "ann", mode_next(mode, "ann"), "1", 1)
  expect_null(mode_next(mode, "ann"))
  said <- function() mode_finished(mode, save_figures(s, function() 1), "ann")
  expect_identical(said()[[1]], "Everything is judged")
  again <- mode_next(mode, "bob")
  expect_false(is.null(again))
  expect_identical(said()[[1]], "You are done")
  while (!is.null(again)) {
    mode_answer(mode, "bob", again, "1", 1)
    again <- mode_next(mode, "bob")
  }
  expect_identical(said()[[1]], "Everything is judged")
})

test_that("printed sessions, the lead's view and the terminal state that a session is paused", {
  s <- app_session()
  update(s, paused = TRUE)
  expect_output(print(s), "8 judgments: paused by the lead", fixed = TRUE)
  expect_output(print(progress(s)), "paused by the lead", fixed = TRUE)
  expect_match(html(gains_tiles(save_figures(s, function() 1))), "paused by the lead", fixed = TRUE)
  expect_match(html(run_panel(s$engine)), "Paused by the lead.", fixed = TRUE)
  # This panel does not say whether judging has ended; the figures of the goal do.
  expect_no_match(html(run_panel(app_session()$engine)), "Running")
  expect_match(goal_answer(progress(s)), "Judging stopped: paused by the lead", fixed = TRUE)
  said <- character()
  judge_on_terminal(s, list(assessor = "me"), function() NULL, function(...) said <<- c(said, paste0(...)))
  expect_match(said, "Paused by the lead.", fixed = TRUE, all = FALSE)
  update(s, paused = FALSE)
  expect_output(print(s), "not met yet", fixed = TRUE)
})

test_that("the lead's view states the confidence that the judgments give without grades", {
  x <- suppressMessages(read_answers(hanna, grades = "chatgpt"))
  known <- judgments_of(x)[1:60, ]
  s <- judging_session(x, judgments = known, seed = 1)
  token <- add_assessor(s, "lea", "lead")
  shiny::testServer(judge_app(s), {
    session$setInputs(login = list(token = token))
    session$setInputs(view = "lead")
    session$elapse(300)
    expect_match(html(output$lead_calibration$html), "Without the grades, the confidence would be 0[.][0-9]{3}")
  })
})

test_that("the expected number of judgments counts those made since it was estimated", {
  s <- app_session()
  expect_null(last_expected(s$engine))
  expect_equal(further_judgments(s$engine), 8)
  docs <- next_documents(s, 3)
  judge(s, docs$query, docs$doc, c(0, 1, 0))
  expect_equal(save_figures(s, function() last_expected(s$engine))$expected_more, 5)
})

test_that("the lead's view of a session of answers speaks of answers and questions", {
  rows <- data.frame(model = rep(c("A", "B"), each = 6), id = rep(1:6, 2), answer = letters[1:12], rating = c(1:3, NA))
  s <- judging_session(suppressMessages(read_answers(rows)), seed = 1)
  nouns <- nouns_of(s$engine$x)
  progress <- progress(s, expect = FALSE)
  spec <- list(nouns = nouns)
  shown <- c(html(lead_screen(spec, c("A", "B"))), html(run_panel(s$engine)), html(gains_tiles(progress)),
             html(calibration_panel(calibration(s), nouns)), html(disagreements_panel(judgments_of(s), spec, s$engine$x$scale)),
             html(assessors_panel(progress, judgments_of(s), s$engine$x$scale)),
             html(assign_panel(c("1", "2"), character(), assessors(s), nouns)))
  # Names of fields and addresses may have these words; texts between tags must not.
  expect_identical(grep("document|quer(y|ies)", unlist(strsplit(shown, "<[^>]*>")), ignore.case = TRUE, value = TRUE),
                   character())
})
