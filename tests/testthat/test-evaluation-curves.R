runs <- data.frame(system = "A", query = rep(c("p", "q"), each = 5), doc = paste0("d", 1:5), score = 5:1)
judgments <- data.frame(query = c("p", "p", "q", "q", "q", "r"), doc = c("d2", "d4", "d1", "d5", "d9", "d1"),
                        gain = c(1, 1, 1, 0, 1, 0))

test_that("interpolated curves are iprec at their recalls", {
  quiet <- function(code) suppressMessages(suppressWarnings(code))
  curve <- quiet(retrieval_curve(runs, judgments, per = "query"))
  points <- lapply((0:10) / 10, function(point) measure("iprec", recall = point))
  expect_equal(curve$precision, quiet(evaluate(runs, judgments, points, missing = "skip"))$value)
  mean <- quiet(retrieval_curve(runs, judgments))
  expect_equal(mean$precision, as.vector(rowMeans(matrix(curve$precision, 11))))
  expect_equal(unique(mean$query), "all")
})

test_that("the area below the ROC curve is AUC", {
  curve <- retrieval_curve(runs, judgments, "roc", per = "query")
  area <- vapply(split(curve, curve$query), function(one) {
    sum(diff(one$false_positive_rate) * (one$true_positive_rate[-1] + one$true_positive_rate[-nrow(one)]) / 2)
  }, 0)
  scores <- suppressWarnings(evaluate(runs, judgments, "AUC", missing = "skip"))
  expect_equal(unname(area), scores$value)
  expect_equal(range(retrieval_curve(runs, judgments, "roc")$true_positive_rate), c(.25, 1))
})

test_that("curves that make no sense are errors", {
  expect_snapshot(retrieval_curve(runs, judgments, points = "ranks"), error = TRUE)
  expect_snapshot(retrieval_curve(runs, judgments, rel = 5), error = TRUE)
  expect_snapshot(retrieval_curve(runs[-4], judgments), error = TRUE)
  both <- rbind(runs, data.frame(system = "A", query = "r", doc = "d1", score = 1))
  expect_snapshot(curve <- retrieval_curve(both, judgments))
})

scores_of <- function() {
  set.seed(4)
  wide <- expand.grid(system = c("A", "B", "C"), query = paste0("q", 1:7), stringsAsFactors = FALSE)
  data <- data.frame(wide, doc = rep(paste0("d", 1:3), 7), score = 1)
  evaluate(data, data.frame(expand.grid(query = paste0("q", 1:7), doc = paste0("d", 1:3)),
                            gain = sample(0:1, 21, TRUE)), "P@1")
}

test_that("pictures are drawn and leave the generator alone", {
  scores <- scores_of()
  pictures <- list(suppressMessages(retrieval_curve(runs, judgments)),
                   retrieval_curve(runs, judgments, points = "ranks", per = "query"),
                   retrieval_curve(runs, judgments, "roc"), scores)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (picture in pictures) {
    before <- .Random.seed
    expect_s3_class(plot(picture), "ggplot")
    expect_identical(.Random.seed, before)
  }
})

test_that("a curve by ranks marks where precision and recall break even", {
  score <- c(8, 52, 22, 10, 12, 34, 11, 27, 72, 18)
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:10), score = score)
  judgments <- data.frame(query = "q", doc = paste0("d", c(2, 7, 8, 9)), gain = 1)
  marks <- function(...) judicious:::curve_picture(retrieval_curve(runs, judgments, ...))$marks
  expect_equal(unlist(marks(points = "ranks", per = "query")[c("x", "y")], use.names = FALSE), c(0.75, 0.75))
  expect_equal(nrow(marks()), 0)
  expect_equal(nrow(marks("roc", per = "query")), 0)
})

test_that("a picture of more systems than colours shows the best in colour", {
  # System i has its only relevant document at rank 10 - i, so that the last ones are best.
  depth <- rep(1:9, 9)
  system <- rep(paste0("S", 1:9), each = 9)
  runs <- data.frame(system, query = "q", doc = ifelse(depth == 10 - rep(1:9, each = 9), "right", paste0("d", depth)),
                     score = -depth)
  picture <- curve_picture(retrieval_curve(runs, data.frame(query = "q", doc = "right", gain = 1)))
  expect_identical(levels(picture$points$group), c(paste0("S", 3:9), "others"))
})

test_that("the table of retrieved and relevant documents is counted at every rank", {
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:5), score = 5:1)
  judgments <- data.frame(query = "q", doc = c("d1", "d2", "d4", "d9", "d5"), gain = c(1, 1, 1, 1, 0))
  curve <- as.data.frame(retrieval_curve(runs, judgments, points = "ranks", per = "query", documents = 20))
  retrieved <- outer(1:20, 1:5, "<=")
  relevant <- 1:20 %in% c(1, 2, 4, 9)
  expect_equal(curve$tp, colSums(retrieved & relevant))
  expect_equal(curve$fp, colSums(retrieved & !relevant))
  expect_equal(curve$fn, colSums(!retrieved & relevant))
  expect_equal(curve$tn, colSums(!retrieved & !relevant))
  expect_equal(curve$accuracy, colSums(retrieved == relevant) / 20)
  # L_M(i): the precision is the share of those who read on to rank i or beyond, relative to rank 1.
  precision <- c(1, 1, 2 / 3, 3 / 4, 3 / 5)
  expect_equal(curve$last, c((precision[-5] - precision[-1]) / precision[1], NA))
  first_wrong <- transform(judgments, gain = c(0, 1, 1, 1, 0))
  expect_true(all(is.na(retrieval_curve(runs, first_wrong, points = "ranks", per = "query")$last)))
  expect_snapshot(error = TRUE, {
    retrieval_curve(runs, judgments, documents = 20)
    retrieval_curve(runs, judgments, points = "ranks", per = "query", documents = 5)
    retrieval_curve(runs, judgments, "roc", documents = 20)
  })
})
