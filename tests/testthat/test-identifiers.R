# The identifiers of read_runs() are strings that are created when they are needed. R must not tell them from others.

run_columns <- function(lines, ...) {
  path <- withr::local_tempfile(lines = lines)
  read_runs(path, ...)
}

docs <- c("d1", "d2", "d1", "doc-\u00e9", "x")
lines <- enc2utf8(sprintf("q%d Q0 %s %d %d S", c(1, 1, 2, 2, 2), docs, 1:5, 5:1))
plain <- list(system = rep("S", 5), query = c("q1", "q1", "q2", "q2", "q2"), doc = docs)
write_utf8 <- function(path) writeBin(charToRaw(paste0(lines, "\n", collapse = "")), path)
fresh <- function() {
  path <- withr::local_tempfile()
  write_utf8(path)
  read_runs(path)
}
is_compact <- function(x) judicious:::are_identifiers_cpp(x)

test_that("the columns are compact, and equal ordinary vectors under every operation", {
  operations <- list(
    identity, function(x) x == "d1", function(x) "q2" == x, function(x) match(x, c("x", "S", "q1")), unique,
    function(x) match("d1", x), function(x) x %in% c("d2", "q2"), function(x) paste0(x, "!"), sort, order, rev, nchar,
    factor, duplicated, function(x) table(x),
    is.na, anyNA, Encoding, enc2native, validUTF8, rle, toupper, function(x) x[0],
    function(x) x[c(2, NA, 9, 1)], function(x) x[-1], function(x) x[[4]], function(x) x[4], function(x) x[x != "x"],
    function(x) x[c(1L, 1L, 4L)], function(x) x[c(TRUE, NA)], function(x) x[5:1][2:3], function(x) head(x, 2),
    function(x) tail(x, 2), function(x) x["a"], function(x) c(x, x), function(x) c(x, NA), function(x) rep(x, 3),
    function(x) split(x, x), function(x) unserialize(serialize(x, NULL)), function(x) vapply(x, nchar, 1L),
    function(x) replace(x, 2, NA), function(x) `[[<-`(x, 9, ""), function(x) stats::setNames(x, x)[c("S", "d1")],
    function(x) list(x, replace(x, 1, "other")), function(x) as.vector(x), function(x) matrix(x, 1),
    function(x) startsWith(x, "d"), function(x) ifelse(x == "x", x, "y"), function(x) data.frame(x)[2:3, ],
    function(x) `is.na<-`(x, 1), function(x) append(x, "z", 2), function(x) rapply(list(x), nchar), rank,
    function(x) attr(structure(x, a = 1), "a"), function(x) replace(x, 1, "")[1:2]
  )
  for (column in names(plain)) {
    for (i in seq_along(operations)) {
      x <- fresh()[[column]]
      expect_true(is_compact(x))
      expect_identical(operations[[i]](x), operations[[i]](plain[[column]]), info = paste(column, i))
      # Where an operation made an error visible only later, in its argument.
      expect_identical(x, plain[[column]], info = paste(column, i, "afterwards"))
    }
  }
})

test_that("parts stay compact, and so do the rows of several files", {
  x <- fresh()
  expect_true(is_compact(x$doc[c(3, 1)]))
  expect_true(is_compact(x[x$rank > 2, ]$query))
  expect_false(is_compact(x$doc[c(1, NA)]))
  path <- withr::local_tempfile(lines = c("q2 Q0 d7 1 2 T", "q3 Q0 d1 1 2 T"))
  first <- withr::local_tempfile()
  write_utf8(first)
  both <- read_runs(c(first, path))
  expect_true(all(vapply(both[c("system", "query", "doc")], is_compact, NA)))
  other <- data.frame(system = "T", query = c("q2", "q3"), doc = c("d7", "d1"), rank = 1, score = 2)
  expect_identical(lapply(both, `[`, TRUE), as.list(rbind(as.data.frame(x), other)))
  expect_identical(merge(fresh(), both), merge(as.data.frame(lapply(x, c)), as.data.frame(lapply(both, c))))
})

test_that("codes are numbered by first appearance, also in a part of a column", {
  part <- fresh()[c(4, 3, 5, 3), ]
  expect_identical(judicious:::coded_identifiers_cpp(part$query), list(code = rep(1L, 4), id = "q2"))
  expect_identical(judicious:::coded_identifiers_cpp(part$doc), list(code = c(1L, 2L, 3L, 2L), id = docs[c(4, 3, 5)]))
  expect_null(judicious:::coded_identifiers_cpp(c("a", "b")))
  path <- withr::local_tempfile(lines = "q9 Q0 d 1 2 S")
  joined <- judicious:::join_identifiers_cpp(list(read_runs(path)$query, part$query))
  expect_identical(judicious:::coded_identifiers_cpp(joined), list(code = c(1L, 2L, 2L, 2L, 2L), id = c("q9", "q2")))
})

test_that("quotes, empty fields and other encodings are read as before", {
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

test_that("numbers equal ordinary vectors under every operation, and their copies are independent", {
  operations <- list(identity, sum, sort, rev, cumsum, is.na, range, unique, function(x) x * 2,
                     function(x) x[c(2, NA, 9)],
                     function(x) x[-1], function(x) x[[4]], function(x) match(3, x), function(x) replace(x, 2, NA),
                     function(x) c(x, 1L), as.integer, function(x) unserialize(serialize(x, NULL)), order, paste,
                     function(x) data.frame(x)[2:3, ], function(x) `[[<-`(x, 9, 0), function(x) matrix(x, 1))
  for (i in seq_along(operations)) {
    x <- fresh()$score
    expect_identical(operations[[i]](x), operations[[i]](as.numeric(5:1)), info = i)
    expect_identical(x, as.numeric(5:1), info = paste(i, "afterwards"))
  }
  x <- y <- fresh()$score
  y[1] <- 0
  expect_identical(x[1], 5)
})

test_that("strings and numbers survive the garbage collector", {
  x <- fresh()
  gctorture(TRUE)
  on.exit(gctorture(FALSE))
  same <- c(x$doc[1] == x$doc[3], x$query[2] == x$query[3])
  copy <- x$doc[c(5, 1)]
  all <- paste(x$doc, x$query)
  total <- sum(x$score[-1])
  gctorture(FALSE)
  expect_identical(same, c(TRUE, FALSE))
  expect_identical(copy, docs[c(5, 1)])
  expect_identical(all, paste(plain$doc, plain$query))
  expect_identical(total, 10)
})

test_that("runs that were read, and a copy of them as ordinary vectors, have equal values", {
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

test_that("many elements, which are created together, are those of the file", {
  for (distinct in c(3, 4000)) {
    docs <- rep_len(sprintf("d%d", seq_len(distinct)), 4000)
    path <- withr::local_tempfile(lines = sprintf("q Q0 %s %d %d S", docs, 1:4000, 4000:1))
    one_by_one <- function(x, i) vapply(i, function(k) x[[k]], "")
    x <- read_runs(path)$doc
    expect_identical(one_by_one(x, 4000:1), rev(docs))
    expect_false(is_compact(x))
    x <- read_runs(path)$doc
    expect_identical(one_by_one(x, 1:500), docs[1:500])
    expect_true(is_compact(x))
    expect_identical(x == "d3", docs == "d3")
    expect_identical(nchar(read_runs(path)$doc), nchar(docs))
    x <- read_runs(path)$doc
    x[2] <- "other"
    expect_identical(x, replace(docs, 2, "other"))
  }
})
