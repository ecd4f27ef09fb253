x <- session_collection()

connect_to_postgres <- function(server, env = parent.frame()) {
  connection <- do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server))
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  connection
}

# Ends all other connections, as a restart of the server does.
break_connections <- function(connection) {
  DBI::dbGetQuery(connection, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
                               AND backend_type = 'client backend'")
}

test_that("a session can be moved from PostgreSQL to a file and back", {
  skip_if_not_installed("RSQLite")
  s <- eventful_session(x, local_postgres())$s
  file <- session_file()
  backup_session(s, file)
  in_file <- open_session(file)
  expect_identical(session_state(in_file), session_state(s))
  judge_truly(in_file, 3)
  server <- local_postgres()
  backup_session(in_file, server)
  back <- open_session(server)
  expect_identical(session_state(back), session_state(in_file))
  # Both sessions continue with the same documents, and event ids continue.
  expect_identical(judge_truly(back, 4), judge_truly(in_file, 4))
  expect_identical(judgments_of(back)$doc, judgments_of(in_file)$doc)
})

test_that("PostgreSQL and memory give the same results, and sessions can be reopened", {
  server <- local_postgres()
  memory <- eventful_session(x, NULL)
  made <- eventful_session(x, server)
  expect_identical(made$order, memory$order)
  close_session(made$s)
  again <- open_session(function() do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server)))
  expect_identical(session_state(again), session_state(memory$s))
  expect_identical(judge_truly(again, 5), judge_truly(memory$s, 5))
  expect_identical(lease_task(again$engine, c("t1", "t2"), c(1, 1), "ann"), 1L)
  expect_identical(lease_task(again$engine, c("t1", "t2"), c(1, 1), "bob"), 2L)
  expect_identical(lease_task(again$engine, c("t1", "t2"), c(1, 1), "eve"), NA_integer_)
  skip_if_not_installed("openssl")
  token <- add_assessor(again, "ann")
  record_answer(again, "t", "ann", "a")
  close_session(again)

  # A connection that the user opened is not closed.
  connection <- connect_to_postgres(server)
  s <- open_session(connection)
  expect_identical(assessor_of_token(s, token), "ann")
  expect_identical(answers(s)$answer, "a")
  expect_error(record_answer(s, "t", "ann", "b"), class = "judicious_error_already_answered")

  # A run that one session adds is also present in the other; a session in memory gives the same result.
  other <- open_session(server)
  progress(other, expect = FALSE)
  run <- transform(as.data.frame(x)[x$systems$system[x$results$system] == "S02", ], system = "late")
  grow <- function(s) {
    add_runs(s, run[c("system", "query", "doc", "rank")], systems = data.frame(system = "late", team = "T9"))
  }
  grow(s)
  grow(memory$s)
  judge_truly(other, 2)
  judge_truly(memory$s, 2)
  expect_identical(rank_systems(s)$mean, rank_systems(memory$s)$mean)
  expect_identical(rank_systems(other)$mean, rank_systems(memory$s)$mean)
  expect_error(grow(other), class = "judicious_error_system_exists")
  close_session(other)
  close_session(s)
  expect_true(DBI::dbIsValid(connection))
  expect_error(judging_session(x, store = server, judgments = FALSE), class = "judicious_error_session_exists")
})

test_that("after a lost connection, the store reconnects, and unconfirmed judgments are not stored", {
  server <- local_postgres()
  connection <- connect_to_postgres(server)
  s <- judging_session(x, store = server, seed = 1, judgments = FALSE)
  judge_truly(s, 3)
  # A connection that is lost between two calls is restored without an error.
  break_connections(connection)
  d <- next_documents(s)
  break_connections(connection)
  judge(s, d$query, d$doc, 50)
  expect_identical(nrow(judgments_of(s)), 4L)
  # If the connection is lost during a call, nothing of this call is stored, and the next call works.
  d <- next_documents(s)
  expect_error(store_exclusive(s$engine$store, {
    judge(s, d$query, d$doc, 50)
    break_connections(connection)
    judge(s, d$query, d$doc, 60)
  }), class = "judicious_error_store_unreachable")
  expect_identical(nrow(judgments_of(s)), 4L)
  expect_identical(next_documents(s)[c("query", "doc")], d[c("query", "doc")])
  close_session(s)

  # A connection that the user opened is not restored by the session; its driver does so at the next use.
  own <- do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server))
  s <- open_session(own)
  break_connections(connection)
  expect_error(next_documents(s), class = "judicious_error_store_unreachable")
  expect_identical(next_documents(s)[c("query", "doc")], d[c("query", "doc")])
  DBI::dbDisconnect(own)
})

test_that("a lock that ended with its connection is not released a second time", {
  server <- local_postgres()
  connection <- connect_to_postgres(server)
  s <- judging_session(x, store = server, seed = 1, judgments = FALSE)
  log <- file.path(server$host, "log")
  for (noticed in c(FALSE, TRUE)) {
    expect_true(store_lock(s$engine$store, "fits"))
    break_connections(connection)
    if (noticed) try(sql_run(s$engine$store, "UPDATE meta SET value = value"), silent = TRUE)
    store_unlock(s$engine$store, "fits")
    expect_identical(s$engine$store$state$locks, character())
    judge_truly(s, 1)
  }
  expect_true(store_lock(s$engine$store, "fits"))
  store_unlock(s$engine$store, "fits")
  other <- open_session(server)
  expect_true(store_lock(other$engine$store, "fits"))
  close_session(other)
  close_session(s)
  expect_false(any(grepl("own a lock", readLines(log))))
  expect_match(readLines(log), "terminating connection", all = FALSE)
})

test_that("concurrent assessors on PostgreSQL neither lose nor repeat judgments", {
  testthat::skip_on_cran()
  server <- local_postgres()
  close_session(judging_session(x, store = server, batch = 8, update_every = 20, seed = 1, judgments = FALSE))
  expect_judged_at_once(server, 4, 15)
})

test_that("a process draws an event number only while it holds the lock", {
  testthat::skip_on_cran()
  server <- local_postgres()
  connection <- connect_to_postgres(server)
  s <- judging_session(x, store = server, seed = 1, judgments = FALSE)
  judge_truly(s, 2)
  d <- judgments_of(x)[3, ]
  ask <- function(sql) DBI::dbGetQuery(connection, sql)[[1]]
  last_id <- function() ask("SELECT last_value::int FROM pg_sequences WHERE sequencename = 'event_id_seq'")
  before <- last_id()
  ask(sprintf("SELECT pg_advisory_lock(%d)", log_lock))
  result <- tempfile(fileext = ".rds")
  start_process(function(number, server, d) {
    s <- judicious::open_session(server)
    judicious::judge(s, d$query, d$doc, 40, "other")
  }, list(number = 1, server = server, d = d), result)
  wait_until(ask("SELECT COUNT(*)::int FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") > 0, 60)
  expect_identical(last_id(), before)
  ask(sprintf("SELECT pg_advisory_unlock(%d)", log_lock))
  wait_until(file.exists(result), 60)
  expect_identical(last_id(), before + 1L)
  expect_identical(judgments_of(s)$gain[3], 40)
  close_session(s)
})

test_that("judgments of an unassigned document in two open sessions both count", {
  server <- local_postgres()
  one <- judging_session(x, store = server, seed = 1, judgments = FALSE)
  two <- open_session(server)
  d <- judgments_of(x)[7, ]
  judge(one, d$query, d$doc, 5, "a")
  judge(two, d$query, d$doc, 6, "b")
  expect_identical(judgments_of(two)$gain, c(5, 6))
  close_session(one)
  close_session(two)
})
