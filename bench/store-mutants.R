# Changes stored sessions at random, in a row of a table or inside of the stored set-up. Opening each must raise a typed
# error, or give a session that can be used, within a second. Prints the outcomes, and the changes that did neither.
#
#   Rscript bench/store-mutants.R [mutants] [seed] [seconds]
# It ends after `seconds`, if these are not enough for all mutants.
library(judicious)
own <- asNamespace("judicious")
source("bench/common.R")
given <- given_arguments(commandArgs(TRUE), list(mutants = 10000, seed = 1, seconds = Inf))

base <- tempfile(fileext = ".sqlite")
x <- simulate_collection(queries = 3, documents = 40, systems = 4, seed = 1)
session <- judging_session(x, goal = goal_budget(22), store = base, judgments = FALSE, seed = 1)
run_session(session, judgments_of(x), progress = FALSE)
close_session(session)

# Another value in place of a field of a table.
odd_values <- list(NA, -1L, 0L, 2L, 1e9, -1e9, 1e18, 1e308, .5, "x", "", strrep("y", 1e5), "-1", "2 a", "1e400")

mutate_row <- function(db) {
  tables <- DBI::dbGetQuery(db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")$name
  table <- sample(tables, 1)
  rows <- DBI::dbGetQuery(db, sprintf("SELECT rowid FROM %s", table))$rowid
  if (!length(rows)) return(NULL)
  columns <- DBI::dbListFields(db, table)
  column <- sample(columns, 1)
  row <- rows[sample.int(length(rows), 1)]
  value <- sample(c(odd_values, list(as.raw(1:9))), 1)[[1]]
  change <- sprintf("UPDATE %s SET %s = ? WHERE rowid = ?", table, column)
  done <- try(DBI::dbExecute(db, change, list(if (is.raw(value)) list(value) else value, row)), silent = TRUE)
  said <- substr(paste(value, collapse = " "), 1, 10)
  if (inherits(done, "try-error")) NULL else sprintf("%s.%s of row %d: %s", table, column, row, said)
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

# What opening says, and then whether the session can be used. An assessor who is not known yet may be named, so that
# the ranking, not opening, raises an error.
open_and_use <- function(file) {
  s <- tryCatch(open_session(file), judicious_error = identity)
  if (inherits(s, "condition")) return(paste("opening:", class(s)[1]))
  on.exit(close_session(s))
  pair <- next_documents(s, 1)
  if (nrow(pair)) judge(s, pair$query, pair$doc, s$env$x$scale$levels[1])
  unknown <- function(cnd) identical(cnd$argument, "assessor")
  said <- tryCatch({
    rank_systems(s)
    "works"
  }, judicious_error_argument = function(cnd) if (unknown(cnd)) "works, but for an unknown assessor" else stop(cnd))
  utils::capture.output(print(s))
  said
}

# Processor time, because other processes of the machine may make everything wait; a store that hangs is cut off.
# system.time() would collect garbage before each mutant, which takes longer than the mutant.
outcome <- function(file) {
  setTimeLimit(elapsed = 60, transient = TRUE)
  on.exit(setTimeLimit())
  quietly <- function() suppressMessages(suppressWarnings(open_and_use(file)))
  fault <- function(cnd) paste("FAULT:", class(cnd)[1], conditionMessage(cnd)[1])
  start <- proc.time()
  said <- tryCatch(quietly(), error = fault)
  seconds <- sum((proc.time() - start)[1:2])
  list(said = if (seconds > 1) sprintf("FAULT: %.1f s, %s", seconds, said) else said, seconds = seconds)
}

one_mutant <- function() {
  repeat {
    file <- tempfile(fileext = ".sqlite")
    file.copy(base, file)
    db <- DBI::dbConnect(RSQLite::SQLite(), file, synchronous = NULL)
    what <- if (runif(1) < .5) mutate_row(db) else mutate_setup(db)
    DBI::dbDisconnect(db)
    if (!is.null(what)) break
    unlink(file)
  }
  on.exit(unlink(paste0(file, c("", "-wal", "-shm"))))
  found <- outcome(file)
  data.frame(what = what, outcome = found$said, seconds = found$seconds)
}

set.seed(given$seed)
results <- list()
end <- Sys.time() + given$seconds
while (length(results) < given$mutants && Sys.time() < end) {
  results[[length(results) + 1]] <- now <- one_mutant()
  if (startsWith(now$outcome, "FAULT")) cat(now$what, ": ", now$outcome, "\n", sep = "")
}
results <- do.call(rbind, results)
faults <- startsWith(results$outcome, "FAULT")
print(sort(table(sub("FAULT.*", "FAULT", results$outcome)), decreasing = TRUE))
cat(sprintf("%d mutants, %d faults; processor seconds of one: median %.2f, 99%% %.2f, longest %.2f\n", nrow(results),
            sum(faults), median(results$seconds), quantile(results$seconds, .99), max(results$seconds)))
quit(status = as.integer(any(faults)))
