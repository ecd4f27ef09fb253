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

test_that("several assessors are combined to one gain a pair", {
  # d1 has 0, 2, 2, 0; d2 has 1, 1, 0; d3 has 2.
  expect_equal(combined("median"), c(d1 = 0, d2 = 1, d3 = 2))
  expect_equal(combined("majority"), c(d1 = 0, d2 = 1, d3 = 2))
  expect_equal(combined("mean", scale = fine_scale()), c(d1 = 1, d2 = 2 / 3, d3 = 2))
  expect_equal(combined("majority", judged[-8, ]), c(d1 = 2, d2 = 1, d3 = 2))
  # The order of rows does not matter.
  expect_equal(combined("mean", judged[8:1, ], fine_scale()), c(d1 = 1, d2 = 2 / 3, d3 = 2))
})

test_that("a single assessor is left as he is", {
  one <- judged[judged$assessor == "x", ]
  for (combine in c("mean", "median", "majority")) expect_equal(combined(combine, one), c(d1 = 0, d2 = 1, d3 = 2))
})

test_that("what cannot be combined is said", {
  expect_snapshot(error = TRUE, {
    combined("mean")
    combined("best")
    combined("median", judged[c("query", "doc", "gain")])
    combined("median", rbind(judged, data.frame(query = "q", doc = "d1", gain = 1, assessor = "x")))
    combined(NULL)
  })
})
