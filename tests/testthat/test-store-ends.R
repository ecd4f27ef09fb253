skip_if_not_installed("RSQLite")

test_that("trailing bytes after a database file are accepted, and invalid UTF-8 in it raises an error", {
  x <- simulate_collection(queries = 2, documents = 20, systems = 3, seed = 1)
  file <- withr::local_tempfile(fileext = ".sqlite")
  s <- judging_session(x, store = file, judgments = FALSE, seed = 1)
  judge_one <- function(s, who) {
    d <- next_documents(s, 1, who)
    judge(s, d$query, d$doc, 50, who)
  }
  judge_one(s, "ann")
  close_session(s)
  con <- file(file, "ab")
  writeBin(as.raw(rep(1:250, 20)), con)
  close(con)
  s <- open_session(file)
  judge_one(s, "ann")
  judge_one(s, "bob")
  close_session(s)
  s <- open_session(file)
  expect_identical(nrow(judgments_of(s)), 3L)
  # Each opening and closing adds a checksum of the new events.
  seals <- log_seals(s$engine$store)
  expect_identical(sum(as.integer(sub(".*:(.*):.*", "\\1", seals$text))), max(seals$id))
  close_session(s)
  db <- DBI::dbConnect(RSQLite::SQLite(), file)
  DBI::dbExecute(db, "UPDATE event SET doc = CAST(x'ff6100' AS TEXT) WHERE id = 1")
  DBI::dbDisconnect(db)
  expect_error(open_session(file), "not UTF-8", class = "judicious_error_store_corrupt")
})

test_that("using a copy of a stored session, and opening the page of a closed session, raise errors that say so", {
  skip_if_not_installed("RSQLite")
  file <- withr::local_tempfile(fileext = ".sqlite")
  saved <- withr::local_tempfile(fileext = ".rds")
  s <- judging_session(simulate_collection(queries = 3, documents = 30, artists = 5, systems = 3, seed = 1),
                       store = file, judgments = FALSE, seed = 1)
  saveRDS(s, saved)
  expect_error(next_documents(readRDS(saved)), "a copy of the session", class = "judicious_error_store_forked")
  expect_identical(nrow(next_documents(s)), 1L)
  close_session(s)
  skip_if_not_installed("shiny")
  expect_error(judge_app(s), class = "judicious_error_closed")
})

test_that("the path of a session may have per cent signs, quotes and other special characters", {
  skip_if_not_installed("RSQLite")
  folder <- withr::local_tempdir()
  x <- simulate_collection(queries = 3, documents = 30, artists = 5, systems = 3, seed = 1)
  for (name in c("a%20b", "100%ab#c?d", "it's \"b\"")) {
    file <- file.path(folder, paste0(name, ".sqlite"))
    s <- judging_session(x, store = file, judgments = FALSE, seed = 1)
    d <- next_documents(s)
    judge(s, d$query, d$doc, 50)
    close_session(s)
    s <- open_session(file)
    expect_identical(judgments_of(s)$doc, d$doc)
    close_session(s)
  }
})
