skip_if_not_installed("ggplot2")

# A finds more than B on two of four queries, fewer on one and as much on one; C finds nothing.
judgments <- expand.grid(doc = paste0("d", 1:4), query = paste0("q", 1:4))
judgments$gain <- as.numeric(judgments$doc %in% c("d1", "d2"))
found <- function(system, docs) {
  data.frame(system = system, query = rep(paste0("q", 1:4), each = 2), doc = paste0("d", docs), score = 2:1)
}
runs <- rbind(found("A", c(1, 2, 1, 2, 1, 3, 3, 4)), found("B", c(3, 4, 2, 4, 2, 3, 1, 4)), found("C", 3:4))
scores <- evaluate(runs, judgments, "P@2")

test_that("bars are the differences per query, coloured by the higher system, around their mean", {
  plotted <- ggplot2::autoplot(score_differences(scores, "A", "B"))
  bars <- ggplot2::layer_data(plotted, 1)
  expect_equal(bars$ymin + bars$ymax, c(1, 0.5, 0, -0.5))
  blue <- plot_colours[["blue"]]
  vermillion <- plot_colours[["vermillion"]]
  expect_equal(bars$fill, c(blue, blue, vermillion, vermillion))
  expect_equal(ggplot2::layer_data(plotted, 2)$yintercept, 0)
  expect_equal(ggplot2::layer_data(plotted, 3)$yintercept, 0.25)
  expect_match(plotted$labels$subtitle, "higher on 2 of 4 queries, equal on 1, lower on 1; mean difference 0.25",
               fixed = TRUE)
})

test_that("distributions have a box and a diamond at the mean for each system, the best on top", {
  plotted <- ggplot2::autoplot(scores)
  diamonds <- ggplot2::layer_data(plotted, 3)
  expect_equal(diamonds$x[order(diamonds$y)], c(0, 0.375, 0.625))
  expect_equal(ggplot2::layer_data(plotted, 1)$xmiddle, c(0, 0.5, 0.75))
})

test_that("cells of pairs state the queries on which the row is higher, white where they are dark", {
  plotted <- ggplot2::autoplot(score_differences(scores))
  text <- ggplot2::layer_data(plotted, 2)
  at <- match(c("1 2", "2 1", "1 3", "3 1"), paste(abs(text$y), text$x))
  expect_equal(as.numeric(text$label[at]), c(2, 1, 3, 0))
  expect_equal(text$colour[at], c("black", "black", "white", "white"))
  # Means differ by 0.25 and 0.625; the largest has the full colour.
  expect_equal(plotted$data$difference[at], c(0.25, -0.25, 0.625, -0.625))
})

test_that("the text of cells shrinks with their number", {
  size_of <- function(n) {
    systems <- paste0("S", seq_len(n))
    all <- merge(judgments[c("doc", "query")], data.frame(system = systems))
    all$score <- with_seed(n, stats::runif(nrow(all)))
    plotted <- ggplot2::autoplot(score_differences(evaluate(all, judgments, "P@2")))
    unique(ggplot2::layer_data(plotted, 2)$size)
  }
  expect_equal(size_of(4), 3)
  expect_equal(size_of(15), 2.8)
})
