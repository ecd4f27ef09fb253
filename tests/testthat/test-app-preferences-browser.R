# Preference judgments in a headless Chromium: entirely by keyboard, also on a phone, and the lead's decisions.

judging <- "document.querySelector('[data-task]') !== null && !document.body.classList.contains('busy')"
task_of <- function(tab) in_page(tab, "document.querySelector('[data-task]').dataset.task")
text_of <- function(tab, selector) in_page(tab, sprintf("document.querySelector(\"%s\").textContent", selector))

# Presses keys and waits until the screen shows another task.
answer_with <- function(tab, ...) {
  before <- task_of(tab)
  press(tab, ...)
  wait_for(tab, sprintf("(document.querySelector('[data-task]') || {dataset: {}}).dataset.task !== '%s' &&
                         !document.body.classList.contains('busy')", before))
  before
}

test_that("by keyboard, assessors give, undo, comment and change preferences, also on a phone, and a lead decides", {
  skip_without_browser()
  testthat::skip_if_not_installed("RSQLite")
  testthat::skip_if_not_installed("openssl")
  path <- session_file()
  s <- app_session(store = path)
  tokens <- vapply(c(ann = "assessor", bob = "assessor", lea = "lead"), function(role) "", "")
  for (who in names(tokens)) tokens[who] <- add_assessor(s, who, if (who == "lea") "lead" else "assessor")
  close_session(s)
  served <- serve_app(c(
    sprintf("s <- open_session(%s)", deparse(path)),
    "p <- preference_session(list(q1 = c('d1', 'd2', 'd3')), seed = 1, answers = 2)",
    "texts <- data.frame(doc = paste0('d', 1:4), text = strrep('A sonata for violin. ', 200))",
    "queries <- data.frame(query = 'q1', title = 'violin sonata')",
    "app <- judge_app(s, documents = texts, queries = queries, preferences = p, guidelines = 'Listen *twice*.')"
  ))
  browser <- new_browser()
  open <- function(who, ...) new_tab(browser, paste0(served$url, "#token=", tokens[[who]]), ...)
  ann <- open("ann")
  bob <- open("bob", size = c(390, 844), phone = TRUE)
  for (tab in list(ann, bob)) {
    wait_for(tab, judging)
    expect_identical(text_of(tab, ".item.query .title"), "violin sonata")
    expect_accessible(tab)
    in_page(tab, "window.scrollTo(0, 1200)")
    # The query document and the answer buttons stay in view.
    expect_true(in_page(tab, "(() => { const box = document.querySelector('.item.query .title').getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight })()"))
    expect_true(in_page(tab, "document.querySelector('.dock').getBoundingClientRect().bottom <= innerHeight + 1"))
    expect_true(in_page(tab, "document.documentElement.scrollWidth <= innerWidth"))
  }

  # Writes a comment with a flag, answers, and goes back to the pair.
  press(ann, "m")
  wait_for(ann, "document.querySelector('#note-dialog[open]') !== null")
  type_text(ann, "Both end early.")
  in_page(ann, "document.querySelector('[name=flag]').click()")
  press(ann, "Tab", "Tab", "Enter")
  wait_for(ann, "!document.getElementById('noted').hidden")
  first <- answer_with(ann, "a")
  expect_identical(in_page(ann, "document.activeElement.textContent"), "Original")
  second <- task_of(ann)
  press(ann, "u")
  wait_for(ann, sprintf("document.querySelector('[data-task]').dataset.task === '%s'", first))
  wait_for(ann, judging)
  expect_match(text_of(ann, ".dock"), "Your answer was:\\s+Variation A")
  answer_with(ann, "e")
  press(ann, "l")
  wait_for(ann, "document.querySelector('#history[open] .past') !== null")
  expect_match(text_of(ann, "#history"), "Both end early.", fixed = TRUE)
  expect_null(accessibility_problems(ann))
  in_page(ann, "document.querySelector('#history [data-action=revise]').click()")
  wait_for(ann, sprintf("document.querySelector('[data-task]').dataset.task === '%s' &&
                         !document.body.classList.contains('busy')", first))
  answer_with(ann, "b")
  expect_identical(task_of(ann), second)

  # Skips a pair with a reason, and opens the guidelines, on the phone.
  press(bob, "g")
  wait_for(bob, "document.querySelector('#guidelines[open] em') !== null")
  expect_null(accessibility_problems(bob))
  press(bob, "g")
  while (task_of(bob) != first) {
    before <- task_of(bob)
    in_page(bob, "document.querySelector('.dock [data-action=skip]').click()")
    wait_for(bob, "document.activeElement.name === 'choice'")
    press(bob, "ArrowDown", "Enter")
    wait_for(bob, sprintf("document.querySelector('[data-task]').dataset.task !== '%s'", before))
    wait_for(bob, judging)
  }
  in_page(bob, "document.querySelector('[data-value=a]').click()")
  wait_for(bob, sprintf("(document.querySelector('[data-task]') || {dataset: {}}).dataset.task !== '%s'", first))

  lead <- open("lea")
  wait_for(lead, "document.querySelector('[data-view=lead]') !== null")
  in_page(lead, "document.querySelector('[data-view=lead]').click()")
  wait_for(lead, "/A 1, equal 0, B 1/.test((document.getElementById('lead_disagreements') || {}).textContent)")
  wait_for(lead, "/Both end early/.test(document.getElementById('lead_notes').textContent)")
  expect_accessible(lead)
  in_page(lead, "(() => { const form = document.querySelector('[data-lead=final]');
    form.elements.value.value = 'b'; form.requestSubmit(); })()")
  wait_for(lead, "/There is no pair/.test(document.getElementById('lead_disagreements').textContent)")
  for (tab in list(ann, bob, lead)) {
    expect_identical(tab$log, character())
    close_tab(tab)
  }
  s <- open_session(path)
  given <- preference_answers(s)
  pair <- pair_task(given$query, given$doc_a, given$doc_b)
  expect_identical(given$answer[pair == first][order(given$worker[pair == first])], c("b", "a"))
  expect_identical(given$comment[pair == first & given$worker == "ann"], "Both end early.")
  expect_identical(final_preferences(s)$answer, "b")
  close_session(s)
})
