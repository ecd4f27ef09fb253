# Faults of a session's file while the session is open. Every fault is reported before the next judgment is
# acknowledged, and no acknowledged judgment is lost.
skip_if_not_installed("RSQLite")
skip_on_os("windows")

x <- session_collection()

# Makes three judgments, applies `fault` to the file of the open session, and then makes another judgment.
after_fault <- function(fault) {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  fault(file)
  said <- tryCatch(judge_truly(s, 1), error = identity)
  list(file = file, s = s, said = said)
}

wals <- function(file) paste0(file, c("", "-wal", "-shm"))

test_that("a session file that was deleted, moved or replaced is detected before a judgment is confirmed", {
  faults <- list(
    deleted = unlink, all_deleted = function(file) unlink(wals(file)),
    moved = function(file) file.rename(file, paste0(file, ".old")),
    all_moved = function(file) file.rename(wals(file), wals(paste0(file, ".old"))),
    replaced = function(file) {
      file.copy(file, paste0(file, ".copy"))
      file.rename(paste0(file, ".copy"), file)
    },
    log_deleted = function(file) unlink(paste0(file, "-wal")),
    folder_moved = function(file) {
      inner <- file.path(dirname(file), "gone")
      dir.create(inner)
      file.rename(wals(file), file.path(inner, basename(wals(file))))
    }
  )
  for (name in names(faults)) {
    now <- after_fault(faults[[name]])
    expect_s3_class(now$said, "judicious_error_store_moved")
    expect_match(conditionMessage(now$said), if (name == "replaced") "was replaced" else "was deleted or moved",
                 label = name)
    suppressWarnings(close_session(now$s))
  }
})

# Overwrites the session's file with the content of another one, as `cp` and some synchronization tools do.
overwrite <- function(file, with) {
  content <- readBin(with, "raw", file.size(with))
  out <- file(file, "wb")
  on.exit(close(out))
  writeBin(content, out)
}

test_that("a truncated or overwritten file is detected, and the open session can be saved", {
  other <- session_file()
  s <- judging_session(x, store = other, batch = 3, seed = 2, judgments = FALSE)
  judge_truly(s, 9)
  close_session(s)
  text <- withr::local_tempfile(lines = rep("not a session", 20000))
  faults <- list(truncated = function(file) cat("", file = file),
                 other_session = function(file) overwrite(file, other),
                 text = function(file) overwrite(file, text))
  for (name in names(faults)) {
    now <- after_fault(faults[[name]])
    expect_s3_class(now$said, "judicious_error_store_moved")
    expect_match(conditionMessage(now$said), "was truncated or overwritten", label = name)
    expect_match(conditionMessage(now$said), "still read 3 judgments", label = name)
    saved <- backup_session(now$s, session_file())
    copy <- open_session(saved)
    expect_identical(nrow(judgments_of(copy)), 3L, label = name)
    close_session(copy)
    suppressWarnings(close_session(now$s))
  }
})

test_that("a file overwritten after the last judgment is detected when the session is closed", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  cat("", file = file)
  expect_error(close_session(s), "still read 3 judgments", class = "judicious_error_store_moved")
  copy <- open_session(backup_session(s, session_file()))
  expect_identical(nrow(judgments_of(copy)), 3L)
  close_session(copy)
  expect_no_error(suppressWarnings(close_session(s)))
  expect_error(judgments_of(s), class = "judicious_error_closed")
})

test_that("a new file is not mistaken for a replaced one before its write-ahead log reaches it", {
  # The session's identity, here 5, is only in the write-ahead log until a checkpoint copies it to the main file; a
  # reader can delay the checkpoint.
  file <- session_file()
  connection <- DBI::dbConnect(RSQLite::SQLite(), file)
  DBI::dbExecute(connection, "CREATE TABLE any (value)")
  look <- function(before) {
    header <- c(size = 0, generation = 0, identity = before)
    state <- list2env(list(path = file, connection = connection, stamp = c(0L, 5L), openings = 5L, stat = 0,
                           header = header, reported = FALSE))
    check_header(list(label = file, state = state), locked = TRUE)
    state$header[["identity"]]
  }
  expect_equal(look(0), 0)
  expect_error(look(5), class = "judicious_error_store_moved")
  DBI::dbExecute(connection, "PRAGMA application_id = 5")
  expect_equal(c(look(0), look(5)), c(5, 5))
  DBI::dbDisconnect(connection)
})

