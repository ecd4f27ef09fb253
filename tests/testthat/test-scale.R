test_that("a Fine gain maps to the nearest multiple of 11", {
  expect_equal(level_index(fine_scale(), c(0, 5, 6, 16, 17, 93, 94, 100)), c(1, 1, 2, 2, 3, 9, 10, 10))
})

test_that("the uniform distribution is that of METHODS: mean 50, variance 850", {
  uniform <- uniform_gain(fine_scale())
  expect_equal(uniform$mean, 50)
  expect_equal(uniform$variance, 850)
  expect_equal(sum(uniform$prob), 1)
  expect_equal(uniform_gain(broad_scale())$variance, 2 / 3)
})
