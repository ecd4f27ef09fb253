# Changes stored sessions at random, in a row of a table or inside of the stored set-up, and opens and uses each: it must
# work, or raise an error of judicious, within a second or two. Prints the outcomes, and the changes that did neither.
#
#   Rscript bench/store-mutants.R [number of mutants, 10000] [seed, 1]
library(judicious)
own <- asNamespace("judicious")
arguments <- as.numeric(commandArgs(TRUE))
mutants <- c(arguments, 10000)[1]
seed <- c(arguments[-1], 1)[1]

base <- tempfile(fileext = ".sqlite")
x <- simulate_collection(queries = 3, documents = 40, systems = 4, seed = 1)
session <- judging_session(x, goal = goal_budget(22), store = base, judgments = FALSE, seed = 1)
run_session(session, judgments_of(x), progress = FALSE)
close_session(session)

# Another value in place of a field of a table.
odd_values <- list(NA, -1L, 0L, 2L, 1e9, -1e9, 1e308, .5, "x", "", strrep("y", 1e5), "-1", "2 a", "1e400")

mutate_row <- function(db) {
  tables <- DBI::dbGetQuery(db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")$name
  table <- sample(tables, 1)
  rows <- DBI::dbGetQuery(db, sprintf("SELECT rowid FROM %s", table))$rowid
  if (!length(rows)) return(NULL)
  columns <- DBI::dbListFields(db, table)
  column <- sample(columns, 1)
  row <- rows[sample.int(length(rows), 1)]
  value <- sample(odd_values, 1)[[1]]
  done <- try(DBI::dbExecute(db, sprintf("UPDATE %s SET %s = ? WHERE rowid = ?", table, column), list(value, row)), TRUE)
  if (inherits(done, "try-error")) NULL else sprintf("%s.%s of row %d: %s", table, column, row, substr(value, 1, 10))
}

# Another value in place of a leaf of a nested list, or of one of its attributes.
mutate_leaf <- function(x, path = "") {
  if (is.list(x) && length(x) && runif(1) < .95) {
    i <- sample.int(length(x), 1)
    inner <- mutate_leaf(.subset2(x, i), paste0(path, "$", names(x)[i] %||% i))
    before <- attributes(x)
    x <- unclass(x)
    x[i] <- list(inner$value)
    attributes(x) <- before
    return(list(value = x, what = inner$what))
  }
  kind <- sample(c("odd", "element", "shorter", "longer", "type", "rows"), 1)
  value <- switch(kind,
    odd = sample(odd_values, 1)[[1]],
    element = if (is.atomic(x) && length(x)) replace(x, sample.int(length(x), 1), sample(odd_values, 1)[[1]]),
    shorter = if (length(x)) x[-1] else x,
    longer = c(x, x),
    type = as.character(unlist(x)),
    rows = {
      if (is.data.frame(x)) attr(x, "row.names") <- c(NA, -sample(c(0L, 7L, 100000L), 1))
      x
    }
  )
  list(value = value, what = paste(path, kind))
}
`%||%` <- function(a, b) if (is.null(a)) b else a

mutate_setup <- function(db) {
  row <- DBI::dbGetQuery(db, "SELECT * FROM object WHERE name = 'setup'")
  changed <- mutate_leaf(own$decode_data(row$value[[1]], "setup"))
  bytes <- try(own$encode_data(changed$value, "setup"), silent = TRUE)
  if (inherits(bytes, "try-error")) return(NULL)
  DBI::dbExecute(db, "UPDATE object SET value = ? WHERE name = 'setup'", list(list(bytes)))
  paste("setup", changed$what)
}

use <- function(file) {
  s <- open_session(file)
  on.exit(close_session(s))
  pair <- next_documents(s, 1)
  if (nrow(pair)) judge(s, pair$query, pair$doc, s$env$x$scale$levels[1])
  rank_systems(s)
  invisible(utils::capture.output(print(s)))
}

outcome <- function(file) {
  setTimeLimit(elapsed = 20, transient = TRUE)
  on.exit(setTimeLimit())
  start <- proc.time()[["elapsed"]]
  said <- tryCatch({
    suppressMessages(suppressWarnings(use(file)))
    "works"
  }, judicious_error = function(cnd) class(cnd)[1], error = function(cnd) paste("FAULT:", conditionMessage(cnd)[1]))
  seconds <- proc.time()[["elapsed"]] - start
  if (seconds > 2) sprintf("FAULT: %.1f s, %s", seconds, said) else said
}

set.seed(seed)
results <- lapply(seq_len(mutants), function(i) {
  file <- tempfile(fileext = ".sqlite")
  on.exit(unlink(paste0(file, c("", "-wal", "-shm"))))
  file.copy(base, file)
  db <- DBI::dbConnect(RSQLite::SQLite(), file)
  what <- if (runif(1) < .5) mutate_row(db) else mutate_setup(db)
  DBI::dbDisconnect(db)
  if (is.null(what)) return(NULL)
  c(what = what, outcome = outcome(file))
})
results <- as.data.frame(do.call(rbind, results))
faults <- startsWith(results$outcome, "FAULT")
print(sort(table(sub("FAULT.*", "FAULT", results$outcome)), decreasing = TRUE))
print(results[faults, ], right = FALSE)
cat(sprintf("%d mutants, %d faults\n", nrow(results), sum(faults)))
quit(status = as.integer(any(faults)))
