one_pair <- function(a, e, b, missing = 0) {
  n <- a + e + b + missing
  data.frame(query = "q", doc_a = "x", doc_b = "y", worker = seq_len(n),
             answer = rep(c("a", "equal", "b", NA), c(a, e, b, missing)))
}

test_that("the preference statistic is the Mann-Whitney U of two samples of ranks", {
  for (a in 0:6) for (b in 0:(6 - a)) {
    e <- 6 - a - b
    x <- rep(c(1, 0, -1), c(a, e, b))
    w <- suppressWarnings(wilcox.test(x, -x, exact = FALSE)$statistic[[1]])
    expect_equal(preference_decisions(one_pair(a, e, b))$u, min(w, 36 - w))
  }
})

test_that("with ten answers at the default level, documents differ if their counts differ by two", {
  grid <- expand.grid(a = 0:10, b = 0:10)
  grid <- grid[grid$a + grid$b <= 10, ]
  decision <- mapply(function(a, b) preference_decisions(one_pair(a, 10 - a - b, b))$decision, grid$a, grid$b)
  expect_equal(decision, ifelse(grid$a - grid$b >= 2, "less", ifelse(grid$b - grid$a >= 2, "greater", "equal")))
  # As in tables of critical values: the largest integer U whose tail probability is at most .25.
  expect_equal(max(which(pwilcox(0:50, 10, 10) <= 0.25)) - 1, 40)
})

test_that("p-values are exact tail probabilities of U, and normal ones for large samples", {
  expect_equal(preference_decisions(one_pair(5, 0, 0))$p_value, 1 / choose(10, 5))
  expect_equal(preference_decisions(one_pair(3, 2, 0))$p_value, pwilcox(2, 5, 5)) # U = 12.5 - 3 * 7 / 2
  expect_equal(preference_decisions(one_pair(2, 1, 1))$p_value, pwilcox(6, 4, 4)) # U = 5.5 counts as 6
  big <- preference_decisions(one_pair(40, 0, 20))
  expect_equal(big$p_value, pwilcox(big$u, 60, 60), tolerance = 0.01)
  expect_equal(preference_decisions(one_pair(0, 0, 0, 3))[c("p_value", "decision")],
               data.frame(p_value = NA_real_, decision = NA_character_))
})

test_that("an answer counts for the same document on either side of the screen", {
  answers <- one_pair(2, 1, 0)
  answers[3:4, ] <- list("q", c("y", "y"), c("x", "x"), 3:4, c("b", "a"))
  expect_equal(preference_decisions(answers)[c("doc_a", "n_a", "n_equal", "n_b")],
               data.frame(doc_a = "x", n_a = 3L, n_equal = 0L, n_b = 1L))
})

test_that("errors about invalid answers name the row", {
  good <- one_pair(1, 1, 0)
  expect_snapshot(error = TRUE, {
    preference_decisions(good[-5])
    preference_decisions(transform(good, answer = c("a", "both")))
    preference_decisions(transform(good, worker = 1))
    preference_decisions(transform(good, doc_b = "x"))
    preference_decisions(transform(good, worker = c(1, NA)))
    preference_decisions(good, level = 0)
    preference_decisions(transform(good, seconds = "5"))
  })
})

test_that("a table without answers has no decisions, and ranking it raises an error", {
  none <- data.frame(query = "q", doc_a = "x", doc_b = "y", worker = "w", answer = "a")[0, ]
  expect_identical(nrow(preference_decisions(none)), 0L)
  expect_error(bradley_terry(none), "holds no answer", class = "judicious_error_answers")
})

test_that("answers about documents may be in the words of votes between systems", {
  answers <- data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1:7,
                        answer = c("a", "b", "equal", "a", "b", "equal", NA))
  said <- transform(answers, answer = c("Left", "B is better", "tie (both bad)", "[[A>>B]]", "B>A", "[[C]]", NA))
  expect_identical(preference_decisions(said), preference_decisions(answers))
  expect_error(preference_decisions(transform(answers, answer = "\xff")), class = "judicious_error")
})
