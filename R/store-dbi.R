# Stores a session in a database by DBI: SQLite or PostgreSQL.

# `connect` opens a connection; `own` states whether the session closes it.
dbi_store <- function(connect, own, label) {
  connection <- connect_patiently(connect, label)
  state <- list2env(list(connection = connection, inside = FALSE, lost = FALSE, saved = 0,
                         locks = character()), parent = emptyenv())
  if (own) reg.finalizer(state, close_connection)
  dialect <- dialect_of(connection)
  store_connected(structure(list(state = state, connect = connect, own = own, label = label, dialect = dialect,
                                 clock_offset = 0), class = c(dialect$class, "judicious_dbi_store")))
}

# Prepares a new connection, and returns the store.
store_connected <- function(store) UseMethod("store_connected")

#' @export
store_connected.judicious_dbi_store <- function(store) store

#' @export
store_connected.judicious_postgres_store <- function(store) {
  # Leases of several machines use the clock of the server.
  server <- sql_get(store, "SELECT EXTRACT(EPOCH FROM clock_timestamp())::double precision AS now")$now
  store$clock_offset <- server - as.numeric(Sys.time())
  store
}

#' @export
store_connected.judicious_sqlite_store <- function(store) {
  sql_get(store, "PRAGMA busy_timeout = 20000")
  # Readers and a writer do not block each other, and a commit is on disk when it returns.
  if (!is_reader(store)) sql_get(store, "PRAGMA journal_mode = WAL")
  sql_run(store, "PRAGMA synchronous = FULL")
  # The first read creates the log file.
  sql_get(store, "SELECT COUNT(*) FROM sqlite_master")
  path <- sql_get(store, "PRAGMA database_list")$file[1]
  if (!nzchar(path)) return(replace(store, "label", "a database in memory, which ends with its connection"))
  store$state$path <- path
  store$state$files <- file_identities(path)
  remember_header(store)
  store
}

# Tries again for a few seconds if the server is being started or stopped.
connect_patiently <- function(connect, label, times = 10) {
  for (i in seq_len(times)) {
    connection <- tryCatch(translate_errors(list(label = label), connect()),
                           judicious_error_store_unreachable = identity)
    if (!inherits(connection, "condition")) return(connection)
    passing <- grepl("server closed|starting up|shutting down", conditionMessage(connection$parent))
    if (!passing || i == times) rlang::cnd_signal(connection)
    Sys.sleep(0.3)
  }
}

# Whether an SQLite file was opened for reading only.
is_reader <- function(store) {
  inherits(store, "judicious_sqlite_store") && identical(store$state$connection@flags, RSQLite::SQLITE_RO)
}

# Statements use `?` for values; PostgreSQL needs numbers instead.
sql_text <- function(store, sql) {
  if (!store$dialect$numbers) return(sql)
  pieces <- strsplit(paste0(sql, " "), "?", fixed = TRUE)[[1]]
  paste0(pieces, c(sprintf("$%d", seq_len(length(pieces) - 1)), ""), collapse = "")
}

sql_get <- function(store, sql, values = list()) sql_send(store, DBI::dbGetQuery, sql, values)

sql_run <- function(store, sql, values = list()) {
  at_once <- store$dialect$at_once && !length(values)
  sql_send(store, if (at_once) function(...) DBI::dbExecute(..., immediate = TRUE) else DBI::dbExecute, sql, values)
}

# A connection that breaks between transactions loses nothing, so the first statement of a transaction, or a read, is
# repeated on a new connection. So is store_finish(), which does nothing the second time.
sql_send <- function(store, send, sql, values) {
  once <- function() {
    translate_errors(store, send(live_connection(store), sql_text(store, sql),
                                 params = if (length(values)) unname(values)))
  }
  if (!store$own || store$state$inside || !grepl("^(SELECT|BEGIN|WITH held)", sql)) return(once())
  tryCatch(once(), judicious_error_store_unreachable = function(cnd) once())
}

# Reconnects, between transactions, to a server that was unavailable.
live_connection <- function(store) {
  state <- store$state
  if (state$lost && !state$inside) {
    if (store$own) {
      try(DBI::dbDisconnect(state$connection), silent = TRUE)
      state$connection <- connect_patiently(store$connect, store$label)
      # A server frees the locks of a connection that ends.
      if (inherits(store, "judicious_postgres_store")) state$locks <- character()
      # The log file may be a new one; if the main file is another one, check_files() raises an error.
      if (!is.null(state$path)) state$files[2] <- file_identities(state$path)[2]
    }
    state$lost <- FALSE
  }
  state$connection
}

