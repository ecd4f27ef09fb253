# The judging page in a headless Chromium: keys, two assessors at once, and hostile documents.

judging <- "document.querySelector('[data-task]') !== null && !document.body.classList.contains('busy')"

log_in_with_keys <- function(tab, token) {
  wait_for(tab, "document.activeElement.name === 'token'")
  type_text(tab, token)
  press(tab, "Enter")
}

# The task on the screen: the server's number of the task, and the identifiers that are shown.
shown_task <- function(tab) {
  jsonlite::fromJSON(in_page(tab, "JSON.stringify({
    task: document.querySelector('[data-task]').dataset.task,
    ids: Array.from(document.querySelectorAll('.item-id')).map(e => e.textContent)})"))
}

next_screen <- function(tab, task) {
  wait_for(tab, sprintf("!document.body.classList.contains('busy') && (document.querySelector('[data-task]') === null ||
                         document.querySelector('[data-task]').dataset.task !== '%s')", task))
}

has_task <- function(tab) in_page(tab, "document.querySelector('[data-task]') !== null")

text_of <- function(tab, selector) in_page(tab, sprintf("document.querySelector(\"%s\").textContent", selector))

# Judges the document on the screen with the key that `grade` returns.
judge_with_key <- function(tab, grade) {
  shown <- shown_task(tab)
  press(tab, as.character(grade(shown$ids[1], shown$ids[2])))
  next_screen(tab, shown$task)
  data.frame(query = shown$ids[1], doc = shown$ids[2], gain = grade(shown$ids[1], shown$ids[2]))
}

# An arbitrary rule for the grades; it depends on the query and the document.
rule <- function(query, doc) (nchar(query) + sum(utf8ToInt(doc))) %% 3

hostile <- c("<script>window.hacked=1</script>", "d\"'`;--", "../../etc?a=b&c#d/%2F",
             "<img/src=x/onerror=window.hacked=1>")

hostile_session <- function(path) {
  docs <- c("plain-1", "plain-2", "plain-3", "plain-4", hostile)
  runs <- expand.grid(doc = docs, query = c("q1", "q\"2'<b>"), stringsAsFactors = FALSE)
  runs$system <- ifelse(runs$doc %in% docs[1:4], "SYSTEM-A", "SYSTEM-B")
  x <- test_collection(runs, k = 4, scale = broad_scale())
  s <- judging_session(x, goal = goal_budget(16), store = path, seed = 1, judgments = FALSE)
  tokens <- c(ann = add_assessor(s, "ann"), bob = add_assessor(s, "bob"), lea = add_assessor(s, "lea", "lead"))
  close_session(s)
  list(tokens = tokens, docs = docs)
}

test_that("two assessors judge a session by keyboard, through a page reload and documents with hostile text", {
  skip_without_browser()
  testthat::skip_if_not_installed("RSQLite")
  testthat::skip_if_not_installed("openssl")
  path <- tempfile(fileext = ".sqlite")
  made <- hostile_session(path)
  served <- serve_app(c(
    sprintf("s <- open_session(%s)", deparse(path)),
    "docs <- unique(s$engine$x$documents$doc)",
    "bad <- '<script>window.hacked=1</script><img src=x onerror=\"window.hacked=1\">'",
    "documents <- data.frame(doc = docs, title = paste(docs, bad), text = paste('Text of', docs, bad), url = 'a.mp3')",
    "app <- judge_app(s, documents = documents, guidelines = 'Be **fair**.', title = 'Test page')"
  ))
  browser <- new_browser()
  ann <- new_tab(browser, served$url)
  bob <- new_tab(browser, served$url, size = c(375, 667), phone = TRUE)

  log_in_with_keys(ann, "no such token")
  wait_for(ann, "document.getElementById('login-message').textContent.includes('This token is unknown')")
  expect_false(has_task(ann))
  # The log-in screen has no menu, and thus no key for the dark theme.
  expect_null(accessibility_problems(ann))
  expect_null(focus_problems(ann))
  in_page(ann, "document.querySelector('[name=token]').focus()")
  log_in_with_keys(ann, made$tokens[["ann"]])
  log_in_with_keys(bob, made$tokens[["bob"]])
  wait_for(ann, judging)
  wait_for(bob, judging)
  expect_identical(shown_task(ann)$task == shown_task(bob)$task, FALSE)

  # The page has the landmarks, names and focus that screen readers need, and mentions neither systems nor ranks.
  expect_true(in_page(ann, "['header', 'nav', 'main', 'aside'].every(n => document.querySelectorAll(n).length === 1)"))
  expect_identical(in_page(ann, "document.activeElement.textContent"), "Document")
  expect_accessible(ann)
  expect_false(in_page(ann, "/SYSTEM-[AB]/.test(document.documentElement.outerHTML)"))
  expect_true(in_page(bob, "document.documentElement.scrollWidth <= 375"))
  # The document has more than half of the phone's height.
  expect_gt(in_page(bob, "(document.querySelector('.dock').getBoundingClientRect().top -
    document.querySelector('.item.document').getBoundingClientRect().top) / window.innerHeight"), 0.5)

  answers <- list(ann = NULL, bob = NULL)
  for (i in 1:3) {
    answers$ann <- rbind(answers$ann, judge_with_key(ann, rule))
    answers$bob <- rbind(answers$bob, judge_with_key(bob, rule))
  }

  # After a reload, the same document is shown.
  before <- shown_task(ann)
  reload_page(ann, judging)
  expect_identical(shown_task(ann), before)

  # Undo shows the last document again, and a skip removes it, both by keyboard.
  press(ann, "u")
  next_screen(ann, before$task)
  expect_identical(shown_task(ann)$ids, c(answers$ann$query[3], answers$ann$doc[3]))
  answers$ann <- rbind(answers$ann[1:2, ], judge_with_key(ann, rule))
  skipped <- shown_task(ann)
  press(ann, "s")
  wait_for(ann, "document.activeElement.name === 'choice'")
  # No reason is selected beforehand.
  press(ann, "Enter")
  expect_true(in_page(ann, "document.querySelector('#skip-dialog[open] :checked') === null"))
  press(ann, "2", "Enter")
  next_screen(ann, skipped$task)
  press(ann, "u")
  wait_for(ann, sprintf("document.querySelector('[data-task]').dataset.task === '%s'", skipped$task))
  wait_for(ann, judging)
  press(ann, "g")
  wait_for(ann, "document.querySelector('#guidelines[open] strong') !== null")
  # A grade typed while a dialog is open does not judge the document.
  press(ann, "2", "g")
  wait_for(ann, "document.querySelector('dialog[open]') === null")
  expect_identical(shown_task(ann), skipped)

  # Forged actions of a hostile browser change nothing.
  in_page(ann, "Shiny.setInputValue('action', {kind: 'answer', task: 'forged', value: '2', assessor: 'bob'},
                                    {priority: 'event'})")
  in_page(ann, "Shiny.setInputValue('view', 'lead', {priority: 'event'})")
  in_page(ann, "Shiny.setInputValue('action', {kind: 'skip', task: document.querySelector('[data-task]').dataset.task,
                                    choice: '1', text: 'x'.repeat(2000)}, {priority: 'event'})")
  wait_for(ann, "document.getElementById('alert').textContent.includes('at most 500 characters')")
  expect_identical(shown_task(ann), skipped)
  in_page(ann, "Shiny.setInputValue('action', {kind: 'skip', task: document.querySelector('[data-task]').dataset.task,
                                    choice: '1', text: 'x'.repeat(200000)}, {priority: 'event'})")
  wait_for(ann, "document.getElementById('alert').textContent.includes('The message is too long')")
  reload_page(ann, judging)
  expect_identical(shown_task(ann), skipped)
  posted <- in_page(ann, "fetch('/', {method: 'POST', body: 'x'.repeat(200000)}).then(r => r.status)")
  expect_identical(posted, 413L)

  for (round in 1:20) {
    if (has_task(ann)) answers$ann <- rbind(answers$ann, judge_with_key(ann, rule))
    if (has_task(bob)) answers$bob <- rbind(answers$bob, judge_with_key(bob, rule))
    if (!has_task(ann) && !has_task(bob)) break
  }
  wait_for(ann, "document.querySelector('main h1').textContent.includes('Budget spent')")
  expect_identical(in_page(ann, "String(window.hacked)"), "undefined")
  expect_identical(in_page(bob, "String(window.hacked)"), "undefined")

  # The lead's link opens the lead's view, whose file contains every judgment once.
  lead <- new_tab(browser, paste0(served$url, "#token=", made$tokens[["lea"]]))
  wait_for(lead, "document.querySelector('[data-view=lead]') !== null")
  expect_identical(in_page(lead, "location.hash"), "")
  in_page(lead, "document.querySelector('[data-view=lead]').click()")
  wait_for(lead, "document.querySelector('#lead_assessors table') !== null &&
                  document.querySelector('#lead_ranking img') !== null &&
                  /session/.test(document.getElementById('file_qrels').href)")
  expect_match(in_page(lead, "document.querySelector('#lead_ranking img').alt"), "2 systems, best first", fixed = TRUE)
  qrels <- in_page(lead, "fetch(document.getElementById('file_qrels').href).then(r => r.text())")
  lines <- strsplit(trimws(qrels), "\n")[[1]]
  wanted <- expand.grid(query = c("q1", "q\"2'<b>"), doc = made$docs, stringsAsFactors = FALSE)
  expect_setequal(lines, sprintf("%s 0 %s %d", wanted$query, wanted$doc, mapply(rule, wanted$query, wanted$doc)))
  expect_length(lines, 16)
  for (tab in list(ann, bob, lead)) {
    expect_identical(tab$log, character())
    close_tab(tab)
  }

  # In the store, each judgment has the name of the assessor who pressed the key.
  s <- open_session(path)
  kept <- judgments_of(s)
  for (who in c("ann", "bob")) {
    mine <- kept[kept$assessor == who, c("query", "doc", "gain")]
    expect_identical(sort(do.call(paste, mine)), sort(do.call(paste, answers[[who]])))
  }
  close_session(s)
})

test_that("in the browser, grades on a scale of many levels are typed", {
  skip_without_browser()
  served <- serve_app(c(
    "runs <- data.frame(system = c('A', 'A', 'B', 'B'), query = 'q', doc = paste0('d', 1:4))",
    "s <- judging_session(test_collection(runs, k = 2, scale = fine_scale()), goal = goal_budget(4), seed = 1,
                          judgments = FALSE)",
    "app <- judge_app(s, tokens = FALSE)"
  ))
  browser <- new_browser()
  tab <- new_tab(browser, served$url)
  wait_for(tab, judging)
  first <- shown_task(tab)
  # Enter does nothing before a grade is chosen.
  press(tab, "Enter")
  wait_for(tab, "document.getElementById('alert').textContent === 'Choose a grade first.'")
  press(tab, "7", "4")
  expect_identical(text_of(tab, "#grade-value"), "74")
  press(tab, "ArrowRight")
  expect_identical(text_of(tab, "#grade-value"), "75")
  press(tab, "Enter")
  next_screen(tab, first$task)
  expect_identical(text_of(tab, "#grade-value"), "\u2013")
  wait_for(tab, "document.getElementById('say').textContent === 'Saved: 75.'")
  close_tab(tab)
})

