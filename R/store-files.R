# Checks that the files of a session in SQLite contain what this process has written. If the files are deleted, moved,
# replaced or overwritten, SQLite continues to write to the old files, where nobody can find the data any more.
#
# Each state of the database has a stamp in the header of the file: the number of transactions so far, stored as the
# user version; and the nonce of the latest opening of the session, stored as the application id. A copy that was opened
# elsewhere has the nonce of that opening. While a process holds the lock for writing, the stamp on disk (in the
# write-ahead log, or else in the main file) must equal the one that it reads through its connection; otherwise the
# files were changed.
#
# The write-ahead log is the file of SQLite that ends in -wal; its index ends in -shm. "The event log" is the table
# `event` of the session.

#' @export
store_connected.judicious_sqlite_store <- function(store) {
  sql_get(store, "PRAGMA busy_timeout = 20000")
  # In this mode, readers and a writer do not block each other. With full synchronisation, a commit is on disk when it
  # returns.
  if (!is_reader(store)) sql_get(store, "PRAGMA journal_mode = WAL")
  sql_run(store, "PRAGMA synchronous = FULL")
  # SQLite creates the write-ahead log at the first read.
  sql_get(store, "SELECT COUNT(*) FROM sqlite_master")
  path <- sql_get(store, "PRAGMA database_list")$file[1]
  if (!nzchar(path)) return(replace(store, "label", "a database in memory, which ends with its connection"))
  state <- store$state
  state$path <- path
  state$files <- file_identities(path)
  # A reader of a file without a write-ahead log has no index to check.
  if (is_reader(store)) state$files[3] <- ""
  state$stat <- file_stat(path)
  # The header is read before the list of openings, so that it does not have the nonce of one that is not in the list.
  state$header <- file_header(path)
  state$stamp <- state$pending <- read_stamp(store)
  listed <- tryCatch(listed_openings(store), judicious_error = function(cnd) NULL)
  # The main file may still have the nonce of an earlier opening, or that of the creation of the file, which is not
  # listed.
  state$openings <- unique(c(listed$nonce, state$stamp[2], state$header[["identity"]]))
  belong <- is_reader(store) || !is.null(state$header) && tryCatch({
    check_files(store)
    TRUE
  }, judicious_error_store_moved = function(cnd) FALSE)
  abort_unless(belong, c(
    "The files of the session {store$label} do not belong together.",
    x = "The file, or its log, the file ending in -wal, is of another moment, or damaged.",
    i = "Restore all files of one moment, or a copy by {.fn backup_session}, or use {.fn recover_session}."
  ), "store_corrupt", call = NULL)
  store
}

# The stamp of the database as the connection reads it.
read_stamp <- function(store) {
  unlist(sql_get(store, "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"),
         use.names = FALSE)
}

# Raises an error if the files are not those of the session, or if somebody else has changed them. `locked`: this
# process holds the lock for writing; if not, other processes may have written to the session.
check_files <- function(store, locked = FALSE) {
  state <- store$state
  if (is.null(state$path)) return(invisible())
  identities <- file_identities(state$path)
  gone <- which(identities[1:2] != state$files[1:2])
  if (length(gone)) abort_moved(store, gone[1], if (all(nzchar(identities[gone]))) "replaced" else "deleted or moved")
  check_index(store, writes = TRUE)
  if (locked) follow_openings(store)
  check_tail(store, locked)
}

check_tail <- function(store, locked) {
  state <- store$state
  log <- wal_tail_cpp(paste0(state$path, "-wal"), state$log)
  check_header(store, locked)
  if (!log$follows) abort_overwritten(store, 2)
  stamp <- stamp_of(store, log$stamp)
  same <- equals_stamp(state, stamp)
  # The position up to which the write-ahead log was read is kept only if this log ends with the state that this process
  # knows; otherwise another process may still be writing the rest.
  if (same) state$log <- log
  if (same || stamp_may_differ(state, stamp, locked)) {
    state$reported <- FALSE
    return(invisible())
  }
  if (locked && is_unfinished_transaction(store, log)) return(invisible())
  # The write-ahead log on disk is newer than the state that SQLite finds through the index.
  if (stamp[[1]] > state$stamp[1] && stamp[[2]] %in% state$openings) abort_index(store, "overwritten")
  abort_overwritten(store, 2)
}

