# The parts of a simulated collection, from which the tests build it step by step.
apart <- function() {
  all <- simulate_collection(queries = 6, documents = 100, artists = 15, systems = 5, seed = 4, scale = broad_scale())
  runs <- as.data.frame(all)[c("system", "query", "doc", "rank")]
  queries <- data.frame(query = all$queries$query, language = rep(c("de", "en"), 3), weight = 1:6)
  teams <- data.frame(system = all$systems$system, team = c("t1", "t1", "t2", "t2", "t3"))
  list(all = all, runs = runs, queries = queries, teams = teams, documents = all$documents,
       truth = suppressWarnings(judgments_of(all)))
}

build <- function(a, rows, judgments = NULL) {
  runs <- a$runs[rows, ]
  test_collection(runs, a$documents, a$teams[a$teams$system %in% runs$system, ], a$queries, judgments, k = 5,
                  scale = broad_scale())
}

test_that("adding runs gives the same collection as building it from all runs", {
  a <- apart()
  new <- a$runs$system %in% c("S02", "S05")
  some <- a$truth[seq(1, nrow(a$truth), 3), ]
  x <- suppressWarnings(build(a, !new, some), classes = "judicious_warning_outside_pool")
  added <- add_runs(x, a$runs[new, ], a$documents, a$teams)
  a$runs <- rbind(a$runs[!new, ], a$runs[new, ])
  whole <- build(a, TRUE)
  expect_identical(added[c("systems", "queries", "documents", "pool", "results", "k", "scale", "scoring")],
                   whole[c("systems", "queries", "documents", "pool", "results", "k", "scale", "scoring")])
  expect_identical(added$gain[seq_len(n_pairs(x))], x$gain)
  # Judgments outside the smaller pool are judgments of the larger one.
  expect_identical(added$gain, build(a, TRUE, some)$gain)
  expect_identical(output_features(added), output_features(whole))
  known <- add_runs(x, a$runs[a$runs$system %in% c("S02", "S05"), ], a$documents, a$teams, judgments = a$truth)
  expect_identical(known$gain, build(a, TRUE, a$truth)$gain)
})

test_that("adding queries gives the same collection as building it from all queries, from files too", {
  a <- apart()
  last <- tail(a$queries$query, 2)
  new <- a$runs$query %in% last
  x <- build(a, !new)
  added <- add_queries(x, a$runs[new, ], a$queries, a$documents)
  a$runs <- rbind(a$runs[!new, ], a$runs[new, ])
  expect_identical(added, build(a, TRUE))
  folder <- withr::local_tempdir()
  paths <- file.path(folder, c("runs.tsv", "queries.tsv", "documents.tsv"))
  tables <- list(a$runs[a$runs$query %in% last, ], a$queries[a$queries$query %in% last, ], a$documents)
  for (i in 1:3) write.table(tables[[i]], paths[i], sep = "\t", row.names = FALSE, quote = FALSE)
  expect_equal(add_queries(x, paths[1], paths[2], paths[3]), added)
  # Weights with trailing zeros are read as numbers.
  writeLines(c("query\tlanguage\tweight", paste0(last, "\tde\t0.50")), paths[2])
  expect_equal(tail(add_queries(x, paths[1], paths[2], paths[3])$queries$weight, 2), c(0.5, 0.5))
})

test_that("repeated documents of added lists are an error, or count at their best place", {
  runs <- data.frame(system = rep(c("A", "B"), each = 4), query = rep(c("p", "q"), each = 2, times = 2),
                     doc = c("d1", "d2", "d3", "d4", "d2", "d1", "d4", "d3"), score = 2:1)
  new <- transform(runs[c(3, 7), ], score = 3)
  x <- test_collection(runs[runs$query == "p", ], k = 2, scale = 0:1)
  added <- rbind(runs[runs$query == "q", ], new)
  expect_error(add_queries(x, added), class = "judicious_error_duplicate_result")
  lists <- function(x) {
    results <- as.data.frame(x)[c("system", "query", "rank", "doc")]
    results[do.call(order, results), "doc"]
  }
  expect_identical(lists(add_queries(x, added, duplicates = "best")), lists(add_queries(x, runs[runs$query == "q", ])))
  one <- test_collection(runs[runs$system == "A", ], k = 2, scale = 0:1)
  added <- rbind(runs[runs$system == "B", ], transform(runs[5, ], score = 0))
  expect_identical(lists(add_runs(one, added, duplicates = "best")), lists(add_runs(one, runs[runs$system == "B", ])))
})

test_that("add_runs() accepts a collection and keeps the measure", {
  a <- apart()
  new <- a$runs$system == "S05"
  x <- with_measure(build(a, !new), "nDCG(ideal=maximum)@5")
  other <- build(a, new)
  added <- add_runs(x, other)
  a$runs <- rbind(a$runs[!new, ], as.data.frame(other)[names(a$runs)])
  expect_identical(added, with_measure(build(a, TRUE), "nDCG(ideal=maximum)@5"))
  plain <- suppressWarnings(test_collection(a$runs[1:100, c("system", "query", "doc")], k = 5, scale = broad_scale()))
  bare <- suppressWarnings(add_runs(plain, data.frame(system = "new", query = plain$queries$query[1], doc = "d1")))
  expect_identical(tail(bare$systems, 1)$team, "new")
  expect_null(bare$results$rank)
})

test_that("invalid additions raise errors, incomplete ones warnings", {
  a <- apart()
  new <- a$runs$system == "S05"
  rows <- a$runs[new, ]
  x <- build(a, !new, a$truth[1:5, ][a$truth[1:5, "doc"] %in% a$runs$doc[!new], ])
  last <- a$runs$query == tail(a$queries$query, 1)
  y <- build(a, !last)
  expect_snapshot(error = TRUE, {
    add_runs(x, a$runs)
    add_runs(x, transform(rows, query = "q99"), a$documents, a$teams)
    add_runs(x, rows, a$documents)
    add_runs(x, rows, a$documents, a$teams[1:2, ])
    add_runs(x, rows, a$documents[c("doc", "genre")], a$teams)
    add_runs(x, rows[c("system", "query", "doc")], a$documents, a$teams)
    add_runs(x, test_collection(rows, k = 3, scale = broad_scale()))
    add_runs(x, test_collection(rows, k = 5, scale = 0:1))
    add_runs(x, rows, a$documents, a$teams, judgments = transform(judgments_of(x), gain = (gain + 1) %% 3))
    add_queries(y, a$runs[last, ], documents = a$documents)
    add_queries(y, a$runs[1:5, ], a$queries, a$documents)
    add_queries(x, transform(rows, query = "q99"), a$queries, a$documents)
    add_runs(1, rows)
    add_queries("runs.txt", rows)
    add_runs(x, rows, a$documents, a$teams, grades = 1)
  })
  expect_snapshot(invisible(add_runs(x, rows[-1, ], systems = a$teams)))
})
