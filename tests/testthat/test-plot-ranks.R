test_that("the rank plot has a cell for each system and rank, and a frame around each rank set", {
  skip_if_not_installed("ggplot2")
  x <- simulate_collection(queries = 10, documents = 300, artists = 40, systems = 6, seed = 1)
  ranks <- rank_probabilities(rank_systems(x, judgments = FALSE))
  drawn_plot <- ggplot2::autoplot(ranks)
  cells <- drawn_plot$data
  columns <- seq_len(max(ranks$rank_upper))
  expect_equal(matrix(cells$probability, 6), unname(as.matrix(as.data.frame(ranks)[paste0("P", columns)])))
  frames <- ggplot2::layer_data(drawn_plot, 2)
  expect_equal(frames$xmin, ranks$rank_lower - 0.5)
  expect_equal(frames$xmax, ranks$rank_upper + 0.5)
  best <- ggplot2::autoplot(ranks, top = 2)
  expect_equal(unique(best$data$row), 1:2)
  expect_match(best$labels$subtitle, "best 2 of 6")
  expect_s3_class(drawn(plot(ranks)), "ggplot")
})

test_that("the rank plot raises errors for invalid arguments", {
  skip_if_not_installed("ggplot2")
  x <- simulate_collection(queries = 10, documents = 300, artists = 40, systems = 6, seed = 1)
  ranks <- rank_probabilities(rank_systems(x, judgments = FALSE))
  expect_error(plot(ranks[c("system", "estimate")]), "rank_lower", class = "judicious_error_columns")
  expect_error(plot(ranks, bottom = 3), "bottom", class = "judicious_error_argument")
})
