ranked <- function() {
  data.frame(
    system = rep(c("A", "B"), each = 4), query = rep(c("q1", "q1", "q2", "q2"), 2),
    doc = c("d1", "d2", "d3", "d4", "d1", "d3", "d3", "d5"), rank = rep(1:2, 4)
  )
}

test_that("the pool holds the distinct query-document pairs in order of appearance, with results grouped by pair", {
  x <- test_collection(ranked(), k = 2)
  expect_s3_class(x, "judicious_collection")
  expect_equal(pool_ids(x), data.frame(query = c("q1", "q1", "q2", "q2", "q1", "q2"),
                                       doc = c("d1", "d2", "d3", "d4", "d3", "d5")))
  expect_equal(x$results$offset, c(0, 2, 3, 5, 6, 7, 8))
  expect_equal(x$results$system, c(1, 2, 1, 1, 2, 1, 2, 2))
  expect_equal(x$results$rank, c(1, 1, 2, 1, 1, 2, 2, 2))
  expect_equal(x$gain, rep(NA_real_, 6))
  expect_equal(x$systems, data.frame(system = c("A", "B"), team = c("A", "B")))
  expect_equal(find_pairs(x, c("q2", "q2", "zz"), c("d5", "d1", "d1")), c(6, NA, NA))
  again <- as.data.frame(x)
  key <- function(data) sort(paste(data$system, data$query, data$doc, data$rank))
  expect_equal(key(again), key(ranked()))
})

test_that("lists are cut at k by rank, or by score and document identifier, and not at all without either", {
  runs <- ranked()
  expect_equal(n_results(test_collection(runs, k = 1)), 4)
  runs$rank <- NULL
  runs$score <- c(1, 1, .5, .7, 3, 2, -1, -1)
  x <- suppressWarnings(test_collection(runs, k = 1))
  expect_equal(pool_ids(x), data.frame(query = c("q1", "q2", "q1", "q2"), doc = c("d2", "d4", "d1", "d5")))
  both <- transform(ranked(), score = c(1, 2, 1, 2, 1, 2, 1, 2))
  by_rank <- test_collection(both, k = 1, scale = fine_scale(), ties = "rank")
  expect_equal(by_rank, test_collection(ranked(), k = 1, scale = fine_scale()))
  runs$score <- NULL
  x <- test_collection(runs, k = 2)
  expect_null(x$results$rank)
  expect_equal(n_results(x), 8)
})

test_that("ranks are shifted only for systems whose ranks start at 0", {
  docs <- c("d1", "d2", "d3")
  runs <- rbind(data.frame(system = "A", query = "q1", doc = docs, rank = 0:2),
                data.frame(system = "B", query = "q1", doc = docs, rank = 1:3))
  expect_snapshot(x <- test_collection(runs, k = 3))
  expect_identical(x$results$rank, rep(1:3, each = 2))
})

test_that("ranks that start at 0 are accepted with a message", {
  zero <- transform(ranked(), rank = rank - 1)
  expect_snapshot(x <- test_collection(zero, k = 2))
  expect_equal(x, test_collection(ranked(), k = 2))
})

test_that("a collection can be built from files as from data frames", {
  documents <- data.frame(doc = paste0("d", 1:5), artist = "x", genre = "rock")
  teams <- data.frame(system = c("B", "A"), team = c("t", "s"))
  queries <- data.frame(query = c("q1", "q2"), genre = c("rock", "folk"))
  truth <- data.frame(query = "q1", doc = c("d1", "d2"), gain = c(1, 2))
  x <- test_collection(ranked(), documents, teams, queries, truth, k = 2, scale = broad_scale())
  from_files <- test_collection(table_file(ranked()), table_file(documents), table_file(teams), table_file(queries),
                                table_file(truth), k = 2, scale = broad_scale())
  expect_equal(from_files, x)
  expect_equal(x$systems$team, c("s", "t"))
  expect_equal(x$gain, c(1, 2, NA, NA, NA, NA))
  expect_equal(x$queries$genre, c("rock", "folk"))
})

test_that("numeric identifiers become text without loss of digits", {
  runs <- transform(ranked(), query = c(100000, 100000, 2, 2, 100000, 100000, 2, 2))
  x <- test_collection(runs, k = 2, judgments = data.frame(query = 1e5, doc = "d1", gain = 7))
  expect_equal(x$queries$query, c("100000", "2"))
  expect_equal(x$gain[1], 7)
})

test_that("teams come from the table of systems, else from the runs, else each system is its own team", {
  runs <- transform(ranked(), team = rep(c("t1", "t2"), each = 4))
  expect_equal(test_collection(runs, k = 2)$systems$team, c("t1", "t2"))
  given <- data.frame(system = c("A", "B"), team = "one", size = 1:2)
  expect_equal(test_collection(runs, systems = given, k = 2)$systems, given)
  runs$team[2] <- "t9"
  expect_snapshot(error = TRUE, test_collection(runs, k = 2))
})

