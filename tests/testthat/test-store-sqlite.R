x <- session_collection()

test_that("sessions in a file and in memory give the same results", {
  memory <- eventful_session(x, NULL)
  file <- eventful_session(x, session_file())
  expect_identical(file$order, memory$order)
  expect_identical(session_state(file$s), session_state(memory$s))
  log <- function(s) {
    events <- store_rows(s$engine$store, "event")[-2]
    events$detail <- sub("until=.*", "", events$detail)
    events
  }
  expect_identical(log(file$s), log(memory$s))
  close_session(file$s)
})

test_that("the time of a store is that of the system clock", {
  before <- as.numeric(Sys.time())
  now <- store_now(memory_store())
  expect_true(now >= before && now <= as.numeric(Sys.time()))
})

test_that("a session reopened at any moment continues with the same documents", {
  file <- session_file()
  make <- function(store) {
    judging_session(x, overlap = 0.1, audit = 0.3, update_every = 5, batch = 2, store = store, goal = goal_mean(0.999),
                    seed = 11, judgments = FALSE)
  }
  whole <- make(NULL)
  straight <- judge_truly(whole, 30)
  s <- make(file)
  parts <- list()
  for (n in c(1, 4, 2, 8, 1, 1, 6, 7)) {
    parts <- c(parts, list(judge_truly(s, n)))
    # The session is reopened without being closed.
    s <- open_session(file)
  }
  expect_identical(do.call(rbind, parts), straight)
  expect_identical(session_state(s), session_state(whole))
  # The stored calls and the times of judgments differ.
  result_of <- function(session) {
    ranking <- rank_systems(session)
    ranking$learned_from$judgments$time <- NULL
    replace(ranking, c("call", "given"), list(NULL))
  }
  expect_identical(result_of(s), result_of(whole))
  undo_judgment(s)
  undo_judgment(whole)
  expect_identical(judge_truly(open_session(file), 3), judge_truly(whole, 3))
})

test_that("the stored trace equals the trace replayed from the log", {
  file <- session_file()
  s <- judging_session(x, update_every = 5, store = file, seed = 3, judgments = FALSE)
  judge_truly(s, 14)
  undo_judgment(s)
  judge_truly(s, 2)
  kept <- memory_rows(refresh(open_session(file)$engine)$trace)
  replayed <- replayed_trace(s, judgments_of(x))
  expect_identical(kept, replayed[names(kept)])
})

test_that("the stored assignments equal those replayed from the log", {
  s <- judging_session(x, overlap = 0.5, batch = 4, lease = 50, store = session_file(), seed = 6, judgments = FALSE)
  for (i in 1:6) judge_truly(s, 2, if (i %% 2) "a" else "b")
  undo_judgment(s, "b")
  d <- next_documents(s, 3, "c")
  skip_document(s, d$query[1], d$doc[1], assessor = "c")
  advance_clock(s, 60)
  next_documents(s, 2, "a")
  next_documents(s, 0, "c")
  slots <- store_rows(s$engine$store, "slot")
  log <- store_rows(s$engine$store, "event", list(kind = c("choose", "lease", "judge", "skip", "undo", "release")))
  state <- list()
  by_event <- list()
  for (i in seq_len(nrow(log))) {
    event <- log[i, ]
    copy <- sub(".*copy=([12]).*", "\\1", event$detail)
    if (event$kind == "skip") copy <- "1"
    key <- if (event$kind == "undo") by_event[[event$detail]] else paste(event$query, event$doc, copy)
    by_event[[as.character(event$id)]] <- key
    state[[key]] <- switch(event$kind, choose = , release = c("open", NA), judge = c("judged", event$assessor),
                           skip = c("skipped", event$assessor), c("leased", event$assessor))
  }
  ids <- pair_ids(x, slots$pair)
  keys <- paste(ids$query, ids$doc, slots$copy)
  expect_setequal(keys, names(state))
  expect_identical(slots$state, vapply(state[keys], `[`, "", 1, USE.NAMES = FALSE))
  expect_identical(slots$assessor, vapply(state[keys], `[`, "", 2, USE.NAMES = FALSE))
})

