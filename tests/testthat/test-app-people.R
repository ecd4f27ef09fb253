# A hundred judgments by keyboard, by two assessors and a lead who work at the same time, in a headless Chromium.

judging <- "document.querySelector('[data-task]') !== null && !document.body.classList.contains('busy')"

# Presses a key and waits for the next screen.
answer_with <- function(tab, key) {
  before <- in_page(tab, "document.querySelector('[data-task]').dataset.task")
  press(tab, key)
  wait_for(tab, sprintf("(document.querySelector('[data-task]') || {dataset: {}}).dataset.task !== '%s' &&
                         !document.body.classList.contains('busy')", before))
}

test_that("two assessors judge 100 documents by keyboard while a lead manages the judging", {
  skip_without_browser()
  testthat::skip_if_not_installed("RSQLite")
  testthat::skip_if_not_installed("openssl")
  path <- session_file()
  s <- app_session(queries = 5, docs = 22, store = path)
  tokens <- c(ann = add_assessor(s, "ann"), bob = add_assessor(s, "bob"), lea = add_assessor(s, "lea", "lead"))
  close_session(s)
  served <- serve_app(c(sprintf("s <- open_session(%s)", deparse(path)), "app <- judge_app(s)"))
  browser <- new_browser()
  tabs <- lapply(tokens, function(token) new_tab(browser, paste0(served$url, "#token=", token)))
  for (tab in tabs) wait_for(tab, judging)
  lead <- tabs$lea
  in_page(lead, "document.querySelector('[data-view=lead]').click()")
  wait_for(lead, "document.querySelector('[data-lead=pause]') !== null")
  expect_true(in_page(lead, "document.querySelectorAll('#lead_tiles .tile').length === 5"))

  for (i in 1:25) for (who in c("ann", "bob")) answer_with(tabs[[who]], as.character((i + (who == "bob")) %% 3))
  # A pause takes effect at the assessor's next answer. When the lead ends it, the page continues by itself.
  in_page(lead, "document.querySelector('[data-lead=pause] button').click()")
  wait_for(lead, "document.querySelector('[data-lead=continue]') !== null")
  answer_with(tabs$ann, "2")
  wait_for(tabs$ann, "document.querySelector('main h1').textContent === 'Paused by the lead'")
  in_page(lead, "document.querySelector('[data-lead=continue] button').click()")
  wait_for(tabs$ann, judging)
  # The lead can also assign queries and set a new goal.
  in_page(lead, "(() => { const form = document.querySelector('[data-lead=assign]');
    form.elements.queries.value = 'q1'; form.elements.name.value = 'ann'; form.requestSubmit(); })()")
  wait_for(lead, "/q1: ann/.test(document.querySelector('[data-lead=assign]').textContent)")
  in_page(lead, "(() => { const form = document.querySelector('[data-lead=goal]');
    form.elements.choice.value = 'budget'; form.elements.number.value = '100'; form.requestSubmit(); })()")
  wait_for(lead, "/100 judgments/.test(document.querySelector('#lead_goal').textContent)")
  expect_accessible(lead)
  ended <- "document.querySelector('main .message.end') !== null"
  for (i in 1:60) {
    for (who in c("ann", "bob")) {
      if (in_page(tabs[[who]], judging)) answer_with(tabs[[who]], as.character(i %% 3))
    }
    if (in_page(tabs$ann, ended) && in_page(tabs$bob, ended)) break
  }
  for (who in c("ann", "bob")) wait_for(tabs[[who]], ended)
  for (tab in tabs) expect_identical(tab$log, character())

  s <- open_session(path)
  made <- judgments_of(s)
  # Two assessors had a document on the screen when the goal was reached.
  expect_true(nrow(made) %in% 100:101)
  expect_identical(anyDuplicated(made[c("query", "doc")]), 0L)
  expect_setequal(made$assessor, c("ann", "bob"))
  given <- store_rows(s$engine$store, "event", list(kind = "lease"))
  assigned <- store_rows(s$engine$store, "event", list(kind = "lead"))
  after <- assigned$id[grepl("q1", assigned$detail)]
  expect_identical(unique(given$assessor[given$query == "q1" & given$id > after]), "ann")
  close_session(s)
})