test_that("columns whose names only begin like team, weight or system are not taken for these", {
  x <- test_collection(transform(ranked(), team_size = seq_len(nrow(ranked()))), k = 2)
  expect_identical(x$systems$team, x$systems$system)
  queries <- data.frame(query = unique(ranked()$query), weight_class = "heavy")
  expect_false(is_weighted(test_collection(ranked(), queries = queries, k = 2)))
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(queries, path, row.names = FALSE)
  expect_identical(test_collection(ranked(), queries = path, k = 2)$queries, queries)
  one_system <- subset(ranked(), system == "A", c(query, doc, rank))
  utils::write.csv(cbind(one_system, system_prompt = "be brief"), path, row.names = FALSE)
  expect_identical(suppressMessages(read_runs(path))$system, rep(sub("[.]csv$", "", basename(path)), nrow(one_system)))
  truth <- transform(unique(ranked()[c("query", "doc")]), gain = 1)
  sampled <- evaluate(ranked(), truth, "infAP")
  expect_identical(evaluate(ranked(), transform(truth, probability_of = 2, stratum_name = doc), "infAP"), sampled)
  expect_error(evaluate(ranked(), transform(truth, subtopic_name = "a"), "alpha_nDCG@2"), "no column \"subtopic\"",
               class = "judicious_error_columns")
})

test_that("summary() counts systems, queries, documents and judgments", {
  truth <- data.frame(query = "q1", doc = "d1", gain = 3)
  x <- test_collection(ranked(), judgments = truth, k = 2)
  s <- summary(x)
  expect_equal(unclass(s)[c("systems", "teams", "queries", "documents", "results", "pool", "judged")],
               list(systems = 2L, teams = 2L, queries = 2L, documents = 5L, results = 8L, pool = 6L, judged = 1L))
  expect_equal(s$overlap, 1 - 6 / 8)
  expect_equal(s$judged_share, 1 / 6)
  expect_equal(nrow(as.data.frame(s)), 1)
  expect_snapshot(print(x))
})

test_that("print() states how many teams the system names suggest, if no teams were given", {
  names <- c("idst_bert_p1", "idst_bert_p2", "nlm-rr", "nlm.ens", "alone")
  expect_identical(suggested_teams(data.frame(system = names, team = names)), 3L)
  expect_identical(suggested_teams(data.frame(system = names, team = "one")), 0L)
  expect_identical(suggested_teams(data.frame(system = c("run_1", "run_2"), team = c("run_1", "run_2"))), 0L)
  runs <- data.frame(system = rep(names, each = 2), query = "q", doc = c("d1", "d2"))
  expect_output(print(test_collection(runs, k = 2)), "5 systems; their names suggest 3, which `systems` can state")
})

test_that("short lists and missing queries give one warning each, with their number", {
  runs <- ranked()[-c(2, 7, 8), ]
  expect_snapshot(x <- test_collection(runs, k = 2))
  expect_equal(n_results(x), 5)
  expect_warning(test_collection(ranked()[-2, ], k = 2), class = "judicious_warning_short_list")
  expect_warning(test_collection(ranked()[-(7:8), ], k = 2), class = "judicious_warning_missing_query")
})

test_that("invalid runs raise errors", {
  runs <- ranked()
  duplicate <- rbind(runs, transform(runs[3, ], rank = 9))
  expect_snapshot(error = TRUE, {
    test_collection(runs, k = 0)
    test_collection(runs, scale = "fine")
    test_collection(1)
    test_collection(runs[0, ])
    test_collection(runs["doc"])
    test_collection(transform(runs, doc = ifelse(doc == "d3", NA, doc)), k = 2)
    test_collection(transform(runs, rank = c(1, NA, 1:2, 1:2, 1:2)), k = 2)
    test_collection(transform(runs, rank = as.character(rank)), k = 2)
    test_collection(transform(runs, rank = rank + .5), k = 2)
    test_collection(transform(runs, rank = -rank), k = 2)
    test_collection(transform(runs, rank = 1), k = 2)
    test_collection(runs[c("system", "query", "doc")], k = 1)
    test_collection(duplicate, k = 9)
    test_collection(duplicate[c("system", "query", "doc")], k = 9)
    test_collection("no-such-file")
  }, transform = hide_paths)
})

test_that("invalid metadata raise errors", {
  runs <- ranked()
  documents <- data.frame(doc = paste0("d", 1:5), genre = "rock")
  systems <- data.frame(system = c("A", "B"), team = "t")
  expect_snapshot(error = TRUE, {
    test_collection(runs, systems = systems[1, ], k = 2)
    test_collection(runs, systems = systems["system"], k = 2)
    test_collection(runs, systems = rbind(systems, systems[1, ]), k = 2)
    test_collection(runs, systems = transform(systems, team = c("t", NA)), k = 2)
    test_collection(runs, documents = documents["genre"], k = 2)
    test_collection(runs, documents = documents[c(1:5, 2), ], k = 2)
    test_collection(runs, queries = data.frame(query = "", genre = "x"), k = 2)
    test_collection(runs, documents = 1, k = 2)
    test_collection(runs, documents = within(documents, of <- documents), k = 2)
    test_collection(runs, systems = 1, k = 2)
    test_collection(runs, queries = list(), k = 2)
  })
})

