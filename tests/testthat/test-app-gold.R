# The page for right answers, without a browser.
skip_if_not_installed("shiny")
skip_if_not_installed("bslib")

gold_page <- function(answers, ..., tokens = FALSE) {
  d <- data.frame(model = LETTERS[seq_along(answers)], id = rep(c("q1", "q2"), each = length(answers)),
                  answer = c(answers, rev(answers)))
  s <- judging_session(quiet_answers(d, scale = 0:1), goal_budget(9), seed = 1,
                       control = session_control(batch = Inf, same_query = TRUE, audit = 0))
  c(app_parts(judge_app(s, tokens = tokens, ...)), list(s = s))
}

gains_of <- function(s) {
  made <- judgments_of(s)
  stats::setNames(made$gain, s$engine$x$documents$text[match(made$doc, s$engine$x$documents$doc)])
}

test_that("an answer with the same number as one marked as right also counts as right", {
  for (marked in list("4.0", c("4.0", "two\n\nparagraphs"))) {
    page <- gold_page(c("4.0", "4", "5", "two\n\nparagraphs"))
    task <- mode_next(page$mode, "ann")
    answers <- distinct_answers(page$s$engine$x, task$query)
    pairs <- answers$pair[answers$text %in% marked]
    mode_answer(page$mode, "ann", task, list(choice = paste(pairs, collapse = " "), text = ""), 1)
    right <- gains_of(page$s)
    expect_equal(right[c("4.0", "4", "5", "two\n\nparagraphs")],
                 c("4.0" = 1, "4" = 1, "5" = 0, "two\n\nparagraphs" = as.numeric(length(marked) > 1)))
  }
})

test_that("the page for right answers shows documents as the judging page does", {
  shown <- function(...) {
    page <- gold_page(c("*one*", "two", "<i>"), ...)
    items <- draw_items(mode_next(page$mode, "ann"), page$spec)
    as.character(items$doc)
  }
  plain <- shown()
  expect_match(plain, "<div class=\"gold-text\"><div class=\"text\">*one*</div></div>", fixed = TRUE)
  expect_match(plain, "&lt;i&gt;", fixed = TRUE)
  expect_match(shown(render = "markdown"), "<em>one</em>", fixed = TRUE)
  of_code <- function(query, doc) if (!is.null(doc)) htmltools::tags$b(paste("Answer of", query))
  expect_match(shown(render = of_code), "<b>Answer of q", fixed = TRUE)
  expect_match(shown(documents = "https://example.org/{query}/x.png"), "<img src=\"https://example.org/q", fixed = TRUE)
  # If a document cannot be rendered, its text is shown.
  expect_warning(failed <- shown(render = function(query, doc) stop("no")), class = "judicious_warning_render") |>
    suppressWarnings()
  expect_match(failed, "<div class=\"text\">two</div>", fixed = TRUE)
})

test_that("the progress of sessions with right answers counts questions instead of documents", {
  page <- gold_page(c("4", "5", "6"))
  task <- mode_next(page$mode, "ann")
  pair <- distinct_answers(page$s$engine$x, task$query)$pair[1]
  mode_answer(page$mode, "ann", task, list(choice = as.character(pair), text = ""), 1)
  known <- progress(page$s, expect = FALSE)
  expect_identical(known$questions, list(judged = 1L, open = 1L))
  expect_identical(known$assessors$judged, 1L)
  expect_match(html(gains_tiles(known)), "Questions judged</dt>\\s*<dd>\\s*1\\s*<small>1 not judged")
  expect_match(html(gains_panel(known, "ann")), "Questions judged")
  expect_output(print(known), "questions +1 judged, 1 open")
  mode_skip(page$mode, "ann", mode_next(page$mode, "ann"), "unclear")
  known <- progress(page$s, expect = FALSE)
  expect_identical(known$questions, list(judged = 1L, open = 0L))
  expect_match(mode_finished(page$mode, known, "ann")[[2]], "no question is left. You judged 1 question.", fixed = TRUE)
  expect_null(progress(app_session())$questions)
})
