# Faults of the files of an open session, by operation and file: main, -wal, -shm, or all of them. No judgment is
# acknowledged after the fault, and the rescue that the message names recovers exactly the judgments before it.
skip_if_not_installed("RSQLite")
skip_on_os("windows")

x <- simulate_collection(queries = 4, documents = 60, artists = 10, teams = 2, systems = 3, seed = 4)
endings <- c(main = "", wal = "-wal", shm = "-shm")

overwrite <- function(file, with) {
  content <- if (is.raw(with)) with else readBin(with, "raw", file.size(with))
  out <- file(file, "wb")
  on.exit(close(out))
  writeBin(content, out)
}

# Each operation damages one file. `copies` has the files of another session, and of an older and a newer state of this
# session.
operations <- list(
  truncate = function(file, ending, copies) {
    path <- paste0(file, ending)
    overwrite(path, readBin(path, "raw", 100))
  },
  empty = function(file, ending, copies) cat("", file = paste0(file, ending)),
  other = function(file, ending, copies) overwrite(paste0(file, ending), copies$other[endings == ending][[1]]),
  older = function(file, ending, copies) overwrite(paste0(file, ending), copies$older[endings == ending][[1]]),
  newer = function(file, ending, copies) overwrite(paste0(file, ending), copies$newer[endings == ending][[1]]),
  delete = function(file, ending, copies) unlink(paste0(file, ending)),
  rename = function(file, ending, copies) file.rename(paste0(file, ending), paste0(file, ending, ".old")),
  link = function(file, ending, copies) file.link(paste0(file, ending), paste0(file, ending, ".link"))
)

read_all <- function(file) lapply(endings, function(e) readBin(paste0(file, e), "raw", file.size(paste0(file, e))))

# The judgments that a new process finds after all others have ended; it rebuilds the index of the log.
as_new_process <- function(file) {
  copy <- tempfile(fileext = ".sqlite")
  for (e in endings[1:2]) if (file.exists(paste0(file, e))) file.copy(paste0(file, e), paste0(copy, e))
  open_and_count(copy)
}

open_and_count <- function(file) {
  s <- tryCatch(open_session(file), error = function(cnd) conditionMessage(cnd))
  if (is.character(s)) return(s)
  on.exit(close_session(s))
  judged <- judgments_of(s)
  paste(judged$query, judged$doc)
}

# The bytes of the files of a session after `judged` judgments. If `from` has such bytes, that session is continued.
session_bytes <- function(seed, judged, from = NULL) {
  file <- tempfile(fileext = ".sqlite")
  if (!is.null(from)) for (i in 1:2) overwrite(paste0(file, endings[i]), from[[i]])
  s <- if (is.null(from)) judging_session(x, store = file, batch = 3, seed = seed, judgments = FALSE) else
    open_session(file)
  judge_truly(s, judged)
  bytes <- read_all(file)
  close_session(s)
  unlink(file)
  bytes
}
older <- session_bytes(1, 2)
copies <- list(older = older, newer = session_bytes(1, 9, older), other = session_bytes(2, 4))

# Makes judgments, applies the fault, and tries to judge again; if `quiet` is true, the session is only closed.
with_fault <- function(operation, at, quiet = FALSE, env = parent.frame()) {
  file <- file.path(withr::local_tempdir(.local_envir = env), "session.sqlite")
  for (i in 1:2) overwrite(paste0(file, endings[i]), older[[i]])
  s <- open_session(file)
  DBI::dbGetQuery(s$engine$store$state$connection, "PRAGMA wal_checkpoint(PASSIVE)")
  # Prevents checkpoints, so that later judgments stay in the log.
  s$engine$store$state$saved <- Inf
  judge_truly(s, 2)
  acknowledged <- paste(judgments_of(s)$query, judgments_of(s)$doc)
  for (ending in endings[at]) operations[[operation]](file, ending, copies)
  said <- tryCatch(if (quiet) close_session(s) else judge_truly(s, 1), error = identity)
  if (!inherits(said, "error") && !quiet) acknowledged <- c(acknowledged, paste(said$query, said$doc))
  list(s = s, file = file, said = said, acknowledged = acknowledged)
}

# The judgments that are recovered by the rescue that the message names.
rescued <- function(now) {
  message <- gsub("\\s+", " ", conditionMessage(now$said))
  if (grepl("with `backup_session()` before closing", message, fixed = TRUE)) {
    copy <- tempfile(fileext = ".sqlite")
    s <- open_session(backup_session(now$s, copy))
    on.exit(close_session(s))
    return(paste(judgments_of(s)$query, judgments_of(s)$doc))
  }
  if (grepl("End all R processes", message)) return(as_new_process(now$file))
  message
}

