
test_that("a unit that one rater rated twice has one value, or an error, in any order of the rows", {
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
  # A missing rating is none.
  missing <- transform(b[1, ], gain = NA)
  expect_equal(agreement(rbind(missing, b, missing))$estimate, alpha)
})
