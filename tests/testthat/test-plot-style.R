test_that("axes show all names if they fit, and evenly spaced ones otherwise", {
  grDevices::pdf(NULL, width = 7, height = 5)
  on.exit(grDevices::dev.off())
  few <- named_axis(18)
  expect_equal(few, list(at = 1:18, size = 9, note = ""))
  many <- named_axis(100)
  # Names may use 3.7 of 5 inches. If one name in three of 100 is shown, each has 8 points.
  expect_equal(many$at, seq(1, 100, by = 3))
  expect_equal(many$size, 0.95 * 72 * 3.7 * 3 / 100)
  expect_equal(many$note, "; one name in 3 is shown")
})

test_that("matrix columns are labelled by name if names are short and few, and by rank otherwise", {
  short <- matrix_labels(c("A", "B", "C"))
  expect_equal(short$rows, c("A", "B", "C"))
  expect_equal(short$columns, c("A", "B", "C"))
  long <- matrix_labels(c("a long name", "B", "C"))
  expect_equal(long$rows, c("a long name  1", "B  2", "C  3"))
  expect_equal(long$columns, c("1", "2", "3"))
  many <- matrix_labels(sprintf("S%02d", 1:40))
  expect_equal(many$columns, as.character(c(1, seq(5, 40, by = 5))))
})

test_that("titles and subtitles fit the width of the plot, by plot() and by autoplot()", {
  grDevices::pdf(NULL, width = 4, height = 4)
  on.exit(grDevices::dev.off())
  ranking <- rank_systems(simulate_collection(queries = 10, documents = 100, artists = 20, systems = 6, seed = 1),
                          judgments = FALSE)
  labels <- ggplot2::autoplot(ranking)$labels
  expect_lt(max(nchar(strsplit(labels$title, "\n")[[1]])), 47)
  expect_match(labels$subtitle, "\n")
  expect_equal(plot(ranking)$labels[c("title", "subtitle")], labels[c("title", "subtitle")])
})

test_that("series have distinct colours and symbols", {
  expect_equal(anyDuplicated(series_colours(8)), 0)
  expect_equal(anyDuplicated(series_symbols(8)), 0)
  expect_false(anyNA(series_colours(20)))
})

test_that("labels of a low device do not overlap", {
  low <- tempfile(fileext = ".pdf")
  grDevices::pdf(low, 7, 4)
  on.exit(unlink(low))
  found <- named_axis(30)
  grDevices::dev.off()
  # 4 inches less 1.3 for titles, legend and axis.
  expect_lte(found$size * length(found$at), 72 * 2.7)
})
