# Grades that mark failures, such as -1 beside 0 to 3.

marks <- function(...) failure_marks(rep(c(...), length.out = 400))

test_that("valid values of unusual grade scales are not mistaken for failure codes", {
  legitimate <- list(
    symmetric = c(-3, -1, 1, 3), junk_scale = c(-2, -1, 0, 1, 2), sentiment = c(-1, 0, 1), binary = 0:1, levels = 0:3,
    rating = 1:5, exponential = c(0, 1, 3, 9), fine = c(0, 11, 22, 33, 44, 55, 66, 77, 88, 99), tenths = c(0, 1, 10),
    log_probabilities = log(seq(0.001, 0.999, length.out = 80)), chrf = seq(3.2, 97.1, length.out = 60),
    cosine = c(-0.013, seq(0.02, 0.93, length.out = 50)), z = seq(-2.8, 3.1, length.out = 40),
    percent = c(0, 25, 50, 75, 100), perplexity = exp(seq(0, 9, length.out = 50)), one = 2
  )
  for (kind in names(legitimate)) expect_equal(marks(legitimate[[kind]]), numeric(), info = kind)
})

test_that("negative numbers, nines and outliers that stand for failed grades are recognised", {
  expect_equal(marks(-1, 0:3), -1)
  expect_equal(marks(-1, 1:5), -1)
  expect_equal(marks(-2, 0:3), -2)
  expect_equal(marks(0:3, 9), 9)
  expect_equal(marks(0:3, 99), 99)
  expect_equal(marks(0:1, 999), 999)
  expect_equal(marks(-9999, -3.2, -2.5, -0.7, -0.1), -9999)
  expect_equal(marks(-1, seq(0, 1, by = 0.05)), -1)
  expect_equal(marks(-1, seq(3.2, 97.1, length.out = 60)), -1)
  expect_equal(marks(0:3, .Machine$integer.max), .Machine$integer.max)
  expect_equal(marks(-1, 0:3, 99), c(-1, 99))
  # A rare -1 beside 0 and 1 is a failure mark and not the lowest of three levels.
  expect_equal(failure_marks(rep(c(-1, 0, 1), c(20, 200, 180))), -1)
})

fails <- function(grades, n = 40) {
  set.seed(1)
  sample(nrow(grades), n)
}

test_that("failed grades can be given by value, by omission or as NA", {
  x <- text_demo
  at <- fails(text_grades)
  ranked <- function(grades, ...) suppressMessages(rank_systems(x, judgments = FALSE, grades = grades, ...))
  with_value <- function(value) {
    out <- text_grades
    if (is.character(value)) out$grade <- as.character(out$grade)
    out$grade[at] <- value
    out
  }
  expected <- as.data.frame(ranked(with_value(NA)))
  expect_equal(as.data.frame(ranked(with_value(-1), failed = -1)), expected)
  expect_equal(as.data.frame(ranked(with_value(99), failed = c(-1, 99))), expected)
  for (word in c("N/A", "", "NaN", "null", " NA ")) expect_equal(as.data.frame(ranked(with_value(word))), expected)
  expect_equal(as.data.frame(ranked(with_value(NaN))), expected)
  expect_equal(as.data.frame(ranked(with_value("ERROR"), failed = "ERROR")), expected)
  file <- tempfile(fileext = ".csv")
  utils::write.csv(with_value("N/A"), file, row.names = FALSE)
  on.exit(unlink(file))
  expect_equal(as.data.frame(ranked(file)), expected)
  expect_equal(as.data.frame(ranked(function(x) with_value(-1), failed = -1)), expected)
  expect_snapshot(error = TRUE, {
    rank_systems(x, judgments = FALSE, grades = with_value(-1))
    joint_gains(x, judgments = FALSE, grades = list(a = text_grades, b = with_value(99)))
    judging_session(x, judgments = FALSE, grades = with_value(-1))
    judging_plan(x, judgments = FALSE, grades = with_value(-1))
    grader_validation(x, with_value(-1))
    rank_systems(x, judgments = FALSE, grades = with_value("ERROR"))
    rank_systems(x, judgments = FALSE, grades = text_grades, failed = TRUE)
  })
  expect_error(ranked(transform(text_grades, grade = "N/A")), "no grade of a pair of the pool that is a number",
               class = "judicious_error_missing_gains")
  expect_snapshot(gains <- joint_gains(x, judgments = FALSE, grades = with_value(-1), failed = -1))
  expect_match(capture.output(print(gains)), "40 documents without a grade", all = FALSE)
  # If no value marks failures, -1 is an additional lowest level.
  expect_silent(kept <- joint_gains(x, judgments = FALSE, grades = with_value(-1), failed = numeric()))
  expect_true("grade>=0" %in% names(kept$fit$beta))
})

test_that("models and validations leave out failed grades", {
  at <- fails(text_grades)
  with_value <- function(value) replace(text_grades, "grade", list(replace(text_grades$grade, at, value)))
  learned <- function(...) suppressMessages(gain_model(text_demo, random = "query", ...))
  expect_error(learned(grades = with_value(-1)), class = "judicious_error_failed_grades")
  expect_equal(learned(grades = with_value(-1), failed = -1)$coefficient, learned(grades = with_value(NA))$coefficient)
  validated <- function(...) suppressMessages(as.data.frame(grader_validation(text_demo, ...)))
  expect_error(validated(with_value(-1)), class = "judicious_error_failed_grades")
  marked <- validated(with_value(-1), failed = -1)
  missing <- validated(with_value(NA))
  # Failed grades are counted, and missing ones are not.
  expect_identical(c(marked$failed, missing$failed), c(length(at), 0L))
  expect_equal(marked[names(marked) != "failed"], missing[names(missing) != "failed"])
})
