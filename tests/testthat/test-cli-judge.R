skip_if_not_installed("DBI")
skip_if_not_installed("RSQLite")

new_store <- function(env = parent.frame()) {
  folder <- new_folder()
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = env)
  file.path(folder, "session.sqlite")
}

# Judges a session in the terminal with these typed answers, and returns the lines that were printed.
dialogue <- function(s, answers, ...) {
  said <- character()
  withr::local_options(judicious.shell = function(code) cli_equivalent(code, c(scale = "--scale")))
  options <- utils::modifyList(list(as = "ann"), list(...))
  judge_on_terminal(s, options, answers = function() {
    if (!length(answers)) return(NULL)
    answer <- answers[1]
    answers <<- answers[-1]
    answer
  }, say = function(...) said <<- c(said, paste0(...)))
  said
}

test_that("a terminal session accepts gains, skips and undo, and repeats the question after invalid input", {
  s <- judging_session(demo_collection(), seed = 1, judgments = FALSE)
  said <- dialogue(s, c("50", " 70.5 ", "u", "80", "s too short", "nonsense", "1000", "p", "q"))
  made <- judgments_of(s)
  expect_equal(made$gain, c(50, 80))
  expect_equal(unique(made$assessor), "ann")
  expect_true(all(made$seconds >= 0))
  expect_equal(progress(s)$skipped, 1)
  expect_match(said, "neither a gain nor one of s, u, p, q", all = FALSE)
  expect_match(said, "not on the scale Fine: 0, 1, ..., 100, .*, or any number between them", all = FALSE)
  expect_false(any(grepl("`", said, fixed = TRUE)))
  expect_match(said, "2 documents judged, 1 skipped", all = FALSE)
  expect_match(said, paste0("^Document  ", made$doc[1]), all = FALSE)
  # An undone document is shown again at once.
  documents <- grep("^Document", said, value = TRUE)
  expect_equal(documents[2], documents[4])
  # When the terminal session ends, the last document is free for others.
  expect_equal(next_documents(s, 1, "bob")$doc, sub("Document *", "", documents[length(documents)]))
})

test_that("a terminal session ends after n judgments, at the goal, or at the end of the input", {
  s <- judging_session(demo_collection(), goal = goal_budget(3), seed = 1, judgments = FALSE)
  dialogue(s, rep("10", 9), n = 2)
  expect_equal(nrow(judgments_of(s)), 2)
  dialogue(s, character())
  expect_equal(nrow(judgments_of(s)), 2)
  said <- dialogue(s, rep("10", 9))
  expect_equal(nrow(judgments_of(s)), 3)
  expect_match(said[length(said)], "Budget spent at confidence [.][0-9]+: 3 judgments.")
  s <- judging_session(demo_collection(), seed = 1, judgments = FALSE)
  said <- dialogue(s, c("u", "q"))
  expect_match(said, "nothing to undo", all = FALSE)
})

test_that("the texts of the query and of the document are shown", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q1", doc = c("d1", "d2", "d2", "d3"), rank = 1:2)
  documents <- data.frame(doc = c("d1", "d2", "d3"), title = "Tides", text = "The moon pulls the sea.\nTwice a day.",
                          year = 1999)
  queries <- data.frame(query = "q1", title = "moon", description = "What causes tides?", lang = NA)
  x <- test_collection(runs, documents, queries = queries, k = 2, scale = 0:2)
  said <- dialogue(judging_session(x, seed = 1), "q")
  from <- match("Query     q1", said)
  expect_identical(said[from + 1:2], c("  moon", "  What causes tides?"))
  expect_identical(said[from + 4:6], c("  Tides", "  The moon pulls the sea.\n  Twice a day.", "  year: 1999"))
})

test_that("a template locates documents: text files are shown as text, and addresses are encoded", {
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  asked <- data.frame(query = "a b", doc = "d/1")
  expect_equal(document_place("https://x.org/{query}?d={doc}", asked), "https://x.org/a%20b?d=d%2F1")
  expect_equal(document_place("{query}/{doc}.txt", asked), "a b/d/1.txt")
  s <- judging_session(demo_collection(), seed = 1, judgments = FALSE)
  first <- next_documents(s, 1, "ann")$doc
  writeLines(c("first line", "second line"), file.path(folder, first))
  said <- dialogue(s, "q", show = file.path(folder, "{doc}"))
  expect_match(said, "first line\nsecond line", all = FALSE)
})