# Whether the stamp on disk may differ from that of this process: the file is new, or other processes may have written
# to the session, because this process does not hold the lock.
stamp_may_differ <- function(state, stamp, locked) is_new_file(state) || (!locked && stamp[[1]] > state$stamp[1])

# Whether the end of the write-ahead log is a transaction that a killed process has written there but not to the index.
# The transaction was not acknowledged, and SQLite will overwrite it. It directly follows the last one in the index,
# whose stamp must be that of this process. Of its own stamp only the number is compared: it may be a new opening, with
# a nonce that this process does not know.
is_unfinished_transaction <- function(store, log) {
  state <- store$state
  isTRUE(log$stamp[1] == state$stamp[1] + 1) && equals_stamp(state, stamp_of(store, log$before))
}

# The stamp in the write-ahead log (`in_log`), or that of the main file if this log has none.
stamp_of <- function(store, in_log) if (anyNA(in_log)) read_header(store)[c("generation", "identity")] else in_log

equals_stamp <- function(state, stamp) identical(as.integer(stamp), as.integer(state$stamp))

# Whether no transaction has ended yet, so that the file has no stamp.
is_new_file <- function(state) equals_stamp(state, c(0, 0))

# Reads the stamp of the last commit, at the beginning of a transaction. Openings that are new to this process must be
# later than the last state that it has read; otherwise the files are a copy that was opened elsewhere.
follow_openings <- function(store) {
  state <- store$state
  before <- state$stamp
  state$stamp <- state$pending <- read_stamp(store)
  is_older <- state$stamp[1] < before[1]
  if (!is_older && !state$stamp[2] %in% state$openings) {
    listed <- listed_openings(store)
    new <- !listed$nonce %in% state$openings
    is_older <- !all(listed$generation[new] > before[1])
    if (!is_older) state$openings <- c(state$openings, listed$nonce[new])
  }
  if (!is_older) return(invisible())
  state$stamp <- before
  state$reported <- TRUE
  abort_overwritten(store, 2, "The files are now those of another session, or of another copy of this one: restore a
    copy of {.fn backup_session}.")
}

# The nonces of all openings, and the numbers of the transactions that recorded them.
listed_openings <- function(store) {
  listed <- unlist(strsplit(as.character(store_meta(store, "openings")), " ", fixed = TRUE))
  list(nonce = as.integer(sub("@.*", "", listed)), generation = as.integer(sub(".*@", "", listed)))
}

# Adds a seal to the event log when a session is opened and closed, and before events are written to the main file. The
# seal covers the events since the previous seal: the id of the last one, their number and their checksum. Events that
# are only in the write-ahead log are protected by its checksums. Sealing reads only the new events; checking the seals
# reads all events. `max_seals`: after this number of seals, a single one replaces them.
seal_log <- function(store, max_seals = 100) {
  seals <- log_seals(store)
  if (length(seals$text) >= max_seals) seals <- list()
  events <- store_rows(store, "event", after = max(seals$id, 0L))
  if (nrow(events)) set_meta(store, "seals", paste(c(seals$text, seal_of(events)), collapse = " "))
}

log_seals <- function(store) {
  text <- as.character(unlist(strsplit(as.character(store_meta(store, "seals")), " ", fixed = TRUE)))
  list(text = text, id = as.integer(sub(":.*", "", text)))
}

# Each text ends with a zero byte, which texts cannot contain, so that different texts give different checksums.
seal_of <- function(events) {
  is_text <- vapply(events, is.character, NA)
  texts <- unlist(events[is_text], use.names = FALSE)
  bytes <- c(writeBin(as.double(unlist(events[!is_text])), raw(), endian = "little"),
             writeBin(enc2utf8(replace(texts, is.na(texts), "\1")), raw()))
  paste(max(events$id, 0L), nrow(events), checksum_cpp(bytes), sep = ":")
}

# The last number that SQLite has assigned to a row. SQLite numbers rows without gaps, and stores the last number.
last_number <- function(store, table) sql_get(store, "SELECT seq FROM sqlite_sequence WHERE name = ?", list(table))$seq

# What is needed to check that the event log is complete: the seals, and the number of the last event. They are read
# before the events, because other processes may write at any time. NULL for other databases than SQLite.
log_marks <- function(store) {
  if (!inherits(store, "judicious_sqlite_store")) return(NULL)
  c(log_seals(store), list(last = last_number(store, "event")))
}

# Whether the event log has the sealed events unchanged, and no later event is missing.
is_log_whole <- function(events, marks) {
  if (is.null(marks)) return(TRUE)
  block <- findInterval(events$id, marks$id, left.open = TRUE) + 1L
  computed <- vapply(seq_along(marks$id), function(i) seal_of(pick_rows(events, block == i)), "")
  later <- events$id[block > length(computed)]
  identical(computed, marks$text) &&
    all(later == max(marks$id, 0L) + seq_along(later), marks$last <= max(events$id, 0L))
}

# Adds a nonce for this opening to the list of openings.
sign_opening <- function(store) {
  if (is.null(store$state$path) || is_reader(store)) return(invisible())
  unless_unwritable(store_exclusive(store, {
    nonce <- identify_file(store)
    before <- unlist(strsplit(as.character(store_meta(store, "openings")), " ", fixed = TRUE))
    seal_log(store)
    set_meta(store, "openings", paste(c(utils::tail(before, 200), sprintf("%d@%d", nonce, store$state$stamp[1] + 1L)),
                                      collapse = " "))
    set_meta(store, "closed", closed_mark(store))
  }), NULL)
}

# The value of `closed` in the store while a session is open: 0, or empty if the session does not close its connection.
# When the session closes its connection, it replaces 0 by the number of transactions so far.
closed_mark <- function(store) {
  if (is.null(store$state$path) || !store$owns_connection) return("")
  store$state$signed <- TRUE
  "0"
}

# Warns if the write-ahead log is missing. While a session is open, this log is never empty; the last process that
# closes the session deletes it. A process that begins the log anew leaves it empty for a moment, but not while this
# process has the lock.
warn_missing_log <- function(store) {
  if (is.null(store$state$path) || !misses_log(store)) return()
  if (!unless_unwritable(misses_log_in_lock(store), TRUE)) return()
  last <- c(utils::tail(store_rows(store, "event")$time, 1), "its beginning")[1]
  warn_judicious(c(
    "The session {store$label} was not closed, and its log, the file ending in -wal, is missing or holds nothing.",
    i = "What was judged after {last} may be missing, unless another program has moved the log's content to the file.
      {.fn recover_session} reads the file and the log, if there is a copy of both."
  ), "missing_log")
}

misses_log <- function(store) {
  closed <- c(store_meta(store, "closed"), "")[1]
  # The log is read after `closed`, which another process may have written after this one connected.
  !closed %in% c("", read_stamp(store)[1]) && wal_tail_cpp(paste0(store$state$path, "-wal"))$frames == 0
}

misses_log_in_lock <- function(store) {
  sql_run(store, store$dialect$begin)
  on.exit(sql_run(store, "ROLLBACK"))
  misses_log(store)
}

# Writes a new nonce to the header, and returns it. It is not drawn by R's random number generator, whose state belongs
# to the user.
identify_file <- function(store) {
  state <- store$state
  if (is.null(state$path)) return(invisible())
  hash <- rlang::hash(list(state$path, Sys.getpid(), as.numeric(Sys.time()), state$openings))
  nonce <- strtoi(substr(hash, 1, 7), 16L) + 1L
  state$pending[2] <- nonce
  state$openings <- c(state$openings, nonce)
  sql_run(store, sprintf("PRAGMA application_id = %d", nonce))
  nonce
}

# Increases the number of transactions if this one has written anything.
count_transaction <- function(store) {
  state <- store$state
  if (is.null(state$path)) return(invisible())
  changes <- sql_get(store, "SELECT total_changes()")[[1]]
  # A transaction without a change need not be written to disk.
  if (identical(changes, state$changes)) return(invisible())
  state$changes <- changes
  state$pending[1] <- state$pending[1] + 1L
  sql_run(store, sprintf("PRAGMA user_version = %d", state$pending[1]))
}

# Checks the header of the main file. The file is read only if it has changed since the last check, which happens every
# few seconds.
check_header <- function(store, locked) {
  if (!identical(file_stat(store$state$path), store$state$stat)) read_header(store, locked)
  invisible()
}

# Reads and checks the header of the main file. Its number of transactions and the size of the file never decrease:
# processes change them only by writing the content of the write-ahead log to the file. This content was committed
# before, so under the lock, the number is at most that of the connection's state.
read_header <- function(store, locked = FALSE) {
  state <- store$state
  stat <- file_stat(state$path)
  header <- file_header(state$path)
  before <- state$header
  # A new file has no nonce before its write-ahead log is first written to it.
  openings <- c(state$openings, if (before[["identity"]] == 0) 0)
  is_older <- is.null(header) || any(header[1:2] < before[1:2])
  if (is_older || (locked && (header[["generation"]] > state$stamp[1] || !header[["identity"]] %in% openings))) {
    abort_overwritten(store, 1)
  }
  state$stat <- stat
  state$header <- header
  header
}

# Runs `code`; returns `otherwise` if the store cannot be written to, because nothing can be lost then.
unless_unwritable <- function(code, otherwise, failed = rlang::cnd_signal) {
  unwritable <- function(cnd) otherwise
  tryCatch(code, judicious_error_store_busy = unwritable, judicious_error_store_full = unwritable,
           judicious_error_store_read_only = unwritable, error = failed)
}

# Checks the files before a session is closed, because closing writes the write-ahead log to the main file and deletes
# it. If there is a fault that was not reported yet, the session stays open, so that it can be saved; a second call
# closes it.
check_before_closing <- function(store) {
  state <- store$state
  if (is.null(state$path) || state$reported || is_reader(store) || state$process != Sys.getpid()) return(invisible())
  is_unchanged <- unless_unwritable({
    store_exclusive(store, seal_log(store))
    connection <- DBI::dbConnect(RSQLite::SQLite(), state$path, flags = RSQLite::SQLITE_RW, synchronous = NULL)
    on.exit(DBI::dbDisconnect(connection))
    tryCatch(DBI::dbGetQuery(connection, "PRAGMA quick_check(1)")[[1]], error = conditionMessage)
  }, "ok", function(cnd) {
    state$reported <- TRUE
    rlang::cnd_signal(cnd)
  })
  if (!identical(is_unchanged, "ok")) abort_overwritten(store, 1)
}

abort_moved <- function(store, which, change) {
  session_label <- paste0(store$label, if (which == 2) " (its log, ending in -wal)")
  advice <- rescue_advice(store)
  abort_judicious(c(
    "The file of the session {session_label} was {change} while the session was open.",
    x = "What this call wrote is not acknowledged.",
    i = if (change != "replaced") "Put the file back, with those ending in -wal and -shm: the session then goes on.",
    i = advice
  ), "store_moved", call = NULL)
}

abort_overwritten <- function(store, which, advice = rescue_advice(store)) {
  session_label <- paste0(store$label, if (which == 2) " (or of its log, ending in -wal)")
  abort_judicious(c(
    "The content of the file of the session {session_label} was truncated or overwritten while the session was open.",
    x = "What was written after that is not acknowledged.",
    i = advice
  ), "store_moved", call = NULL)
}

# Advice for a session whose files were changed: to copy the session, if the connection can still read all tables.
rescue_advice <- function(store) {
  state <- store$state
  state$reported <- TRUE
  held <- tryCatch({
    for (table in names(store_tables)) DBI::dbGetQuery(state$connection, paste("SELECT * FROM", table))
    DBI::dbGetQuery(state$connection, "SELECT COUNT(*) FROM event WHERE kind = 'judge'")[[1]]
  }, error = function(cnd) 0)
  if (held > 0) {
    held <- cli::pluralize("{held} judgment{?s}")
    return(paste("The open session can still read", held, "from its memory and its log: save them to another file with
      {.fn backup_session} before closing it."))
  }
  "The open session cannot read its judgments any more. Close it, end R, and read what the files still hold with
    {.fn recover_session}."
}

is_checkpoint_due <- function(state, every = 5) !is.null(state$path) && as.numeric(Sys.time()) >= state$saved + every

# Writes the write-ahead log to the main file every few seconds, as far as readers permit, so that somebody who copies
# only the main file loses little.
checkpoint <- function(store) {
  state <- store$state
  state$saved <- as.numeric(Sys.time())
  try(DBI::dbGetQuery(state$connection, "PRAGMA wal_checkpoint(PASSIVE)"), silent = TRUE)
}
