# The differences between database engines: column types, statements, and the errors that they report.

store_troubles <- list(
  list(pattern = "disk is full|No space left|could not extend file", kind = "store_full",
       words = "cannot be written to: the disk is full",
       advice = "Nothing of this call was kept. Make room and repeat it."),
  list(pattern = "readonly|read-only", kind = "store_read_only", words = "is read-only",
       advice = "Judging writes: change the permissions of the file and its folder."),
  list(pattern = "not a database", kind = "not_a_session", words = "is not a session",
       advice = "The file is not an SQLite database."),
  list(pattern = "malformed|corrupt", kind = "store_corrupt", words = "is damaged",
       advice = "Restore a copy, or read its judgments with {.fn recover_session}."),
  list(pattern = "is locked|is busy|lock timeout", kind = "store_busy", words = "is busy",
       advice = "Another process has been writing for 20 seconds. Nothing of this call was kept; repeat it."),
  list(pattern = "unable to open", kind = "store_unreachable", words = "cannot be opened",
       advice = "Check that the folder in {.arg store} exists and that you may write to it."),
  list(pattern = "could not connect|connection to server|server closed|terminating connection|no connection",
       kind = "store_unreachable", words = "cannot be reached", advice = "The server says: {original}")
)

# Converts errors of the database to errors that state what happened and what to do.
translate_errors <- function(store, code) {
  withCallingHandlers(code, error = function(cnd) {
    if (inherits(cnd, "judicious_error")) return()
    # Makes control characters visible, because the message may quote a damaged file, which can contain any bytes.
    original <- cnd$message <- with_visible_controls(conditionMessage(cnd), keep = "\n")
    recognised <- Find(function(entry) grepl(entry$pattern, original, ignore.case = TRUE),
                  c(store$dialect$troubles, store_troubles))
    recognised <- recognised %||% list(kind = "store", words = "failed", advice = "The database says: {original}")
    label <- store$label
    if (recognised$kind == "store_unreachable" && !is.null(store$state)) store$state$lost <- TRUE
    abort_judicious(c(paste0("The session in {label} ", recognised$words, "."), x = recognised$advice),
                    recognised$kind, call = NULL, parent = cnd)
  })
}

# A description of a database engine. `class`: the class of its stores, for methods. `type`: its names of the types in
# `store_tables`. `begin`: the statement that begins a transaction that writes; `snapshot`: one that only reads.
# `tables`: a query for the names of the tables. `numbers`: whether placeholders are $1, $2, ... instead of ?.
# `at_once`: whether to send statements without values unprepared, which some drivers require for BEGIN and which saves
# round trips. `returning`: whether INSERT and UPDATE can return rows. `insert_new`: the text before and after an
# insertion that skips rows whose key exists. `lock`: the end of a statement that locks the rows it selects;
# `skip_locked`: that of one that skips rows that others have locked; both are empty if the engine allows one writer at
# a time. `lock_log`, for engines without `returning`: a statement that waits until other transactions that append to
# the event log have ended; empty for one writer. `given_ids`: the text before values that include ids. `next_id`: a
# function of table and id that sets the next id, for engines that do not do so themselves. `troubles`: like
# `store_troubles`.
#
# Further differences are methods for the class: store_connected(); store_lock() and store_unlock(), if the engine has
# locks; and store_finish(), which only saves round trips. The engine must compare texts by bytes.
store_dialect <- function(class, type, begin, snapshot, tables, numbers = FALSE, at_once = FALSE, returning = TRUE,
                          insert_new = c("INSERT INTO", " ON CONFLICT DO NOTHING"), lock = " FOR UPDATE",
                          skip_locked = " FOR UPDATE SKIP LOCKED", lock_log = "", given_ids = "", next_id = NULL,
                          troubles = list()) {
  mget(names(formals()), environment())
}

# The descriptions of engines, by the class of the connection.
store_dialects <- list(
  SQLiteConnection = store_dialect(
    "judicious_sqlite_store",
    c(text = "TEXT", key = "TEXT", real = "REAL", integer = "INTEGER", blob = "BLOB",
      id = "INTEGER PRIMARY KEY AUTOINCREMENT"),
    "BEGIN IMMEDIATE", "BEGIN", "SELECT name FROM sqlite_master WHERE type = 'table'", lock = "", skip_locked = ""
  ),
  PqConnection = store_dialect(
    "judicious_postgres_store",
    c(text = "TEXT", key = "TEXT", real = "DOUBLE PRECISION", integer = "INTEGER", blob = "BYTEA",
      id = "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    "BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()", numbers = TRUE, at_once = TRUE,
    given_ids = " OVERRIDING SYSTEM VALUE", next_id = "SELECT setval(pg_get_serial_sequence(?, 'id'), ?)"
  )
)

# The description of the engine of a connection, whose class may extend one of those above.
dialect_of <- function(connection) {
  place <- inherits(connection, names(store_dialects), which = TRUE)
  if (any(place > 0)) return(store_dialects[[which(place == min(place[place > 0]))]])
  engine <- class(connection)[1]
  abort_argument("store", c(
    "Sessions cannot be kept in a database of class {.cls {engine}}.",
    x = if (engine == "duckdb_connection") "DuckDB lets only one process write to a file.",
    i = "Use PostgreSQL (package RPostgres) or an SQLite file (package RSQLite).",
    i = "Runs and judgments can be read from any database: see {.help read_runs}."
  ))
}
