# Connects to the database of a session (SQLite or PostgreSQL) by DBI, and sends statements to it.

# A store in a database. `connect` opens a connection; `closes` states whether the session closes it.
dbi_store <- function(connect, closes, label) {
  connection <- connect_patiently(connect, label)
  state <- list2env(list(connection = connection, inside = FALSE, lost = FALSE, saved = 0, locks = character(),
                         process = Sys.getpid(), reported = FALSE), parent = emptyenv())
  # New versions of RSQLite close connections when R ends. Finalizers run latest first, so this one runs before theirs.
  if (closes) reg.finalizer(state, close_connection, onexit = TRUE)
  dialect <- dialect_of(connection)
  store_connected(structure(list(state = state, connect = connect, owns_connection = closes, label = label,
                                 dialect = dialect, clock_offset = 0), class = c(dialect$class, "judicious_dbi_store")))
}

# Prepares a new connection, and returns the store.
store_connected <- function(store) UseMethod("store_connected")

#' @export
store_connected.judicious_dbi_store <- function(store) store

#' @export
store_connected.judicious_postgres_store <- function(store) {
  # Leases use the clock of the server, because clocks of machines differ.
  server <- sql_get(store, "SELECT EXTRACT(EPOCH FROM clock_timestamp())::double precision AS now")$now
  store$clock_offset <- server - as.numeric(Sys.time())
  store
}

# Opens a connection. If the server is being started or stopped, tries again for a few seconds.
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

# Converts the placeholders `?` in a statement to the numbers that PostgreSQL needs.
sql_text <- function(store, sql) {
  if (!store$dialect$numbers) return(sql)
  pieces <- strsplit(paste0(sql, " "), "?", fixed = TRUE)[[1]]
  paste0(pieces, c(sprintf("$%d", seq_len(length(pieces) - 1)), ""), collapse = "")
}

sql_get <- function(store, sql, values = list()) {
  rows <- sql_send(store, DBI::dbGetQuery, sql, values)
  abort_unless(all(vapply(Filter(is.character, rows), function(column) all(validUTF8(column)), NA)), c(
    "The session in {store$label} has a text that is not UTF-8.", x = "The session is damaged."
  ), "store_corrupt", call = NULL)
  rows
}

# Statements without values are sent unprepared, which PostgreSQL requires for BEGIN and which saves round trips.
sql_run <- function(store, sql, values = list()) {
  sql_send(store, function(...) DBI::dbExecute(..., immediate = !length(values)), sql, values)
}

# Sends a statement. If the connection breaks between transactions, nothing is lost, so the first statement of a
# transaction, or a read, is repeated on a new connection.
sql_send <- function(store, send, sql, values) {
  once <- function() {
    check_process(store)
    check_index(store)
    tryCatch(translate_errors(store, send(live_connection(store), sql_text(store, sql),
                                          params = if (length(values)) unname(values))),
             judicious_error_store = function(cnd) explain_failure(store, cnd),
             judicious_error_not_a_session = function(cnd) explain_failure(store, cnd))
  }
  if (!store$owns_connection || store$state$inside || !grepl("^(SELECT|BEGIN)", sql)) return(once())
  tryCatch(once(), judicious_error_store_unreachable = function(cnd) once())
}

# Returns the connection. If the server was unavailable, reconnects, unless this process is within a transaction.
live_connection <- function(store) {
  state <- store$state
  if (state$lost && !state$inside) {
    if (store$owns_connection) {
      try(DBI::dbDisconnect(state$connection), silent = TRUE)
      state$connection <- connect_patiently(store$connect, store$label)
      # PostgreSQL releases the locks of a connection that ends.
      if (inherits(store, "judicious_postgres_store")) state$locks <- character()
      # After reconnecting, the write-ahead log and its index may be new files; if the main file is another one,
      # check_files() raises an error.
      if (!is.null(state$path)) state$files[2:3] <- file_identities(state$path)[2:3]
    }
    state$lost <- FALSE
  }
  state$connection
}

placeholders <- function(n) paste(rep("?", n), collapse = ", ")

# Connections that must stay open. When SQLite closes the last connection to a file, it writes the write-ahead log to
# the file and deletes this log. After a fault, this could destroy data that could still be rescued.
abandoned <- new.env(parent = emptyenv())