for (quiet in c(FALSE, TRUE)) for (operation in names(operations)) {
  test_that(sprintf("fault %s loses no judgment without an error%s", operation, if (quiet) " on closing" else ""), {
    for (at in c(as.list(names(endings)), list(names(endings)))) {
      now <- with_fault(operation, at, quiet)
      label <- paste(operation, paste(at, collapse = "+"))
      if (inherits(now$said, "error")) {
        expect_s3_class(now$said, "judicious_error_store_moved")
        # If nothing of the session is left, the message says so.
        replaced <- length(at) == 3 && operation %in% c("truncate", "empty", "other", "older", "newer")
        if (!replaced) expect_identical(rescued(now), now$acknowledged, label = label)
        if (replaced) expect_match(conditionMessage(now$said), "restore a\\s+copy", label = label)
        suppressWarnings(close_session(now$s))
      } else {
        if (!quiet) close_session(now$s)
        for (e in endings) unlink(paste0(now$file, e, ".link"))
        expect_identical(as_new_process(now$file), now$acknowledged, label = label)
      }
    }
  })
}

# The result of opening the files that remain after a crash of all processes, one of which is damaged.
after_crash <- function(operation, at) {
  now <- with_fault("link", character())
  file <- file.path(dirname(now$file), "crashed.sqlite")
  for (e in endings) file.copy(paste0(now$file, e), paste0(file, e))
  close_session(now$s)
  for (ending in endings[at]) operations[[operation]](file, ending, copies)
  warned <- NULL
  found <- withCallingHandlers(open_and_count(file), judicious_warning_missing_log = function(cnd) {
    warned <<- conditionMessage(cnd)
    rlang::cnd_muffle(cnd)
  })
  list(found = found, acknowledged = now$acknowledged, warned = warned)
}

test_that("after a crash, reopening restores every judgment or says what is wrong", {
  all_files <- names(endings)
  for (operation in setdiff(names(operations), "link")) {
    for (at in c(as.list(all_files), list(c("wal", "shm"), c("main", "wal"), all_files))) {
      now <- after_crash(operation, at)
      said <- length(now$warned) || any(grepl("damaged|belong together|truncated|no session|not a session", now$found))
      # If all files are replaced by those of another state, the session has that state.
      restored <- length(at) > 1 && "main" %in% at && operation %in% c("other", "older", "newer")
      if (!said && !restored) {
        lost <- setdiff(now$acknowledged, now$found)
        expect_identical(lost, character(), label = paste(c(operation, at), collapse = " "))
      }
    }
  }
  expect_match(after_crash("empty", "wal")$found, "states more\\s+changes than the log holds")
  expect_match(after_crash("delete", c("wal", "shm"))$warned, "was not closed, and its\\s+log")
  expect_identical(after_crash("delete", "shm")[c("warned", "found")], with(after_crash("link", character()),
    list(warned = NULL, found = acknowledged)), ignore_attr = TRUE)
})

# Restores the index of the log to its state before the commit. The files are then as if a process had been killed after
# it wrote a transaction to the log and before it updated the index.
test_that("a transaction whose process was killed during the commit does not block other processes", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  one <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  two <- open_session(file)
  judge_truly(one, 2)
  index <- function() readBin(paste0(file, "-shm"), "raw", 1e6)
  for (session in list(one, two)) session$engine$store$state$saved <- Inf
  d <- next_documents(two, 1, "b")
  stamp <- two$engine$store$state$stamp[1]
  before <- index()
  judge(two, d$query, d$doc, 10, "b")
  expect_identical(two$engine$store$state$stamp[1] - stamp, 1L)
  after <- index()
  overwrite(paste0(file, "-shm"), before)
  judge_truly(one, 2)
  expect_error(judge_truly(two, 1, "b"), class = "judicious_error_store_moved")
  kept <- judgments_of(one)
  expect_identical(nrow(kept), 4L)
  suppressWarnings(close_session(two))
  close_session(one)
  expect_identical(open_and_count(file), paste(kept$query, kept$doc))
})

# Closes the `living` sessions and that of the `killed` process, and expects that the file then has the `n` judgments of
# the living ones.
expect_all_kept <- function(n, file, living, killed) {
  kept <- judgments_of(living[[1]])
  expect_identical(nrow(kept), n)
  for (session in living) close_session(session)
  suppressWarnings(try(close_session(killed), silent = TRUE))
  expect_identical(open_and_count(file), paste(kept$query, kept$doc))
}

test_that("a session can be reopened after a process was killed during a commit of judgments", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  one <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  two <- open_session(file)
  for (session in list(one, two)) session$engine$store$state$saved <- Inf
  judge_truly(one, 2)
  d <- next_documents(two, 1, "b")
  before <- readBin(paste0(file, "-shm"), "raw", 1e6)
  judge(two, d$query, d$doc, 10, "b")
  overwrite(paste0(file, "-shm"), before)
  three <- open_session(file)
  judge_truly(three, 1, "c")
  judge_truly(one, 1)
  expect_all_kept(4L, file, list(three, one), two)
})

