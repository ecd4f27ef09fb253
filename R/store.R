# Stores of judging sessions. A store has a few tables (store_tables) and the functions below, which are all that
# sessions use. `memory_store()` keeps them in R, `dbi_store()` in SQLite or PostgreSQL.

# Columns and types of every table, where "key" is text that is in an index; `key` identifies a row. `event` is the log,
# which is only appended to. `slot` follows from the log, and is stored so that assigning a document and recording its
# judgment take few statements. A slot is a request for a judgment of a pair of the pool (`copy` 2 for the second
# judgment), in the order of `place`.
store_tables <- list(
  meta = list(key = "name", columns = c(name = "key", value = "text")),
  object = list(key = "name", columns = c(name = "key", value = "blob")),
  event = list(key = "id", columns = c(id = "id", time = "text", assessor = "text", kind = "key", query = "text",
                                       doc = "text", gain = "real", seconds = "real", detail = "text")),
  slot = list(key = c("pair", "copy"),
              columns = c(pair = "integer", copy = "integer", audit = "integer", overlap = "integer", state = "key",
                          assessor = "key", lease_until = "real", urgent = "integer", place = "real",
                          event = "integer")),
  fit = list(key = "event", columns = c(event = "integer", judged = "integer", value = "blob")),
  trace = list(key = "event", columns = c(event = "integer", kind = "text", judged = "integer", cost = "real",
                                          value = "real", confidence = "real", mean = "real", sd = "real",
                                          checksum = "text")),
  # The assessor who holds a task that is not a document, such as a pair to compare, and until when.
  claim = list(key = c("task", "assessor"), columns = c(task = "key", assessor = "key", lease_until = "real")),
  assessor = list(key = "assessor", columns = c(assessor = "key", role = "text", token = "text", added = "text",
                                                         expires = "real")),
  answer = list(key = "id", columns = c(id = "id", time = "text", task = "key", assessor = "key", answer = "text",
                                        seconds = "real", checksum = "text"))
)

# Runs `code` as a transaction: all of its writes are kept, or none.
store_exclusive <- function(store, code) UseMethod("store_exclusive")

# The rows of a table: those whose columns have one of the values in `where`, and, with `after`, a higher id. `lock`
# prevents changes by others until the transaction ends.
store_rows <- function(store, table, where = list(), after = NULL, lock = FALSE) UseMethod("store_rows")

# Appends rows; returns ids for tables with numbered rows. Rows whose key exists are ignored.
store_insert <- function(store, table, rows) UseMethod("store_insert")

# Replaces the rows with the same keys.
store_update <- function(store, table, rows) UseMethod("store_update")

# Leases up to `n` slots to an assessor and returns them. Slots must be open or have an expired lease, the assessor must
# not have another slot of the same pair, and the pair must be among `pairs`, if given. Slots are leased in the order of
# the queue.
store_take <- function(store, assessor, n, now, until, pairs = NULL) UseMethod("store_take")

# Records an event, a judgment by its assessor, and finishes the slot of the pair in the same statement, if the store
# can do this and the assessor holds the slot. Returns the other slots that the assessor holds, or NULL, without any
# change, if it cannot, and for a slot whose judgment requests a second one.
store_finish <- function(store, pair, event) UseMethod("store_finish")

#' @export
store_finish.default <- function(store, pair, event) NULL

# The kinds of events that are notes on a document.
note_events <- c("comment", "flag", "unflag")

# The number of the lead's last change of the session.
control_number <- function(store) as.integer(c(store_meta(store, "control"), 0)[1])

# What the judging page needs to know before every action of an assessor: `role`, `token` and `expires` of the
# assessor (of length 0 or NA where there is none), the numbers of the `edition` and of the lead's last `control`, and
# the id of the last event of a `note`, 0 without any.
store_visit <- function(store, assessor) UseMethod("store_visit")

# An edition of a session consists of its parts with a collection that has grown. Its number is that of the event that
# created it; 0 is the initial session.
store_edition <- function(store) as.integer(store_meta(store, "edition"))

#' @export
store_visit.default <- function(store, assessor) {
  known <- store_rows(store, "assessor", list(assessor = assessor))
  list(role = known$role, token = known$token, expires = known$expires, edition = store_edition(store),
       control = control_number(store), note = max(store_rows(store, "event", list(kind = note_events))$id, 0L))
}

# The locks by which processes share the work of a session: `queue` to fill the queue, `fits` to estimate. Correctness
# does not depend on them. `key` is arbitrary, but the same in every process; a lock of a process that cannot be checked
# is assumed to last `seconds`.
store_locks <- list(queue = list(key = 7302L, seconds = 30), fits = list(key = 7303L, seconds = 600))

