x <- session_collection()

test_that("creating an existing store, or opening a missing or unrelated file, raises an error", {
  file <- session_file()
  close_session(judging_session(x, store = file, seed = 1, judgments = FALSE))
  text <- bytes_file("this is a text file that is long enough to be looked at as a database", ".txt")
  other <- session_file()
  connection <- DBI::dbConnect(RSQLite::SQLite(), other)
  DBI::dbExecute(connection, "CREATE TABLE mine (a INTEGER)")
  DBI::dbDisconnect(connection)
  expect_snapshot(error = TRUE, transform = function(lines) hide_file(hide_paths(lines)), {
    judging_session(x, store = file, judgments = FALSE)
    open_session("no-such-file")
    open_session(text)
    open_session(other)
    judging_session(x, store = "no-such-folder/no-such-file", judgments = FALSE)
  })
})

test_that("opening a damaged file raises an error", {
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  judge_truly(s, 20)
  close_session(s)
  bytes <- readBin(file, "raw", file.size(file))
  damaged <- bytes
  # All pages except the first one, which has the header of the database.
  damaged[seq(4097, length(bytes))] <- as.raw(0x5a)
  writeBin(damaged, file)
  expect_error(open_session(file), class = "judicious_error_store_corrupt")
  # The tables are intact, but a stored object is not.
  writeBin(bytes, file)
  connection <- DBI::dbConnect(RSQLite::SQLite(), file)
  DBI::dbExecute(connection, "UPDATE object SET value = x'00010203'")
  DBI::dbDisconnect(connection)
  expect_error(open_session(file), class = "judicious_error_store_corrupt")
})

test_that("if the disk is full, confirmed judgments are kept, and judging continues when space is available", {
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  pages <- sql_get(s$engine$store, "PRAGMA page_count")[[1]]
  sql_get(s$engine$store, paste("PRAGMA max_page_count =", pages))
  full <- tryCatch({
    judge_truly(s, 100)
    NULL
  }, judicious_error_store_full = identity)
  expect_s3_class(full, "judicious_error_store_full")
  expect_match(conditionMessage(full), "disk is full")
  kept <- nrow(judgments_of(s))
  expect_gte(kept, 3)
  sql_get(s$engine$store, "PRAGMA max_page_count = 1000000")
  judge_truly(s, 5)
  again <- open_session(file)
  expect_identical(nrow(judgments_of(again)), kept + 5L)
  expect_identical(session_state(again), session_state(s))
})

test_that("writing to a read-only database raises an error, and works once it is writable", {
  testthat::skip_on_os("windows")
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  # An administrator can write to every file, so the database is set to read-only instead.
  sql_run(s$engine$store, "PRAGMA query_only = 1")
  expect_error(next_documents(s), class = "judicious_error_store_read_only")
  sql_run(s$engine$store, "PRAGMA query_only = 0")
  expect_identical(nrow(next_documents(s)), 1L)
})

test_that("a call that cannot obtain a lock in time raises an error", {
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  other <- open_session(file)
  sql_get(s$engine$store, "PRAGMA busy_timeout = 50")
  store_exclusive(other$engine$store, {
    expect_error(next_documents(s), class = "judicious_error_store_busy")
    # Reading does not wait for the lock.
    expect_identical(nrow(judgments_of(s)), 0L)
  })
  expect_identical(nrow(next_documents(s)), 1L)
})

test_that("opening a session with an older schema raises an error", {
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  set_meta(s$engine$store, "schema", schema_version - 1)
  close_session(s)
  expect_error(open_session(file), class = "judicious_error_older_schema")
})

test_that("a stored goal or strategy that the package does not have raises an error", {
  for (recipe in list(list(maker = "goal_members", arguments = list(confidence = 0.9)),
                      list(maker = "goal_mean", arguments = list(conf_level = 0.9)),
                      list(maker = "unlink", arguments = list("no-such-file")))) {
    expect_error(restore_recipe(recipe, list(), "goal"), "The stored goal is not valid:", fixed = TRUE,
                 class = "judicious_error_store_corrupt")
  }
})

test_that("opening a session with a newer schema raises an error", {
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  set_meta(s$engine$store, "schema", schema_version + 1)
  set_meta(s$engine$store, "package", "9.9.9")
  close_session(s)
  before <- tools::md5sum(file)
  expect_snapshot(error = TRUE, transform = hide_file, open_session(file))
  expect_identical(tools::md5sum(file), before)
})

test_that("quick_frame() recycles values of length one, also to zero rows", {
  expect_identical(quick_frame(a = 1:2, b = "x"), data.frame(a = 1:2, b = c("x", "x")))
  expect_identical(quick_frame(a = integer(), b = "x"), data.frame(a = integer(), b = character()))
})

test_that("an object that is not a store is not mistaken for connection arguments", {
  expect_snapshot(error = TRUE, {
    open_session(data.frame(a = 1))
    open_session(goal_budget(1))
  })
})
