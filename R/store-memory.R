# A session kept in R alone: the store's tables as columns that grow.

memory_store <- function() {
  store <- new.env(parent = emptyenv())
  store$clock_offset <- 0
  store$tables <- lapply(store_tables, function(table) {
    columns <- lapply(table$columns, function(type) {
      switch(type, text = character(), real = numeric(), blob = list(), integer())
    })
    list2env(list(columns = columns, n = 0L), parent = emptyenv())
  })
  structure(list(state = store, clock_offset = 0, label = "memory"), class = "judicious_memory_store")
}

memory_table <- function(store, table) store$state$tables[[table]]

# The used part of some columns, as a data frame.
memory_rows <- function(table, at) {
  structure(lapply(table$columns, function(column) column[at]), class = "data.frame", row.names = seq_along(at))
}

memory_set <- function(table, at, rows) {
  top <- max(table$n, at)
  if (top > length(table$columns[[1]])) {
    capacity <- max(64, 2 * top)
    table$columns <- lapply(table$columns, function(column) {
      length(column) <- capacity
      column
    })
  }
  for (column in names(rows)) table$columns[[column]][at] <- rows[[column]]
  table$n <- top
}

# One text per key.
memory_key <- function(table, name, at = seq_len(table$n)) {
  do.call(paste, c(lapply(table$columns[store_tables[[name]]$key], function(column) column[at]), sep = "\r"))
}

#' @export
store_exclusive.judicious_memory_store <- function(store, code) force(code)

#' @export
store_rows.judicious_memory_store <- function(store, table, where = list(), after = NULL, lock = FALSE) {
  t <- memory_table(store, table)
  # Ids of the log count from 1 without gaps.
  at <- if (is.null(after)) seq_len(t$n) else seq_len(max(t$n - after, 0)) + after
  for (column in names(where)) at <- at[t$columns[[column]][at] %in% where[[column]]]
  memory_rows(t, at)
}

#' @export
store_insert.judicious_memory_store <- function(store, table, rows) {
  t <- memory_table(store, table)
  rows <- complete_rows(table, rows)
  if ("id" %in% names(rows)) {
    rows$id <- t$n + seq_len(nrow(rows))
  } else {
    key <- do.call(paste, c(rows[store_tables[[table]]$key], sep = "\r"))
    rows <- rows[!key %in% memory_key(t, table), , drop = FALSE]
  }
  if (nrow(rows)) memory_set(t, t$n + seq_len(nrow(rows)), rows)
  invisible(rows$id)
}

#' @export
store_update.judicious_memory_store <- function(store, table, rows) {
  t <- memory_table(store, table)
  key <- do.call(paste, c(rows[store_tables[[table]]$key], sep = "\r"))
  memory_set(t, match(key, memory_key(t, table)), rows)
}

#' @export
store_take.judicious_memory_store <- function(store, assessor, n, now, until) {
  t <- memory_table(store, "slot")
  used <- seq_len(t$n)
  free <- used[t$columns$state[used] %in% "open" |
                 (t$columns$state[used] %in% "leased" & t$columns$lease_until[used] < now)]
  own <- t$columns$pair[used][t$columns$assessor[used] %in% assessor]
  free <- free[!t$columns$pair[free] %in% own]
  free <- free[order(-t$columns$urgent[free], t$columns$place[free], t$columns$copy[free])]
  free <- utils::head(free[!duplicated(t$columns$pair[free])], n)
  rows <- memory_rows(t, free)
  if (nrow(rows)) {
    rows$state <- "leased"
    rows$assessor <- assessor
    rows$lease_until <- until
    memory_set(t, free, rows)
  }
  rows
}

#' @export
store_lock.judicious_memory_store <- function(store) TRUE

#' @export
store_unlock.judicious_memory_store <- function(store) invisible()

#' @export
store_close.judicious_memory_store <- function(store) invisible()
