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
       advice = "Check that the folder exists and that you may write to it."),
  list(pattern = "could not connect|connection to server|server closed|terminating connection|no connection",
       kind = "store_unreachable", words = "cannot be reached",
       advice = "The server says: {said}")
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

postgres_types <- c(text = "TEXT", real = "DOUBLE PRECISION", integer = "INTEGER", blob = "BYTEA",
                    id = "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY")

sqlite_types <- c(text = "TEXT", real = "REAL", integer = "INTEGER", blob = "BLOB",
                  id = "INTEGER PRIMARY KEY AUTOINCREMENT")
