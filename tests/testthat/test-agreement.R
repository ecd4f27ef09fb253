
test_that("if a rater rates a unit twice, equal ratings count once and different ones raise an error", {
  b <- data.frame(query = "q", doc = rep(c("a", "b", "c", "d"), 2), assessor = rep(c("A", "B"), each = 4),
                  gain = c(0, 1, 2, 0, 0, 1, 2, 1))
  twice <- rbind(b, data.frame(query = "q", doc = "a", assessor = "A", gain = 2))
  expect_snapshot(error = TRUE, agreement(twice))
  for (method in c("krippendorff", "fleiss", "rmse")) for (rows in list(9:1, c(9, 1:8), c(2:9, 1))) {
    expect_error(agreement(twice[rows, ], method = method), class = "judicious_error_duplicate")
  }
  alpha <- agreement(b)$estimate
  expect_snapshot(again <- agreement(rbind(b, b[c(1, 6), ])))
  expect_equal(again$estimate, alpha)
  expect_equal(again$assessors, agreement(b)$assessors)
  # A missing rating is ignored.
  missing <- transform(b[1, ], gain = NA)
  expect_equal(agreement(rbind(missing, b, missing))$estimate, alpha)
})

test_that("agreement() of a collection or a session equals that of its judgments", {
  judgments <- data.frame(query = "q", doc = rep(c("a", "b", "c"), each = 2), gain = c(2, 1, 0, 0, 1, 1),
                          assessor = c("ann", "bob"))
  runs <- data.frame(system = rep(c("A", "B"), each = 3), query = "q", doc = c("a", "b", "c"), rank = c(1:3, 1, 3, 2))
  runs$doc[6] <- "d"
  s <- judging_session(test_collection(runs, scale = 0:2, k = 3), judgments = judgments)
  expect_equal(agreement(s), agreement(judgments))
  answers <- data.frame(system = c("A", "A", "B", "B"), query = "p", rating = c(2, 1, 0, 0),
                        assessor = c("ann", "bob"))
  x <- suppressMessages(read_answers(answers))
  expect_equal(agreement(x)$estimate, agreement(judgments_of(x))$estimate)
})

test_that("a column without ratings raises an error, and so does a table with a row per rating", {
  ann <- c("x", "y", "x", "y", "x")
  bob <- c("x", "y", "y", "y", "x")
  ratings <- data.frame(ann = c(1, 2, 1, 2, 1), bob = c(1, 2, 2, 2, 1))
  alpha <- agreement(ratings)$estimate
  expect_snapshot(error = TRUE, agreement(cbind(id = 101:105, ratings)))
  rows <- data.frame(item = rep(1:5, 2), rater = rep(1:2, each = 5), rating = unlist(ratings))
  refused <- list(cbind(X = 1:5, ratings), cbind(...1 = 0:4, ratings), as.matrix(cbind(unit = 5:1, ratings)),
                  rows, data.frame(lapply(rows, factor)), data.frame(text = paste("text", 1:5), ann, bob),
                  cbind(text = paste("text", 1:5), ann, bob), cbind(ratings, note = "fine"))
  for (x in refused) {
    for (method in c("krippendorff", "fleiss")) {
      expect_error(agreement(x, method = method), "column without ratings", class = "judicious_error_argument")
    }
  }
  counts <- data.frame(id = 1:3, yes = c(2, 1, 0), no = c(0, 1, 2))
  expect_error(agreement(counts, type = "counts"), "column without ratings", class = "judicious_error_argument")
  counted <- table(unit = c(1, 1, 2, 2, 3, 3), rating = c("no", "yes", "no", "no", "yes", "yes"))
  expect_equal(agreement(counted, type = "counts"), agreement(unclass(counted), type = "counts"))
  # Ratings without repeats, and numbers from 1 on, may be meant.
  expect_equal(agreement(data.frame(ann, bob))$estimate, alpha)
  expect_equal(agreement(data.frame(user = ratings$ann, expert = ratings$bob))$estimate, alpha)
  expect_equal(agreement(data.frame(ann = c("a", "b", "c"), bob = c("d", "e", "f")))$observed, 1)
  expect_equal(agreement(data.frame(X = 1:3, Y = c(1, 2, 2)))$estimate, agreement(cbind(1:3, c(1, 2, 2)))$estimate)
})

test_that("ratings with names in another order raise an error, and other names are ignored", {
  x <- c(a = 1, b = 2, c = 3, d = 1)
  expect_snapshot(error = TRUE, agreement(x, rev(x)))
  expect_equal(agreement(x, rev(x)[names(x)])$estimate, 1)
  for (y in list(unname(x), x, stats::setNames(x, LETTERS[1:4]))) expect_equal(agreement(x, y)$estimate, 1)
  looked_up <- c(low = 1, high = 2)[c("low", "high", "low")]
  expect_equal(agreement(looked_up, rev(looked_up))$estimate, 1)
  expect_equal(agreement(looked_up, looked_up[c(2, 1, 1)])$observed, 1 / 3)
})
