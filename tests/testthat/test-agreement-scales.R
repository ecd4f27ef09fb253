broad <- data.frame(query = rep(c("p", "q"), c(4, 3)), doc = c("a", "b", "c", "d", "a", "b", "e"),
                    gain = c(0, 1, 1, 2, 0, 0, 2))
fine <- data.frame(query = rep(c("q", "p"), c(3, 4)), doc = c("a", "b", "z", "d", "c", "b", "a"),
                   gain = c(30, 20, 0, 90, 90, 10, 15))

test_that("two relevance scales are compared over the documents judged on both", {
  found <- agreement(broad, fine)
  x <- c(0, 1, 1, 2, 0, 0)
  y <- c(15, 10, 90, 90, 30, 20)
  expect_identical(found$documents, 6L)
  expect_equal(found$pearson, cor(x, y))
  expect_equal(found$spearman, cor(rank(x), rank(y)))
  # For query p, the pair of documents ab is ordered differently on the two scales; ac, ad and bd are ordered alike; c
  # and d have equal gains; b and c have the same level. Query q has no comparable pair.
  expect_identical(found$compared, 5L)
  expect_equal(c(found$consistent, found$equal, found$contradicted), c(3, 1, 1) / 5)
  expect_equal(as.data.frame(found)[c("level", "documents", "mean", "sd", "lowest", "median", "highest")],
               data.frame(level = 0:2, documents = c(3L, 2L, 1L), mean = c(65 / 3, 50, 90),
                          sd = c(sd(c(15, 30, 20)), sd(c(10, 90)), NA), lowest = c(15, 10, 90), median = c(20, 50, 90),
                          highest = c(30, 90, 90)))
  # The order of rows does not matter.
  expect_equal(agreement(broad[7:1, ], fine[c(3, 1, 2, 7:4), ]), found)
  expect_equal(agreement(broad, fine, method = "cohen")$estimate, agreement(x, y)$estimate)
  expect_equal(agreement(broad, fine, method = "rmse")$estimate, sqrt(mean((x - y)^2)))
  expect_snapshot({
    found
    plot(found, labels = "Broad")
  }, error = TRUE)
})

test_that("comparing two collections equals comparing their judgments", {
  x <- simulate_collection(queries = 6, documents = 80, systems = 3, scale = broad_scale(), seed = 4)
  y <- simulate_collection(queries = 6, documents = 80, systems = 3, seed = 4)
  found <- agreement(x, y)
  expect_equal(found, agreement(judgments_of(x), judgments_of(y)))
  pairs <- merge(judgments_of(x), judgments_of(y), by = c("query", "doc"))
  signs <- unlist(lapply(split(pairs, pairs$query), function(own) {
    signs <- sign(outer(own$gain.x, own$gain.x, "-")) * sign(outer(own$gain.y, own$gain.y, "-"))
    signs[upper.tri(signs) & outer(own$gain.x, own$gain.x, "!=")]
  }))
  expect_equal(c(found$consistent, found$contradicted), c(mean(signs == 1), mean(signs == -1)))
})

test_that("judgments whose scales cannot be compared raise errors", {
  expect_snapshot(error = TRUE, {
    agreement(fine, broad)
    agreement(rbind(broad, broad[2, ]), fine)
    agreement(broad, transform(fine, doc = paste0("x", doc)))
    agreement(broad, transform(fine, gain = as.character(gain)))
    agreement(1:3, 1:3, method = "scales")
  })
})

test_that("the plot of two scales shows the median fine gain at each level of the broad scale", {
  found <- agreement(broad, fine)
  expect_s3_class(drawn(plot(found)), "ggplot")
  skip_if_not_installed("ggplot2")
  expect_s3_class(drawn(plot(found, c("Broad", "Fine"))), "ggplot")
  layer <- ggplot2::layer_data(ggplot2::autoplot(found))
  expect_equal(layer$middle, found$table$median)
})

test_that("in the public MIREX edition, 5219 documents are judged on both scales, correlated as by cor()", {
  skip_without_data("mirex-ams-2011")
  read <- function(file, columns) {
    stats::setNames(utils::read.table(file.path(Sys.getenv("JUDICIOUS_DATA"), "mirex-ams-2011", file), quote = "",
                                      colClasses = "character")[1:3], columns)
  }
  broad <- transform(read("broad.tsv", c("query", "doc", "gain")), gain = as.numeric(gain))
  fine <- transform(read("judgments.txt", c("query", "doc", "gain")), gain = as.numeric(gain))
  found <- agreement(broad, fine)
  expect_identical(found$documents, 5219L)
  both <- merge(broad, fine, by = c("query", "doc"))
  expect_equal(found$pearson, cor(both$gain.x, both$gain.y))
})