# TRUE if this process has, or gets, the lock `what`, which only one process has at a time.
store_lock <- function(store, what) UseMethod("store_lock")
store_unlock <- function(store, what) UseMethod("store_unlock")

# Runs `code` with a lock, unless another process has it, and returns whether it did.
in_lock <- function(store, what, code) {
  held <- what %in% store$state$locks
  if (!held) {
    if (!store_lock(store, what)) return(FALSE)
    on.exit(store_unlock(store, what))
  }
  force(code)
  TRUE
}

store_close <- function(store) UseMethod("store_close")

# Seconds since 1970, by the clock of the store.
store_now <- function(store) as.numeric(Sys.time()) + store$clock_offset

utc_text <- function(seconds) format(.POSIXct(seconds, tz = "UTC"), "%Y-%m-%dT%H:%M:%OS3Z", tz = "UTC")

utc_time <- function(text) as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")

store_meta <- function(store, name) store_rows(store, "meta", list(name = name))$value

set_meta <- function(store, name, value) store_put(store, "meta", quick_frame(name = name, value = as.character(value)))

# Updates the row of the same key, or inserts it.
store_put <- function(store, table, row) {
  key <- unclass(row)[store_tables[[table]]$key]
  known <- nrow(store_rows(store, table, key, lock = TRUE)) > 0
  if (known) store_update(store, table, row) else store_insert(store, table, row)
}

# A fast data.frame() for valid columns, which is called hundreds of times per second. Columns of length one are
# recycled.
quick_frame <- function(...) as_quick_frame(list(...))

as_quick_frame <- function(columns) {
  size <- lengths(columns)
  n <- if (any(size == 0)) 0L else max(size)
  other <- size != n
  if (any(other)) columns[other] <- lapply(columns[other], rep_len, n)
  frame_of(columns, n)
}

frame_of <- function(columns, n) {
  attr(columns, "row.names") <- .set_row_names(n)
  oldClass(columns) <- "data.frame"
  columns
}

# Rows of a table, as by `[`.
pick_rows <- function(rows, at) {
  columns <- lapply(unclass(rows), `[`, at)
  frame_of(columns, length(columns[[1]]))
}

# rbind() of rows of one table.
join_rows <- function(a, b) if (!nrow(a)) b else if (!nrow(b)) a else rbind(a, b)

# Adds missing columns as NA, and sorts columns as in the table.
complete_rows <- function(table, rows) {
  columns <- absent_columns[[table]]
  given <- names(columns)[names(columns) %in% names(rows)]
  columns[given] <- unclass(rows)[given]
  as_quick_frame(columns)
}

absent_columns <- lapply(store_tables, function(table) {
  empty <- list(text = NA_character_, key = NA_character_, real = NA_real_, integer = NA_integer_, id = NA_integer_,
                blob = list(NULL))
  lapply(table$columns, function(type) empty[[type]])
})

# A row with an object as its `value`: bytes in a database, the object itself in memory.
blob_row <- function(store, ..., value, kind) {
  added <- quick_frame(...)
  added$value <- list(if (in_memory(store)) value else encode_data(value, kind))
  added
}

blob_value <- function(row, kind) {
  value <- row$value[[1]]
  if (is.raw(value)) decode_data(value, kind) else value
}

in_memory <- function(store) inherits(store, "judicious_memory_store")

by_place <- function(slots) {
  if (nrow(slots) < 2) slots else pick_rows(slots, order(-slots$urgent, slots$place, slots$copy))
}

# The judgments in the log, and events of other `kinds`.
judged_events <- function(store, kinds = character(), after = NULL) {
  judgments_of_gold(store_rows(store, "event", list(kind = c("judge", "gold", kinds)), after = after))
}

# Events with a row for each judgment of a right answer, whose detail is "gold".
judgments_of_gold <- function(events) {
  at <- which(events$kind == "gold")
  if (!length(at)) return(events)
  fields <- lapply(gold_fields(events$detail[at]), function(fields) matrix(fields[-1], 2))
  rows <- pick_rows(events, rep(seq_len(nrow(events)), replace(rep(1L, nrow(events)), at, vapply(fields, ncol, 0L))))
  own <- rows$kind == "gold"
  rows$doc[own] <- unlist(lapply(fields, `[`, 1, TRUE))
  rows$gain[own] <- as.numeric(unlist(lapply(fields, `[`, 2, TRUE)))
  rows[own, c("kind", "detail")] <- rep(c("judge", "gold"), each = sum(own))
  rows
}

# The fields of a right answer: the answer, and then the documents with their gains.
gold_fields <- function(detail) {
  lapply(strsplit(detail, "\t", fixed = TRUE), function(fields) {
    gsub("%25", "%", gsub("%09", "\t", fields, fixed = TRUE), fixed = TRUE)
  })
}
