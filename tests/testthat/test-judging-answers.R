x <- session_collection()
ids <- c("query", "doc")

test_that("no document is assigned to two assessors, and repeated requests return the same documents", {
  s <- judging_session(x, batch = 3, seed = 1, judgments = FALSE)
  a <- next_documents(s, 4, "a")
  b <- next_documents(s, 4, "b")
  expect_identical(c(nrow(a), nrow(b)), c(4L, 4L))
  expect_false(any(duplicated(rbind(a, b)[ids])))
  expect_identical(next_documents(s, 4, "a")[ids], a[ids])
  expect_identical(next_documents(s, 2, "a")[ids], a[1:2, ids])
  expect_identical(next_documents(s, 5, "b")[1:4, ids], b[ids])
  # Repeated requests assign no further documents.
  expect_identical(nrow(held_slots(s$engine, "a")), 4L)
})

test_that("a document whose lease expires passes to the next assessor, and activity renews a lease", {
  s <- judging_session(x, lease = 100, seed = 1, judgments = FALSE)
  a <- next_documents(s, 1, "a")
  advance_clock(s, 60)
  again <- next_documents(s, 1, "a")
  expect_gt(as.numeric(again$lease_until - a$lease_until, units = "secs"), 50)
  advance_clock(s, 60)
  b <- next_documents(s, 1, "b")
  expect_false(identical(b[ids], a[ids]))
  advance_clock(s, 50)
  # The lease has expired, but nobody else has requested the document, so assessor a keeps it.
  expect_identical(next_documents(s, 1, "a")[ids], a[ids])
  advance_clock(s, 101)
  taken <- next_documents(s, 2, "c")
  expect_setequal(paste(taken$query, taken$doc), c(paste(a$query, a$doc), paste(b$query, b$doc)))
  expect_error(judge(s, a$query, a$doc, 10, "a"), class = "judicious_error_leased")
  judge(s, taken$query, taken$doc, c(1, 2), "c")
  # A judgment after the lease has expired counts as a second judgment.
  judge(s, a$query, a$doc, 10, "a")
  expect_identical(judgments_of(s)$assessor, c("c", "c", "a"))
  expect_identical(judgments_of(s)$overlap, c(FALSE, FALSE, TRUE))
})

test_that("documents that an assessor releases can be assigned to another", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  a <- next_documents(s, 2, "a")
  next_documents(s, 0, "a")
  expect_identical(next_documents(s, 2, "b")[ids], a[ids])
})

test_that("judge() records all judgments of a call or none", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  d <- next_documents(s, 3, "a")
  expect_error(judge(s, d$query, d$doc, c(1, 2, 300), "a"), class = "judicious_error_gain_outside_scale")
  expect_error(judge(s, c(d$query, "q99"), c(d$doc, "d"), 1:4, "a"), class = "judicious_error_outside_pool")
  judge(s, d$query[3], d$doc[3], 3, "a")
  expect_error(judge(s, d$query, d$doc, 1:3, "a"), class = "judicious_error_already_judged")
  expect_identical(judgments_of(s)$gain, 3)
  judge(s, d$query[1:2], d$doc[1:2], 1:2, "a", seconds = c(4, NA))
  expect_identical(judgments_of(s)$seconds, c(NA, 4, NA))
})

test_that("documents that were not selected can be judged", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  own <- judgments_of(x)[c(5, 9), ]
  judge(s, own$query, own$doc, own$gain, "a")
  expect_identical(judgments_of(s)[c("query", "doc", "gain")], `rownames<-`(own, NULL))
  # It is unknown whether these documents were selected or drawn at random.
  expect_identical(judgments_of(s)$audit, c(NA, NA))
  everything <- next_documents(s, n_pairs(x), "b")
  expect_identical(nrow(everything), n_pairs(x) - 2L)
  expect_false(any(paste(own$query, own$doc) %in% paste(everything$query, everything$doc)))
})

