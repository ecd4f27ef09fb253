# What differs between database engines: types of columns, and errors in the user's words.

store_troubles <- list(
  list(pattern = "disk is full|No space left|could not extend file", kind = "store_full",
       words = "cannot be written to: the disk is full",
       advice = "Nothing of this call was kept. Make room and repeat it."),
  list(pattern = "readonly|read-only", kind = "store_read_only", words = "is read-only",
       advice = "Judging writes: change the permissions of the file and its folder."),
  list(pattern = "not a database", kind = "not_a_session", words = "is not a session",
       advice = "The file is not an SQLite database."),
  list(pattern = "malformed|corrupt", kind = "store_corrupt", words = "is damaged",
       advice = "Restore the file from a copy, or recover it with the command {.code sqlite3 FILE .recover}."),
  list(pattern = "is locked|is busy|lock timeout", kind = "store_busy", words = "is busy",
       advice = "Another process has been writing for 20 seconds. Nothing of this call was kept; repeat it."),
  list(pattern = "unable to open", kind = "store_unreachable", words = "cannot be opened",
       advice = "Check that the folder in {.arg store} exists and that you may write to it."),
  list(pattern = "could not connect|connection to server|server closed|terminating connection|no connection",
       kind = "store_unreachable", words = "cannot be reached", advice = "The server says: {said}")
)

# Translates errors of the database to what happened and what to do about it.
translate_errors <- function(store, code) {
  withCallingHandlers(code, error = function(cnd) {
    if (inherits(cnd, "judicious_error")) return()
    said <- conditionMessage(cnd)
    known <- Find(function(trouble) grepl(trouble$pattern, said, ignore.case = TRUE), store_troubles)
    known <- known %||% list(kind = "store", words = "failed", advice = "The database says: {said}")
    label <- store$label
    if (known$kind == "store_unreachable" && !is.null(store$state)) store$state$lost <- TRUE
    abort_judicious(c(paste0("The session in {label} ", known$words, "."), x = known$advice),
                    known$kind, call = NULL, parent = cnd)
  })
}

# How the statements of the engines differ, by the class of the connection. `type`: of the columns of store_tables;
# `begin` a transaction that writes, and `snapshot` one that only reads; `tables` selects the names of the tables;
# `numbers` whether placeholders are $1, $2, ... instead of ?; `lock` ends a statement that locks the rows it selects,
# `skip_locked` one that skips rows that others have locked; `given_ids` precedes values that include ids. The classes
# judicious_sqlite_store and judicious_postgres_store have what takes more than other words: connecting, locks between
# processes, and store_finish().
store_dialects <- list(
  SQLiteConnection = list(
    class = "judicious_sqlite_store", numbers = FALSE,
    type = c(text = "TEXT", real = "REAL", integer = "INTEGER", blob = "BLOB",
             id = "INTEGER PRIMARY KEY AUTOINCREMENT"),
    begin = "BEGIN IMMEDIATE", snapshot = "BEGIN", lock = "", skip_locked = "", given_ids = "",
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
  ),
  PqConnection = list(
    class = "judicious_postgres_store", numbers = TRUE,
    type = c(text = "TEXT", real = "DOUBLE PRECISION", integer = "INTEGER", blob = "BYTEA",
             id = "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    begin = "BEGIN", snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", lock = " FOR UPDATE",
    skip_locked = " FOR UPDATE SKIP LOCKED", given_ids = " OVERRIDING SYSTEM VALUE",
    tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
  )
)

# The dialect of a connection. Sessions need transactions by which processes exclude each other, and rows that return
# the ids they were given.
dialect_of <- function(connection, call = caller_env()) {
  for (name in names(store_dialects)) if (inherits(connection, name)) return(store_dialects[[name]])
  engine <- class(connection)[1]
  abort_argument("store", c(
    "Sessions cannot be kept in a database of class {.cls {engine}}.",
    x = if (engine == "duckdb_connection") "DuckDB lets only one process write to a file.",
    i = "Use PostgreSQL (package RPostgres) or an SQLite file (package RSQLite).",
    i = "Runs and judgments can be read from any database: see {.help read_runs}."
  ), call = call)
}