test_that("a session continues after a process was killed while it opened the session", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  one <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  one$engine$store$state$saved <- Inf
  judge_truly(one, 2)
  stamp <- one$engine$store$state$stamp[1]
  # Opening a session ends with a checkpoint to the main file, which the killed process did not reach.
  written <- c(file, paste0(file, "-shm"))
  before <- lapply(written, readBin, "raw", 1e6)
  two <- open_session(file)
  expect_identical(two$engine$store$state$stamp[1] - stamp, 1L)
  Map(overwrite, written, before)
  judge_truly(one, 1)
  expect_all_kept(3L, file, list(one), two)
})

# A change without an event number, such as the note that a process is selecting documents.
test_that("a session continues after a process was killed while it stored a comment", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  one <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  one$engine$store$state$saved <- Inf
  judge_truly(one, 1)
  index <- paste0(file, "-shm")
  before <- readBin(index, "raw", 1e6)
  store <- one$engine$store
  set_meta(store, "note", "a")
  noted <- wal_tail_cpp(paste0(file, "-wal"))
  expect_gt(noted$frames, noted$kept)
  check_files(store)
  overwrite(index, before)
  judge_truly(one, 1)
  expect_identical(nrow(judgments_of(one)), 2L)
  close_session(one)
})

test_that("events are protected by checksums before they are written to the main file", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  s <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  s$engine$store$state$saved <- 0
  judge_truly(s, 2)
  s$engine$store$state$saved <- 0
  judge_truly(s, 1)
  sealed <- max(log_seals(s$engine$store)$id)
  events <- store_rows(s$engine$store, "event")
  copy <- tempfile(fileext = ".sqlite")
  file.copy(file, copy)
  in_main <- DBI::dbConnect(RSQLite::SQLite(), copy)
  last <- DBI::dbGetQuery(in_main, "SELECT max(id) AS id FROM event")$id
  DBI::dbExecute(in_main, "UPDATE event SET gain = gain + 1 WHERE id = (SELECT max(id) FROM event WHERE kind = 'judge')")
  DBI::dbDisconnect(in_main)
  expect_gt(last, 0)
  expect_gte(sealed, last)
  expect_error(suppressWarnings(open_session(copy)), class = "judicious_error_store_corrupt")
  close_session(s)
})

test_that("changed recorded estimates, and changed or missing answers, are detected when they are read", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  s <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  progress(s)
  for (who in c("ann", "bob", NA)) {
    record_answer(s, paste0("pair/", who), "ann", if (is.na(who)) NA_character_ else "same", seconds = 1 / 3)
  }
  given <- answers(s)
  stated <- as.data.frame(s)
  close_session(s)
  after_change <- function(sql) {
    copy <- withr::local_tempfile(fileext = ".sqlite")
    file.copy(file, copy)
    db <- DBI::dbConnect(RSQLite::SQLite(), copy)
    DBI::dbExecute(db, sql)
    DBI::dbDisconnect(db)
    changed <- open_session(copy)
    withr::defer(close_session(changed))
    list(answers = answers(changed), stated = as.data.frame(changed))
  }
  expect_identical(after_change("UPDATE trace SET mean = mean"), list(answers = given, stated = stated))
  expect_gt(nrow(stated), 3)
  for (column in c("kind", "judged", "cost", "value", "confidence", "mean", "sd", "checksum")) {
    change <- sprintf("UPDATE trace SET %s = CASE WHEN typeof(%s) = 'text' THEN 'x' ELSE .25 END", column, column)
    change <- paste(change, "WHERE event = (SELECT max(event) FROM trace)")
    expect_error(after_change(change), class = "judicious_error_store_corrupt")
  }
  for (column in c("time", "task", "assessor", "answer", "seconds", "checksum")) {
    change <- sprintf("UPDATE answer SET %s = '1' WHERE id = 2", column)
    expect_error(after_change(change), "table answer", class = "judicious_error_store_corrupt")
  }
  for (lost in 1:3) {
    expect_error(after_change(paste("DELETE FROM answer WHERE id =", lost)), class = "judicious_error_store_corrupt")
  }
})

test_that("a table whose definition names another column is reported as damaged", {
  file <- file.path(withr::local_tempdir(), "session.sqlite")
  s <- judging_session(x, store = file, batch = 1, seed = 1, judgments = FALSE)
  judge_truly(s, 2)
  close_session(s)
  bytes <- readBin(file, "raw", file.size(file))
  at <- grepRaw("overlap INTEGER", bytes, fixed = TRUE)
  bytes[at] <- charToRaw("p")
  writeBin(bytes, file)
  expect_error(open_session(file), "none of its own", class = "judicious_error_store_corrupt")
})
