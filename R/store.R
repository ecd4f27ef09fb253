# Stores of judging sessions. A store has a few tables (`store_tables`) and the functions below; sessions use nothing
# else of it. `memory_store()` keeps the tables in R, `dbi_store()` in SQLite or PostgreSQL.

# Columns and types of every table; the type "key" is text that is in an index, and `key` are the columns that identify
# a row. `event` is the log; rows are only appended to it. `slot` could be computed from the log, but is stored so that
# assigning a document and recording its judgment take few statements. A slot is a request for a judgment of a pair of
# the pool, or a judgment that was made without one. `copy` is 1 for the first slot of a pair, 2 for the second, and so
# on, and 0 for the final judgment by a lead. Slots are assigned in the order of `place`, urgent ones first.
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
  # Leases of tasks that are not documents, such as pairs to compare: the assessor, and the time at which the lease
  # ends.
  claim = list(key = c("task", "assessor"), columns = c(task = "key", assessor = "key", lease_until = "real")),
  assessor = list(key = "assessor", columns = c(assessor = "key", role = "text", token = "text", added = "text",
                                                         expires = "real")),
  answer = list(key = "id", columns = c(id = "id", time = "text", task = "key", assessor = "key", answer = "text",
                                        seconds = "real", checksum = "text"))
)

# Runs `code` as a transaction: all of its writes are stored, or none.
store_exclusive <- function(store, code) UseMethod("store_exclusive")

# The rows of a table whose columns have one of the values in `where` and, with `after`, whose id is higher. `lock`
# prevents other processes from changing them until the transaction ends.
store_rows <- function(store, table, where = list(), after = NULL, lock = FALSE) UseMethod("store_rows")

# Appends rows; returns ids for tables with numbered rows. Rows whose key exists are ignored.
store_insert <- function(store, table, rows) UseMethod("store_insert")

# Replaces the rows with the same keys.
store_update <- function(store, table, rows) UseMethod("store_update")

# Leases up to `n` slots to an assessor and returns them. Slots must be open or have an expired lease, the assessor must
# not have another slot of the same pair, and the pair must be among `pairs`, unless this is NULL. Slots are leased in
# the order of the queue.
store_take <- function(store, assessor, n, now, until, pairs = NULL) UseMethod("store_take")

# The number of the last change that a lead has made to the session; 0 if there is none.
control_number <- function(store) as.integer(c(store_meta(store, "control"), 0)[1])

# An edition is the setup of a session with the collection after an addition. Its number is that of the event that
# created it; 0 is the initial setup.
store_edition <- function(store) as.integer(store_meta(store, "edition"))

# The locks by which processes share the work of a session: `queue` for filling the queue, `fits` for estimation. They
# only avoid double work; results are correct without them. `key` is arbitrary, but the same in every process. If the
# process that has a lock cannot be checked, the lock is assumed to last `seconds`.
store_locks <- list(queue = list(key = 7302L, seconds = 30), fits = list(key = 7303L, seconds = 600))

# TRUE if this process has the lock `lock` or gets it now. Only one process can have it at a time.
store_lock <- function(store, lock) UseMethod("store_lock")
store_unlock <- function(store, lock) UseMethod("store_unlock")

