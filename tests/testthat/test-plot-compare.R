draw_to_nowhere <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}

test_that("systems are coloured by whether they differ significantly from the best", {
  x <- random_scores(61, n = 40, m = 7, values = 1000)
  r <- compare_systems(x, "friedman_tukey")
  rows <- judicious:::comparison_picture(r, "systems", 45)$rows
  worse <- rows$verdict == "significantly worse than the best"
  against_best <- r$pairs[r$pairs$system_a == r$systems$system[1], ]
  expect_identical(worse[match(against_best$system_b, rows$label)], against_best$significant)
})

test_that("every type of plot of a comparison is drawn", {
  x <- random_scores(62, n = 30, m = 5)
  r <- compare_systems(x, "friedman_tukey")
  one_tailed <- compare_systems(x, significance_test("t", "better"))
  power <- power_analysis(x, sizes = c(10, 20, 30), trials = 10, seed = 1, progress = FALSE)
  stability <- stability_analysis(x, sizes = c(5, 15), trials = 10, seed = 1, progress = FALSE)
  skip_if_not_installed("ggplot2")
  expect_silent(draw_to_nowhere({
    for (type in c("systems", "intervals", "matrix")) plot(r, type = type)
    plot(one_tailed, top = 10)
    plot(power)
    plot(stability)
  }))
  one_size <- ggplot2::autoplot(power, sizes = 30)
  expect_false(grepl("bands", one_size$labels$subtitle))
  two_sizes <- ggplot2::ggplot_build(ggplot2::autoplot(power, sizes = c(20, 30)))
  expect_equal(range(two_sizes$data[[2]]$x), c(20, 30))
  # The legend shows lines and points, but neither the band nor the dotted line of the largest size.
  in_legend <- vapply(unname(ggplot2::autoplot(stability)$layers), function(l) !isFALSE(l$show.legend), NA)
  expect_equal(in_legend, c(FALSE, TRUE, TRUE, FALSE))
  # Only the line of the largest size is dotted, also with three curves, as the subtitle says.
  sizes <- power_analysis(x, sizes = c(10, 30), trials = 10, seed = 1, systems = 3:5, tests = "t", progress = FALSE)
  layers <- ggplot2::ggplot_build(ggplot2::autoplot(sizes))$data
  expect_equal(unique(layers[[2]]$linetype), 1)
  expect_equal(unique(layers[[4]]$linetype), "dotted")
})

test_that("a type of plot that the test does not support raises an error", {
  x <- random_scores(63, n = 10, m = 3)
  expect_snapshot(error = TRUE, {
    plot(compare_systems(x, significance_test("t")), type = "systems")
    plot(power_analysis(x, sizes = 5, trials = 2, seed = 1, progress = FALSE), sizes = 99)
  })
})
