# The columns of read_runs() are those of the file, as ordinary vectors.

run_columns <- function(lines, ...) {
  path <- withr::local_tempfile(lines = lines)
  read_runs(path, ...)
}

test_that("identifiers and numbers read from one file or several equal the fields of the lines", {
  docs <- c("d1", "d2", "d1", "doc-\u00e9", "x")
  path <- withr::local_tempfile()
  lines <- enc2utf8(sprintf("q%d Q0 %s %d %d S", c(1, 1, 2, 2, 2), docs, 1:5, 5:1))
  writeBin(charToRaw(paste0(lines, "\n", collapse = "")), path)
  expected <- list(system = rep("S", 5), query = c("q1", "q1", "q2", "q2", "q2"), doc = docs, rank = as.numeric(1:5),
                   score = as.numeric(5:1))
  expect_identical(as.list(read_runs(path))[names(expected)], expected)
  other <- withr::local_tempfile(lines = c("q2 Q0 d7 1 2 T", "q3 Q0 d1 1 2 T"))
  both <- read_runs(c(path, other))
  added <- data.frame(system = "T", query = c("q2", "q3"), doc = c("d7", "d1"), rank = 1, score = 2)
  expect_identical(as.list(both), as.list(rbind(list2DF(expected), added)[names(both)]))
})

test_that("the fast reader handles quotes, empty fields and other encodings", {
  quoted <- run_columns(c("\"S\"\t\"q\"\t\"d 1\"", "\"S\"\t\"q\"\t\"d2\""))
  expect_identical(quoted$doc, c("d 1", "d2"))
  some <- run_columns(c("S q d1", "S q \"d2\""))
  expect_identical(some$doc, c("d1", "\"d2\""))
  expect_error(run_columns(c("S\tq\td1", "S\tq\t", "S\tq\td3")), "line 2", class = "judicious_error_columns")
  path <- withr::local_tempfile()
  writeBin(c(charToRaw("S q d\n"), charToRaw("S q \xe9\n")), path)
  latin1 <- suppressMessages(read_runs(path))
  expect_identical(latin1$doc, c("d", "\u00e9"))
  expect_identical(Encoding(latin1$doc), c("unknown", "UTF-8"))
})

test_that("runs read from a file and the same runs in a data frame give the same scores and collection", {
  set.seed(1)
  runs <- expand.grid(rank = 1:30, query = paste0("q", 1:8), system = c("A", "B"), stringsAsFactors = FALSE)
  runs$doc <- unlist(lapply(1:16, function(i) sample(sprintf("d%02d", 1:40), 30)))
  runs$score <- round(stats::rexp(nrow(runs)), 1)
  judgments <- data.frame(query = rep(paste0("q", 2:9), each = 10), doc = sprintf("d%02d", 1:10), gain = 0:4)
  path <- withr::local_tempfile()
  utils::write.table(runs[c("query", "rank", "doc", "rank", "score", "system")], path, quote = FALSE,
                     row.names = FALSE, col.names = FALSE)
  measures <- c("AP", "nDCG@10", "bpref")
  values <- function(x, ...) suppressWarnings(suppressMessages(evaluate(x, judgments, measures, ...)))
  expect_identical(values(read_runs(path)), values(runs[names(read_runs(path))]))
  expect_identical(values(read_runs(path), ties = "identifier"), values(runs, ties = "identifier"))
  expect_identical(suppressMessages(test_collection(read_runs(path), k = 10)),
                   suppressMessages(test_collection(runs, k = 10)))
})

test_that("the number 100000 is the identifier 100000 of items, assessors and systems", {
  expect_identical(rank_correlation(list(100000, 2), c("100000", "2"), "rbo")[["ext"]], 1)
  judgments <- data.frame(query = 1, doc = c(1, 1, 2), assessor = c(1e5, 2, 1e5), gain = 1)
  expect_identical(agreement(judgments)$assessors$assessor, c("100000", "2"))
  scores <- data.frame(system = rep(c(1e5, 2e5), each = 3), query = 1:3, value = c(1, 2, 3, 2, 3, 5))
  sets <- list(both = c(1e5, 2e5))
  expect_identical(power_analysis(scores, sizes = 2, trials = 2, tests = "t", systems = sets, seed = 1)$systems, "both")
  runs <- data.frame(system = rep(1:2, each = 2), query = 1, doc = c(1, 2, 2, 3), rank = 1:2)
  x <- test_collection(runs, k = 2, scale = 0:1)
  artists <- data.frame(doc = 1:3, artist = c(7, 1e5, 8))
  filtered <- test_collection(runs, artists, queries = data.frame(query = 1, artist = 100000L), filter = "artist", k = 1)
  expect_identical(filtered$documents$doc, "3")
  session <- judging_session(x, judgments = judgments[judgments$assessor == 1e5, ], seed = 1)
  expect_identical(unique(judgments_of(session)$assessor), "100000")
})
