# Invented results of two methods, without a simulation.
made_study <- function() {
  results <- expand.grid(replicate = 1:3, budget = c(0, 50), method = c("joint", "other"), stringsAsFactors = FALSE)
  figures <- data.frame(judged = results$budget, confidence = 0.9, accuracy = rep(c(1, 1, 0.7), 4), tau = 1,
                        brier = 0.01,
                        log_score = -0.01, z2 = rep(c(0.1, 0.1, 4), 4), coverage = rep(c(1, 1, 0.6), 4))
  pairs <- data.frame(replicate = rep(1:3, 8), method = rep(c("joint", "other"), each = 12), budget = 0,
                      confidence = rep(c(0.55, 0.97), 12), right = rep(c(1, 1, 0), 8))
  structure(list(results = cbind(results, figures), pairs = pairs,
                 stops = data.frame(replicate = 1, method = "joint", judged = 5, accuracy = 1), budgets = c(0, 50),
                 split = "whole", seed = 1, confidence = 0.95), class = "judicious_study")
}

test_that("the reliability plot shows accuracy, z2 and coverage with their ideal lines", {
  picture <- study_picture(made_study(), "reliability")
  expect_equal(unique(picture$curves$panel), picture$ideal$panel)
  expect_equal(picture$ideal$intercept, c(0, 1, 0.95))
  expect_equal(picture$ideal$slope, c(1, 0, 0))
  z2 <- picture$curves[picture$curves$panel == "z2, by judgments", ]
  expect_equal(z2$value, rep(1.4, 4))
  expect_equal(unique(picture$curves$series), c("joint", "other"))
})

test_that("confidence bands stay within the range of their statistic", {
  for (type in c("confidence", "brier", "log_score", "z2", "coverage", "tau", "reliability")) {
    curves <- study_picture(made_study(), type)$curves
    expect_true(all(curves$lower <= curves$value & curves$value <= curves$upper), label = type)
  }
  bands <- function(type) study_picture(made_study(), type)$curves[c("lower", "upper")]
  expect_equal(min(bands("z2")), 0)
  expect_equal(max(bands("coverage")), 1)
  expect_equal(max(bands("confidence")), 1)
})

test_that("plots of a study's confidence, z2, tau and reliability are drawn", {
  skip_if_not_installed("ggplot2")
  for (type in c("confidence", "z2", "tau", "reliability")) {
    expect_silent(drawn(plot(made_study(), type = type)))
  }
})

test_that("a plot has one legend, in the order of the series, also if the first one has no band", {
  skip_if_not_installed("ggplot2")
  picture <- study_picture(made_study(), "z2")
  first <- picture$curves$series == "joint"
  picture$curves[first, c("lower", "upper")] <- picture$curves$value[first]
  legend <- legend_of(ggplot_curves(picture))
  expect_identical(legend$labels, c("joint", "other"))
  opaque <- paste0(series_colours(2), "FF")
  expect_identical(unique(legend$fills[legend$fills %in% opaque]), opaque)
})

test_that("the vertical axis contains the ideal value of a statistic", {
  skip_if_not_installed("ggplot2")
  chart <- ggplot_curves(without_band(study_picture(made_study(), "z2"), 3))
  expect_equal(ggplot2::ggplot_build(chart)$layout$panel_params[[1]]$y$continuous_range, c(1, 1.4) + 0.02 * c(-1, 1))
})

test_that("no confidence band is drawn for fewer than five sessions", {
  picture <- study_picture(made_study(), "z2")
  without <- without_band(picture, 3)
  expect_identical(without$curves$lower, without$curves$upper)
  expect_no_match(without$subtitle, "band")
  expect_identical(without_band(picture, 5), picture)
})
