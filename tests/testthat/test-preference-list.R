test_that("preference lists are made from groups, data frames and sessions, sorted and renumbered", {
  a <- ordered_list(list(c("x", "y"), "z"))
  b <- ordered_list(data.frame(query = "query", doc = c("z", "x", "y"), group = c(9, 2, 2)))
  expect_equal(a, b)
  expect_equal(as.data.frame(a), data.frame(query = "query", group = c(1L, 1L, 2L), doc = c("x", "y", "z")))
  expect_identical(ordered_list(a), a)
  expect_equal(class(a[1:2, ]), class(a))
  expect_equal(class(a[c("doc", "group")]), "data.frame")
  expect_equal(format(a), c(query = "<(x, y), (z)>"))
})

test_that("preference lists print, and invalid ones raise errors", {
  expect_snapshot({
    ordered_list(list(c("x", "y"), "z"))
    print(ordered_list(data.frame(query = 1:3, doc = "x", group = 1)), n = 2)
  })
  expect_snapshot(error = TRUE, {
    ordered_list(data.frame(query = 1, doc = c("x", "x"), group = 1))
    ordered_list(data.frame(query = 1, doc = "x", group = "best"))
    ordered_list(data.frame(query = 1, doc = "x", group = NA_real_))
    ordered_list(3)
  })
})