test_that("an older copy of the same size that overwrites the file is detected", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  DBI::dbGetQuery(s$engine$store$state$connection, "PRAGMA wal_checkpoint(PASSIVE)")
  older <- session_file()
  file.copy(file, older)
  judge_truly(s, 1)
  DBI::dbGetQuery(s$engine$store$state$connection, "PRAGMA wal_checkpoint(PASSIVE)")
  judge_truly(s, 1)
  expect_identical(file.size(file), file.size(older))
  overwrite(file, older)
  expect_error(judge_truly(s, 1), class = "judicious_error_store_moved")
  expect_identical(nrow(judgments_of(s)), 5L)
  suppressWarnings(close_session(s))
})

test_that("an older copy counts as damaged beside a newer write-ahead log, and opens in its old state without one", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  close_session(s)
  older <- session_file()
  file.copy(file, older)
  s <- open_session(file)
  judge_truly(s, 40)
  DBI::dbGetQuery(s$engine$store$state$connection, "PRAGMA wal_checkpoint(TRUNCATE)")
  s$engine$store$state$saved <- Inf
  judge_truly(s, 5)
  mixed <- session_file()
  file.copy(c(older, paste0(file, "-wal")), c(mixed, paste0(mixed, "-wal")))
  expect_error(open_session(mixed), class = "judicious_error_store_corrupt")
  expect_identical(nrow(judgments_of(s)), 48L)
  close_session(s)
  expect_identical(nrow(judgments_of(open_session(older))), 3L)
})

test_that("opening a file with two hard links raises an error", {
  file <- session_file()
  other <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 2)
  file.link(file, other)
  judge_truly(s, 1)
  close_session(s)
  for (name in c(file, other)) expect_error(open_session(name), class = "judicious_error_store_linked")
  expect_snapshot(error = TRUE, transform = hide_file, open_session(file))
  unlink(other)
  s <- open_session(file)
  judge_truly(s, 1)
  expect_identical(nrow(judgments_of(s)), 4L)
  close_session(s)
})

# Reads everything from a session that is read-only, and expects that changes raise an error.
expect_read_only <- function(file, judged) {
  s <- open_session(file)
  expect_identical(nrow(judgments_of(s)), judged)
  expect_output(print(s), sprintf("%d judgments", judged))
  expect_identical(progress(s)$judged, judged)
  expect_s3_class(rank_systems(s), "judicious_ranking")
  copy <- open_session(backup_session(s, session_file()))
  expect_identical(judgments_of(copy), judgments_of(s))
  expect_identical(as.data.frame(copy), as.data.frame(s))
  open <- next_documents(copy, 1)
  refused <- list(function() next_documents(s, 1), function() judge(s, open$query, open$doc, 50),
                  function() undo_judgment(s), function() add_assessor(s, "ann"))
  for (write in refused) expect_error(write(), class = "judicious_error_store_read_only")
  expect_identical(nrow(judgments_of(s)), judged)
  close_session(copy)
  close_session(s)
}

# A session with seven judgments in a separate folder.
folder_session <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  file <- file.path(folder, "session.sqlite")
  s <- judging_session(x, store = file, batch = 3, update_every = 2, seed = 1, judgments = FALSE)
  judge_truly(s, 7)
  list(folder = folder, file = file, s = s)
}

