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
    recognised <- Find(function(entry) grepl(entry$pattern, original, ignore.case = TRUE), store_troubles)
    recognised <- recognised %||% list(kind = "store", words = "failed", advice = "The database says: {original}")
    label <- store$label
    if (recognised$kind == "store_unreachable" && !is.null(store$state)) store$state$lost <- TRUE
    abort_judicious(c(paste0("The session in {label} ", recognised$words, "."), x = recognised$advice),
                    recognised$kind, call = NULL, parent = cnd)
  })
}

# The descriptions of database engines, by the class of the connection. `class`: the class of its stores, for methods.
# `type`: its names of the types in `store_tables`. `begin`: the statement that begins a transaction that writes;
# `snapshot`: one that only reads. `tables`: a query for the names of the tables. `numbers`: whether placeholders are
# $1, $2, ... instead of ?. `lock`: the end of a statement that locks the rows it selects; `skip_locked`: that of one
# that skips rows that others have locked; an engine that allows one writer at a time has neither. `given_ids`: the text
# before values that include ids. `next_id`: a query with the parameters table and id that sets the next id, for engines
# that do not do so themselves.
#
# Further differences are methods for the class: store_connected(), and store_lock() and store_unlock() if the engine
# has locks. The engine must compare texts by bytes, and know ON CONFLICT and RETURNING.
store_dialects <- list(
  SQLiteConnection = list(
    class = "judicious_sqlite_store",
    type = c(text = "TEXT", key = "TEXT", real = "REAL", integer = "INTEGER", blob = "BLOB",
             id = "INTEGER PRIMARY KEY AUTOINCREMENT"),
    begin = "BEGIN IMMEDIATE", snapshot = "BEGIN", tables = "SELECT name FROM sqlite_master WHERE type = 'table'",
    numbers = FALSE
  ),
  PqConnection = list(
    class = "judicious_postgres_store",
    type = c(text = "TEXT", key = "TEXT", real = "DOUBLE PRECISION", integer = "INTEGER", blob = "BYTEA",
             id = "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    begin = "BEGIN", snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()", numbers = TRUE,
    lock = " FOR UPDATE", skip_locked = " FOR UPDATE SKIP LOCKED", given_ids = "OVERRIDING SYSTEM VALUE",
    next_id = "SELECT setval(pg_get_serial_sequence(?, 'id'), ?)"
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
