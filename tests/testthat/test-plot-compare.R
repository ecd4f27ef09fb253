draw_to_nowhere <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}

test_that("systems are coloured by whether they differ from the best", {
  x <- random_scores(61, n = 40, m = 7, values = 1000)
  r <- compare_systems(x)
  bars <- judicious:::system_bars(r)
  worse <- bars$verdict == "worse than the best"
  against_best <- r$pairs[r$pairs$system_a == r$systems$system[1], ]
  expect_identical(worse[match(against_best$system_b, as.character(bars$system))], against_best$significant)
})

test_that("every kind of plot is drawn by ggplot2 and by base graphics", {
  x <- random_scores(62, n = 30, m = 5)
  r <- compare_systems(x)
  one_tailed <- compare_systems(x, significance_test("t", "better"))
  power <- power_analysis(x, sizes = c(10, 20, 30), trials = 10, seed = 1, progress = FALSE)
  stability <- stability_analysis(x, sizes = c(5, 15), trials = 10, seed = 1, progress = FALSE)
  skip_if_not_installed("ggplot2")
  plots <- list(plot(r), plot(r, type = "intervals"), plot(r, type = "matrix"), plot(one_tailed), plot(power),
                plot(stability),
                plot(stability, classes = TRUE), plot(power, sizes = c(20, 30)))
  for (p in plots) expect_silent(draw_to_nowhere(ggplot2::ggplot_build(p)))
  expect_equal(range(ggplot2::ggplot_build(plots[[8]])$data[[2]]$x), c(20, 30))
  expect_silent(draw_to_nowhere({
    judicious:::base_systems(r)
    judicious:::base_intervals(one_tailed, 10)
    judicious:::base_matrix(r)
    curves <- transform(judicious:::study_curves(power, "power", NULL), panel = factor(panel))
    judicious:::base_study(power, curves, "Power", "significant pairs")
  }))
})

test_that("a plot that does not suit the test is refused", {
  x <- random_scores(63, n = 10, m = 3)
  expect_snapshot(error = TRUE, {
    plot(compare_systems(x, significance_test("t")), type = "systems")
    plot(power_analysis(x, sizes = 5, trials = 2, seed = 1, progress = FALSE), sizes = 99)
  })
})
