x <- session_collection()

test_that("judgments exported as qrels and CSV are read back unchanged", {
  s <- run_session(judging_session(x, goal = goal_budget(12), overlap = 0.5, seed = 1,
                                   judgments = FALSE), progress = FALSE)
  second <- next_documents(s, 3, "second")
  judge(s, second$query, second$doc, rep(1, nrow(second)), "second")
  expect_true(any(second$overlap))
  file <- withr::local_tempfile(fileext = ".qrels")
  export_judgments(s, file)
  kept <- judgments_of(s)
  expect_equal(read_judgments(file)[c("query", "doc", "gain")],
               kept[!kept$overlap, c("query", "doc", "gain")], ignore_attr = TRUE)
  csv <- withr::local_tempfile(fileext = ".csv")
  export_judgments(s, csv, "csv")
  back <- utils::read.csv(csv, colClasses = c(query = "character", doc = "character"))
  expect_equal(back[c("query", "doc", "gain", "assessor", "audit", "overlap")],
               kept[c("query", "doc", "gain", "assessor", "audit", "overlap")], ignore_attr = TRUE)
  expect_equal(back$mean, kept$mean)
  export_judgments(s, csv, "csv", all = TRUE)
  expect_identical(utils::read.csv(csv)$kind, store_rows(s$engine$store, "event")$kind)
})

test_that("qrels of answers are read by programs that take # for a comment", {
  d <- data.frame(model = c("a", "b"), id = rep(1:2, each = 2), answer = c("u", "v", "w", "x"), rating = c(1, 0, 0, 1))
  answers <- suppressMessages(read_answers(d))
  s <- run_session(judging_session(answers, goal_budget(4), judgments = FALSE, seed = 1), judgments_of(answers))
  file <- withr::local_tempfile(fileext = ".qrels")
  export_judgments(s, file)
  read <- utils::read.table(file, col.names = c("query", "iteration", "doc", "gain"), colClasses = c(query = "character"))
  expect_equal(read[c("query", "doc", "gain")], judgments_of(s)[c("query", "doc", "gain")], ignore_attr = TRUE)
  expect_equal(read_judgments(file)[c("query", "doc", "gain")], read[c("query", "doc", "gain")], ignore_attr = TRUE)
})

test_that("judgments exported as Parquet are read back unchanged", {
  skip_if_not_installed("nanoparquet")
  s <- run_session(judging_session(x, goal = goal_budget(6), seed = 1, judgments = FALSE), progress = FALSE)
  file <- withr::local_tempfile(fileext = ".parquet")
  export_judgments(s, file, "parquet")
  back <- as.data.frame(nanoparquet::read_parquet(file))
  expect_equal(back[names(back) != "time"], judgments_of(s)[-5], ignore_attr = TRUE)
})

test_that("values that a format cannot represent raise an error on export", {
  runs <- data.frame(system = c("A", "B"), query = "q", doc = c("a b", "c"))
  s <- judging_session(test_collection(runs, k = 1), seed = 1, judgments = FALSE)
  judge(s, "q", "a b", 5)
  expect_snapshot(error = TRUE, {
    export_judgments(s, tempfile())
    export_judgments(s, tempfile(), all = TRUE)
    export_judgments(s, tempfile(), "xml")
  })
})

test_that("exported comments are not executed as formulas by spreadsheets, unless formulas are allowed", {
  s <- judging_session(x, goal = goal_budget(6), seed = 1, judgments = FALSE)
  typed <- c("=1+1", "+1", "-1", "@x", "\tx", "fine = 1")
  pairs <- next_documents(s, length(typed))
  for (i in seq_along(typed)) {
    judge(s, pairs$query[i], pairs$doc[i], 50)
    add_note(s, pairs$query[i], pairs$doc[i], typed[i], FALSE, "me")
  }
  file <- withr::local_tempfile(fileext = ".csv")
  comments <- function(...) {
    export_judgments(s, file, "csv", ...)
    read_csv_text(file)$comment
  }
  read_csv_text <- function(file) utils::read.csv(file, colClasses = "character", allowEscapes = FALSE)
  expect_identical(judgments_of(s)$comment, typed)
  expect_identical(comments(), c(paste0("'", typed[1:5]), typed[6]))
  expect_identical(comments(formulas = TRUE), typed)
  expect_identical(csv_text(c("\rx", "x=", NA)), c("'\rx", "x=", NA))
  # No text in the lead's download is a formula.
  Find(function(entry) entry$id == "file_csv", lead_files(list()))$write(s, file)
  expect_false(any(grepl("^[=+@\t\r-]", unlist(read_csv_text(file)))))
})