test_that("a session on a read-only mount can be read but not changed", {
  now <- folder_session()
  # The files as a crash would leave them.
  crashed <- file.path(now$folder, paste0("crashed.sqlite", c("", "-wal")))
  file.copy(wals(now$file)[1:2], crashed)
  close_session(now$s)
  mount <- function(...) suppressWarnings(system2("mount", c(...), stdout = FALSE, stderr = FALSE)) == 0
  mounted <- nzchar(Sys.which("mount")) && mount("--bind", now$folder, now$folder)
  skip_if_not(mounted, "READ-ONLY MOUNT NOT TESTED: this user may not mount")
  withr::defer(system2("umount", c("-l", now$folder)))
  expect_true(mount("-o", "remount,ro,bind", now$folder))
  expect_read_only(now$file, 7L)
  # SQLite would have to write to recover from the log, which it cannot here.
  expect_error(open_session(crashed[1]), class = "judicious_error_store_unreachable")
  copies <- session_file()
  file.copy(crashed, paste0(copies, c("", "-wal")))
  expect_identical(nrow(judgments_of(open_session(copies))), 7L)
})

test_that("a read-only file can be read, whether a session has it open or not", {
  now <- folder_session()
  judge_truly(now$s, 1)
  protect <- function() Sys.chmod(now$file, "0444")
  free <- function() Sys.chmod(now$file, "0644")
  if (Sys.info()[["user"]] == "root") {
    chattr <- function(flag) suppressWarnings(system2("chattr", c(flag, now$file), stdout = FALSE, stderr = FALSE)) == 0
    works <- nzchar(Sys.which("chattr")) && chattr("+i")
    skip_if_not(works, "READ-ONLY FILE NOT TESTED: root may write to any, and there is no chattr")
    protect <- function() chattr("+i")
    free <- function() chattr("-i")
  }
  withr::defer(free())
  protect()
  expect_read_only(now$file, 8L)
  free()
  close_session(now$s)
  protect()
  expect_read_only(now$file, 8L)
})

test_that("while another program holds the write lock, a call waits, and then fails without storing anything", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 2)
  ask <- next_documents(s)
  DBI::dbGetQuery(s$engine$store$state$connection, "PRAGMA busy_timeout = 100")
  other <- DBI::dbConnect(RSQLite::SQLite(), file, synchronous = NULL)
  withr::defer(DBI::dbDisconnect(other))
  DBI::dbExecute(other, "BEGIN IMMEDIATE")
  expect_error(judge(s, ask$query, ask$doc, 50), class = "judicious_error_store_busy")
  expect_identical(nrow(judgments_of(s)), 2L)
  DBI::dbExecute(other, "ROLLBACK")
  judge(s, ask$query, ask$doc, 50)
  expect_identical(nrow(judgments_of(s)), 3L)
  close_session(s)
})

test_that("setting the clock back loses no judgment, and extends leases", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, lease = 600, seed = 1, judgments = FALSE)
  judge_truly(s, 3, "ann")
  held <- next_documents(s, 1, "ann")
  advance_clock(s, -86400)
  order <- rbind(judge_truly(s, 3, "bob"), judge_truly(s, 1, "cay"))
  expect_false(any(paste(order$query, order$doc) == paste(held$query, held$doc)))
  # An assessor may judge a held document, and the log has the order of events, whatever their times.
  judge(s, held$query, held$doc, 50, "ann")
  events <- store_rows(s$engine$store, "event", list(kind = "judge"))
  expect_identical(events$assessor, rep(c("ann", "bob", "cay", "ann"), c(3, 3, 1, 1)))
  expect_true(is.unsorted(events$time))
  other <- open_session(file)
  expect_identical(session_state(other), session_state(s))
  # Documents that were assigned before the clock was set back are free when they are released.
  advance_clock(s, 86400)
  given <- next_documents(s, 1, "dan")
  advance_clock(s, -86400)
  expect_false(paste(given$query, given$doc) %in% with(next_documents(s, 3, "eve"), paste(query, doc)))
  next_documents(s, 0, "dan")
  expect_true(paste(given$query, given$doc) %in% with(next_documents(s, 4, "fay"), paste(query, doc)))
  close_session(other)
  close_session(s)
})