marks <- function(n) paste(rep("?", n), collapse = ", ")

#' @export
store_exclusive.judicious_dbi_store <- function(store, code) {
  state <- store$state
  if (state$inside) return(force(code))
  sql_run(store, store$dialect$begin)
  state$inside <- TRUE
  done <- FALSE
  on.exit({
    state$inside <- FALSE
    # A lost connection has already rolled back the transaction.
    if (!done && !state$lost) try(DBI::dbExecute(state$connection, "ROLLBACK"), silent = TRUE)
  })
  check_files(store)
  value <- force(code)
  count_transaction(store)
  sql_run(store, "COMMIT")
  done <- TRUE
  # Before acknowledging the commit, check that it is in the files that the next process will open.
  check_files(store)
  checkpoint(store)
  value
}

# The identities of the session's file and its write-ahead log, which distinguish them from others of the same name.
file_identities <- function(path) vapply(paste0(path, c("", "-wal")), function(file) file_identity_cpp(file)[1], "")

# SQLite continues to write to files that were deleted, moved, replaced or overwritten, where the data cannot be found
# any more.
check_files <- function(store) {
  state <- store$state
  if (is.null(state$path)) return(invisible())
  now <- file_identities(state$path)
  if (identical(now, state$files)) return(check_header(store))
  what <- paste0(store$label, if (now[1] == state$files[1]) " (its log, of the ending -wal)")
  how <- if (all(nzchar(now))) "replaced" else "deleted or moved"
  abort_judicious(c(
    "The file of the session {what} was {how} while the session was open.",
    x = "What this call wrote is not kept.",
    i = "Put the file back, with those of the endings -wal and -shm, or restore a copy; then open the session again."
  ), "store_moved", call = NULL)
}

# Each transaction that writes increments a number in the header of the file, which distinguishes older copies from the
# current content. Processes only ever increase this number and the size of the file, by writing the log to it.
count_transaction <- function(store) {
  state <- store$state
  if (is.null(state$path)) return(invisible())
  changes <- sql_get(store, "SELECT total_changes()")[[1]]
  # Without a change, there is nothing to wait for the disk for.
  if (identical(changes, state$changes)) return(invisible())
  state$changes <- changes
  generation <- sql_get(store, "PRAGMA user_version")[[1]]
  sql_run(store, sprintf("PRAGMA user_version = %d", as.integer(generation) + 1L))
}

# Distinguishes the file from those of other sessions. It does not use R's generator, which belongs to the user.
identify_file <- function(store) {
  if (is.null(store$state$path)) return(invisible())
  hash <- rlang::hash(list(store$state$path, Sys.getpid(), as.numeric(Sys.time())))
  store$state$identity <- strtoi(substr(hash, 1, 7), 16L) + 1L
  sql_run(store, sprintf("PRAGMA application_id = %d", store$state$identity))
}

remember_header <- function(store) {
  state <- store$state
  state$identity <- sql_get(store, "PRAGMA application_id")[[1]]
  state$stat <- file_stat(state$path)
  state$header <- file_header(state$path)
}

immutable_uri <- function(path) {
  encoded <- gsub("%2F", "/", utils::URLencode(enc2utf8(path), reserved = TRUE), fixed = TRUE)
  paste0("file:", if (!startsWith(encoded, "/")) "/", encoded, "?immutable=1")
}

file_stat <- function(path) unlist(file.info(path, extra_cols = FALSE)[c("size", "mtime", "ctime")])

# The size of the main file, and the number of transactions and the identity that its header states; NULL if it is not
# an SQLite file. An immutable connection reads the file without its log. Reading the file in any other way would
# release this process's locks on it, because closing a file releases all locks of a process.
file_header <- function(path) {
  tryCatch({
    connection <- DBI::dbConnect(RSQLite::SQLite(), immutable_uri(path), flags = RSQLite::SQLITE_RO, synchronous = NULL)
    on.exit(DBI::dbDisconnect(connection))
    c(size = file.size(path), generation = DBI::dbGetQuery(connection, "PRAGMA user_version")[[1]],
      identity = DBI::dbGetQuery(connection, "PRAGMA application_id")[[1]])
  }, error = function(cnd) NULL)
}

