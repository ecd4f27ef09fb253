demo_ranking <- function(delta = 0, judged = 0) {
  x <- simulate_collection(queries = 10, documents = 300, artists = 40, teams = 4, systems = 6, seed = 1)
  gains <- gain_distribution(mirex_model("output", "fine"), output_features(x))
  if (judged > 0) gains <- update(gains, judgments_of(x)[seq_len(judged), ])
  rank_systems(x, gains, delta = delta)
}

test_that("both types of plots of a ranking are drawn, and plot() returns the ranking", {
  skip_if_not_installed("ggplot2")
  ranking <- demo_ranking()
  truth <- judgments_of(ranking$collection)
  expect_invisible(drawn(plot(ranking)))
  expect_s3_class(drawn(plot(ranking)), "ggplot")
  expect_s3_class(drawn(plot(ranking, truth = truth)), "ggplot")
  expect_s3_class(drawn(plot(ranking, type = "confidence", top = 3)), "ggplot")
})

test_that("the legend of true values has an open symbol without the bar of an interval", {
  skip_if_not_installed("ggplot2")
  ranking <- demo_ranking()
  chart <- ggplot2::autoplot(ranking, truth = judgments_of(ranking$collection))
  built <- ggplot2::ggplot_build(chart)
  expect_equal(lapply(built$data[2:3], function(layer) unique(layer$shape)), list(16, 1))
  expect_identical(built$plot$scales$get_scales("shape")$get_labels(), c("estimate", "truth"))
  parts <- function(grob) c(list(grob), unlist(lapply(c(grob$grobs, grob$children), parts), recursive = FALSE))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  layout <- ggplot2::ggplotGrob(chart)
  legend <- unlist(lapply(layout$grobs[grep("guide-box", layout$layout$name)], parts), recursive = FALSE)
  bars <- Filter(function(grob) inherits(grob, "segments"), legend)
  type <- vapply(bars, function(bar) as.character(bar$gp$lty), "")
  expect_identical(unname(type[type != "blank"]), "solid")
})

test_that("plot() of a collection plots its ranking", {
  x <- demo_ranking()$collection
  expect_s3_class(drawn(plot(x)), "ggplot")
  expect_error(plot(x, type = "estimate"), "type", class = "judicious_error_argument")
})

test_that("the plot of estimates has one row per system, with the best on top", {
  ranking <- demo_ranking()
  truth <- judgments_of(ranking$collection)
  picture <- estimates_picture(ranking, truth)
  data <- as.data.frame(ranking)
  expect_equal(picture$rows$rank, rev(sort(data$rank)))
  expect_equal(picture$rows$label,
               with(picture$rows, paste0(system, " (", team, ")   ", ranks_text(picture$rows))))
  decided <- sum(system_differences(ranking)$confidence >= 0.95)
  expect_match(picture$caption, sprintf("After each name: .*\n%d of 15 pairs are decided \\(confidence at least .95\\)",
                                        decided))
  at <- match(picture$rows$system, data$system)
  expect_equal(picture$rows[c("estimate", "lower", "upper")], data[at, c("estimate", "lower", "upper")],
               ignore_attr = TRUE)
  # The true value of a system: the mean gain of its results, computed here.
  results <- as.data.frame(ranking$collection)
  expect_equal(picture$rows$true, as.vector(tapply(results$gain, results$system, mean)[picture$rows$system]))
})

test_that("systems without teams are labelled by name only", {
  x <- test_collection(data.frame(system = c("A", "B"), query = "q", doc = c("a", "b")), k = 1, scale = broad_scale())
  expect_equal(estimates_picture(rank_systems(x, uniform_gains(x)))$rows$label,
               c("B   1 to 2", "A   1 to 2"))
})

