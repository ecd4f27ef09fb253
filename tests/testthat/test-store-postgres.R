x <- session_collection()

test_that("PostgreSQL and memory come to the same, and sessions are opened again", {
  server <- local_postgres()
  make <- function(store) {
    judging_session(x, overlap = 0.2, audit = 0.3, batch = 3, update_every = 5, store = store, seed = 5)
  }
  work <- function(s) {
    order <- judge_truly(s, 9, "a")
    undo(s, "a")
    d <- next_documents(s, 2, "b")
    judicious::skip(s, d$query[1], d$doc[1], assessor = "b")
    release_documents(s, "b")
    rbind(order, judge_truly(s, 4, "b"))
  }
  memory <- make(NULL)
  order <- work(memory)
  s <- make(server)
  expect_identical(work(s), order)
  close_session(s)
  again <- open_session(function() do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server)))
  expect_identical(session_state(again), session_state(memory))
  expect_identical(judge_truly(again, 5), judge_truly(memory, 5))
  skip_if_not_installed("openssl")
  token <- add_assessor(again, "ann")
  record_answer(again, "t", "ann", "a")
  close_session(again)

  # A connection of the user's is left open.
  connection <- do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server))
  withr::defer(DBI::dbDisconnect(connection))
  s <- open_session(connection)
  expect_identical(assessor_of(s, token), "ann")
  expect_identical(answers(s)$answer, "a")
  expect_error(record_answer(s, "t", "ann", "b"), class = "judicious_error_already_answered")
  close_session(s)
  expect_true(DBI::dbIsValid(connection))
  expect_error(judging_session(x, store = server), class = "judicious_error_session_exists")

  # A connection that breaks is made again; what was not acknowledged is not there.
  s <- open_session(server)
  before <- nrow(judgments(s))
  DBI::dbGetQuery(connection, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
                               AND datname = 'postgres'")
  expect_error(next_documents(s), class = "judicious_error_store_unreachable")
  judge_truly(s, 1)
  expect_identical(nrow(judgments(s)), before + 1L)
  close_session(s)
})

test_that("assessors at once on PostgreSQL lose and repeat nothing", {
  testthat::skip_on_cran()
  server <- local_postgres()
  close_session(judging_session(x, store = server, batch = 8, update_every = 20, seed = 1))
  judged <- in_processes(4, function(number, server) {
    s <- judicious::open_session(server)
    who <- paste0("a", number)
    out <- NULL
    for (i in 1:15) {
      d <- judicious::next_documents(s, 1, who)
      judicious::judge(s, d$query, d$doc, 10 * number, who)
      out <- rbind(out, data.frame(d[c("query", "doc")], assessor = who))
    }
    out
  }, server = server)
  s <- open_session(server)
  kept <- judgments(s)
  key <- function(d) sort(paste(d$query, d$doc, d$assessor))
  expect_identical(key(kept), key(do.call(rbind, judged)))
  expect_false(any(duplicated(kept[c("query", "doc")])))
  # No document was even given to two.
  leases <- unique(store_rows(s$env$store, "event", list(kind = "lease"))[c("query", "doc", "assessor")])
  expect_false(any(duplicated(leases[c("query", "doc")])))
  close_session(s)
})

test_that("two who judge the same unasked document at once: one is told", {
  server <- local_postgres()
  one <- judging_session(x, store = server, seed = 1)
  two <- open_session(server)
  d <- judgments_of(x)[7, ]
  judge(one, d$query, d$doc, 5, "a")
  expect_error(judge(two, d$query, d$doc, 6, "b"), class = "judicious_error_already_judged")
  expect_identical(judgments(two)$gain, 5)
  close_session(one)
  close_session(two)
})
