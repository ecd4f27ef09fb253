skip_if_not_installed("jsonlite")

test_that("ratings with labels, a maximum or a percent sign are numbers", {
  gains <- function(rating) {
    d <- data.frame(question = 1:4, model = "A", answer = letters[1:4], rating = rating)
    judgments_of(quiet_answers(d))$gain
  }
  expect_identical(gains(c("5 - excellent", "3 - fair", "1 - bad", "3 - fair")), c(5, 3, 1, 3))
  expect_identical(gains(c("1 (worst)", "2", "3", "5 (best)")), c(1, 2, 3, 5))
  expect_identical(gains(c("4/5", "1/5", "3/5", "4/5")), c(4, 1, 3, 4))
  expect_identical(gains(c("80%", "12.5%", "0%", "100%")), c(80, 12.5, 0, 100))
  expect_identical(gains(c("correct", "Partially correct", "wrong", "Y")), c(1, 0.5, 0, 1))
  # One number with two labels or two maxima, and a slip of the pen, are errors.
  for (rating in list(c("1 - bad", "1 - good", "2 - x", "3 - y"), c("1/2", "3/4", "1/2", "3/4"), c("1", "2", "3x", "4"))) {
    expect_error(gains(rating), "must hold numbers", class = "judicious_error_columns")
  }
})

test_that("the scale has the ends that ratings or the names of their columns state", {
  levels_of <- function(rating, name = "rating", ...) {
    d <- data.frame(question = 1:4, model = "A", answer = letters[1:4])
    quiet_answers(stats::setNames(cbind(d, rating), c(names(d), name)), ...)$scale$levels
  }
  rating <- c(2, 4, 3, 4)
  for (name in c("rating (1-5)", "rating [1 to 5]", "rating (1 = bad, 5 = good)",
                 "rating (1\u20135, higher is better)")) {
    expect_identical(as.numeric(levels_of(rating, name)), c(1, 2, 3, 4, 5))
  }
  expect_identical(as.numeric(levels_of(rating, "rating (0 - 10)")), as.numeric(0:10))
  expect_identical(as.numeric(levels_of(rating, "rating (1 = best, 5 = worst)")), as.numeric(-5:-1))
  expect_identical(as.numeric(levels_of(paste0(rating, "/5"))), as.numeric(1:5))
  expect_identical(as.numeric(levels_of(paste(rating, "out of 5"))), as.numeric(1:5))
  expect_identical(levels_of(c("20%", "40%", "12.5%", "70%")), 0:10 * 10)
  expect_identical(as.numeric(levels_of(factor(c("ok", "good", "ok", "ok"), c("bad", "ok", "good"), ordered = TRUE))),
                   c(0, 1, 2))
  wide <- data.frame(id = 1:2, a_answer = c("x", "y"), b_answer = c("z", "w"), a_rating = c("2/5", "4/5"),
                     b_rating = c("1/5", "3/5"))
  expect_identical(as.numeric(quiet_answers(wide)$scale$levels), as.numeric(1:5))
  # Ends that the ratings contradict, and numbers that are no ends, do not count.
  for (name in c("rating", "rating (1-3)", "rating (2023)", "rating (5-1)", "rating (2 of 9)")) {
    expect_identical(as.numeric(levels_of(rating, name)), c(1, 2, 3, 4))
  }
})

test_that("grades by language models may be known words or have labels, and other words raise an error", {
  d <- data.frame(model = rep(c("A", "B"), each = 3), id = rep(1:3, 2), answer = letters[1:6],
                  gpt4 = c("CORRECT", "incorrect", "partial", "no", "", "Yes"))
  value <- function(x) x$grades$value[match(d$answer, x$documents$text[match(x$grades$doc, x$documents$doc)])]
  expect_identical(value(quiet_answers(d)), c(1, 0, 0.5, 0, NA, 1))
  d$gpt4 <- c("4/5", "3/5", "2/5", "1/5", "5/5", "4/5")
  expect_identical(value(quiet_answers(d)), c(4, 3, 2, 1, 5, 4))
  expect_identical(value(quiet_answers(transform(d, grader = "m", grade = gpt4, gpt4 = NULL))), c(4, 3, 2, 1, 5, 4))
  d$gpt4 <- "excellent"
  expect_error(quiet_answers(d), "column \"gpt4\" must hold numbers", class = "judicious_error_columns")
})