test_that("the confidence matrix has every pair once, above the diagonal", {
  ranking <- demo_ranking()
  picture <- confidence_picture(ranking)
  expect_equal(nrow(picture$cells), 6 * 5 / 2)
  expect_true(all(picture$cells$row < picture$cells$column))
  data <- as.data.frame(ranking)
  expect_equal(picture$labels$rows, data$system[order(data$rank)])
  # The confidence of a cell is that the better system is better, computed from means and covariance.
  for (i in seq_len(nrow(picture$cells))) {
    pair <- picture$labels$rows[unlist(picture$cells[i, c("row", "column")])]
    difference <- ranking$mean[[pair[1]]] - ranking$mean[[pair[2]]]
    variance <- ranking$covariance[pair[1], pair[1]] + ranking$covariance[pair[2], pair[2]] -
      2 * ranking$covariance[pair[1], pair[2]]
    expect_equal(picture$cells$confidence[i], stats::pnorm(difference / sqrt(variance)))
  }
  expect_gte(min(picture$cells$confidence), 0.5)
})

test_that("cells of the confidence matrix have a class for colour and a formatted number", {
  limits <- confidence_limits()
  expect_named(limits, c("below .5", ".50 to .60", ".60 to .70", ".70 to .80", ".80 to .90", ".90 to .95",
                         ".95 to .99", ".99 to 1"))
  expect_equal(format_confidence(c(.5, .934, .9949, .9951, 1)), c(".50", ".93", ".99", ">.99", ">.99"))
  # With a minimal difference, confidence can be below one half. Only then is this class of colour used.
  skip_if_not_installed("ggplot2")
  shown <- function(ranking) ggplot_confidence(confidence_picture(ranking))$scales$get_scales("fill")$limits
  expect_false("below .5" %in% shown(demo_ranking()))
  expect_true("below .5" %in% shown(demo_ranking(delta = 5)))
  # The legend shows the colours of all classes, also of those without a cell.
  ranking <- demo_ranking()
  legend <- legend_of(ggplot2::autoplot(ranking, type = "confidence"))
  expect_identical(legend$labels, names(limits)[-1])
  expect_identical(setdiff(legend$fills, "white"), paste0(unname(confidence_picture(ranking)$colours[-1]), "FF"))
})

test_that("autoplot() returns a plot to which layers can be added", {
  skip_if_not_installed("ggplot2")
  ranking <- demo_ranking()
  plot <- ggplot2::autoplot(ranking) + ggplot2::labs(title = "Mine")
  expect_s3_class(plot, "ggplot")
  expect_equal(nrow(ggplot2::layer_data(plot, 1)), 6)
  tiles <- ggplot2::layer_data(ggplot2::autoplot(ranking, type = "confidence"), 1)
  expect_equal(nrow(tiles), 15)
})

test_that("the confidence matrix states how many systems it shows if it leaves some out", {
  ranking <- demo_ranking()
  expect_match(confidence_picture(ranking, top = 5)$subtitle, "; the best 5 of 6 systems", fixed = TRUE)
  for (top in list(6, 7, NULL)) expect_false(grepl("the best", confidence_picture(ranking, top)$subtitle))
})

test_that("rankings of one system and of sixty can be plotted", {
  one <- simulate_collection(queries = 2, documents = 50, artists = 5, systems = 1, seed = 1)
  many <- simulate_collection(queries = 2, documents = 300, artists = 30, systems = 60, seed = 1)
  for (x in list(one, many)) {
    ranking <- rank_systems(x, uniform_gains(x))
    for (type in c("estimates", "confidence")) expect_no_error(drawn(plot(ranking, type = type)))
  }
  expect_false(confidence_picture(rank_systems(many, uniform_gains(many)))$written)
})

test_that("errors of plot() name the invalid argument", {
  ranking <- demo_ranking()
  expect_snapshot(error = TRUE, {
    plot(ranking, type = "pie")
    plot(ranking, truth = judgments_of(ranking$collection)[1:3, ])
  })
})

test_that("errors raised through plot() and autoplot() name the function that the user called", {
  skip_if_not_installed("ggplot2")
  ranking <- demo_ranking()
  expect_error(plot(ranking, bars = 2), "`plot()` has no argument `bars`", fixed = TRUE,
               class = "judicious_error_argument")
  expect_error(ggplot2::autoplot(ranking, bars = 2), "`autoplot()` has no argument `bars`", fixed = TRUE,
               class = "judicious_error_argument")
  expect_error(ggplot2::autoplot(ranking, tpye = "confidence"), "Did you mean \"type\"", fixed = TRUE)
  expect_error(ggplot2::autoplot(ranking, top = "three"), "`top` must be", fixed = TRUE)
})