test_that("two sessions with the same file open see each other's judgments", {
  file <- session_file()
  one <- judging_session(x, store = file, batch = 4, seed = 1, judgments = FALSE)
  two <- open_session(file)
  a <- judge_truly(one, 5, "a")
  b <- judge_truly(two, 5, "b")
  expect_false(any(duplicated(rbind(a, b))))
  expect_identical(session_state(one), session_state(two))
  expect_identical(progress(one)$judged, 10L)
})

test_that("processes that work on one file at the same time neither lose nor repeat judgments", {
  testthat::skip_on_cran()
  file <- session_file()
  close_session(judging_session(x, store = file, batch = 5, overlap = 0.2, update_every = 15, seed = 1,
                                judgments = FALSE))
  expect_judged_at_once(file, 3, 15)
})

test_that("a session that a process left open when it ended is opened without a warning", {
  testthat::skip_on_cran()
  file <- session_file()
  close_session(judging_session(x, store = file, seed = 1, judgments = FALSE))
  in_processes(1, function(number, store) {
    left_open <<- judicious::open_session(store)
    d <- judicious::next_documents(left_open, 1, "a")
    judicious::judge(left_open, d$query, d$doc, 10, "a")
  }, store = file)
  # When the process ends, it closes the session, and so deletes the write-ahead log.
  wait_until(!file.exists(paste0(file, "-wal")), 60)
  s <- expect_no_warning(open_session(file))
  expect_identical(nrow(judgments_of(s)), 1L)
  close_session(s)
})

test_that("a process that is killed loses no confirmed judgment", {
  testthat::skip_on_cran()
  testthat::skip_on_os("windows")
  file <- session_file()
  close_session(judging_session(x, store = file, batch = 3, overlap = 0.1, update_every = 10, seed = 1,
                                judgments = FALSE))
  outcome <- kill_sessions(file, kills = 20, wait = 0.3)
  expect_identical(outcome$kills, 20L)
  expect_identical(outcome$lost, 0L)
  expect_identical(outcome$twice, 0L)
  # In each killed process, at most one judgment was stored but not acknowledged.
  expect_lte(outcome$unacknowledged, outcome$kills)
  s <- open_session(file)
  before <- nrow(judgments_of(s))
  judge_truly(s, 2, "assessor")
  expect_identical(nrow(judgments_of(s)), before + 2L)
})

test_that("the next process takes over the lock of a killed process", {
  testthat::skip_on_os("windows")
  file <- session_file()
  s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
  other <- open_session(file)$engine$store
  expect_true(store_lock(s$engine$store, "queue"))
  expect_true(store_lock(s$engine$store, "queue"))
  expect_false(store_lock(other, "queue"))
  expect_true(store_lock(other, "fits"))
  store_unlock(other, "fits")
  dead <- system2("sh", c("-c", shQuote("echo $$")), stdout = TRUE)
  note <- function(pid, host, until)
    set_meta(s$engine$store, "lock queue", paste(format(until, digits = 15), pid, host))
  host <- Sys.info()[["nodename"]]
  note(dead, host, store_now(s$engine$store) + 1000)
  expect_true(store_lock(s$engine$store, "queue"))
  # For a lock of another machine, only its expiry time is known.
  note(dead, "elsewhere", store_now(s$engine$store) + 20)
  expect_false(store_lock(s$engine$store, "queue"))
  # No lock is valid for that long, so the clock must have been set back, and the lock is ignored.
  note(dead, "elsewhere", store_now(s$engine$store) + 1000)
  expect_true(store_lock(s$engine$store, "queue"))
  note(dead, "elsewhere", store_now(s$engine$store) - 1)
  expect_true(store_lock(s$engine$store, "queue"))
  store_unlock(s$engine$store, "queue")
})

test_that("prefetch_documents() ends when the pool is judged, however small the batch", {
  small <- simulate_collection(queries = 2, documents = 12, artists = 4, systems = 2, k = 2, seed = 1)
  for (batch in c(1, 4)) {
    file <- session_file()
    s <- judging_session(small, store = file, batch = batch, goal = goal_budget(1000), seed = 1, judgments = FALSE)
    keeper <- open_session(file)
    judge_truly(s, n_pairs(small))
    setTimeLimit(elapsed = 20, transient = TRUE)
    prefetch_documents(keeper, every = 0.01)
    setTimeLimit(elapsed = Inf)
    expect_false(anyNA(keeper$engine$gain))
  }
})