# Reads the header only if the file has changed since the last look, which is every few seconds.
check_header <- function(store) {
  state <- store$state
  stat <- file_stat(state$path)
  if (identical(stat, state$stat)) return(invisible())
  now <- file_header(state$path)
  before <- state$header
  # A new file has no identity until its log is written to it.
  identities <- c(state$identity, if (before[["identity"]] == 0) 0)
  if (is.null(now) || any(now[1:2] < before[1:2]) || !now[["identity"]] %in% identities) abort_overwritten(store)
  state$stat <- stat
  state$header <- now
}

# A session whose file was overwritten after its last judgment is closed by a second call, so that it can be saved.
check_before_closing <- function(store) {
  path <- store$state$path
  if (!is.null(path) && !isTRUE(store$state$told) && file.exists(path)) check_header(store)
}

abort_overwritten <- function(store) {
  label <- store$label
  store$state$told <- TRUE
  held <- tryCatch(DBI::dbGetQuery(store$state$connection, "SELECT COUNT(*) FROM event WHERE kind = 'judge'")[[1]],
                   error = function(cnd) 0)
  abort_judicious(c(
    "The content of the file of the session {label} was truncated or overwritten while the session was open.",
    x = "What was written after that is not acknowledged.",
    i = if (held > 0) "The open session can still read {held} judgment{?s} from its memory and its log: save them to
      another file with {.fn backup_session} before closing it.",
    i = if (held == 0) "The open session cannot read its judgments any more: restore a copy."
  ), "store_moved", call = NULL)
}

# Writes the log to the main file every few seconds, as far as readers permit, so that little is lost if somebody copies
# the file without its log.
checkpoint <- function(store, every = 5) {
  state <- store$state
  now <- as.numeric(Sys.time())
  if (is.null(state$path) || now < state$saved + every) return(invisible())
  state$saved <- now
  try(DBI::dbGetQuery(state$connection, "PRAGMA wal_checkpoint(PASSIVE)"), silent = TRUE)
}

#' @export
store_rows.judicious_dbi_store <- function(store, table, where = list(), after = NULL, lock = FALSE) {
  chunks <- where_chunks(where)
  parts <- lapply(chunks, function(where) {
    # PostgreSQL does not allow empty lists.
    listed <- sprintf("%s IN (%s)", names(where), vapply(lengths(where), marks, ""))
    among <- ifelse(lengths(where) == 0, "1 = 0", listed)
    conditions <- c(among, if (!is.null(after)) "id > ?")
    # In the order of the key, so that all processes lock rows in the same order.
    sql <- paste0("SELECT * FROM ", table, if (length(conditions)) " WHERE ", paste(conditions, collapse = " AND "),
                  " ORDER BY ", paste(store_tables[[table]]$key, collapse = ", "), if (lock) store$dialect$lock)
    sql_get(store, sql, c(unlist(lapply(unname(where), as.list), recursive = FALSE), after))
  })
  rows <- do.call(rbind, parts)
  plain_rows(table, rows)
}

# A statement accepts a limited number of values, so the longest condition is split.
where_chunks <- function(where, most = 5000) {
  if (!length(where) || max(lengths(where)) <= most) return(list(where))
  long <- which.max(lengths(where))
  values <- split(where[[long]], (seq_along(where[[long]]) - 1) %/% most)
  lapply(unname(values), function(v) replace(where, long, list(v)))
}

# Drivers differ in the classes of integers and blobs.
plain_rows <- function(table, rows) {
  types <- store_tables[[table]]$columns
  for (column in names(rows)) {
    rows[[column]] <- switch(types[[column]],
      text = , key = as.character(rows[[column]]), real = as.numeric(rows[[column]]),
      blob = lapply(rows[[column]], as.raw), as.integer(rows[[column]])
    )
  }
  rows
}

#' @export
store_insert.judicious_dbi_store <- function(store, table, rows) {
  if (!nrow(rows)) return(invisible())
  numbered <- "id" %in% store_tables[[table]]$key
  rows <- complete_rows(table, rows)
  if (numbered) rows$id <- NULL
  words <- if (numbered) c("INSERT INTO", if (store$dialect$returning) " RETURNING id") else store$dialect$insert_new
  insert <- function() lapply(split(seq_len(nrow(rows)), (seq_len(nrow(rows)) - 1) %/% 500), function(at) {
    values <- unlist(lapply(at, function(i) lapply(rows, `[`, i)), recursive = FALSE)
    sql <- paste0(words[1], " ", table, " (", paste(names(rows), collapse = ", "), ") ",
                  values_to_insert(store, table, rows, length(at)), words[-1])
    if (numbered && store$dialect$returning) sql_get(store, sql, values)$id else sql_run(store, sql, values)
  })
  if (!numbered || store$dialect$returning) {
    ids <- insert()
  } else {
    store_exclusive(store, {
      if (nzchar(store$dialect$lock_log)) sql_get(store, store$dialect$lock_log)
      before <- sql_get(store, paste("SELECT COALESCE(MAX(id), 0) AS id FROM", table))$id
      insert()
      ids <- sql_get(store, paste("SELECT id FROM", table, "WHERE id > ?"), list(before))$id
    })
  }
  if (numbered) invisible(sort(as.integer(unlist(ids, use.names = FALSE)))) else invisible()
}

