test_that("the embedded collection is what its script makes with this version of the package", {
  expect_identical(ams_demo, simulate_collection(edition = 2011, seed = 2011))
})