test_that("a session can be started, continued, exported and inspected by separate commands", {
  skip_if_not_installed("openssl")
  store <- new_store()
  qrels <- file.path(dirname(store), "qrels.txt")
  begun <- cli_data("judge", demo_words(), "--store", store, "--seed", "1", "--progress")
  expect_equal(begun[c("judged", "open", "reached")], data.frame(judged = 0, open = 429, reached = FALSE))
  fed <- cli_data("judge", "--store", store, "--from", demo_file("some.tsv"), "--export", qrels)
  expect_equal(fed$judged, 43)
  some <- read_judgments(demo_file("some.tsv"))
  expect_setequal(do.call(paste, read_judgments(qrels)), do.call(paste, some))
  # Reading the same judgments again changes nothing, and the message says so.
  again <- cli("judge", "--store", store, "--from", demo_file("some.tsv"))
  expect_equal(again$status, 0L)
  expect_match(again$err, "43 judgments of '.*some.tsv' are in the session already", all = FALSE)
  expect_equal(cli_data("judge", "--store", store, "--progress")$judged, 43)
  tokens <- cli_data("judge", "--store", store, "--add-assessor", "ann,bob")
  expect_equal(tokens$assessor, c("ann", "bob"))
  lead <- cli_data("judge", "--store", store, "--add-lead", "eva")
  expect_equal(cli_data("judge", "--store", store, "--suspend", "ann")$assessor, "ann")
  s <- open_session(store)
  expect_equal(assessor_of_token(s, tokens$token[1]), NA_character_)
  expect_equal(assessor_of_token(s, tokens$token[2]), "bob")
  expect_equal(assessor_of_token(s, lead$token), "eva")
  close_session(s)
})

test_that("judicious judge starts a session from existing judgments", {
  store <- new_store()
  expect_equal(cli_data("judge", demo_words(), "-j", demo_file("some.tsv"), "-s", store, "--progress")$judged, 43)
})

test_that("invalid options for sessions raise errors", {
  store <- new_store()
  expect_equal(cli("judge")$status, 2L)
  expect_equal(cli("judge", "--store", store)$status, 2L)
  expect_equal(cli("judge", demo_words(), "--store", store, "--from", demo_file("some.tsv"), "--browser")$status, 2L)
  expect_equal(cli("judge", demo_words(), "--store", store, "--port", "80")$status, 2L)
  expect_false(file.exists(store))
  cli("judge", demo_words(), "--store", store, "--progress")
  expect_equal(cli("judge", demo_words(), "--store", store)$status, 2L)
  expect_equal(cli("judge", "--store", store, "--confidence", "0.8")$status, 2L)
  bad <- table_file(data.frame(query = "q01", doc = "nowhere", gain = 3))
  ran <- cli("judge", "--store", store, "--from", bad)
  expect_equal(ran$status, 1L)
  expect_match(ran$err, "not in the pool.*Row 1")
})

test_that("judicious judge does not change a file that is not a session", {
  store <- new_store()
  writeLines("something else", store)
  ran <- cli("judge", demo_words(), "--store", store)
  expect_equal(ran$status, 1L)
  expect_equal(readLines(store), "something else")
})

test_that("database addresses are split into their parts", {
  skip_if_not_installed("RPostgres")
  parts <- function(text) cli_store(text)[-1]
  expect_equal(parts("postgresql://ann:p%40ss@db.org:5433/judging?sslmode=require&application_name=a%20b"),
               list(user = "ann", password = "p@ss", host = "db.org", port = "5433", dbname = "judging",
                    sslmode = "require", application_name = "a b"))
  expect_equal(parts("postgres:///judging"), list(dbname = "judging"))
  expect_error(cli_store("postgresql://host:port/name"), class = "judicious_error_usage")
  expect_equal(cli_store("session.sqlite"), "session.sqlite")
})

test_that("a session can be stored in PostgreSQL", {
  server <- local_postgres()
  address <- sprintf("postgresql://%s@/%s?host=%s", server$user, server$dbname, server$host)
  begun <- cli_data("judge", demo_words(), "--store", address, "--seed", "1", "--progress")
  expect_equal(begun$judged, 0)
  expect_equal(cli_data("judge", "--store", address, "--from", demo_file("some.tsv"))$judged, 43)
  expect_equal(cli("judge", demo_words(), "--store", address)$status, 2L)
})