test_that("marking or typing the right answer judges all answers to the question", {
  skip_without_browser()
  testthat::skip_if_not_installed("RSQLite")
  path <- tempfile(fileext = ".sqlite")
  d <- expand.grid(model = c("A", "B", "C"), id = c("q1", "q2", "q3", "q4"), stringsAsFactors = FALSE)
  d$question <- paste("How many,", d$id, "<b>?</b>")
  d$answer <- c("4", "4", "<i>5</i>", "7", "8", "9", "x", "y\n\nz", "x", "1", "2", "3")
  x <- quiet_answers(d, scale = 0:1)
  s <- judging_session(x, goal_budget(5), store = path, seed = 1,
                       control = session_control(batch = Inf, same_query = TRUE, audit = 0))
  close_session(s)
  served <- serve_app(c(sprintf("s <- open_session(%s)", deparse(path)), "app <- judge_app(s, tokens = FALSE)"))
  tab <- new_tab(new_browser(), served$url)
  wait_for(tab, judging)
  expect_null(accessibility_problems(tab))
  question <- function() text_of(tab, ".item.query .item-id")
  texts <- function(class) {
    unlist(in_page(tab, sprintf("Array.from(document.querySelectorAll('%s')).map(e => e.textContent)", class)))
  }
  settle <- function(...) {
    shown <- shown_task(tab)$task
    press(tab, ...)
    next_screen(tab, shown)
  }
  gains <- function(query) {
    s <- open_session(path)
    on.exit(close_session(s))
    made <- judgments_of(s)
    text <- x$documents$text[match(made$doc, x$documents$doc)]
    stats::setNames(made$gain, text)[made$query == query]
  }
  # Questions are answered by keys, by typing a right answer, and by stating that no answer is right. A question that an
  # assessor holds is not assigned to others.
  for (i in 1:4) {
    query <- question()
    if (query == "q1") {
      expect_identical(texts(".gold-text"), c("4", "<i>5</i>"))
      expect_identical(texts(".gold-count"), c("2 systems", "1 system"))
      # Nothing is saved if no answer is marked, or if an answer is marked as right and "none" is chosen as well.
      in_page(tab, "document.querySelector('.answers button').click()")
      wait_for(tab, "document.body.innerText.includes('Mark the right answers')")
      settle("1", "Enter")
      expect_identical(gains("q1")[c("4", "<i>5</i>")], c("4" = 1, "<i>5</i>" = 0))
    } else if (query == "q2") {
      in_page(tab, "document.querySelector('.answers [name=text]').focus()")
      type_text(tab, "8.0")
      settle("Enter")
      expect_identical(gains("q2")[c("7", "8", "9")], c("7" = 0, "8" = 1, "9" = 0))
    } else if (query == "q3") {
      settle("2", "Enter")
      expect_identical(gains("q3")[c("x", "y\n\nz")], c(x = 0, "y\n\nz" = 1))
    } else {
      settle("0", "Enter")
      expect_identical(unname(gains("q4")), c(0, 0, 0))
    }
    if (i == 1) {
      # After undo, the question is shown again with its earlier answer.
      settle("u")
      expect_identical(question(), query)
      expect_length(gains(query), 0)
      wait_for(tab, "document.querySelector('.was') !== null")
      if (query == "q2") {
        in_page(tab, "document.querySelector('.answers [name=text]').focus()")
        type_text(tab, "8")
        settle("Enter")
      } else {
        settle(c(q1 = "1", q3 = "2", q4 = "0")[[query]], "Enter")
      }
    }
  }
  expect_false(has_task(tab))
  # An earlier question is changed from the list.
  press(tab, "l")
  wait_for(tab, "document.querySelectorAll('#history [data-action=revise]').length === 4")
  in_page(tab, "Array.from(document.querySelectorAll('#history li')).find(e => e.textContent.includes('q1'))
                  .querySelector('[data-action=revise]').click()")
  wait_for(tab, judging)
  settle("2", "Enter")
  expect_identical(gains("q1")[c("4", "<i>5</i>")], c("4" = 0, "<i>5</i>" = 1))
  s <- open_session(path)
  events <- store_rows(s$engine$store, "event")
  close_session(s)
  expect_identical(sum(events$kind == "gold"), 6L)
  expect_identical(sum(events$kind == "judge"), 0L)
})

test_that("text in a right-to-left script is set from the right, beside text that is not", {
  skip_without_browser()
  served <- serve_app(c(
    "runs <- data.frame(system = c('A', 'B'), query = 'q', doc = c('d1', 'd2'))",
    "s <- judging_session(test_collection(runs, k = 1, scale = broad_scale()), goal = goal_budget(2), seed = 1,
                          judgments = FALSE)",
    "documents <- data.frame(doc = c('d1', 'd2'), text = 'An answer.\n\u05e9\u05dc\u05d5\u05dd.')",
    "app <- judge_app(s, documents, tokens = FALSE)"
  ))
  tab <- new_tab(new_browser(), served$url)
  wait_for(tab, judging)
  # The distance of a line from the left and the right edge of the text.
  distances <- function(start, end) unlist(in_page(tab, sprintf("(() => {
    const text = document.querySelector('.text'), range = document.createRange(), box = text.getBoundingClientRect();
    range.setStart(text.firstChild, %d); range.setEnd(text.firstChild, %d);
    const line = range.getBoundingClientRect();
    return [Math.round(line.left - box.left), Math.round(box.right - line.right)]; })()", start, end)))
  expect_equal(distances(0, 10)[1], 0)
  expect_equal(distances(11, 16)[2], 0)
})
