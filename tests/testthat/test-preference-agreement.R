counts <- function(a, e, b, doc = "y") {
  data.frame(query = "q", doc_a = "x", doc_b = doc, worker = seq_len(a + e + b),
             answer = rep(c("a", "equal", "b"), c(a, e, b)))
}

test_that("agreement is the mean score over all pairs of answers to the same question", {
  for (n in list(c(3, 4, 3), c(10, 0, 0), c(5, 0, 5), c(1, 1, 0))) {
    value <- rep(c(1, 0, -1), n)
    pair <- combn(value, 2)
    points <- ifelse(pair[1, ] == pair[2, ], 2, ifelse(pair[1, ] == 0 | pair[2, ] == 0, 1, 0))
    expect_equal(worker_agreement(do.call(counts, as.list(n)))$agreement, sum(points) / (2 * length(points)))
  }
  expect_true(is.na(worker_agreement(counts(1, 0, 0))$agreement))
})

test_that("batch_summary() counts workers and those who return for further batches", {
  x <- rbind(cbind(counts(2, 0, 0), iteration = 1), cbind(counts(2, 1, 0, "z"), iteration = 2))
  x$seconds <- c(10, 20, 5, 6, 7)
  x$answer[5] <- NA
  b <- batch_summary(x)
  expect_equal(b, data.frame(iteration = c(1, 2), pairs = c(1, 1), answers = c(2, 2), missing = c(0, 1),
                             workers = c(2, 3),
                             previous_workers = c(0, 2), previous_share = c(0, 2 / 3), median_seconds = c(15, 6),
                               agreement = c(1, 1), minutes = NA_real_, cost = NA_real_, comments = NA_integer_))
  x$time <- as.POSIXct("2010-04-14", "GMT") + c(0, 90, 600, 700, 1200)
  paid <- batch_summary(x, price = 0.025)
  expect_equal(paid$minutes, c(1.5, 10))
  expect_equal(paid$cost, 0.025 * c(2, 3))
})

# The number of comparisons of workers of the groups `g` and `h` on the same pair, and their mean agreement.
slow_agreement <- function(value, pair, group, g, h) {
  points <- c()
  for (i in seq_along(value)) for (j in which(pair == pair[i] & group == h)) {
    if (i != j && group[i] == g) points <- c(points, 1 - abs(value[i] - value[j]) / 2)
  }
  c(length(points) / (1 + (g == h)), mean(points))
}

test_that("agreement between groups of assessors equals a loop over all pairs of answers", {
  judicious:::with_seed(2, {
    x <- counts(4, 4, 4)
    x$answer <- sample(x$answer)
    y <- transform(x, doc_b = "z", answer = sample(answer))
    y[1:6, c("doc_a", "doc_b")] <- y[1:6, c("doc_b", "doc_a")]
  })
  all <- rbind(x, y)
  group <- setNames(rep(c("m", "n"), c(5, 7)), 1:12)
  value <- c(a = 1, equal = 0, b = -1)[all$answer] * ifelse(all$doc_a == "x", 1, -1)
  pair <- paste(pmin(all$doc_a, all$doc_b), pmax(all$doc_a, all$doc_b))
  got <- worker_agreement(all, group)
  for (i in 1:3) {
    slow <- slow_agreement(value, pair, group[all$worker], got$group_1[i], got$group_2[i])
    expect_equal(c(got$comparisons[i], got$agreement[i]), slow)
  }
  all$kind <- group[all$worker]
  expect_equal(worker_agreement(all, "kind"), got)
})

test_that("agreement scores of Tables 3 to 6 of Urbano et al. (2010) are reproduced", {
  decision_agreement <- reproduction_scripts()$decision_agreement
  rows <- function(...) matrix(c(...), 3, byrow = TRUE)
  aggregated <- decision_agreement(rows(38, 37, 16, 11, 31, 13, 7, 42, 86))
  expect_equal(aggregated$n, 281)
  expect_equal(round(aggregated$score, 3), 0.735)
  # The paper's text has 155, 102 and 23 pairs; its table has 103 instead of 102, which gives the total of 281.
  expect_equal(c(aggregated$complete, aggregated$partial, aggregated$none) * 281, c(155, 103, 23))
  expect_equal(colSums(aggregated$table), c(56, 110, 115))
  no_background <- decision_agreement(rows(55, 27, 18, 16, 35, 41, 10, 35, 134))
  expect_equal(round(no_background$score, 3), 0.764)
  expect_equal(round(100 * c(no_background$complete, no_background$partial, no_background$none)), c(60, 32, 8))
  background <- decision_agreement(rows(45, 18, 7, 15, 32, 20, 10, 30, 89))
  expect_equal(round(background$score, 2), 0.78)
  expect_equal(round(100 * c(background$complete, background$partial, background$none)), c(62, 31, 6))
  # The cells of Table 6 give .779; the text has .777.
  unknown <- decision_agreement(rows(218, 152, 20, 127, 707, 107, 81, 371, 390))
  expect_equal(round(unknown$score, 3), 0.779)
  expect_equal(no_background$n + background$n + unknown$n, 2810)
})

test_that("agreement raises errors for answers without groups or iterations", {
  expect_snapshot(error = TRUE, {
    worker_agreement(counts(1, 1, 1), 1:3)
    batch_summary(counts(1, 1, 1))
  })
})

test_that("answers of workers without a music background agree as in Table 4 (crowd of 2010)", {
  x <- crowd_2010()$answers
  none <- unique(x$worker[grepl("^no", x$background, ignore.case = TRUE)])
  expect_length(none, 5)
  own <- factor(x$answer[x$worker %in% none], c("a", "equal", "b"))
  # Table 4 has 81 answers "less", 97 "equal" and 193 "greater"; two blank answers are counted as equal.
  expect_equal(as.vector(table(own, useNA = "always")), c(81, 95, 193, 2))
})

test_that("comments are stored with the answers and counted", {
  s <- preference_session(list(q = c("x", "y", "z")), seed = 1, answers = 2)
  ask <- next_pairs(s)
  new <- data.frame(ask[rep(1:2, each = 2), 1:3], worker = c("m", "n", "m", "n"), answer = "a",
                    comment = c("no sound", "", NA, "  "))
  s <- add_answers(s, new)
  expect_identical(s$answers$comment, new$comment)
  expect_identical(batch_summary(s)$comments[1], 1L)
  new$comment <- NULL
  expect_identical(batch_summary(cbind(new, iteration = 1))$comments, NA_integer_)
})