test_that("each document of the overlap is judged by two assessors, and by none of them twice", {
  small <- restrict_to_queries(x, 1:4)
  s <- judging_session(small, overlap = 0.4, seed = 2, judgments = FALSE)
  a <- next_documents(s, n_pairs(small), "a")
  expect_false(any(a$overlap))
  judge(s, a$query, a$doc, rep(40, nrow(a)), "a")
  expect_identical(nrow(next_documents(s, 1, "a")), 0L)
  b <- next_documents(s, 1000, "b")
  expect_true(all(b$overlap))
  again <- store_rows(s$engine$store, "slot", list(copy = 1L, overlap = 1L))$pair
  expect_setequal(find_pairs(small, b$query, b$doc), again)
  # The overlap is a share of 0.4 of the pool, within three standard deviations.
  expect_lt(abs(nrow(b) - 0.4 * n_pairs(small)), 3 * sqrt(0.24 * n_pairs(small)))
  expect_identical(nrow(next_documents(s, 1, "c")), 0L)
  judge(s, b$query, b$doc, rep(50, nrow(b)), "b")
  expect_identical(nrow(next_documents(s, 1, "c")), 0L)
  # The gain of a document is the mean of both judgments.
  gains <- gain_distribution(s)$gain
  expect_true(all(gains[-again] < 45))
  expect_equal(gains[again], rep(45, length(again)))
  expect_error(judge(s, b$query[1], b$doc[1], 1, "b"), class = "judicious_error_already_judged")
  # Undoing one of them leaves the other.
  undo_judgment(s, "a")
  last <- a[nrow(a), ]
  gains <- gain_distribution(s)$gain[find_pairs(small, last$query, last$doc)]
  second <- paste(last$query, last$doc) %in% paste(b$query, b$doc)
  expect_identical(gains, if (second) 50 else NA_real_)
})

test_that("skipped documents are not assigned, but can be judged", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  a <- next_documents(s, 1, "a")
  skip_document(s, a$query, a$doc, "the link is dead", "a")
  rest <- next_documents(s, n_pairs(x), "b")
  expect_identical(nrow(rest), n_pairs(x) - 1L)
  expect_false(paste(a$query, a$doc) %in% paste(rest$query, rest$doc))
  expect_identical(store_rows(s$engine$store, "event", list(kind = "skip"))$detail, "the link is dead")
  expect_identical(progress(s)[c("judged", "skipped", "open")], list(judged = 0L, skipped = 1L, open = n_pairs(x) - 1L))
  judge(s, a$query, a$doc, 70, "c")
  expect_identical(progress(s)$skipped, 0L)
})

test_that("undo_judgment() withdraws the assessor's own last judgment, and repeated calls go further back", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  at_start <- rank_systems(s)
  a <- next_documents(s, 2, "a")
  judge(s, a$query[1], a$doc[1], 10, "a")
  after_one <- rank_systems(s)
  b <- next_documents(s, 1, "b")
  judge(s, b$query, b$doc, 30, "b")
  after_two <- rank_systems(s)
  skip_document(s, a$query[2], a$doc[2], assessor = "a")
  undo_judgment(s, "a")
  expect_identical(next_documents(s, 1, "a")[ids], `rownames<-`(a[2, ids], NULL))
  expect_identical(rank_systems(s)$mean, after_two$mean)
  undo_judgment(s, "a")
  expect_identical(next_documents(s, 2, "a")[ids], a[ids])
  expect_identical(judgments_of(s)$gain, 30)
  expect_error(undo_judgment(s, "a"), class = "judicious_error_nothing_to_undo")
  undo_judgment(s, "b")
  expect_equal(rank_systems(s)$mean, at_start$mean)
  judge(s, a$query[1], a$doc[1], 10, "a")
  expect_equal(rank_systems(s)$mean, after_one$mean)
  log <- store_rows(s$engine$store, "event", list(kind = c("judge", "skip", "undo")))
  expect_identical(log$kind, c("judge", "judge", "skip", "undo", "undo", "undo", "judge"))
  expect_identical(as.data.frame(s)$judged, c(0L, 1L, 2L, 1L, 0L, 1L))
})