test_that("checkpoints of the session and of other processes are not mistaken for faults", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  second <- open_session(file)
  for (i in 1:4) {
    for (each in list(s, second)) {
      judge_truly(each, 1)
      DBI::dbGetQuery(each$engine$store$state$connection, "PRAGMA wal_checkpoint(PASSIVE)")
    }
  }
  close_session(second)
  judge_truly(s, 1)
  expect_identical(nrow(judgments_of(s)), 9L)
  close_session(s)
})

test_that("a session continues after its file is put back, with every confirmed judgment", {
  now <- after_fault(function(file) file.rename(wals(file), wals(paste0(file, ".old"))))
  expect_s3_class(now$said, "judicious_error_store_moved")
  file.rename(wals(paste0(now$file, ".old")), wals(now$file))
  judge_truly(now$s, 1)
  close_session(now$s)
  expect_identical(nrow(judgments_of(open_session(now$file))), 4L)
})

test_that("judgments are copied from the write-ahead log to the main file while people judge", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  ask <- next_documents(s)
  s$engine$store$state$saved <- 0
  judge(s, ask$query, ask$doc, 50)
  # The main file without its log, as somebody may copy it who does not know about the log.
  alone <- session_file()
  file.copy(file, alone)
  expect_warning(copy <- open_session(alone), "may be missing", class = "judicious_warning_missing_log")
  expect_identical(nrow(judgments_of(copy)), 4L)
  close_session(s)
})

test_that("a copy made during judging is a consistent snapshot that can be continued", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, overlap = 0.2, update_every = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 6, "ann")
  held <- next_documents(s, 2, "bob")
  other <- open_session(file)
  copy <- session_file()
  # If another process writes while the copy is made, the copy contains none of its later judgments.
  seen <- in_snapshot(s$engine$store, {
    before <- nrow(store_rows(s$engine$store, "event"))
    judge_truly(other, 2, "cay")
    nrow(store_rows(s$engine$store, "event")) - before
  })
  expect_identical(seen, 0L)
  backup_session(s, copy)
  expect_error(backup_session(s, copy), class = "judicious_error_session_exists")
  copied <- open_session(copy)
  expect_identical(session_state(copied), session_state(open_session(file)))
  expect_identical(judgments_of(copied), judgments_of(s))
  # Documents that bob holds in the original can be assigned to others in the copy; event ids continue.
  free <- next_documents(copied, 50, "dan")
  expect_true(all(paste(held$query, held$doc) %in% paste(free$query, free$doc)))
  judge_truly(copied, 2, "dan")
  expect_false(anyDuplicated(store_rows(copied$engine$store, "event")$id) > 0)
  expect_error(backup_session(judging_session(x, judgments = FALSE), session_file()),
               class = "judicious_error_argument")
})

test_that("custom goals, strategies and models must be given again to reopen a session", {
  early <- goal_custom("early", function(ranking) {
    list(value = ranking$judged, asked = 4, reached = ranking$judged >= 4)
  })
  fixed <- strategy_custom("in order", function(belief, ranking, goal, price) -seq_along(price) / price)
  file <- session_file()
  goal <- (goal_mean(0.9) & goal_top(1, 0.8, delta = 1)) | early
  s <- judging_session(x, goal = goal, strategy = fixed, store = file, seed = 1, audit = 0, judgments = FALSE)
  first <- judge_truly(s, 3)
  close_session(s)
  expect_snapshot(error = TRUE, open_session(file))
  expect_snapshot(error = TRUE, open_session(file, goal = goal_custom("another", early$progress)))
  expect_error(open_session(file, goal = goal), class = "judicious_error_not_given")
  expect_error(open_session(file, goal = "early"), class = "judicious_error_argument")
  s <- open_session(file, goal = early, strategy = fixed)
  expect_identical(progress(s)$goal$label, goal$label)
  judge_truly(s, 1)
  expect_true(progress(s)$goal$reached)
  expect_identical(nrow(judgments_of(open_session(file, goal = goal, strategy = fixed))), 4L)
})

