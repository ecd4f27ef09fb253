runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q", doc = c("d1", "d2", "d2", "d3"),
                   rank = c(1, 2, 1, 2))
judged <- data.frame(
  query = "q", doc = c("d1", "d2", "d3", "d1", "d2", "d1", "d2", "d1"),
  gain = c(0, 1, 2, 2, 1, 2, 0, 0), assessor = c("x", "x", "x", "y", "y", "z", "z", "w")
)
combined <- function(combine, data = judged, scale = broad_scale()) {
  judgments <- judgments_of(test_collection(runs, judgments = data, k = 2, scale = scale, combine = combine))
  stats::setNames(judgments$gain, judgments$doc)
}

test_that("judgments of several assessors are combined into one gain per document", {
  # d1 has 0, 2, 2, 0; d2 has 1, 1, 0; d3 has 2.
  expect_equal(combined("median"), c(d1 = 0, d2 = 1, d3 = 2))
  expect_equal(combined("majority"), c(d1 = 0, d2 = 1, d3 = 2))
  expect_equal(combined("mean", scale = fine_scale()), c(d1 = 1, d2 = 2 / 3, d3 = 2))
  expect_equal(combined("majority", judged[-8, ]), c(d1 = 2, d2 = 1, d3 = 2))
  # The order of rows does not matter.
  expect_equal(combined("mean", judged[8:1, ], fine_scale()), c(d1 = 1, d2 = 2 / 3, d3 = 2))
})

test_that("judgments with named assessors count as repeated if a query and document occur more than once", {
  expect_true(is_judged_again(judged))
  expect_false(is_judged_again(judged[1:3, ]))
  expect_false(is_judged_again(judged[c("query", "doc", "gain")]))
  expect_false(is_judged_again(judged[c("query", "assessor")]))
  expect_false(is_judged_again(as.list(judged)))
  expect_false(is_judged_again(NULL))
})

test_that("the judgments of a single assessor are unchanged", {
  one <- judged[judged$assessor == "x", ]
  for (combine in c("mean", "median", "majority")) expect_equal(combined(combine, one), c(d1 = 0, d2 = 1, d3 = 2))
})

test_that("judgments that cannot be combined raise errors", {
  expect_snapshot(error = TRUE, {
    combined("mean")
    combined("best")
    combined("median", judged[c("query", "doc", "gain")])
    combined("median", rbind(judged, data.frame(query = "q", doc = "d1", gain = 1, assessor = "x")))
    combined(NULL)
  })
})

test_that("the share of judgment errors common to a query is estimated from documents judged twice", {
  x <- simulate_collection(queries = 60, documents = 400, artists = 30, systems = 5, scale = gain_scale(0:100),
                           seed = 2)
  n <- n_pairs(x)
  share_with <- function(common, pairs = seq_len(n)) {
    set.seed(3)
    gain <- 50 + vapply(1:2, function(assessor) {
      15 * (sqrt(common) * stats::rnorm(60)[x$pool$query] + sqrt(1 - common) * stats::rnorm(n))
    }, numeric(n))
    record <- data.frame(pair = rep(pairs, 2), gain = as.vector(gain[pairs, ]),
                         assessor = rep(c("a", "b"), each = length(pairs)), final = FALSE)
    errors <- assessor_errors(record, x$scale)
    c(common_share(errors, x), common_share(errors, x, replace(assessor_prior, "groups", 1e-9)))
  }
  # Two assessors with common errors on 60 queries: the prior counts as 10 of 130 groups of judgments.
  for (common in c(0, 0.3, 0.8)) expect_lt(abs(share_with(common)[2] - common), 0.1)
  found <- share_with(0.8)
  expect_equal(found[1], (10 * assessor_prior$query + 120 * found[2]) / 130)
  # A single pair per query has no information about common errors.
  first <- match(seq_len(60), x$pool$query)
  expect_identical(share_with(0.8, first)[1], assessor_prior$query)
  none <- assessor_errors(data.frame(pair = 1:2, gain = 1, assessor = "a", final = FALSE), x$scale)
  expect_identical(common_share(none, x), assessor_prior$query)
})

test_that("assessor_contrasts() returns the mean difference of two assessors and its sum of squares", {
  record <- data.frame(pair = rep(1:5, 2), assessor = rep(c("ann", "ben"), each = 5), gain = c(1:5 * 10, 1:5 * 10 + 20))
  constant <- assessor_contrasts(record, fine_scale(), c("ann", "ben"))
  expect_equal(constant[c("a", "b", "n", "mean", "squares")],
               list(a = 1, b = 2, n = 5, mean = 0.2, squares = 0), ignore_attr = TRUE)
  record$gain[6] <- 80
  varied <- assessor_contrasts(record, fine_scale(), c("ann", "ben"))
  difference <- c(0.7, rep(0.2, 4))
  expect_equal(varied$squares, sum((difference - mean(difference))^2), ignore_attr = TRUE)
})