# The ids of the log must be in the order of commits, so that a reader who has seen an id has missed none before it. An
# appending transaction therefore locks the log until it commits. SQLite has a single writer anyway. PostgreSQL assigns
# an id when the row is joined from its parts, one of which is the lock.
values_to_insert <- function(store, table, rows, n) {
  values <- paste("VALUES", paste(rep(paste0("(", marks(ncol(rows)), ")"), n), collapse = ", "))
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
  for (i in seq_len(nrow(rows))) sql_run(store, sql, lapply(rows[c(columns, key)], `[`, i))
}

#' @export
store_take.judicious_dbi_store <- function(store, assessor, n, now, until, pairs = NULL) {
  free <- function(alias) sprintf("(%s.state = 'open' OR (%s.state = 'leased' AND %s.lease_until < ?))", alias, alias,
                                  alias)
  chosen <- paste0(
    "FROM slot s WHERE ", free("s"), " AND NOT EXISTS (SELECT 1 FROM slot o WHERE o.pair = s.pair AND ",
    "(o.assessor = ? OR (o.copy < s.copy AND ", free("o"), ")))",
    # -1 is no pair; PostgreSQL does not allow empty lists.
    if (!is.null(pairs)) paste0(" AND s.pair IN (", paste(c(-1L, as.integer(pairs)), collapse = ", "), ")"),
    " ORDER BY s.urgent DESC, s.place, s.copy LIMIT ?", store$dialect$skip_locked
  )
  values <- list(now, assessor, now, as.integer(n))
  if (store$dialect$returning) {
    sql <- paste0("UPDATE slot SET state = 'leased', assessor = ?, lease_until = ? WHERE (pair, copy) IN (",
                  "SELECT s.pair, s.copy ", chosen, ") RETURNING *")
    return(by_place(plain_rows("slot", sql_get(store, sql, c(list(assessor, until), values)))))
  }
  store_exclusive(store, {
    rows <- plain_rows("slot", sql_get(store, paste("SELECT s.*", chosen), values))
    if (nrow(rows)) rows[c("state", "assessor", "lease_until")] <- list("leased", assessor, until)
    store_update(store, "slot", rows)
    rows
  })
}

# Slots are locked before the log, as everywhere.
#' @export
store_finish.judicious_postgres_store <- function(store, pair, event) {
  columns <- setdiff(names(event), "detail")
  types <- store$dialect$type[store_tables$event$columns[columns]]
  sql <- paste0(
    "WITH held AS (SELECT pair, copy FROM slot WHERE pair = ? AND assessor = ? AND state = 'leased' ",
    "AND (overlap = 0 OR copy = 2) FOR UPDATE), ",
    "said AS (INSERT INTO event (", paste(columns, collapse = ", "), ", detail) ",
    "SELECT ", paste0("?::", types, collapse = ", "), ", 'copy=' || held.copy ",
    "FROM held, LATERAL pg_advisory_xact_lock(", log_lock, " + 0 * held.pair) RETURNING id), ",
    "done AS (UPDATE slot SET state = 'judged', lease_until = NULL, urgent = 0, event = said.id FROM held, said ",
    "WHERE slot.pair = held.pair AND slot.copy = held.copy RETURNING slot.pair) ",
    # A statement does not see its own changes, so the pair is excluded.
    "SELECT done.pair AS done, s.* FROM (SELECT 1) AS one LEFT JOIN done ON TRUE ",
    "LEFT JOIN slot AS s ON s.assessor = ? AND s.state = 'leased' AND s.pair <> ?"
  )
  mine <- list(pair, event$assessor)
  rows <- sql_get(store, sql, c(mine, unname(as.list(event[columns])), rev(mine)))
  if (is.na(rows$done[1])) return(NULL)
  by_place(plain_rows("slot", pick_rows(rows[-1], !is.na(rows$pair))))
}

