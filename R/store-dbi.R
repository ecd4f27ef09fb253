# The tables of a session in SQLite or PostgreSQL.

#' @export
store_exclusive.judicious_dbi_store <- function(store, code) {
  state <- store$state
  if (state$inside) return(force(code))
  sql_run(store, store$dialect$begin)
  state$inside <- TRUE
  done <- FALSE
  on.exit({
    state$inside <- FALSE
    # If the connection is lost, the database has already rolled the transaction back.
    if (!done && !state$lost) try(DBI::dbExecute(state$connection, "ROLLBACK"), silent = TRUE)
  })
  check_files(store, locked = TRUE)
  value <- force(code)
  is_due <- is_checkpoint_due(state)
  if (is_due) seal_log(store)
  count_transaction(store)
  sql_run(store, "COMMIT")
  done <- TRUE
  state$stamp <- state$pending
  # Before the commit is acknowledged, checks that it is in the files that the next process will open.
  check_files(store)
  if (is_due) checkpoint(store)
  value
}

#' @export
store_rows.judicious_dbi_store <- function(store, table, where = list(), after = NULL, lock = FALSE) {
  # A statement accepts a limited number of values; rows with one of many values are selected here.
  is_long <- lengths(where) > 5000
  listed <- where[!is_long]
  # PostgreSQL does not allow empty lists.
  among <- ifelse(lengths(listed) == 0, "1 = 0",
                  sprintf("%s IN (%s)", names(listed), vapply(lengths(listed), placeholders, "")))
  conditions <- c(among, if (!is.null(after)) "id > ?")
  # Rows are selected in the order of the key, so that all processes lock rows in the same order.
  sql <- paste0("SELECT * FROM ", table, if (length(conditions)) " WHERE ", paste(conditions, collapse = " AND "),
                " ORDER BY ", paste(store_tables[[table]]$key, collapse = ", "), if (lock) store$dialect$lock)
  rows <- sql_get(store, sql, c(unlist(lapply(unname(listed), as.list), recursive = FALSE), after))
  for (column in names(where)[is_long]) rows <- pick_rows(rows, rows[[column]] %in% where[[column]])
  plain_rows(table, rows)
}

# Converts columns to the types of the table, because drivers differ in the classes of integers and blobs. Raises an
# error if this is not possible: SQLite keeps a value of any type in any column, and names of columns can be damaged.
plain_rows <- function(table, rows) {
  types <- store_tables[[table]]$columns
  suppressWarnings(for (column in names(rows)) {
    value <- rows[[column]]
    type <- types[column]
    plain <- if (!is.na(type) && is.list(value) == (type == "blob")) {
      switch(type, text = , key = as.character(value), real = as.numeric(value), blob = lapply(value, as.raw),
             as.integer(value))
    }
    if (is.null(plain) || (type != "blob" && sum(is.na(plain)) > sum(is.na(value)))) {
      abort_judicious(c("Column {.val {column}} of table {.val {table}} is none of its own, or has a value of another
                          type.",
                        x = "The session is damaged, or was changed by hand."), "store_corrupt", call = NULL)
    }
    rows[[column]] <- plain
  })
  rows
}

#' @export
store_insert.judicious_dbi_store <- function(store, table, rows) {
  if (!"id" %in% store_tables[[table]]$key) {
    insert_rows(store, table, rows, " ON CONFLICT DO NOTHING")
    return(invisible())
  }
  ids <- insert_rows(store, table, rows, " RETURNING id", sql_get)
  invisible(sort(as.integer(unlist(ids, use.names = FALSE))))
}

# Inserts rows by statements with this `ending`, each for at most 500 rows. Returns what `send` returns for each.
insert_rows <- function(store, table, rows, ending = "", send = sql_run) {
  lapply(split(seq_len(nrow(rows)), (seq_len(nrow(rows)) - 1) %/% 500), function(row_numbers) {
    values <- unlist(lapply(row_numbers, function(i) lapply(rows, `[`, i)), recursive = FALSE)
    send(store, paste0("INSERT INTO ", table, " (", paste(names(rows), collapse = ", "), ") ",
                       values_to_insert(store, table, rows, length(row_numbers)), ending), values)
  })
}

# An INSERT of `n` rows. The ids of the log must be in the order of commits, so that a reader who has seen an id has
# missed none before it. A transaction that appends to the log therefore locks it until it commits. SQLite allows a
# single writer anyway. In PostgreSQL, the statement acquires the lock before it computes the rows, because it joins the
# lock with their values; ids are assigned after this. A copy has ids already.
values_to_insert <- function(store, table, rows, n) {
  values <- paste("VALUES", paste(rep(paste0("(", placeholders(ncol(rows)), ")"), n), collapse = ", "))
  if ("id" %in% names(rows)) return(paste(store$dialect$given_ids, values))
  types <- store_tables[[table]]$columns
  if (!"id" %in% names(types) || !inherits(store, "judicious_postgres_store")) return(values)
  columns <- names(rows)
  paste0("SELECT ", paste0("v.", columns, "::", store$dialect$type[types[columns]], collapse = ", "),
         " FROM pg_advisory_xact_lock(", log_lock, ") AS l, (", values, ") AS v (", paste(columns, collapse = ", "),
         ")")
}

