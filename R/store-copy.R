# Copies a session to another store, of the same kind or another, as a backup or to move it.

copy_store <- function(from, to) {
  check_copy(from, to)
  target <- as_store(to)
  check_that(inherits(target, "judicious_dbi_store"), "to", "must say where to keep the copy.")
  done <- FALSE
  on.exit({
    store_close(target)
    # Deletes the files of a failed copy, because they would block the next attempt.
    if (!done && is.character(to)) unlink(paste0(path.expand(to), c("", "-wal", "-shm")), expand = FALSE)
  })
  in_snapshot(from, store_exclusive(target, {
    check_empty(target)
    create_tables(target)
    for (table in names(store_tables)) copy_rows(target, table, store_rows(from, table))
    # Removes leases and locks from the copy, because nobody is working with it.
    set_meta(target, "closed", closed_mark(target))
    for (what in names(store_locks)) set_meta(target, paste("lock", what), "")
    sql_run(target, "UPDATE slot SET lease_until = 0 WHERE state = 'leased'")
    sql_run(target, "DELETE FROM claim")
  }))
  done <- TRUE
  invisible(to)
}

check_copy <- function(from, to) {
  check_that(inherits(from, "judicious_dbi_store"), "s", c(
    "The session is in memory; only one in a file or a database can be copied.",
    i = "Give {.arg store} to {.fn judging_session}."
  ))
  check_that(!is.character(to) || length(to) != 1 || is.na(to) || !file.exists(to), "to", c(
    "There is a file {.file {to}} already.",
    i = "Choose another name; nothing is overwritten."
  ), kind = "session_exists")
}

# Makes all reads in `code` see the same state while other processes write. A session to which this process is writing
# cannot be copied at the same time.
in_snapshot <- function(store, code) {
  sql_run(store, store$dialect$snapshot)
  store$state$inside <- TRUE
  on.exit({
    store$state$inside <- FALSE
    try(DBI::dbExecute(store$state$connection, "ROLLBACK"), silent = TRUE)
  })
  force(code)
}

# Inserts rows with their existing ids, and sets the next id.
copy_rows <- function(store, table, rows) {
  insert_rows(store, table, rows)
  if ("id" %in% names(rows) && nrow(rows) && !is.null(store$dialect$next_id)) {
    sql_get(store, store$dialect$next_id, list(table, max(rows$id)))
  }
}