test_that("prefetch_documents() waits while the goal is reached, and continues with another goal", {
  for (batch in c(1, 8)) {
    file <- session_file()
    s <- judging_session(x, store = file, batch = batch, goal = goal_budget(3), seed = 1, judgments = FALSE)
    keeper <- open_session(file)
    judge_truly(s, 3)
    next_documents(s, 0)
    open <- function() queue_length(s$engine$store)
    prefetch_documents(keeper, seconds = 0)
    slots <- store_rows(s$engine$store, "slot", list(state = "open"))
    slots$state <- rep("skipped", nrow(slots))
    store_update(s$engine$store, "slot", slots)
    prefetch_documents(keeper, seconds = 0.2, every = 0.05)
    expect_identical(open(), 0L)
    update(s, goal = goal_budget(20))
    prefetch_documents(keeper, seconds = 0.2, every = 0.05)
    expect_identical(open(), if (batch == 8) 8L else 0L)
    expect_false(keeper$engine$progress$reached)
  }
})

test_that("prefetch_documents() fills the queue and updates the estimates", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 8, update_every = 5, seed = 1, judgments = FALSE)
  keeper <- open_session(file)
  prefetch_documents(keeper, seconds = 0)
  expect_identical(queue_length(s$engine$store), 8L)
  judge_truly(s, 5)
  expect_null(s$engine$seen)
  prefetch_documents(keeper, seconds = 0)
  prefetch_documents(keeper, seconds = 0)
  expect_identical(store_rows(s$engine$store, "fit")$judged, 5L)
  expect_gte(queue_length(s$engine$store), 8L)
})

test_that("the header of a file is read while another process lets the file grow", {
  file <- tempfile(fileext = ".sqlite")
  done <- tempfile("done")
  start_process(function(file, done) {
    connection <- DBI::dbConnect(RSQLite::SQLite(), file, synchronous = NULL)
    DBI::dbGetQuery(connection, "PRAGMA journal_mode = WAL")
    DBI::dbExecute(connection, "CREATE TABLE page (content)")
    for (i in 1:400) {
      DBI::dbExecute(connection, "INSERT INTO page VALUES (randomblob(100000))")
      DBI::dbGetQuery(connection, "PRAGMA wal_checkpoint(PASSIVE)")
    }
    DBI::dbDisconnect(connection)
  }, list(file = file, done = done), done)
  wait_until(file.exists(file) && file.size(file) > 0, 60)
  headers <- list()
  while (!file.exists(done)) headers <- c(headers, list(file_header(file)))
  expect_false(any(vapply(headers, is.null, NA)))
  sizes <- vapply(headers, `[[`, 0, "size")
  expect_gt(length(unique(sizes)), 1)
  expect_false(is.unsorted(sizes))
})

# Replaces a function of the package until the calling test ends.
replace_function <- function(name, f, env = parent.frame()) {
  real <- get(name, asNamespace("judicious"))
  withr::defer(assignInNamespace(name, real, "judicious"), env)
  assignInNamespace(name, f, "judicious")
  real
}

test_that("others may open a session and write its log to the file while a process opens it", {
  file <- session_file()
  close_session(judging_session(x, goal_budget(20), store = file, seed = 1, judgments = FALSE))
  keeper <- open_session(file)
  others <- 2
  real <- replace_function("file_header", function(path, ...) {
    while (others > 0) {
      others <<- others - 1
      other <- open_session(file)
      checkpoint(other$engine$store)
      close_session(other)
    }
    real(path, ...)
  })
  s <- open_session(file)
  judge_truly(s, 1)
  close_session(open_session(file))
  expect_silent(judge_truly(s, 1))
  expect_identical(nrow(judgments_of(keeper)), 2L)
  for (session in list(s, keeper)) close_session(session)
})

test_that("a log that a process is just beginning anew is not taken for a missing one", {
  file <- session_file()
  close_session(judging_session(x, goal_budget(20), store = file, seed = 1, judgments = FALSE))
  times <- 0
  real <- replace_function("misses_log", function(store) {
    times <<- times + 1
    times == 1 || real(store)
  })
  expect_silent(s <- open_session(file))
  expect_identical(times, 2)
  close_session(s)
})
