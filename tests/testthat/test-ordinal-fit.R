test_that("settings are checked", {
  expect_s3_class(pom_control(tolerance = 1e-20), "judicious_pom_control")
  expect_snapshot(error = TRUE, {
    pom_control(max_iterations = 0)
    pom_control(tolerance = 2)
    pom_control(penalty = Inf)
    pom_control(num_threads = 1.5)
  })
})
