documents <- data.frame(
  doc = c("q1", "q2", "d1", "d2", "d3", "d4"), artist = c("x", "y", "x", "z", NA, "y"),
  album = c("m", "n", "m", "n", "n", "o")
)
runs <- data.frame(system = "A", query = rep(c("q1", "q2"), c(4, 4)),
                   doc = c("d1", "q1", "d2", "d3", "d4", "d2", "d3", "d1"), rank = rep(1:4, 2))

test_that("a filter removes documents that share artist or album with the query, and the query itself", {
  kept <- function(filter, k = 2) {
    x <- suppressWarnings(test_collection(runs, documents, k = k, filter = filter))
    as.data.frame(x)[c("query", "doc", "rank")]
  }
  expect_equal(kept("artist"), data.frame(query = c("q1", "q1", "q2", "q2"), doc = c("d2", "d3", "d2", "d3"),
                                          rank = c(1L, 2L, 1L, 2L)))
  both <- kept(c("artist", "album"))
  expect_equal(both$doc, c("d2", "d3", "d1"))
  expect_equal(both$rank, c(1, 2, 1))
})

test_that("filtered results are renumbered in rank order, whatever the order of rows", {
  of <- function(runs) {
    x <- suppressWarnings(test_collection(runs, documents, k = 4, filter = "artist"))
    rows <- as.data.frame(x)
    rows[order(rows$query, rows$rank), c("query", "doc", "rank")]
  }
  found <- of(runs[c(8, 4, 6, 2, 7, 3, 5, 1), ])
  expect_identical(found$doc, c("d2", "d3", "d2", "d3", "d1"))
  expect_identical(found$rank, c(1:2, 1:3))
  expect_equal(found, of(runs), ignore_attr = "row.names")
})

test_that("check_runs() reports the results that a filter removes, and none once they are filtered", {
  found <- check_runs(runs, documents = documents)$filtered
  expect_equal(found, data.frame(system = "A", query = c("q1", "q1", "q2", "q2", "q2"),
                                 doc = c("d1", "q1", "d4", "d2", "d3"),
                                 shares = c("artist", "document", "artist", "album", "album")))
  clean <- suppressWarnings(test_collection(runs, documents, k = 4, filter = c("artist", "album")))
  expect_equal(nrow(check_runs(clean)$filtered), 0)
  # Without metadata, results that are the query itself, unless identifiers are numbers, which may be unrelated.
  expect_equal(check_runs(runs)$filtered, data.frame(system = "A", query = "q1", doc = "q1", shares = "document"))
  numbered <- transform(runs, query = sub("q", "", query), doc = sub("[qd]", "", doc))[-1, ]
  expect_equal(nrow(check_runs(numbered)$filtered), 0)
  expect_output(print(check_runs(runs, documents = documents)), "5 results that share document, artist or album")
})

test_that("the filter uses metadata of queries that are not documents", {
  queries <- data.frame(query = c("q1", "q2"), artist = c("z", "x"))
  x <- suppressWarnings(test_collection(runs, documents[-(1:2), ], queries = queries, k = 4, filter = "artist"))
  expect_equal(as.data.frame(x)$doc, c("d1", "d3", "d4", "d2", "d3"))
})

test_that("invalid filters raise errors", {
  expect_snapshot(error = TRUE, {
    test_collection(runs, k = 4, filter = "artist")
    test_collection(runs, documents, k = 4, filter = "label")
    test_collection(runs, documents, k = 4, filter = TRUE)
    test_collection(runs, documents[-(1:2), ], k = 4, filter = "artist")
  })
})

test_that("repeated ranks, repeated results and documents without identifiers raise errors", {
  expect_error(test_collection(transform(runs, rank = 1), documents, k = 4, filter = "artist"),
               class = "judicious_error_duplicate_rank")
  expect_error(test_collection(rbind(transform(runs, rank = ave(seq_along(doc), system, query, FUN = seq_along)),
                                     transform(runs[1, ], rank = 1)), k = 4),
               class = "judicious_error_duplicate_result")
  expect_error(check_runs(runs, documents = documents["artist"]), class = "judicious_error_columns")
})

test_that("a collection restricted to some queries can be restricted again", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = c("q1", "q2"), doc = c("d1", "d2", "d3", "d4"))
  x <- test_collection(runs, k = 1, scale = 0:2)
  once <- only_queries(x, c(TRUE, FALSE))
  expect_equal(only_queries(once, c(TRUE, TRUE))$scoring$weight, once$scoring$weight)
  expect_false(anyNA(once$weight))
})
