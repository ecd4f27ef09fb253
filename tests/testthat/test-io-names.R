test_that("names of music similarity and of search engines are recognised where no column has a better name", {
  runs <- data.frame(Submission = "PS1", Query = "a1", Candidate = c("b2", "b1"), Rank = 1:2)
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(runs, file, row.names = FALSE)
  want <- setNames(transform(runs, Rank = c(1, 2)), c("system", "query", "doc", "rank"))
  expect_equal(read_runs(file), want)
  utils::write.csv(data.frame(engine = "PS1", search_term = "a1", url = c("b2", "b1"), position = 1:2), file,
                   row.names = FALSE)
  expect_equal(read_runs(file), want)
  # Beside the usual names, they are further columns.
  utils::write.csv(cbind(runs, doc = c("d1", "d2")), file, row.names = FALSE)
  expect_identical(read_runs(file)$doc, c("d1", "d2"))
})

test_that("a column that may name the systems is named in the error, if a file has a document of a query twice", {
  rows <- data.frame(qid = rep(1:2, each = 4), docno = c("d1", "d2"), score = c(3, 1, 4, 2),
                     name = rep(c("bm25", "dense"), each = 2))
  folder <- withr::local_tempdir()
  path <- file.path(folder, "results.csv")
  # The first column, of row numbers, tells all rows apart and is not meant.
  utils::write.csv(rows, path)
  expect_error(read_runs(path), "Column \"name\" tells them apart", class = "judicious_error_columns")
  names(rows)[4] <- "system"
  utils::write.csv(rows, path)
  expect_identical(read_runs(path)$system, rows$system)
  # Without a column of documents, this column is missing.
  utils::write.csv(setNames(rows, c("qid", "page", "score", "name")), path, row.names = FALSE)
  expect_error(suppressMessages(read_runs(path)), "no column \"doc\"", class = "judicious_error_columns")
  # Passages of documents, in one list for each query, are no systems: the best one of each document can be kept.
  passages <- data.frame(qid = 1, docno = c("d1", "d2", "d1", "d2"), score = 4:1, name = c("p1", "p1", "p2", "p2"))
  for (place in c("score", "rank")) {
    utils::write.csv(setNames(transform(passages, score = if (place == "rank") 1:4 else 4:1),
                              c("qid", "docno", place, "name")), path, row.names = FALSE)
    best <- suppressMessages(evaluate(path, data.frame(query = 1, doc = "d2", gain = 1), "RR", duplicates = "best"))
    expect_identical(best$value, 1 / 2)
  }
  # One list for each query is a run, whatever its other columns are.
  names(rows)[4] <- "name"
  utils::write.csv(rows[c(1:2, 7:8), ], path)
  expect_identical(suppressMessages(read_runs(path))$system, rep("results", 4))
})

test_that("a column that may have the gains is named if no column is known to have them", {
  file <- withr::local_tempfile(lines = c("query_id\tdoc_id\thuman_rel", "1\ta\t2"), fileext = ".tsv")
  expect_error(read_judgments(file), "If \"human_rel\" has the gains", class = "judicious_error_columns")
  writeLines(c("query_id\tdoc_id", "1\ta"), file)
  told <- expect_error(read_judgments(file), "add a column \"gain\" of 1", class = "judicious_error_columns")
  expect_no_match(conditionMessage(told), "call it")
})

test_that("data frames may have the names of columns that files may have", {
  runs <- data.frame(model = rep(c("A", "B"), each = 2), user_id = 1, item_id = c("x", "y", "y", "z"), prediction = 2:1)
  ratings <- data.frame(user_id = 1, item_id = c("x", "z"), rating = c(1, 2))
  # Of A, x is first; of B, z is second. The ideal order is z, x.
  ideal <- 2 + 1 / log2(3)
  scores <- evaluate(runs, ratings, "nDCG")
  expect_equal(scores$value, c(1, 2 / log2(3)) / ideal)
  expect_identical(scores$system, c("A", "B"))
  x <- test_collection(runs, judgments = ratings, k = 2)
  expect_identical(judgments_of(x)$gain, c(1, 2))
  later <- test_collection(runs, k = 2)
  expect_equal(rank_systems(later, judgments = ratings)$mean, rank_systems(x)$mean)
  session <- judging_session(later, judgments = ratings)
  expect_identical(judgments_of(session)$gain, c(1, 2))
  expect_equal(test_collection(runs, grades = ratings, k = 2)$grades$value, c(1, 2))
  # Columns with the package's names are what they say, and two columns for one name raise an error.
  own <- setNames(cbind(ratings, 9), c("query", "doc", "gain", "rating"))
  expect_equal(evaluate(runs, own, "nDCG")$value, scores$value)
  expect_error(evaluate(runs, cbind(ratings, label = 1), "nDCG"), class = "judicious_error_columns")
})
