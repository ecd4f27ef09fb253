runs <- data.frame(system = rep(c("A", "B"), each = 4), query = rep(c("p", "q"), each = 2), doc = c("d1", "d2"),
                   rank = 1:2)
truth <- data.frame(query = c("p", "p", "q"), doc = c("d1", "d2", "d1"), gain = c(1, 0, 1))
own <- measure_custom("own", function(x) sum(x$gain, na.rm = TRUE), needs_ranks = FALSE)

test_that("policies that custom measures cannot support raise errors", {
  expect_snapshot(error = TRUE, {
    evaluate(runs, truth, own, ties = "expected")
    evaluate(runs, truth, own, unjudged = "bounds")
  })
})

test_that("measures with a cutoff raise an error for lists without scores and ranks", {
  expect_snapshot(evaluate(runs[c("system", "query", "doc")], truth, "P@1"), error = TRUE)
})

test_that("`missing` decides whether a missing list is an error, counts zero or is skipped", {
  some <- runs[!(runs$system == "B" & runs$query == "q"), ]
  expect_snapshot(evaluate(some, truth, "P@2", missing = "error"), error = TRUE)
  expect_warning(zero <- evaluate(some, truth, "P@2", missing = "zero"), class = "judicious_warning_missing_query")
  expect_warning(skip <- evaluate(some, truth, "P@2", missing = "skip"), class = "judicious_warning_missing_query")
  expect_equal(summary(zero)[["P@2"]], c(0.5, 0.25))
  expect_equal(summary(skip)[["P@2"]], c(0.5, 0.5))
})

test_that("invalid functions and arguments of measures raise errors", {
  expect_snapshot(error = TRUE, {
    evaluate(runs, truth, measure("DCG", 2, gain = function(g) "much"))
    evaluate(runs, truth, measure("DCG", 2, discount = function(rank) 1))
    measure_custom("own", mean, range = 1)
    measure_custom("own", "mean")
    measure(list("AG@5", 3))
  })
})

test_that("missing judgments, and gains that are not finite numbers, raise errors", {
  expect_snapshot(error = TRUE, {
    evaluate(runs, measure = "P@2")
    evaluate(runs, "nDCG@10", "AP")
    evaluate(runs, truth[0, ], "P@2")
    evaluate(runs, transform(truth, gain = c(1, Inf, 0)), "P@2")
    evaluate(runs, transform(truth, gain = "high"), "P@2")
  })
  expect_error(evaluate(runs, transform(truth, gain = factor(gain)), "P@2"), "must be numeric, not a <factor> object",
               class = "judicious_error_columns")
})
