# Keeps a session in R only, in tables whose columns grow.

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
memory_rows <- function(table, rows = seq_len(table$n)) frame_of(lapply(table$columns, `[`, rows), length(rows))

memory_add <- function(table, rows) if (nrow(rows)) memory_set(table, table$n + seq_len(nrow(rows)), rows)

# Appends one row, with its values in the order of the columns.
memory_append <- function(table, values) memory_set(table, table$n + 1L, values, seq_along(values))

# Changes elements of a vector in an environment, in place.
set_element <- function(env, field, index, value) {
  force(index)
  force(value)
  suspendInterrupts({
    stored <- env[[field]]
    env[[field]] <- NULL
    stored[index] <- value
    env[[field]] <- stored
  })
}

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