test_that("missing metadata give a warning", {
  runs <- ranked()
  expect_snapshot({
    x <- test_collection(runs, documents = data.frame(doc = c("d1", "d3"), genre = "rock"), k = 2)
    x <- test_collection(runs, queries = data.frame(query = "q2", genre = "rock"), k = 2)
    x <- test_collection(runs, systems = data.frame(system = c("A", "B", "C", "D"), team = "t"), k = 2)
  })
  expect_equal(x$systems$system, c("A", "B"))
})

test_that("invalid judgments raise errors", {
  runs <- ranked()
  judge <- function(...) test_collection(runs, judgments = data.frame(...), k = 2, scale = broad_scale())
  expect_snapshot(error = TRUE, {
    judge(query = "q1", doc = "d1")
    judge(query = "q1", doc = "d1", gain = "2")
    judge(query = "q1", doc = c("d1", "d2", "d3"), gain = c(0, 3, NA))
    judge(query = "q1", doc = c("d1", "d2", "d1"), gain = c(0, 1, 2))
    judge(query = NA, doc = "d1", gain = 1)
    test_collection(runs, judgments = 1, k = 2)
  })
  expect_error(judge(query = "q1", doc = "d1", gain = 3), class = "judicious_error_gain_outside_scale")
  expect_error(judge(query = "q1", doc = c("d1", "d1"), gain = 1:2), class = "judicious_error_contradictory_judgments")
})

test_that("repeated judgments and judgments outside the pool are counted and left out", {
  runs <- ranked()
  judge <- function(...) test_collection(runs, judgments = data.frame(...), k = 2, scale = broad_scale())
  expect_snapshot({
    x <- judge(query = "q1", doc = c("d1", "d2", "d1"), gain = c(2, 1, 2))
    y <- judge(query = c("q1", "q1", "q9"), doc = c("d1", "d9", "d1"), gain = 2)
    z <- judge(query = c("q8", "q9"), doc = "d1", gain = 2)
  })
  expect_equal(x$gain, c(2, 1, NA, NA, NA, NA))
  expect_equal(y$gain, c(2, NA, NA, NA, NA, NA))
})

test_that("the collection of MIREX 2011 has the published size", {
  path <- skip_without_data("mirex-ams-2011")
  read <- function(file) file.path(path, file)
  expect_warning(
    x <- test_collection(read("runs.txt"), read("metadata.txt"), judgments = read("judgments.txt")),
    class = "judicious_warning_no_metadata"
  )
  s <- summary(x)
  expect_equal(c(s$systems, s$queries, s$results, s$pool, s$judged), c(18, 100, 9000, 6322, 6322))
  expect_equal(percent(s$overlap), "30%")
})

test_that("misspelt arguments, and file names in place of a collection, raise an error with the remedy", {
  expect_snapshot(error = TRUE, {
    test_collection(ranked(), documnts = NULL)
    test_collection(ranked(), teams = "teams.tsv")
    rank_systems("runs.txt")
    rank_systems(test_collection(ranked(), k = 2), past = "session.sqlite")
    select_documents("session.sqlite")
  })
})

test_that("an assumed cutoff gives a message, and one beyond the longest list a warning", {
  runs <- data.frame(system = rep(c("A", "B"), each = 6), query = "q1", doc = paste0("d", 1:6), rank = 1:6)
  expect_message(x <- test_collection(runs, scale = 0:3), "`k` = 5 is assumed", class = "judicious_message_cutoff")
  expect_identical(x$k, 5)
  expect_no_message(test_collection(runs, k = 6, scale = 0:3))
  expect_warning(test_collection(runs, k = 10, scale = 0:3), "No list has more than 6: should `k` be 6?", fixed = TRUE)
})

test_that("setting the measure of a collection changes only its `scoring`", {
  x <- test_collection(data.frame(system = "A", query = "q", doc = c("a", "b"), rank = 1:2), k = 2, scale = 0:3)
  y <- with_measure(x, "P(rel=2)@2")
  others <- setdiff(names(x), "scoring")
  expect_identical(y[others], x[others])
  expect_identical(gain_range(x), c(0, 3))
  expect_identical(gain_range(y), c(0, 1))
  expect_identical(y$scoring$weight, c(1, 1) / 2)
  expect_snapshot({
    x$scoring
    y$scoring
    with_measure(x, "AP")$scoring
  })
})
