skip_if_not_installed("DBI")
skip_if_not_installed("RSQLite")

new_store <- function(env = parent.frame()) {
  folder <- new_folder()
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = env)
  file.path(folder, "session.sqlite")
}

# A person who gives these answers, and what was said to him or her.
dialogue <- function(s, answers, ...) {
  said <- character()
  options <- utils::modifyList(list(assessor = "ann"), list(...))
  judge_on_terminal(s, options, answers = function() {
    if (!length(answers)) return(NULL)
    answer <- answers[1]
    answers <<- answers[-1]
    answer
  }, say = function(...) said <<- c(said, paste0(...)))
  said
}

test_that("a session on the terminal takes gains, skips, undoes, and bears with slips", {
  s <- judging_session(demo_collection(), seed = 1)
  said <- dialogue(s, c("50", " 70.5 ", "u", "80", "s too short", "nonsense", "1000", "p", "q"))
  made <- judgments(s)
  expect_equal(made$gain, c(50, 80))
  expect_equal(unique(made$assessor), "ann")
  expect_true(all(made$seconds >= 0))
  expect_equal(progress(s)$skipped, 1)
  expect_match(said, "neither a gain nor one of s, u, p, q", all = FALSE)
  expect_match(said, "not on the scale Fine", all = FALSE)
  expect_match(said, "2 documents judged, 1 skipped", all = FALSE)
  expect_match(said, paste0("^Document  ", made$doc[1]), all = FALSE)
  # What was undone is asked again at once.
  documents <- grep("^Document", said, value = TRUE)
  expect_equal(documents[2], documents[4])
  # Nobody holds what was asked last.
  expect_equal(next_documents(s, 1, "bob")$doc, sub("Document *", "", documents[length(documents)]))
})

test_that("it ends after n judgments, at the goal, and with the input", {
  s <- judging_session(demo_collection(), goal = goal_budget(3), seed = 1)
  dialogue(s, rep("10", 9), n = 2)
  expect_equal(nrow(judgments(s)), 2)
  dialogue(s, character())
  expect_equal(nrow(judgments(s)), 2)
  said <- dialogue(s, rep("10", 9))
  expect_equal(nrow(judgments(s)), 3)
  expect_match(said[length(said)], "The goal is reached: 3 judgments.")
  s <- judging_session(demo_collection(), seed = 1)
  said <- dialogue(s, c("u", "q"))
  expect_match(said, "nothing to undo", all = FALSE)
})

test_that("documents are shown by a template: text files as text, addresses encoded", {
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  asked <- data.frame(query = "a b", doc = "d/1")
  expect_equal(document_place("https://x.org/{query}?d={doc}", asked), "https://x.org/a%20b?d=d%2F1")
  expect_equal(document_place("{query}/{doc}.txt", asked), "a b/d/1.txt")
  s <- judging_session(demo_collection(), seed = 1)
  first <- next_documents(s, 1, "ann")$doc
  writeLines(c("first line", "second line"), file.path(folder, first))
  said <- dialogue(s, "q", show = file.path(folder, "{doc}"))
  expect_match(said, "first line\nsecond line", all = FALSE)
})

test_that("a session is begun, fed, exported and looked at over several calls", {
  skip_if_not_installed("openssl")
  store <- new_store()
  qrels <- file.path(dirname(store), "qrels.txt")
  begun <- cli_data("judge", demo_words(), "--store", store, "--seed", "1", "--progress")
  expect_equal(begun[c("judged", "open", "reached")], data.frame(judged = 0, open = 429, reached = FALSE))
  fed <- cli_data("judge", "--store", store, "--from", demo_file("some.tsv"), "--export", qrels)
  expect_equal(fed$judged, 43)
  some <- read_judgments(demo_file("some.tsv"))
  expect_setequal(do.call(paste, read_judgments(qrels)), do.call(paste, some))
  # Feeding the same again changes nothing, and says so.
  again <- cli("judge", "--store", store, "--from", demo_file("some.tsv"))
  expect_equal(again$status, 0L)
  expect_match(again$err, "43 judgments of '.*some.tsv' are in the session already", all = FALSE)
  expect_equal(cli_data("judge", "--store", store, "--progress")$judged, 43)
  tokens <- cli_data("judge", "--store", store, "--add-assessor", "ann,bob")
  expect_equal(tokens$assessor, c("ann", "bob"))
  lead <- cli_data("judge", "--store", store, "--add-lead", "eva")
  s <- open_session(store)
  expect_equal(assessor_of(s, tokens$token[2]), "bob")
  expect_equal(assessor_of(s, lead$token), "eva")
  close_session(s)
})

test_that("judgments that are there already begin a session", {
  store <- new_store()
  expect_equal(cli_data("judge", demo_words(), "-j", demo_file("some.tsv"), "-s", store, "--progress")$judged, 43)
})

test_that("misuse of sessions is told", {
  store <- new_store()
  expect_equal(cli("judge")$status, 2L)
  expect_equal(cli("judge", "--store", store)$status, 2L)
  expect_equal(cli("judge", demo_words(), "--store", store, "--model", "mirex")$status, 2L)
  expect_equal(cli("judge", demo_words(), "--store", store, "--from", "a", "--browser")$status, 2L)
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

test_that("a file that is no session is left as it is", {
  store <- new_store()
  writeLines("something else", store)
  ran <- cli("judge", demo_words(), "--store", store)
  expect_equal(ran$status, 1L)
  expect_equal(readLines(store), "something else")
})

test_that("addresses of databases are taken apart", {
  skip_if_not_installed("RPostgres")
  parts <- function(text) cli_store(text)[-1]
  expect_equal(parts("postgresql://ann:p%40ss@db.org:5433/judging?sslmode=require&application_name=a%20b"),
               list(user = "ann", password = "p@ss", host = "db.org", port = "5433", dbname = "judging",
                    sslmode = "require", application_name = "a b"))
  expect_equal(parts("postgres:///judging"), list(dbname = "judging"))
  expect_error(cli_store("postgresql://host:port/name"), class = "judicious_error_usage")
  expect_equal(cli_store("session.sqlite"), "session.sqlite")
})

test_that("a session may be in PostgreSQL", {
  server <- local_postgres()
  address <- sprintf("postgresql://%s@/%s?host=%s", server$user, server$dbname, server$host)
  begun <- cli_data("judge", demo_words(), "--store", address, "--seed", "1", "--progress")
  expect_equal(begun$judged, 0)
  expect_equal(cli_data("judge", "--store", address, "--from", demo_file("some.tsv"))$judged, 43)
  expect_equal(cli("judge", demo_words(), "--store", address)$status, 2L)
})