test_that("invalid judgments raise informative errors", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  d <- next_documents(s, 2, "ann")
  judge(s, d$query[2], d$doc[2], 5, "ann")
  expect_snapshot(error = TRUE, {
    judge(s, d$query[1], "nowhere", 1)
    judge(s, d$query[1], d$doc[1], 300)
    judge(s, d$query[1], d$doc[1], "5")
    judge(s)
    judge(s, d$query[1], d$doc[1])
    judge(s, d$query[1], d$doc[1], 1:2)
    judge(s, d$query, d$doc[1], 1)
    judge(s, d$query[c(1, 1)], d$doc[c(1, 1)], 1:2)
    judge(s, d$query[1], d$doc[1], 1, seconds = -1)
    judge(s, d$query[1], d$doc[1], 1, "")
    judge(s, d$query[1], d$doc[1], 1, "bob")
    judge(s, d$query[2], d$doc[2], 1, "ann")
    skip_document(s, d$query[2], d$doc[2], assessor = "bob")
    skip_document(s, d$query[1], d$doc[1], 1:2)
    undo_judgment(s, "bob")
    next_documents(s, -1)
  })
})

test_that("identifiers may contain quotes, separators and SQL", {
  nasty <- c("a'; DROP TABLE event; --", "b\"'|,", "<script>alert(1)</script>", "\u00e9?\u2603 $1")
  runs <- data.frame(system = rep(c("A", "B"), each = 4), query = "q'?", doc = c(nasty, rev(nasty)[c(1, 3, 2)], "z"))
  y <- test_collection(runs, k = 4)
  for (store in list(NULL, session_file())) {
    s <- judging_session(y, store = store, seed = 1, judgments = FALSE)
    who <- "o'hara; --?"
    d <- next_documents(s, 5, who)
    judge(s, d$query, d$doc, 1:5, who)
    expect_setequal(judgments_of(s)$doc, c(nasty, "z"))
    expect_identical(unique(judgments_of(s)$assessor), who)
    close_session(s)
  }
})

test_that("assessors who wait while another process selects documents get random documents", {
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".sqlite")
  x <- simulate_collection(queries = 10, documents = 200, artists = 30, systems = 5, seed = 1)
  s <- judging_session(x, store = path, batch = 40, seed = 1, judgments = FALSE)
  selected <- function() nrow(store_rows(s$engine$store, "slot"))
  tender <- open_session(path)
  store_lock(tender$engine$store, "fits")
  known <- judgments_of(x)[1:3, ]
  judge(s, known$query, known$doc, known$gain, "bob")
  asked <- next_documents(s)
  expect_equal(selected(), 13)
  expect_false(paste(asked$query, asked$doc) %in% paste(known$query, known$doc))
  slots <- store_rows(s$engine$store, "slot")
  expect_true(all(slots$audit[!slots$pair %in% find_pairs(x, known$query, known$doc)] == 1))
  # The log is not read to draw random documents, because that would take long.
  expect_null(s$engine$seen)
  store_unlock(tender$engine$store, "fits")
  next_documents(s, 11)
  expect_equal(selected(), 13 + 40)
  store_lock(tender$engine$store, "fits")
  next_documents(s, n_pairs(x))
  expect_equal(selected(), n_pairs(x))
  expect_identical(nrow(next_documents(s, 1, "cy")), 0L)
})

test_that("run_session() simulates with the ratings of several assessors that a session leaves out", {
  d <- expand.grid(system = c("A", "B"), query = 1:12, rater = c("ann", "bob", "cy"))
  d$rating <- rep(c(1, 2, 3, 4, 5, 2, 1), length.out = nrow(d))
  x <- quiet_answers(d)
  s <- judging_session(x, goal_budget(9), judgments = FALSE, seed = 1)
  run_session(s)
  judged <- judgments_of(s)
  expect_identical(nrow(judged), 9L)
  of_document <- split(d$rating, paste0(d$query, "@", d$system))
  expect_identical(judged$gain, unname(vapply(of_document[judged$doc], stats::median, 0)))
})