test_that("judicious judge serves the page at the requested address and opens the browser there", {
  for (package in c("shiny", "bslib", "openssl")) skip_if_not_installed(package)
  store <- new_store()
  cli_data("judge", demo_words(), "--store", store, "--progress")
  port <- free_port()
  seen <- NULL
  # Uses the package later, which is always installed with Shiny.
  later <- getExportedValue("later", "later")
  # A substitute for a browser: it records the address, and ends the app as soon as it runs.
  withr::local_options(browser = function(url) {
    seen <<- url
    later(shiny::stopApp)
  })
  qrels <- file.path(dirname(store), "qrels.txt")
  for (page in c("--browser", "--lead")) {
    seen <- NULL
    ran <- cli("judge", "--store", store, page, "--port", port, "--export", qrels)
    expect_identical(ran$status, 0L, info = paste(ran$err, collapse = "\n"))
    expect_match(seen, paste0("^http://127.0.0.1:", port, "/?$"))
    # Exports and tables are written when serving ends.
    expect_match(ran$out[1], "^judged\tskipped")
    expect_true(file.exists(qrels))
  }
  # If the page is served to other machines, no browser is opened on this one.
  later(shiny::stopApp, 0.5)
  seen <- NULL
  ran <- cli("judge", "--store", store, "--browser", "--host", "0.0.0.0", "--proxy", "127.0.0.1", "--port", free_port())
  expect_identical(ran$status, 0L, info = paste(ran$err, collapse = "\n"))
  expect_null(seen)
})

test_that("judicious judge serves the judging page or the lead's view, and Ctrl-C stops it cleanly", {
  skip_on_cran()
  skip_on_os("windows")
  for (package in c("shiny", "bslib", "openssl", "processx")) skip_if_not_installed(package)
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  opened <- file.path(folder, "opened")
  browser <- file.path(folder, "browser")
  writeLines(c("#!/bin/sh", sprintf("echo \"$1\" > '%s.part' && mv '%s.part' '%s'", opened, opened, opened)), browser)
  Sys.chmod(browser, "755")
  store <- file.path(folder, "session.sqlite")
  script <- system.file("exec", "judicious", package = "judicious", mustWork = TRUE)
  serve <- function(...) {
    unlink(opened)
    port <- free_port()
    words <- c("judge", ..., "--store", store, "--port", port)
    process <- processx::process$new(file.path(R.home("bin"), "Rscript"), c(script, words),
                                     env = c("current", R_BROWSER = browser), stdout = "|",
                                     stderr = file.path(folder, "err"), cleanup_tree = TRUE)
    withr::defer(process$kill_tree())
    await(function() file.exists(opened) || !process$is_alive(), "the page to be served")
    address <- readLines(opened)
    page <- paste(readLines(address, warn = FALSE), collapse = "\n")
    process$interrupt()
    process$wait(60000)
    list(address = address, port = port, page = page, status = process$get_exit_status(),
         out = process$read_all_output())
  }
  judged <- serve(demo_words(), "--browser", "--guidelines", demo_file("some.tsv"))
  expect_identical(sub("/$", "", judged$address), paste0("http://127.0.0.1:", judged$port))
  expect_match(judged$page, "<title>Judging</title>", fixed = TRUE)
  expect_match(judged$page, "judge.js", fixed = TRUE)
  expect_identical(judged$status, 0L)
  expect_match(judged$out, "^judged\tskipped\topen")
  lead <- serve("--lead", "--tokens")
  expect_match(lead$page, "lead's view</title>", fixed = TRUE)
  expect_identical(lead$status, 0L)
})

test_that("a session can use a measure, and batches that each hold documents of one query", {
  store <- new_store()
  cli_data("judge", demo_words(), "--store", store, "-M", "DCG@5", "--batch", "3", "--same-query", "--audit", "0",
           "--seed", "1", "--progress")
  s <- open_session(store)
  expect_identical(s$engine$x$scoring$measure, measure("DCG@5"))
  expect_identical(length(unique(next_documents(s, 3)$query)), 1L)
  close_session(s)
  expect_equal(cli("judge", "--store", store, "-M", "P@5")$status, 2L)
})

test_that("a missing input file raises an error before a session is created", {
  store <- withr::local_tempfile(fileext = ".sqlite")
  for (option in c("--from", "--guidelines")) {
    ran <- cli("judge", demo_words(), "--store", store, if (option != "--from") "--browser", option, "no-such-file")
    expect_identical(ran$status, 1L)
    expect_match(ran$err, paste0(option, ": there is no file 'no-such-file'; check"), fixed = TRUE)
    expect_false(file.exists(store))
  }
})