#' @export
store_update.judicious_dbi_store <- function(store, table, rows) {
  key <- store_tables[[table]]$key
  columns <- setdiff(names(rows), key)
  sql <- paste0("UPDATE ", table, " SET ", paste(columns, "= ?", collapse = ", "), " WHERE ",
                paste(key, "= ?", collapse = " AND "))
  if (nrow(rows)) sql_run(store, sql, as.list(rows[c(columns, key)]))
}

#' @export
store_take.judicious_dbi_store <- function(store, assessor, n, now, until, pairs = NULL) {
  free <- function(alias) sprintf("(%s.state = 'open' OR (%s.state = 'leased' AND %s.lease_until < ?))", alias, alias,
                                  alias)
  sql <- paste0(
    "UPDATE slot SET state = 'leased', assessor = ?, lease_until = ? WHERE (pair, copy) IN (",
    "SELECT s.pair, s.copy FROM slot s WHERE ", free("s"), " AND NOT EXISTS (",
    "SELECT 1 FROM slot o WHERE o.pair = s.pair AND (o.assessor = ? OR (o.copy < s.copy AND ", free("o"), ")))",
    # The list contains -1, which is no pair, because PostgreSQL does not allow empty lists.
    if (!is.null(pairs)) paste0(" AND s.pair IN (", paste(c(-1L, as.integer(pairs)), collapse = ", "), ")"),
    " ORDER BY s.urgent DESC, s.place, s.copy LIMIT ?", store$dialect$skip_locked, ") RETURNING *"
  )
  taken <- sql_get(store, sql, list(assessor, until, now, assessor, now, as.integer(n)))
  sorted_by_place(plain_rows("slot", taken))
}

# The key of the advisory lock of the event log. It is not among `store_locks`: a process that cannot get one of those
# goes on without it, but a writer waits for this lock.
log_lock <- 7301L

#' @export
store_lock.judicious_postgres_store <- function(store, lock) {
  if (lock %in% store$state$locks) return(TRUE)
  locked <- sql_get(store, "SELECT pg_try_advisory_lock(?) AS mine", list(store_locks[[lock]]$key))$mine
  if (locked) store$state$locks <- c(store$state$locks, lock)
  locked
}

#' @export
store_unlock.judicious_postgres_store <- function(store, lock) {
  if (lock %in% store$state$locks) {
    # If the driver has reconnected, the lock does not exist any more, and unlocking it directly would cause a warning.
    sql_get(store, paste("SELECT pg_advisory_unlock(l.objid::bigint) FROM pg_locks l WHERE l.locktype = 'advisory' AND",
                         "l.pid = pg_backend_pid() AND l.objid = ?"), list(store_locks[[lock]]$key))
  }
  store$state$locks <- setdiff(store$state$locks, lock)
}

# For databases without advisory locks: a row of table meta states which process has a lock, and until when this is
# assumed if the process cannot be checked.
#' @export
store_lock.judicious_dbi_store <- function(store, lock) {
  # A process that can only read the session uses the stored estimates, so it never needs the lock for estimation.
  if (is_reader(store) && lock == "fits") return(FALSE)
  now <- store_now(store)
  name <- paste("lock", lock)
  note <- store_meta(store, name)
  owner <- lock_owner()
  seconds <- store_locks[[lock]]$seconds
  has_lock <- lock %in% store$state$locks && endsWith(note, owner)
  if (has_lock && lock_expiry(note) > now + seconds / 2) return(TRUE)
  store$state$locks <- setdiff(store$state$locks, lock)
  if (!has_lock && !is_lock_free(note, now, seconds)) return(FALSE)
  changed <- sql_run(store, "UPDATE meta SET value = ? WHERE name = ? AND value = ?",
                     list(paste(format(now + seconds, digits = 15), owner), name, note))
  if (changed == 1) store$state$locks <- c(store$state$locks, lock)
  changed == 1
}

lock_owner <- function() paste(Sys.getpid(), Sys.info()[["nodename"]])

lock_expiry <- function(note) suppressWarnings(as.numeric(sub(" .*", "", note)))

# Whether a lock is free, according to its row in table meta (`note`): the note is empty, its process has ended, or its
# time has expired.
is_lock_free <- function(note, now, seconds) {
  parts <- strsplit(note, " ", fixed = TRUE)[[1]]
  # Only on Unix does signal 0 test whether a process exists; on Windows, it would end the process.
  seen <- identical(parts[3], Sys.info()[["nodename"]]) && .Platform$OS.type == "unix"
  if (seen && !isTRUE(tools::pskill(as.integer(parts[2]), 0L))) return(TRUE)
  # If the end in the note is too far in the future, the clock was set back after the note was written.
  !isTRUE(lock_expiry(note) >= now && lock_expiry(note) <= now + seconds + 1)
}

#' @export
store_unlock.judicious_dbi_store <- function(store, lock) {
  if (!lock %in% store$state$locks) return()
  name <- paste("lock", lock)
  note <- store_meta(store, name)
  # Releases the lock only if this process still has it, because another one may have taken it over.
  if (endsWith(note, lock_owner())) {
    sql_run(store, "UPDATE meta SET value = '' WHERE name = ? AND value = ?", list(name, note))
  }
  store$state$locks <- setdiff(store$state$locks, lock)
}

#' @export
store_close.judicious_dbi_store <- function(store) if (store$owns_connection) close_connection(store$state)