#' @export
store_visit.judicious_dbi_store <- function(store, assessor) {
  last <- paste0("COALESCE((SELECT MAX(id) FROM event WHERE kind = '", note_events, "'), 0) AS ", note_events)
  number <- function(name) paste0("(SELECT value FROM meta WHERE name = '", name, "') AS ", name)
  sql <- paste("SELECT a.role, a.token, a.expires,", paste(c(number(c("edition", "control")), last), collapse = ", "),
               "FROM (SELECT 1) AS one LEFT JOIN assessor AS a ON a.assessor = ?")
  visit <- sql_get(store, sql, list(assessor))
  list(role = visit$role, token = visit$token, expires = visit$expires, edition = as.integer(visit$edition),
       control = if (is.na(visit$control)) 0L else as.integer(visit$control),
       note = max(as.integer(unlist(visit[note_events]))))
}

# Key of the advisory lock of the log, which is not one of store_locks because every writer waits for it.
log_lock <- 7301L

#' @export
store_lock.judicious_postgres_store <- function(store, what) {
  if (what %in% store$state$locks) return(TRUE)
  mine <- sql_get(store, "SELECT pg_try_advisory_lock(?) AS mine", list(store_locks[[what]]$key))$mine
  if (mine) store$state$locks <- c(store$state$locks, what)
  mine
}

#' @export
store_unlock.judicious_postgres_store <- function(store, what) {
  if (what %in% store$state$locks) {
    # The driver may have connected again, and the lock has then ended.
    sql_get(store, paste("SELECT pg_advisory_unlock(l.objid::bigint) FROM pg_locks l WHERE l.locktype = 'advisory' AND",
                         "l.pid = pg_backend_pid() AND l.objid = ?"), list(store_locks[[what]]$key))
  }
  store$state$locks <- setdiff(store$state$locks, what)
}

# Without locks of the engine, a row of table meta states which process has a lock, and until when this is assumed if
# that process cannot be checked.
#' @export
store_lock.judicious_dbi_store <- function(store, what) {
  # Who can only read has the estimates that are stored. Selecting documents raises an error.
  if (is_reader(store) && what == "fits") return(FALSE)
  now <- store_now(store)
  name <- paste("lock", what)
  note <- store_meta(store, name)
  mine <- lock_owner()
  seconds <- store_locks[[what]]$seconds
  held <- what %in% store$state$locks && endsWith(note, mine)
  if (held && lock_end(note) > now + seconds / 2) return(TRUE)
  store$state$locks <- setdiff(store$state$locks, what)
  if (!held && !is_stale(note, now, seconds)) return(FALSE)
  changed <- sql_run(store, "UPDATE meta SET value = ? WHERE name = ? AND value = ?",
                     list(paste(format(now + seconds, digits = 15), mine), name, note))
  if (changed == 1) store$state$locks <- c(store$state$locks, what)
  changed == 1
}

lock_owner <- function() paste(Sys.getpid(), Sys.info()[["nodename"]])

lock_end <- function(note) suppressWarnings(as.numeric(sub(" .*", "", note)))

# Whether a process whose lock has this note has ended, or the time of its lock; also for the empty note of no lock.
is_stale <- function(note, now, seconds) {
  parts <- strsplit(note, " ", fixed = TRUE)[[1]]
  # On Windows, signal 0 would end the process.
  seen <- identical(parts[3], Sys.info()[["nodename"]]) && .Platform$OS.type == "unix"
  if (seen && !isTRUE(tools::pskill(as.integer(parts[2]), 0L))) return(TRUE)
  # A later end was written by a clock that has been moved backwards since.
  !isTRUE(lock_end(note) >= now && lock_end(note) <= now + seconds + 1)
}

#' @export
store_unlock.judicious_dbi_store <- function(store, what) {
  if (!what %in% store$state$locks) return()
  name <- paste("lock", what)
  note <- store_meta(store, name)
  # Another process may have taken over the lock.
  if (endsWith(note, lock_owner())) {
    sql_run(store, "UPDATE meta SET value = '' WHERE name = ? AND value = ?", list(name, note))
  }
  store$state$locks <- setdiff(store$state$locks, what)
}

#' @export
store_close.judicious_dbi_store <- function(store) if (store$own) close_connection(store$state)

close_connection <- function(state) if (DBI::dbIsValid(state$connection)) DBI::dbDisconnect(state$connection)
