test_that("a matrix of scores in an invalid form raises an informative error", {
  x <- matrix(c(1, 2, 3, 4), 2, dimnames = list(NULL, c("A", "A")))
  one <- data.frame(system = c("A", "B"), query = "q1", measure = "M", value = 1:2)
  expect_snapshot(error = TRUE, {
    compare_systems(x)
    compare_systems(x[, 1, drop = FALSE])
    compare_systems(one)
    compare_systems(simulate_collection(2, 20, 5, systems = 2, seed = 1), measure = "P@9")
    significance_custom("mean")
  })
})

test_that("plotting scores that are all missing raises an error", {
  runs <- data.frame(system = "A", query = c("p", "q"), doc = "d", rank = 1)
  truth <- data.frame(query = c("p", "q"), doc = "d", gain = 1)
  scores <- evaluate(runs, truth, "P@1")
  scores$value <- NA_real_
  expect_snapshot(plot(scores), error = TRUE)
})

# A comparison without its stored arguments, which reports use to show the call.
without_arguments <- function(comparison) replace(comparison, "arguments", list(NULL))

test_that("a warning of compare_systems() counts the pairs that are not judged", {
  x <- simulate_collection(queries = 5, documents = 60, artists = 10, systems = 3, seed = 1)
  expect_no_message(compare_systems(x))
  x$gain[2:3] <- NA
  expect_snapshot(some <- compare_systems(x, "t"))
  expect_identical(without_arguments(some), without_arguments(compare_systems(evaluate(x), "t")))
  # From relevant documents only, no gains can be estimated.
  x <- simulate_collection(queries = 20, documents = 200, artists = 20, systems = 3, scale = 0:2, seed = 1)
  hint_of <- function(x) conditionMessage(tryCatch(compare_systems(x, "t"), warning = identity))
  x$gain[x$gain == 0] <- NA
  expect_no_match(hint_of(x), "rank_systems")
  x$gain[which(is.na(x$gain))[1]] <- 0
  expect_match(hint_of(x), "rank_systems")
})

test_that("compare_systems() uses the measure of the collection", {
  x <- simulate_collection(queries = 5, documents = 60, artists = 10, systems = 3, seed = 1)
  expect_identical(without_arguments(compare_systems(x, "t")),
                   without_arguments(compare_systems(evaluate(x, judgments_of(x), "AG@5"), "t")))
})

test_that("a column of queries or of row numbers beside the scores of systems raises an error", {
  scores <- data.frame(A = c(0.3, 0.5, 0.2, 0.4), B = c(0.2, 0.6, 0.1, 0.4))
  expect_snapshot(error = TRUE, compare_systems(cbind(topic = 301:304, scores)))
  tables <- list(cbind(X = 1:4, scores), cbind(scores, qid = 9:6), as.matrix(cbind(query = 1:4, scores)))
  for (x in tables) {
    expect_error(compare_systems(x), "column of queries", class = "judicious_error_argument")
    expect_error(power_analysis(x, sizes = 2, trials = 2), "column of queries", class = "judicious_error_argument")
  }
  p <- compare_systems(unname(as.matrix(scores)), seed = 1)$pairs$p_value
  expect_equal(compare_systems(scores, seed = 1)$pairs$p_value, p)
  named <- cbind(X = c(1, 3, 2, 4), scores["A"])
  expect_identical(compare_systems(named, seed = 1)$systems$system, c("X", "A"))
  field <- data.frame(topic = as.character(rep(1:4, 2)), run = rep(c("title", "query"), each = 4), v = unlist(scores))
  expect_identical(compare_systems(xtabs(v ~ topic + run, field), seed = 1)$systems$system, c("title", "query"))
})

test_that("files of scores may have the measure before or after the query", {
  rows <- expand.grid(system = c("A", "B"), query = c("1", "2", "all"), measure = c("m", "k"))
  rows$value <- seq_len(nrow(rows)) / 16
  path <- withr::local_tempfile()
  scores <- lapply(list(c(1, 2, 3, 4), c(1, 3, 2, 4)), function(order) {
    write.table(rows[order], path, sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
    compare_systems(path, measure = "k", seed = 1)$systems
  })
  expect_identical(scores[[1]]$mean[match(c("A", "B"), scores[[1]]$system)], c(8, 9) / 16)
  expect_identical(scores[[2]], scores[[1]])
})

test_that("the output of trec_eval is not read as scores of systems named by measures", {
  path <- withr::local_tempfile()
  for (measures in list(c("map", "P_10"), c("ndcg_cut_10", "map"), "runid")) {
    writeLines(sprintf("%-22s\t%s\t0.5", rep(measures, 2), rep(c("1", "2"), each = length(measures))), path)
    expect_error(compare_systems(path), "output of trec_eval.*evaluate", class = "judicious_error_columns")
  }
  writeLines(c("G 1 0.5", "H 1 0.25", "G 2 0.75", "H 2 0.75"), path)
  expect_identical(compare_systems(path, "t")$systems$system, c("G", "H"))
  # A header may begin with the name that trec_eval gives to its line of the run, and files of scores may be UTF-16.
  lines <- c("runid query value", "G 1 0.5", "H 1 0.25", "G 2 0.75", "H 2 0.75")
  writeLines(lines, path)
  expect_identical(compare_systems(path, "t")$systems$mean, c(0.625, 0.5))
  writeBin(iconv(paste0(c(lines, ""), collapse = "\n"), to = "UTF-16", toRaw = TRUE)[[1]], path)
  expect_identical(compare_systems(path, "t")$systems$mean, c(0.625, 0.5))
  writeBin(as.raw(c(0, 1, 255, 0)), path)
  expect_error(compare_systems(path), "is not text", class = "judicious_error_encoding")
})
