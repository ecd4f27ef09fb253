# The judging page for long documents, in a headless Chromium: the query that stays in view, highlighted words, media
# that are slow or fail, the assessor's own judgments, comments, and the dark and light themes.

judging <- "document.querySelector('[data-task]') !== null && !document.body.classList.contains('busy')"
task_of <- function(tab) in_page(tab, "document.querySelector('[data-task]').dataset.task")
in_view <- function(tab, selector) {
  in_page(tab, sprintf("(() => { const e = document.querySelector(\"%s\"), box = e.getBoundingClientRect(),
    top = document.elementFromPoint(box.x + box.width / 2, box.y + 4); return e.contains(top); })()", selector))
}
answer_with <- function(tab, key) {
  before <- task_of(tab)
  press(tab, key)
  wait_for(tab, sprintf("(document.querySelector('[data-task]') || {dataset: {}}).dataset.task !== '%s' &&
                         !document.body.classList.contains('busy')", before))
}

# Serves one picture; a path with "slow" delays the response.
serve_slowly <- function(picture, env = parent.frame()) {
  code <- c(
    sprintf("bytes <- readBin(%s, 'raw', 1e6)", deparse(picture)),
    "httpuv::runServer('127.0.0.1', %d, list(call = function(request) {",
    "  if (grepl('slow', request$PATH_INFO)) Sys.sleep(8)",
    "  list(status = 200L, headers = list('Content-Type' = 'image/png'), body = bytes) }))"
  )
  port <- free_port()
  script <- withr::local_tempfile(fileext = ".R", .local_envir = env, lines = sub('%d', port, code, fixed = TRUE))
  process <- processx::process$new(file.path(R.home("bin"), "Rscript"), script, cleanup_tree = TRUE)
  withr::defer(process$kill_tree(), envir = env)
  await(function() answers_at(port), "the pictures' server")
  sprintf("http://127.0.0.1:%d/", port)
}

reading_app <- function(path, pictures) {
  text <- paste("Sonatas for violin were published in sets of twelve. A sonata has four movements.",
                "Nothing in this sentence concerns it.")
  docs <- paste0("d", 1:6)
  url <- paste0(c(paste0(pictures, "slow"), "media/late", paste0(pictures, 3:6)), ".png")
  # If its picture is missing, the second document has nothing but a title.
  long <- paste(rep(text, 40), collapse = "\n\n")
  saveRDS(data.frame(doc = docs, title = paste("Title of", docs), text = ifelse(docs == "d2", NA, long), url = url),
          path)
  c("runs <- expand.grid(doc = paste0('d', 1:6), query = 'q1', system = c('A', 'B'), stringsAsFactors = FALSE)",
    "runs <- runs[(runs$system == 'A') == (runs$doc %in% c('d1', 'd2', 'd3')), ]",
    "s <- judging_session(test_collection(runs, k = 3, scale = broad_scale()), goal = goal_budget(6), audit = 0,
                          seed = 1, judgments = FALSE)",
    "queries <- data.frame(query = 'q1', title = 'violin sonata', description = 'On violins.', narrative = 'Long.')",
    "examples <- data.frame(grade = c(2, 0), text = c('A **chapter** on it.', NA), query = 'q1', doc = c(NA, 'd3'))",
    sprintf("app <- judge_app(s, documents = readRDS(%s), queries = queries, examples = examples, tokens = FALSE,
                              media = %s)", deparse(path), deparse(dirname(path))))
}

test_that("by keyboard, assessors read long, slow and unavailable documents and review their own judgments", {
  skip_without_browser()
  picture <- withr::local_tempfile(fileext = ".png")
  grDevices::png(picture, 200, 100)
  graphics::par(mar = rep(0, 4))
  graphics::plot(1)
  grDevices::dev.off()
  pictures <- serve_slowly(picture)
  table <- file.path(new_folder(), "documents.rds")
  served <- serve_app(reading_app(table, pictures))
  browser <- new_browser()
  tab <- new_tab(browser)
  send_command(tab, "Emulation.setEmulatedMedia",
               list(features = list(list(name = "prefers-color-scheme", value = "dark"))))
  go_to(tab, served$url)
  wait_for(tab, judging)

  # The browser prefers the dark theme; the key changes the theme of this page only.
  expect_identical(in_page(tab, "document.documentElement.dataset.bsTheme"), "dark")
  expect_null(accessibility_problems(tab))
  press(tab, "d")
  expect_identical(in_page(tab, "document.documentElement.dataset.bsTheme"), "light")
  # The key changes what is shown, also if another tab has stored its choice.
  in_page(tab, "localStorage.setItem('judicious-theme:/', 'dark')")
  for (theme in c("dark", "light")) {
    press(tab, "d")
    expect_identical(in_page(tab, "document.documentElement.dataset.bsTheme"), theme)
  }
  # Waits for the transition between the themes.
  Sys.sleep(0.3)
  expect_null(accessibility_problems(tab))
  # The accessibility check finds deliberate faults.
  in_page(tab, "document.querySelector('main').insertAdjacentHTML('beforeend',
    '<p id=\"screen\" style=\"color:#999;background:#fff\">pale</p><button></button><img src=\"data:,\">')")
  expect_setequal(sub(":.*", "", sub("(contrast)[ 0-9.]*.*", "\\1", accessibility_problems(tab))),
                  c("no name", "no text for a picture", "id twice", "too small", "contrast"))
  reload_page(tab, judging)

  # The query with all its fields stays in view to the end of the document.
  expect_identical(in_page(tab, "Array.from(document.querySelectorAll('.item.query h3')).map(e => e.textContent)"),
                   list("Description", "Narrative"))
  in_page(tab, "window.scrollTo(0, document.body.scrollHeight)")
  expect_true(in_view(tab, ".item.query .title"))
  expect_true(in_view(tab, ".dock .question"))
  in_page(tab, "window.scrollTo(0, 0)")

  # Inflected forms of the query's words are marked; keys move between them and switch the marks off.
  expect_identical(unlist(in_page(tab, "[...new Set(Array.from(document.querySelectorAll('.document mark'))
                                             .map(e => e.textContent))]")), c("Sonatas", "violin", "sonata"))
  press(tab, rep("n", 60))
  expect_identical(in_page(tab, "document.getElementById('word-count').textContent"), "60 of 120")
  expect_true(in_view(tab, "mark.current"))
  press(tab, "p", "h")
  expect_true(in_page(tab, "getComputedStyle(document.querySelector('mark')).backgroundColor === 'rgba(0, 0, 0, 0)'"))
  press(tab, "h")

  # The page reports a picture that is slow and one that is missing, and offers to try again or to skip. Pictures of the
  # next documents are preloaded.
  trouble <- function() in_page(tab, "(document.querySelector('.document .trouble p') || {}).textContent || ''")
  seen <- character()
  for (i in 1:6) {
    doc <- in_page(tab, "document.querySelector('.document .item-id').textContent")
    if (doc == "d1") {
      wait_for(tab, "/still loading/.test((document.querySelector('.document .trouble p') || {}).textContent)")
      expect_true(in_page(tab, "document.querySelector('.trouble [data-action=skip]') !== null"))
      wait_for(tab, "document.querySelector('.document .trouble') === null")
    } else if (doc == "d2") {
      wait_for(tab, "/could not be loaded/.test((document.querySelector('.document .trouble p') || {}).textContent)")
      in_page(tab, "document.querySelector('.trouble [data-action=reload]').click()")
      wait_for(tab, "document.querySelector('.document .trouble') !== null")
      # A document whose media could not be loaded cannot be graded; the next attempt to load them succeeds.
      before <- task_of(tab)
      press(tab, "1")
      in_page(tab, "document.querySelector('.answer').click()")
      expect_true(in_page(tab, "!document.getElementById('not-loaded').hidden &&
                                !document.body.classList.contains('busy')"))
      expect_null(accessibility_problems(tab))
      file.copy(picture, file.path(dirname(table), "late.png"))
      expect_true(in_page(tab, "(() => { document.querySelector('.trouble [data-action=reload]').click();
                                         return document.querySelector('.answer:enabled') === null; })()"))
      wait_for(tab,
               "document.querySelector('.answer:enabled') !== null && document.getElementById('not-loaded').hidden")
      expect_true(in_page(tab, "document.querySelector('.document img').naturalWidth > 0"))
      expect_identical(task_of(tab), before)
    } else {
      wait_for(tab, "document.querySelector('.document img').complete")
      expect_identical(trouble(), "")
    }
    if (i == 1) {
      press(tab, "m")
      wait_for(tab, "document.querySelector('#note-dialog[open]') !== null")
      type_text(tab, "A <b>strange</b> one.")
      in_page(tab, "document.querySelector('[name=flag]').click()")
      press(tab, "Tab", "Tab", "Enter")
      wait_for(tab, "!document.getElementById('noted').hidden")
    }
    if (i == 3) {
      wait_for(tab, "performance.getEntriesByType('resource').filter(e => /\\/[3-6].png/.test(e.name)).length >= 2")
    }
    seen <- c(seen, doc)
    answer_with(tab, "1")
  }
  expect_setequal(seen, paste0("d", 1:6))
  expect_match(in_page(tab, "document.querySelector('main .message.end').textContent"),
               "budget spent at confidence .* \\(6 judgments\\). You judged 6 documents. Everything is saved")

  # The list shows every judgment. One is changed and another is left as it is; undo shows the earlier grade.
  revise <- function(place) {
    press(tab, "l")
    wait_for(tab, "document.querySelector('#history[open] .past') !== null")
    expect_null(accessibility_problems(tab))
    in_page(tab, sprintf("document.querySelectorAll('#history [data-action=revise]')[%d].click()", place - 1))
    wait_for(tab, judging)
    in_page(tab, "document.querySelector('.dock').textContent")
  }
  dock <- revise(6)
  expect_match(dock, "Your answer:\\s+Somewhat similar \\(1\\)")
  expect_identical(in_page(tab, "document.querySelector('.document .item-id').textContent"), seen[1])
  expect_identical(in_page(tab, "document.querySelector('#note-dialog textarea').value"), "A <b>strange</b> one.")
  press(tab, "2")
  wait_for(tab, "document.querySelector('main .message.end') !== null")
  revise(3)
  press(tab, "k")
  wait_for(tab, "document.querySelector('main .message.end') !== null")
  press(tab, "u")
  wait_for(tab, judging)
  expect_match(in_page(tab, "document.querySelector('.dock').textContent"), "answer was:\\s+Very similar \\(2\\)")

  # The guidelines show the examples, lowest grade first.
  in_page(tab, "document.querySelector('[data-dialog=guidelines]').click()")
  expect_match(in_page(tab, "document.querySelector('#guidelines').textContent"),
               "Not similar \\(0\\).*Title of d3.*Very similar \\(2\\).*A chapter on it")
  expect_null(accessibility_problems(tab))
  expect_identical(tab$log, character())
  close_tab(tab)

  # On a phone, nothing is wider than the screen, and the query stays in view, too.
  phone <- new_tab(browser, served$url, c(390, 844), phone = TRUE)
  wait_for(phone, judging)
  in_page(phone, "window.scrollTo(0, 1500)")
  expect_true(in_view(phone, ".item.query .title"))
  # The first step to a marked word starts from the part in view.
  press(phone, "n")
  expect_no_match(in_page(phone, "document.getElementById('word-count').textContent"), "^1 of")
  expect_true(in_view(phone, "mark.current"))
  expect_true(in_page(phone, "document.documentElement.scrollWidth <= 390"))
  expect_null(accessibility_problems(phone))
  close_tab(phone)
})
