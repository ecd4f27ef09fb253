# Stores that were changed by another program or by hand. bench/store-mutants.R tries thousands of changes.

skip_if_not_installed("RSQLite")

changed_store <- function(change) {
  file <- tempfile(fileext = ".sqlite")
  s <- app_session(store = file)
  pair <- next_documents(s, 1)
  judge(s, pair$query, pair$doc, 1)
  close_session(s)
  db <- DBI::dbConnect(RSQLite::SQLite(), file)
  on.exit(DBI::dbDisconnect(db))
  if (is.function(change)) {
    row <- DBI::dbGetQuery(db, "SELECT value FROM object WHERE name = 'setup'")
    bytes <- encode_data(change(decode_data(row$value[[1]], "setup")), "setup")
    DBI::dbExecute(db, "UPDATE object SET value = ? WHERE name = 'setup'", list(list(bytes)))
  } else {
    DBI::dbExecute(db, change)
  }
  file
}

test_that("a store that was tampered with raises one error that names the inconsistency", {
  of_setup <- function(code) {
    code <- substitute(code)
    function(setup) {
      eval(code)
      setup
    }
  }
  changes <- list(
    "no unique identifiers" = of_setup(setup$x$queries$query[1] <- NA),
    "differ in length" = of_setup(attr(setup$x$documents, "row.names") <- c(NA, -5L)),
    "index of its pool" = of_setup(setup$x$pool$query[1] <- 999L),
    "do not fit its pool" = of_setup(setup$x$results$offset <- setup$x$results$offset[-1]),
    "no gain scale" = of_setup(setup$x$scale$levels <- rev(setup$x$scale$levels)),
    "`audit` is not valid" = of_setup(setup$audit <- 7),
    "`goal` is not valid" = of_setup(setup$goal$maker <- 1),
    "`prepared` is not valid" = of_setup(setup$prepared$model$coefficient <- setup$prepared$model$coefficient[-1]),
    "cannot be used" = of_setup(setup$prepared$model[c("variance", "variance_sd")] <- list(numeric(), numeric())),
    "its scale is no" = of_setup(setup$x$scale$any_value <- "x"),
    "no measure" = of_setup(setup$x$scoring$measure <- "x"),
    "stored goal is not valid" = of_setup(setup$goal$arguments$n <- -1),
    "no gain of the scale" = "UPDATE event SET gain = 9 WHERE kind = 'judge'",
    "no system returned" = "UPDATE event SET doc = 'nobody' WHERE kind = 'judge'",
    "not in the pool" = "UPDATE slot SET pair = 1000000",
    "disagree on which documents are random" = "UPDATE slot SET audit = NULL",
    "disagree on which documents are random" = "UPDATE slot SET audit = 1 - audit",
    "state that does not exist" = "UPDATE slot SET state = 'lost'",
    "number of the session is missing" = "DELETE FROM meta WHERE name = 'lock queue'",
    "log were deleted" = "DELETE FROM event WHERE kind = 'judge'",
    "log were deleted" = "DELETE FROM event WHERE id = (SELECT MAX(id) FROM event)",
    "log were deleted" = "UPDATE event SET gain = 0 WHERE kind = 'judge'",
    "\"judged\" of table \"fit\"" = "INSERT INTO fit VALUES (1, 1e18, x'00')",
    "\"lease_until\" of table \"slot\"" = "UPDATE slot SET lease_until = x'0102'",
    "edition does not exist" = "UPDATE meta SET value = '3' WHERE name = 'edition'"
  )
  for (i in seq_along(changes)) {
    words <- names(changes)[i]
    error <- expect_error(open_session(changed_store(changes[[i]])), class = "judicious_error_store_corrupt")
    expect_match(gsub("\\s+", " ", conditionMessage(error)), words, fixed = TRUE)
  }
})

test_that("a lock whose record is unreadable counts as free", {
  s <- open_session(changed_store("UPDATE meta SET value = 'x' WHERE name LIKE 'lock %'"))
  expect_identical(nrow(next_documents(s, 1)), 1L)
  close_session(s)
})

test_that("an undone skip is a valid entry of the log", {
  file <- tempfile(fileext = ".sqlite")
  s <- app_session(store = file)
  pair <- next_documents(s, 1)
  skip_document(s, pair$query, pair$doc)
  undo_judgment(s)
  close_session(s)
  s <- open_session(file)
  expect_identical(progress(s)$judged, 0L)
  close_session(s)
})

test_that("is_gain_model() rejects a model whose covariance is not a square matrix", {
  model <- unclass(gain_prior())
  expect_true(is_gain_model(model))
  model$coefficient_covariance <- c(model$coefficient_covariance)
  expect_false(is_gain_model(model))
})

test_that("events deleted while a session is open, or after a crash, raise an error when it is next opened", {
  file <- session_file()
  s <- app_session(store = file)
  close_session(s)
  s <- open_session(file)
  for (i in 1:3) {
    pair <- next_documents(s, 1)
    judge(s, pair$query, pair$doc, 1)
  }
  for (change in c("DELETE FROM event WHERE kind = 'judge' AND id < (SELECT MAX(id) FROM event)",
                   "DELETE FROM event WHERE id = (SELECT MAX(id) FROM event)")) {
    copy <- session_file()
    backup_session(s, copy)
    db <- DBI::dbConnect(RSQLite::SQLite(), copy)
    DBI::dbExecute(db, change)
    DBI::dbDisconnect(db)
    expect_error(open_session(copy), "log were\\s+deleted", class = "judicious_error_store_corrupt")
  }
  close_session(s)
  expect_identical(nrow(judgments_of(open_session(file))), 3L)
})

test_that("a session with an invalid goal is recovered by the call that its error states", {
  change <- function(setup) {
    setup$goal$arguments$n <- -1
    setup
  }
  file <- changed_store(change)
  expect_snapshot(error = TRUE, open_session(file))
  suppressMessages(s <- recover_session(file, x = app_session()$engine$x, goal = goal_budget(3)))
  expect_identical(nrow(judgments_of(s)), 1L)
})
