# Several answers of a system to a question.

repeated_frame <- function(samples = 3, questions = 6, seed = 1) {
  d <- expand.grid(model = c("A", "B", "C"), id = paste0("q", seq_len(questions)), sample = seq_len(samples),
                   stringsAsFactors = FALSE)
  set.seed(seed)
  d$answer <- sample(c("yes", "no", "perhaps"), nrow(d), TRUE)
  d$rating <- (match(d$answer, c("yes", "no", "perhaps")) + as.integer(factor(d$id))) %% 5 + 1
  d
}

means_of <- function(d) {
  by_question <- stats::aggregate(rating ~ model + id, d, mean)
  stats::setNames(as.vector(tapply(by_question$rating, by_question$model, mean)), c("A", "B", "C"))
}

test_that("several answers of a system to a question are averaged, even if systems have different numbers of them", {
  d <- repeated_frame()
  for (some in list(d, d[-c(1, 5, 20, 24), ], d[d$sample <= match(d$model, c("A", "B", "C")), ])) {
    x <- quiet_answers(some)
    scores <- evaluate(x, per = "mean")
    expect_equal(stats::setNames(scores$value, scores$system), means_of(some))
    expect_identical(unique(scores$measure), "rating")
    ranking <- as.data.frame(rank_systems(x))
    expect_equal(stats::setNames(ranking$estimate, ranking$system)[c("A", "B", "C")], means_of(some))
    expect_identical(x$k, 3L)
    expect_identical(n_results(x), nrow(some))
  }
})

test_that("estimates with repeated answers equal those of lists that contain the same documents", {
  d <- repeated_frame()
  d$answer <- paste(d$answer, seq_len(nrow(d)))
  known <- seq(1, nrow(d), by = 2)
  x <- quiet_answers(transform(d, rating = replace(rating, -known, NA)), scale = gain_scale(1:5))
  runs <- data.frame(system = d$model, query = d$id, doc = paste("d", seq_len(nrow(d))))
  lists <- test_collection(runs, k = 3, scale = gain_scale(1:5),
                           judgments = data.frame(runs[known, -1], gain = d$rating[known]))
  here <- as.data.frame(rank_systems(x))
  there <- as.data.frame(rank_systems(lists, measure = "AG"))
  expect_identical(here$system, there$system)
  expect_gt(min(here$sd), 0)
  # If systems share no answers, the differences between systems are those with a single answer each.
  expect_equal(here$estimate, there$estimate, tolerance = 1e-8)
  expect_equal(here$sd, there$sd, tolerance = 1e-8)
})

test_that("an answer counts as often as a system gave it, and systems with equal answers share a document", {
  d <- data.frame(model = c("A", "A", "A", "B"), id = "q", epoch = c(1, 2, 3, 1), answer = c("yes", "yes", "no", "yes"),
                  rating = c(4, 4, 1, 4))
  d <- rbind(d, transform(d, id = "r"))
  x <- quiet_answers(d)
  expect_identical(n_pairs(x), 6L)
  expect_equal(evaluate(x, per = "mean")$value, c(3, 4))
  # If answers are not numbered, equal answers cannot be distinguished from repeated rows.
  distinct <- quiet_answers(unique(d[c("model", "id", "answer", "rating")]))
  expect_equal(evaluate(distinct, per = "mean")$value, c(2.5, 4))
  # The order of rows does not matter, nor does whether the numbers are in one column or two.
  shuffled <- quiet_answers(d[c(8, 3, 1, 5, 7, 2, 6, 4), ])
  expect_identical(shuffled, x)
  two <- transform(d, seed = epoch, epoch = 1)
  expect_identical(quiet_answers(two, sample = c("epoch", "seed")), x)
})

