sets <- list(c("A", "B"), "A", c("B", "C", "D"))

entries <- function(x) {
  e <- judicious:::member_entries(x)
  out <- matrix(0, length(x), length(attr(x, "members")), dimnames = list(NULL, attr(x, "members")))
  out[cbind(e$row, e$member)] <- e$weight
  out
}

test_that("lists give averages or sums", {
  z <- rbind(c(1, 1, 0, 0) / 2, c(1, 0, 0, 0), c(0, 1, 1, 1) / 3)
  expect_equal(unname(entries(multi_membership(sets))), z)
  expect_equal(colnames(entries(multi_membership(sets))), c("A", "B", "C", "D"))
  expect_equal(unname(entries(multi_membership(sets, "sum"))), unname(1 * (z > 0)))
  expect_equal(colnames(entries(multi_membership(list(10, c(9, 100), 9)))), c("9", "10", "100"))
  expect_equal(unname(entries(multi_membership(lapply(sets, factor)))), z)
})

test_that("who is there twice counts twice", {
  expect_equal(unname(entries(multi_membership(list(c("A", "B", "A"), "B")))), rbind(c(2, 1) / 3, c(0, 1)))
})

test_that("matrices, dense and sparse, give what lists give", {
  z <- rbind(c(1, 1, 0, 0), c(1, 0, 0, 0), c(0, 1, 1, 1))
  colnames(z) <- LETTERS[1:4]
  expect_equal(entries(multi_membership(z)), entries(multi_membership(sets)))
  expect_equal(entries(multi_membership(z > 0)), entries(multi_membership(sets)))
  weighted <- z * c(2, 1, 3)
  weighted[1, 2] <- 6
  expect_equal(unname(entries(multi_membership(weighted))[1, ]), c(0.25, 0.75, 0, 0))
  skip_if_not_installed("Matrix")
  expect_equal(entries(multi_membership(Matrix::Matrix(z, sparse = TRUE))), entries(multi_membership(sets)))
  expect_equal(entries(multi_membership(Matrix::Matrix(z > 0, sparse = TRUE))), entries(multi_membership(sets)))
  at <- which(z > 0, arr.ind = TRUE)
  pattern <- Matrix::sparseMatrix(i = at[, 1], j = at[, 2], dimnames = list(NULL, LETTERS[1:4]))
  expect_equal(entries(multi_membership(pattern)), entries(multi_membership(sets)))
  expect_equal(entries(multi_membership(Matrix::Matrix(weighted, sparse = TRUE), "sum")), weighted)
})

test_that("a collection gives the systems of each pair", {
  runs <- data.frame(system = rep(c("S", "T"), each = 2), query = "q", doc = c("d", "e", "d", "f"), rank = rep(1:2, 2))
  x <- test_collection(runs, k = 2, scale = broad_scale())
  expect_equal(unname(entries(multi_membership(x))), rbind(c(0.5, 0.5), c(1, 0), c(0, 1)))
})

test_that("rows can be taken, and missing ones are missing", {
  x <- multi_membership(c(sets, NA))
  expect_equal(is.na(x), c(FALSE, FALSE, FALSE, TRUE))
  expect_equal(format(x), c("A + B", "A", "B + C + D", NA))
  expect_equal(format(x[c(3, 1)]), c("B + C + D", "A + B"))
  expect_equal(multi_membership(x), x)
  expect_snapshot(print(x))
  frame <- data.frame(y = 1:4)
  frame$m <- x
  expect_equal(nrow(na.omit(frame)), 3)
})

test_that("sets that cannot be are refused", {
  expect_snapshot(error = TRUE, {
    multi_membership(list("A", character(), "B", NULL))
    multi_membership(list("A", c("B", NA)))
    multi_membership(list("A", mean))
    multi_membership(c("A", "B"))
    multi_membership(cbind(1, c(1, -1)))
    multi_membership(cbind(c(1, 0), c(1, 0)))
  })
})