test_that("built-in goals and strategies are restored when a session is reopened", {
  ranking <- rank_systems(x)
  goals <- list(goal_mean(0.9, 2), goal_all_pairs(0.8, equal = 3), goal_top(2), goal_beats(x$systems$system[1]),
                goal_width(0.1), goal_absolute(2), goal_budget(7), goal_ranks(2))
  strategies <- list(strategy_gradient(2), strategy_variance(), strategy_random(),
                     strategy_weight("undecided", 0.8, tie_break = "pool"))
  makers <- function(made) vapply(made, function(one) one$recipe$maker, "")
  expect_setequal(makers(goals), paste0("goal_", built_in_kinds("goal")))
  expect_setequal(makers(strategies), paste0("strategy_", built_in_kinds("strategy")))
  for (goal in c(goals, list(goal_top(2) & goal_mean() | goal_budget(3)))) {
    again <- restore_recipe(goal$recipe, list(), "goal")
    expect_identical(again$label, goal$label)
    expect_identical(again$progress(ranking), goal$progress(ranking))
    expect_identical(again$interest(ranking), goal$interest(ranking))
  }
  for (strategy in strategies) {
    expect_identical(restore_recipe(strategy$recipe, list(), "strategy")[c("label", "rescore", "ties")],
                     strategy[c("label", "rescore", "ties")])
  }
})

test_that("paths that are not files, and empty names of assessors, raise errors", {
  for (store in c(":memory:", "", "file::memory:?cache=shared", tempdir())) {
    expect_error(judging_session(x, store = store, judgments = FALSE), class = "judicious_error_argument")
  }
  s <- judging_session(x, judgments = FALSE)
  for (name in c("", " ann", "ann ", "a\nb", "a\tb", "\xff", strrep("x", 201))) {
    expect_error(next_documents(s, 1, name), class = "judicious_error_argument")
  }
  expect_identical(nrow(next_documents(s, 1, "Zo\u00eb Q. O'Neill; --")), 1L)
  memory <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(memory))
  s <- judging_session(x, store = memory, judgments = FALSE)
  expect_match(s$engine$store$label, "ends with its connection")
})

test_that("an unsupported database raises an error that names it", {
  connection <- structure(list(), class = c("MariaDBConnection", "DBIConnection"))
  expect_snapshot(error = TRUE, judging_session(ams_demo, store = connection, judgments = FALSE))
  duckdb <- structure(list(), class = c("duckdb_connection", "DBIConnection"))
  expect_snapshot(error = TRUE, judging_session(ams_demo, store = duckdb, judgments = FALSE))
})

test_that("an index whose pages were swapped with those of another is detected", {
  file <- session_file()
  s <- judging_session(session_collection(), goal_budget(6), store = file, seed = 1, judgments = FALSE)
  run_session(s, judgments_of(session_collection()), progress = FALSE)
  close_session(s)
  connection <- DBI::dbConnect(RSQLite::SQLite(), file)
  root <- DBI::dbGetQuery(connection, "SELECT rootpage FROM sqlite_master WHERE type = 'index' ORDER BY name")[[1]]
  size <- DBI::dbGetQuery(connection, "PRAGMA page_size")[[1]]
  DBI::dbDisconnect(connection)
  bytes <- readBin(file, "raw", file.size(file))
  page <- function(i) (root[i] - 1) * size + seq_len(size)
  writeBin(replace(replace(bytes, page(1), bytes[page(2)]), page(2), bytes[page(1)]), file)
  expect_error(open_session(file), class = "judicious_error_store_corrupt")
})

test_that("an error message that quotes bytes of a damaged file can be displayed", {
  store <- list(label = "'s.sqlite'", dialect = list(), state = NULL)
  error <- expect_error(translate_errors(store, stop("malformed database schema, near \"\x88\"")),
                        class = "judicious_error_store_corrupt")
  expect_match(conditionMessage(error), "'s.sqlite' is damaged", fixed = TRUE)
})
