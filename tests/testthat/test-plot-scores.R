skip_if_not_installed("ggplot2")

# A has more relevant documents than B for two of four queries, fewer for one, and as many for one; C has none.
judgments <- expand.grid(doc = paste0("d", 1:4), query = paste0("q", 1:4))
judgments$gain <- as.numeric(judgments$doc %in% c("d1", "d2"))
found <- function(system, docs) {
  data.frame(system = system, query = rep(paste0("q", 1:4), each = 2), doc = paste0("d", docs), score = 2:1)
}
runs <- rbind(found("A", c(1, 2, 1, 2, 1, 3, 3, 4)), found("B", c(3, 4, 2, 4, 2, 3, 1, 4)), found("C", 3:4))
scores <- evaluate(runs, judgments, "P@2")

test_that("each system has a box plot of its scores and a diamond at the mean, with the best on top", {
  plotted <- ggplot2::autoplot(scores)
  diamonds <- ggplot2::layer_data(plotted, 3)
  expect_equal(diamonds$x[order(diamonds$y)], c(0, 0.375, 0.625))
  expect_equal(ggplot2::layer_data(plotted, 1)$xmiddle, c(0, 0.5, 0.75))
})

test_that("plotting scores does not change the random number generator", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  set.seed(4)
  before <- .Random.seed
  expect_s3_class(plot(scores), "ggplot")
  expect_identical(.Random.seed, before)
})