close_connection <- function(state) {
  if (state$reported || state$process != Sys.getpid()) {
    abandoned[[as.character(length(abandoned))]] <- state$connection
  } else if (DBI::dbIsValid(state$connection)) {
    # If the session has stored the mark of closed_mark(), replaces it by the number of transactions, to record that the
    # content of the write-ahead log is now in the main file.
    if (isTRUE(state$signed)) try({
      DBI::dbExecute(state$connection, "PRAGMA busy_timeout = 0")
      DBI::dbExecute(state$connection, "UPDATE meta SET value = (SELECT user_version FROM pragma_user_version)
        WHERE name = 'closed' AND value <> ''")
    }, silent = TRUE)
    DBI::dbDisconnect(state$connection)
  }
}

# Raises an error in a fork of the process that opened the session, and for a copy of the session that readRDS() made.
# The fork would share its connection, and neither SQLite nor PostgreSQL can distinguish the two processes; the copy has
# no connection.
check_process <- function(store) {
  state <- store$state
  is_here <- state$process == Sys.getpid()
  if (is_here && (state$lost || is.null(state$path) || DBI::dbIsValid(state$connection))) return(invisible())
  label <- store$label
  why <- if (is_here) "has no connection: it was closed, or this is a copy of the session, read from a file" else
    "was opened by another process, of which this one is a fork or has a copy of the session"
  abort_judicious(c("The session in {label} {why}.",
                    x = "Nothing of this call is kept.",
                    i = "Open it in this process, by {.fn open_session}."), "store_forked", call = NULL)
}

# The identities of the session's file, its write-ahead log and the index of this log. They differ from those of other
# files that have the same names later.
file_identities <- function(path) {
  vapply(paste0(path, c("", "-wal", "-shm")), function(file) file_identity_cpp(file)[1], "", USE.NAMES = FALSE)
}

# Checks the index of the write-ahead log, which SQLite maps to memory. If the index was replaced by another file,
# processes do not see each other's changes; if it was truncated, any statement would crash the process. SQLite reports
# neither.
check_index <- function(store, writes = FALSE) {
  index <- store$state$files[3]
  if (is.null(index) || !nzchar(index) || store$state$lost) return(invisible())
  found <- file_identity_cpp(paste0(store$state$path, "-shm"))
  if (found[1] == index && as.numeric(found[3]) < 32768) abort_index(store, "truncated or overwritten")
  if (found[1] != index && writes) abort_index(store, if (nzchar(found[1])) "replaced" else "deleted or moved")
}

immutable_uri <- function(path) {
  encoded <- gsub("%2F", "/", utils::URLencode(enc2utf8(path), reserved = TRUE, repeated = TRUE), fixed = TRUE)
  paste0("file:", if (!startsWith(encoded, "/")) "/", encoded, "?immutable=1")
}

file_stat <- function(path) unlist(file.info(path, extra_cols = FALSE)[c("size", "mtime", "ctime")])

# The size of the main file, and the stamp in its header (see store-files.R); NULL if it is not an SQLite file. While
# another process writes the log's content to the file, its first page may already count pages that are not there, which
# SQLite takes for damage: the file is read again until it has not changed for `wait` seconds.
file_header <- function(path, wait = 0.2) {
  changed <- NULL
  repeat {
    stat <- file_stat(path)
    header <- tryCatch(read_main_file(path), error = identity)
    if (!inherits(header, "condition")) return(header)
    if (!identical(stat, changed$stat)) changed <- list(stat = stat, time = Sys.time())
    is_passing <- grepl("malformed", conditionMessage(header), fixed = TRUE) && Sys.time() < changed$time + wait
    if (!is_passing) return(NULL)
    Sys.sleep(0.01)
  }
}

# Reads the main file without the write-ahead log, by an immutable connection. Reading the file in any other way would
# release this process's locks on it, because closing a file releases all locks of a process.
read_main_file <- function(path) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), immutable_uri(path), flags = RSQLite::SQLITE_RO, synchronous = NULL)
  on.exit(DBI::dbDisconnect(connection))
  # Bytes after the last page do not belong to the database; SQLite removes them.
  pages <- DBI::dbGetQuery(connection, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")[[1]]
  c(size = min(file.size(path), pages), generation = DBI::dbGetQuery(connection, "PRAGMA user_version")[[1]],
    identity = DBI::dbGetQuery(connection, "PRAGMA application_id")[[1]])
}

# Whether the main file and the write-ahead log contain the last state that this process committed or read, or a later
# one.
files_hold_all <- function(state) {
  main <- file_header(state$path)
  on_disk <- wal_tail_cpp(paste0(state$path, "-wal"))$stamp
  if (anyNA(on_disk)) on_disk <- main[c("generation", "identity")]
  !is.null(main) && main[["identity"]] %in% c(0, state$openings) && on_disk[[2]] %in% state$openings &&
    on_disk[[1]] >= state$stamp[1]
}

# Explains an error of SQLite that is due to the index: if the index belongs to another write-ahead log, SQLite finds no
# database, or cannot read its pages, although the files are intact.
explain_failure <- function(store, cnd) {
  state <- store$state
  if (!is.null(state$stamp) && !is.null(state$path) && files_hold_all(state)) abort_index(store, "overwritten")
  rlang::cnd_signal(cnd)
}

abort_index <- function(store, change) {
  label <- store$label
  store$state$reported <- TRUE
  intact <- files_hold_all(store$state)
  abort_judicious(c(
    "The index of the log of the session {label} (the file ending in -shm) was {change} while the session was open.",
    x = "What this call wrote is not acknowledged.",
    i = if (intact) "End all R processes that have the session open, and then open it again. The index is made anew, and
      nothing of what was acknowledged is lost. Do not delete the file ending in -wal.",
    i = if (!intact) "The other files were changed, too, and the open session cannot read its judgments any more. End R,
      and read what the files still hold with {.fn recover_session}, or restore a copy."
  ), "store_moved", call = NULL)
}
