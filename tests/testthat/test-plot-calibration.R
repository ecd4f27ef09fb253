x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)

test_that("the calibration plot shows shares with Wilson intervals", {
  s <- judging_session(x, goal = goal_budget(40), audit = 0.4, seed = 1, judgments = FALSE)
  k <- calibration(run_session(s, progress = FALSE))
  curves <- calibration_picture(k)$curves
  expect_identical(unique(curves$series), c("audit", "selected"))
  expect_equal(curves$value[1:3], unlist(k[1, c("within_50", "within_80", "within_95")], use.names = FALSE))
  share <- k$within_80[1]
  wilson <- stats::prop.test(round(share * k$n[1]), k$n[1], correct = FALSE)$conf.int
  expect_equal(c(curves$lower[2], curves$upper[2]), as.vector(wilson))
  expect_true(all(curves$lower >= 0 & curves$upper <= 1 & curves$lower <= curves$value & curves$value <= curves$upper))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_s3_class(ggplot2::autoplot(k), "ggplot")
  expect_s3_class(plot(k), "ggplot")
})

test_that("the calibration plot shows only the kinds of judgments that were made", {
  s <- judging_session(x, goal = goal_budget(5), audit = 0, seed = 1, judgments = FALSE)
  expect_identical(unique(calibration_picture(calibration(run_session(s, progress = FALSE)))$curves$series), "selected")
  none <- calibration(judging_session(x, seed = 1, judgments = FALSE))
  expect_snapshot(plot(none), error = TRUE)
})
