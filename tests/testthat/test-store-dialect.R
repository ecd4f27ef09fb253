# A store for another database engine needs only a dialect. This one uses SQLite as an engine with other types and
# keywords; sessions do not know it otherwise.

plain_dialect <- list(
  class = "judicious_plain_store",
  type = c(text = "LONGTEXT", key = "VARCHAR(700)", real = "DOUBLE", integer = "INT", blob = "LONGBLOB",
           id = "INTEGER PRIMARY KEY"),
  begin = "BEGIN EXCLUSIVE", snapshot = "BEGIN DEFERRED",
  tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'", numbers = FALSE
)

# A connection to an SQLite file with the class of another driver.
plain_connection <- function(path) {
  where <- new.env(parent = asNamespace("RSQLite"))
  methods::setClass("PlainConnection", contains = "SQLiteConnection", where = where)
  methods::new(methods::getClass("PlainConnection", where = where),
               DBI::dbConnect(RSQLite::SQLite(), path, synchronous = NULL))
}

# Runs code with the dialect, and returns the statements that its stores sent.
with_plain_engine <- function(code) {
  sent <- character()
  own <- list(store_dialects = store_dialects, sql_text = sql_text)
  put <- function(values) for (name in names(values)) assignInNamespace(name, values[[name]], "judicious")
  on.exit(put(own))
  put(list(store_dialects = c(store_dialects, list(PlainConnection = plain_dialect)), sql_text = function(store, sql) {
    if (inherits(store, "judicious_plain_store")) sent <<- c(sent, sql)
    sql
  }))
  force(code)
  sent
}

# The actions of two assessors in a session, and the resulting state.
work_on <- function(session) {
  first <- next_documents(session, 2, "ann")
  judge(session, first$query, first$doc, c(2, 0), "ann", seconds = c(3, 4))
  other <- next_documents(session, 1, "bob")
  skip_document(session, other$query, other$doc, "cannot be read", "bob")
  again <- next_documents(session, 3, "bob")
  judge(session, again$query[1], again$doc[1], 1, "bob")
  undo_judgment(session, "ann")
  next_documents(session, 0, "bob")
  record_answer(session, "pair/1", "ann", "a")
  list(judgments = judgments_of(session)[c("query", "doc", "gain", "assessor", "audit")],
       answers = answers(session)$answer,
       events = store_rows(session$engine$store, "event")[c("id", "kind", "assessor", "query", "doc", "detail")],
       slots = store_rows(session$engine$store, "slot")[c("pair", "copy", "state", "assessor", "event")])
}

without_times <- function(result) {
  result$events$detail <- sub("until=.*", "", result$events$detail)
  result
}

test_that("a session with another SQL dialect gives the same results as one in SQLite", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("openssl")
  make <- function(store) judging_session(text_demo, goal_budget(20), judgments = FALSE, seed = 1, store = store)
  known <- work_on(make(withr::local_tempfile(fileext = ".sqlite")))
  path <- withr::local_tempfile(fileext = ".db")
  connection <- plain_connection(path)
  withr::defer(DBI::dbDisconnect(connection))
  sent <- with_plain_engine({
    session <- make(connection)
    expect_s3_class(session$engine$store, c("judicious_plain_store", "judicious_dbi_store"), exact = TRUE)
    found <- work_on(session)
    expect_equal(without_times(found), without_times(known))
    add_assessor(session, "ann")
    expect_equal(assessors(session)$assessor, "ann")
    # Locks are rows of a table unless the engine has lock methods.
    expect_true(store_lock(session$engine$store, "fits"))
    expect_match(store_meta(session$engine$store, "lock fits"), paste0(" ", Sys.getpid(), " "))
    store_unlock(session$engine$store, "fits")
    # Another session continues with the same state.
    expect_equal(judgments_of(open_session(connection)), judgments_of(session))
    copy <- backup_session(session, withr::local_tempfile(fileext = ".sqlite"))
    expect_equal(judgments_of(open_session(copy)), judgments_of(session))
  })
  expect_gt(length(sent), 50)
  expect_equal(grep("PRAGMA (busy|journal)|FOR UPDATE", sent, value = TRUE), character())
  expect_length(grep("^CREATE TABLE slot .*state VARCHAR", sent), 1)
  expect_gt(sum(sent == plain_dialect$begin), 5)
})