test_that("repeated results without texts must have a number for each answer", {
  d <- repeated_frame()[-4]
  expect_equal(evaluate(quiet_answers(d), per = "mean")$value, unname(means_of(d)))
  named <- quiet_answers(stats::setNames(d, c("model", "id", "pass", "rating")), sample = "pass")
  expect_identical(named, quiet_answers(d))
  expect_snapshot(error = TRUE, quiet_answers(stats::setNames(d, c("model", "id", "number", "rating"))))
})

test_that("a column of row numbers is not mistaken for the numbers of repeated answers", {
  d <- data.frame(model = rep(c("A", "B"), each = 4), id = rep(c(1, 1, 2, 2), 2), rater = c("ann", "bob"),
                  answer = rep(c("w", "x", "y", "z"), each = 2), rating = c(1, 2, 3, 4, 4, 3, 2, 1))
  expect_identical(quiet_answers(transform(d, sample = seq_len(8))), quiet_answers(d))
})

test_that("a table with one column per system may have several rows per question", {
  d <- data.frame(id = c(1, 1, 2, 2), epoch = c(1, 2, 1, 2), a = c(1, 0, 1, 1), b = c(0, 0, 1, 0))
  x <- quiet_answers(d, gain = c("a", "b"), query = "id", sample = "epoch")
  expect_equal(evaluate(x, per = "mean")$value, c(0.75, 0.25))
})

test_that("known right answers give every repeated answer of a system its gain", {
  d <- transform(repeated_frame(), target = "yes")
  x <- quiet_answers(d[names(d) != "rating"], gold = "target")
  expect_equal(evaluate(x, per = "mean")$value, unname(means_of(transform(d, rating = (answer == "yes") + 0))))
})

test_that("ratings in another file are matched to answers by number or text", {
  d <- repeated_frame()
  d$answer <- paste(d$answer, d$sample)
  x <- quiet_answers(d)
  file <- function(rows) answer_file(paste(utils::capture.output(utils::write.csv(rows, row.names = FALSE)),
                                           collapse = "\n"), ".csv", parent.frame())
  answers <- file(d[c("model", "id", "sample", "answer")])
  by_number <- quiet_answers(c(answers, file(d[c("model", "id", "sample", "rating")])))
  expect_equal(judgments_of(by_number)$gain, judgments_of(x)$gain)
  by_text <- quiet_answers(c(file(d[c("model", "id", "answer")]), file(d[c("model", "id", "answer", "rating")])))
  expect_equal(evaluate(by_text, per = "mean")$value, unname(means_of(d)))
  expect_error(quiet_answers(c(file(d[c("model", "id", "answer")]), file(d[1:18, c("model", "id", "rating")]))),
               "which of several answers", class = "judicious_error_duplicate_result")
})

test_that("added systems may give a different number of answers per question", {
  d <- repeated_frame()
  one <- d[d$model == "C" & d$sample == 1, ]
  rest <- d[d$model != "C", ]
  want <- means_of(rbind(rest, one))
  read <- function(rows) quiet_answers(rows, scale = gain_scale(1:5))
  for (x in list(add_runs(read(rest), read(one)), add_runs(read(one), read(rest)))) {
    found <- as.data.frame(rank_systems(x))
    expect_equal(stats::setNames(found$estimate, found$system)[c("A", "B", "C")], want)
    expect_identical(x$k, 3L)
  }
})

test_that("a stored session with several answers to a question continues after it is reopened", {
  skip_if_not_installed("RSQLite")
  d <- repeated_frame()
  x <- quiet_answers(d)
  file <- withr::local_tempfile(fileext = ".sqlite")
  s <- judging_session(x, goal = goal_budget(8), judgments = FALSE, store = file, seed = 1)
  run_session(s, judgments_of(x), progress = FALSE)
  before <- as.data.frame(rank_systems(s))
  close_session(s)
  s <- open_session(file)
  expect_identical(as.data.frame(rank_systems(s)), before)
  expect_identical(measure_label(s$engine$x), "mean rating")
  explained <- uncertainty(rank_systems(s))
  expect_true(all(c("systems and teams", "unjudged documents") %in% explained$source))
  close_session(s)
})