test_that("ratings of which the lowest number is called the best are reversed, and other doubts are stated", {
  d <- expand.grid(model = c("A", "B"), id = 1:5)
  rating <- c(1, 5, 2, 4, 1, 3, 1, 5, 2, 4)
  gains <- function(value, name = "rating", ...) {
    quiet_answers(stats::setNames(cbind(d, value), c(names(d), name)), ...)$gain
  }
  labels <- c("1 - excellent", "2 - good", "3 - fair", "4 - poor", "5 - bad")
  expect_identical(gains(labels[rating]), -rating)
  expect_identical(gains(rating, "Rating (1 = best, 5 = worst)"), -rating)
  expect_identical(gains(rating, "Rating (lower is better)"), -rating)
  # The highest number is the best, and what the user states counts.
  for (name in c("Rating (1 = worst, 5 = best)", "rating")) expect_identical(gains(rating, name), rating)
  expect_identical(gains(rev(labels)[rating], gain = "rating"), 6 - rating)
  expect_identical(gains(ifelse(rating > 2, "1 - excellent", "0 - bad")), as.numeric(rating > 2))
  expect_message(read_answers(cbind(d, rank = rating), gain = "rank"), "Higher \"rank\" counts as better; if lower")
  expect_error(quiet_answers(cbind(d, mean_rank = rating)), 'gain = "-mean_rank"', fixed = TRUE)
  expect_warning(gains(c(rating[-1], 99)), "1 of 10 ratings are 99", class = "judicious_warning_scale")
  expect_warning(gains(c(rating[-1], 55)), "1 of 10 ratings are 55", class = "judicious_warning_scale")
  expect_no_warning(gains(c(rating[-1], 99), scale = 0:99))
})

test_that("ratings in powers of ten are numbers, not numbers with labels", {
  d <- data.frame(model = c("a", "b", "c"), id = 1, rating = c("1e1", "2e1", "3e1"))
  expect_setequal(judgments_of(quiet_answers(d))$gain, c(10, 20, 30))
})

test_that("ratings in an ordered factor of words count from 0 in the order of its levels", {
  d <- data.frame(model = rep(c("A", "B"), each = 3), id = 1:3, answer = letters[1:6])
  rated <- function(rating) judgments_of(quiet_answers(cbind(d, rating = rating)))
  words <- c("bad", "ok", "good")
  rating <- c(1, 2, 3, 3, NA, 1)
  expect_identical(rated(ordered(words[rating], words)), rated(rating - 1))
  expect_identical(rated(ordered(rating, 3:1)), rated(rating))
  # Levels that mean that there is no rating do not count.
  for (missing in c("", "n/a", " ")) {
    with_missing <- function(words) ordered(ifelse(is.na(rating), missing, words[rating]), c(missing, words))
    expect_identical(rated(with_missing(words)), rated(rating - 1))
    expect_identical(rated(with_missing(c("1", "3", "5"))), rated(2 * rating - 1))
  }
  expect_error(rated(ordered(c("1,5", "3,5"))), "decimal commas", class = "judicious_error_columns")
  two <- cbind(d, lapply(list(ann = rating, bob = rev(rating)), function(code) ordered(words[code], words)))
  plain <- cbind(d, ann = rating - 1, bob = rev(rating) - 1)
  expect_identical(judgments_of(quiet_answers(two, assessor = c("ann", "bob"))),
                   judgments_of(quiet_answers(plain, assessor = c("ann", "bob"))))
})