# Runs `code` with a lock, unless another process has the lock. Returns whether `code` was run.
in_lock <- function(store, lock, code) {
  has_lock <- lock %in% store$state$locks
  if (!has_lock) {
    if (!store_lock(store, lock)) return(FALSE)
    on.exit(store_unlock(store, lock))
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
  row_exists <- nrow(store_rows(store, table, key, lock = TRUE)) > 0
  if (row_exists) store_update(store, table, row) else store_insert(store, table, row)
}

# Like data.frame(), but faster, because it does not check the columns: it is called hundreds of times per second.
# Columns of length one are recycled.
quick_frame <- function(..., columns = list(...)) {
  size <- lengths(columns)
  n <- if (any(size == 0)) 0L else max(size)
  shorter <- size != n
  if (any(shorter)) columns[shorter] <- lapply(columns[shorter], rep_len, n)
  list2DF(columns)
}

# Selects rows of a table, like `[`.
pick_rows <- function(rows, index) list2DF(lapply(unclass(rows), `[`, index))

# Like rbind(), for rows of one table.
join_rows <- function(a, b) if (!nrow(a)) b else if (!nrow(b)) a else rbind(a, b)

# A row with an object as its `value`, which is serialised for a database and left as it is in memory.
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

sorted_by_place <- function(slots) {
  if (nrow(slots) < 2) slots else pick_rows(slots, order(-slots$urgent, slots$place, slots$copy))
}

# The judgments in the log, and events of other `kinds`.
judged_events <- function(store, kinds = character(), after = NULL) {
  judgments_of_gold(store_rows(store, "event", list(kind = c("judge", "gold", kinds)), after = after))
}

# Splits each event that records a right answer into one row per judgment that follows from it. The log stores these
# judgments in the `detail` of the event.
judgments_of_gold <- function(events) {
  gold <- which(events$kind == "gold")
  if (!length(gold)) return(events)
  fields <- lapply(gold_fields(events$detail[gold]), function(fields) matrix(fields[-1], 2))
  rows <- pick_rows(events, rep(seq_len(nrow(events)), replace(rep(1L, nrow(events)), gold, vapply(fields, ncol, 0L))))
  is_right_answer <- rows$kind == "gold"
  rows$doc[is_right_answer] <- unlist(lapply(fields, `[`, 1, TRUE))
  rows$gain[is_right_answer] <- as.numeric(unlist(lapply(fields, `[`, 2, TRUE)))
  rows[is_right_answer, c("kind", "detail")] <- rep(c("judge", "gold"), each = sum(is_right_answer))
  rows
}

# The fields of an event with a right answer: first the answer, then the documents with their gains.
gold_fields <- function(detail) {
  lapply(strsplit(detail, "\t", fixed = TRUE), function(fields) {
    gsub("%25", "%", gsub("%09", "\t", fields, fixed = TRUE), fixed = TRUE)
  })
}

# Adds a checksum to each row of the trace, whose figures were reported to people, or of the answers. Rows have separate
# checksums, because several processes add rows in no fixed order. In memory, nothing is added.
with_checksums <- function(store, rows) {
  if (in_memory(store)) return(rows)
  content <- unclass(rows)[!names(rows) %in% c("id", "checksum")]
  fields <- lapply(content, function(x) if (is.character(x)) enc2utf8(x) else sprintf("%a", as.double(x)))
  # Fields are joined with a character that texts cannot contain.
  lines <- do.call(paste, c(fields, sep = "\1"))
  rows$checksum <- vapply(lines, function(line) checksum_cpp(charToRaw(line)), "", USE.NAMES = FALSE)
  rows
}

# The store that keeps a session in R only, in tables whose columns grow.

memory_store <- function() {
  tables <- lapply(store_tables, function(table) new_memory_table(table$columns))
  structure(list(tables = tables, clock_offset = 0, label = "memory"), class = "judicious_memory_store")
}

# A table that functions can change in place, with columns of these types.
new_memory_table <- function(types) {
  columns <- lapply(types, function(type) {
    switch(type, text = , key = character(), real = numeric(), blob = list(), integer())
  })
  list2env(list(columns = columns, n = 0L), parent = emptyenv())
}

# The rows of a table, or some of them, as a data frame.
memory_rows <- function(table, rows = seq_len(table$n)) list2DF(lapply(table$columns, `[`, rows))

memory_add <- function(table, rows) if (nrow(rows)) memory_set(table, table$n + seq_len(nrow(rows)), rows)

# Appends one row, with its values in the order of the columns.
memory_append <- function(table, values) memory_set(table, table$n + 1L, values, seq_along(values))

# Sets rows of a table. R changes a vector in place only if a single variable refers to it, so the table has no columns
# during the change, and an interrupt, which would lose them, must wait.
memory_set <- function(table, row_numbers, rows, columns = match(names(rows), names(table$columns))) {
  force(columns)
  rows <- unclass(rows)
  # Columns that are missing in `rows` remain NA.
  top <- max(table$n, row_numbers)
  if (top > length(table$columns[[1]])) table$columns <- lapply(table$columns, `length<-`, max(64, 2 * top))
  suspendInterrupts({
    values <- table$columns
    table$columns <- NULL
    for (i in seq_along(columns)) values[[columns[i]]][row_numbers] <- rows[[i]]
    table$columns <- values
    table$n <- top
  })
}

# A faster %in%, which is called dozens of times per judgment, mostly with a single value.
is_among <- function(x, values) if (length(values) == 1 && !is.na(values)) !is.na(x) & x == values else x %in% values

# The position in the table of the row with the same key as each of `rows`; NA if there is none.
memory_find <- function(table, name, rows) {
  key <- store_tables[[name]]$key
  candidates <- seq_len(table$n)
  for (column in key) candidates <- candidates[is_among(table$columns[[column]][candidates], rows[[column]])]
  if (nrow(rows) == 1) return(candidates[1])
  key_columns <- lapply(unname(table$columns[key]), `[`, candidates)
  candidates[match(do.call(text_key, unname(as.list(rows[key]))), do.call(text_key, key_columns))]
}

#' @export
store_exclusive.judicious_memory_store <- function(store, code) force(code)

#' @export
store_rows.judicious_memory_store <- function(store, table, where = list(), after = NULL, lock = FALSE) {
  stored <- store$tables[[table]]
  # Ids of the log are numbers from 1 without gaps, so they are positions of rows.
  row_index <- if (is.null(after)) seq_len(stored$n) else seq_len(max(stored$n - after, 0)) + after
  for (column in names(where)) row_index <- row_index[is_among(stored$columns[[column]][row_index], where[[column]])]
  memory_rows(stored, row_index)
}

#' @export
store_insert.judicious_memory_store <- function(store, table, rows) {
  stored <- store$tables[[table]]
  if ("id" %in% names(stored$columns)) {
    id <- stored$n + seq_len(nrow(rows))
    memory_set(stored, id, c(list(id = id), unclass(rows)))
    return(invisible(id))
  }
  is_stored <- !is.na(memory_find(stored, table, rows))
  memory_add(stored, if (any(is_stored)) pick_rows(rows, !is_stored) else rows)
}

#' @export
store_update.judicious_memory_store <- function(store, table, rows) {
  stored <- store$tables[[table]]
  memory_set(stored, memory_find(stored, table, rows), rows)
}

#' @export
store_take.judicious_memory_store <- function(store, assessor, n, now, until, pairs = NULL) {
  slots <- store$tables$slot
  used <- seq_len(slots$n)
  state <- slots$columns$state[used]
  free <- used[state == "open" | (state == "leased" & slots$columns$lease_until[used] < now)]
  assessor_pairs <- slots$columns$pair[used][is_among(slots$columns$assessor[used], assessor)]
  free <- free[!slots$columns$pair[free] %in% assessor_pairs]
  if (!is.null(pairs)) free <- free[slots$columns$pair[free] %in% pairs]
  free <- free[order(-slots$columns$urgent[free], slots$columns$place[free], slots$columns$copy[free])]
  free <- utils::head(free[!duplicated(slots$columns$pair[free])], n)
  if (length(free)) memory_set(slots, free, list(state = "leased", assessor = assessor, lease_until = until))
  memory_rows(slots, free)
}

#' @export
store_lock.judicious_memory_store <- function(store, lock) TRUE

#' @export
store_unlock.judicious_memory_store <- function(store, lock) invisible()

#' @export
store_close.judicious_memory_store <- function(store) invisible()
