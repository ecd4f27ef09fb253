# Changes stored sessions at random: a column of a row of a table, a part of the stored set-up, or the files themselves,
# of a session that was closed and of one that was open when its files were copied. Opening each must raise a typed
# error, or give a session with its judgments that can be used, or whose use raises a typed error of the store, within a
# second. Fewer judgments are right only if a warning says so, or if the files are those of an earlier state. Prints the
# outcomes of each kind of change, and the changes that did none of this.
#
#   Rscript bench/store-mutants.R [mutants] [seed] [seconds]
# It ends after `seconds`, if these are not enough for all mutants.
library(judicious)
own <- asNamespace("judicious")
source("bench/common.R")
given <- given_arguments(commandArgs(TRUE), list(mutants = 10000, seed = 1, seconds = Inf))

base <- tempfile(fileext = ".sqlite")
x <- simulate_collection(queries = 2, documents = 20, systems = 3, seed = 1)
session <- judging_session(x, goal = goal_budget(12), store = base, judgments = FALSE, seed = 1)
endings <- c("", "-wal", "-shm")
copy_store <- function(from, to) {
  found <- endings[file.exists(paste0(from, endings))]
  invisible(file.copy(paste0(from, found), paste0(to, found), overwrite = TRUE))
}
# The session in three states: at the beginning, in the middle, and open at the end.
states <- tempfile(c("begun", "half", "open"), fileext = ".sqlite")
copy_store(base, states[1])
first <- next_documents(session, 5)
judge(session, first$query, first$doc, rep_len(x$scale$levels, 5))
copy_store(base, states[2])
made <- list(judgments_of(session))
for (task in c("pair/a", "pair/b", "background")) own$record_answer(session, task, "ann", "same", seconds = 3)
run_session(session, judgments_of(x), progress = FALSE)
copy_store(base, states[3])
made[[2]] <- judgments_of(session)
# What a session shows: the figures stated after each judgment, and the stored answers.
figures <- function(s) list(as.data.frame(s), own$answers(s))
shown <- figures(session)
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

# Replaces one of the files, or all of them. Files of different states occur if somebody copies a store while it is
# open, or restores only a part of it.
mutate_file <- function(file) {
  copy_store(sample(c(base, states[3]), 1), file)
  present <- endings[file.exists(paste0(file, endings))]
  ending <- sample(present, 1)
  path <- paste0(file, ending)
  bytes <- readBin(path, "raw", file.size(path))
  n <- length(bytes)
  at <- sample.int(max(n, 1), 1)
  page <- function() 4096 * (sample.int(max(n %/% 4096, 1), 1) - 1) + seq_len(min(4096, n))
  kind <- sample(c("cut", "cut at a page", "emptied", "zeroed", "noise", "a byte", "shifted", "longer", "pages swapped",
                   "deleted", "of another state", "text"), 1)
  changed <- switch(kind,
    cut = bytes[seq_len(at)], "cut at a page" = bytes[seq_len(4096 * (at %/% 4096))], emptied = raw(),
    zeroed = replace(bytes, page(), as.raw(0)),
    noise = replace(bytes, sample.int(n, min(200, n)), as.raw(sample(0:255, min(200, n), TRUE))),
    "a byte" = replace(bytes, at, as.raw(sample(0:255, 1))), shifted = bytes[-seq_len(min(at, n))],
    longer = c(bytes, as.raw(sample(0:255, 5000, TRUE))), "pages swapped" = {
      one <- page()
      other <- page()
      swapped <- bytes[other]
      bytes[other] <- bytes[one]
      bytes[one] <- swapped
      bytes
    }, "of another state" = {
      from <- paste0(sample(states, 1), ending)
      if (file.exists(from)) readBin(from, "raw", file.size(from)) else raw()
    }, text = charToRaw("no database\n")
  )
  if (kind == "deleted") unlink(path) else writeBin(changed, path)
  paste0("file ", if (nzchar(ending)) ending else "itself", ": ", kind)
}

# The outcome of opening the session and of using it. A mutant may name an assessor who is not in the session; the error
# then comes from the ranking instead of opening.
open_and_use <- function(file, what) {
  warned <- FALSE
  s <- withCallingHandlers(tryCatch(open_session(file), judicious_error = identity),
                           judicious_warning_missing_log = function(cnd) warned <<- TRUE)
  if (inherits(s, "condition")) return(paste("opening:", class(s)[1]))
  on.exit(close_session(s))
  found <- judgments_of(s)
  if (!identical(found, made[[2]])) {
    earlier <- !nrow(found) || identical(found, made[[1]])
    if (!warned && !(earlier && grepl("another state", what))) stop("other judgments: ", nrow(found))
    return(if (warned) "warning of a missing log" else "works, as of an earlier state")
  }
  if (!identical(figures(s), shown)) stop("other figures of the past, or other answers")
  pair <- next_documents(s, 1)
  if (nrow(pair)) judge(s, pair$query, pair$doc, s$engine$x$scale$levels[1])
  unknown <- function(cnd) identical(cnd$argument, "assessor")
  said <- tryCatch({
    rank_systems(s)
    "works"
  }, judicious_error_argument = function(cnd) if (unknown(cnd)) "works, but for an unknown assessor" else stop(cnd))
  utils::capture.output(print(s))
  said
}

# Measures processor time, because other processes may slow down everything; a store that hangs is interrupted.
# system.time() would collect garbage before each mutant, which takes longer than the mutant itself.
outcome <- function(file, what) {
  setTimeLimit(elapsed = 60, transient = TRUE)
  on.exit(setTimeLimit())
  quietly <- function() suppressMessages(suppressWarnings(open_and_use(file, what)))
  # Damage of files that no process had open may show later, but must never be silent.
  fault <- function(cnd) {
    told <- inherits(cnd, "judicious_error_store") || inherits(cnd, c("judicious_error_store_moved",
                                                                       "judicious_error_store_corrupt"))
    paste(if (told) "using:" else "FAULT:", class(cnd)[1], if (!told) conditionMessage(cnd)[1])
  }
  start <- proc.time()
  said <- tryCatch(quietly(), error = fault)
  seconds <- sum((proc.time() - start)[1:2])
  list(said = if (seconds > 1) sprintf("FAULT: %.1f s, %s", seconds, said) else said, seconds = seconds)
}

one_mutant <- function() {
  repeat {
    file <- tempfile(fileext = ".sqlite")
    kind <- sample(c("column", "set-up", "file"), 1)
    if (kind == "file") {
      what <- mutate_file(file)
    } else {
      copy_store(base, file)
      db <- DBI::dbConnect(RSQLite::SQLite(), file, synchronous = NULL)
      what <- if (kind == "column") mutate_row(db) else mutate_setup(db)
      DBI::dbDisconnect(db)
    }
    if (!is.null(what)) break
    unlink(file)
  }
  on.exit(unlink(paste0(file, endings)))
  found <- outcome(file, what)
  data.frame(kind = kind, what = what, outcome = found$said, seconds = found$seconds)
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
print(table(sub("FAULT.*", "FAULT", results$outcome), results$kind))
cat(sprintf("%d mutants, %d faults; processor seconds of one: median %.2f, 99%% %.2f, longest %.2f\n", nrow(results),
            sum(faults), median(results$seconds), quantile(results$seconds, .99), max(results$seconds)))
quit(status = as.integer(any(faults)))
