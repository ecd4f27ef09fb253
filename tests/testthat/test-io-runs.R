expected <- data.frame(system = c("A", "A", "B"), query = c("q1", "q2", "q1"), doc = c("d1", "d2", "d1"))

test_that("line ends, separators and compression do not change what is read", {
  for (end in c("\n", "\r\n", "\r")) {
    for (between in c("\t", " ", "  ", ",", ", ")) {
      lines <- paste(expected$system, expected$query, expected$doc, sep = between)
      expect_equal(read_runs(bytes_file(paste0(lines, end))), expected)
      expect_equal(read_runs(bytes_file(paste(lines, collapse = end))), expected)
    }
  }
  lines <- paste0(expected$system, "\t", expected$query, "\t", expected$doc, "\r\n")
  expect_equal(read_runs(bytes_file(lines, ".gz")), expected)
  expect_equal(read_runs(bytes_file(c("\n", lines[1], "\r\n", "  \n", lines[-1], "\n\n"))), expected)
})

test_that("byte order marks and UTF-16 are recognised", {
  text <- paste0(expected$system, "\t", expected$query, "\t", expected$doc, "\n", collapse = "")
  utf8 <- c(as.raw(c(0xEF, 0xBB, 0xBF)), charToRaw(text))
  expect_equal(read_runs(bytes_file(utf8)), expected)
  little <- c(as.raw(c(0xFF, 0xFE)), iconv(text, "UTF-8", "UTF-16LE", toRaw = TRUE)[[1]])
  big <- c(as.raw(c(0xFE, 0xFF)), iconv(text, "UTF-8", "UTF-16BE", toRaw = TRUE)[[1]])
  expect_equal(read_runs(bytes_file(little)), expected)
  expect_equal(read_runs(bytes_file(big)), expected)
  expect_equal(read_runs(bytes_file(big[-(1:2)]), encoding = "UTF-16BE"), expected)
})

test_that("UTF-32 is distinguished from UTF-16 despite the similar byte order mark", {
  text <- paste0(expected$system, "\t", expected$query, "\t", expected$doc, "\n", collapse = "")
  little <- c(as.raw(c(0xFF, 0xFE, 0, 0)), iconv(text, "UTF-8", "UTF-32LE", toRaw = TRUE)[[1]])
  big <- c(as.raw(c(0, 0, 0xFE, 0xFF)), iconv(text, "UTF-8", "UTF-32BE", toRaw = TRUE)[[1]])
  expect_equal(read_runs(bytes_file(little)), expected)
  expect_equal(read_runs(bytes_file(big)), expected)
  expect_equal(read_runs(bytes_file(big), encoding = "UTF-32BE"), expected)
})

test_that("other encodings can be declared, and are guessed with a message otherwise", {
  latin1 <- iconv("A q1 caf\u00e9\n", "UTF-8", "latin1", toRaw = TRUE)[[1]]
  utf8 <- iconv("A q1 caf\u00e9\n", "UTF-8", "UTF-8", toRaw = TRUE)[[1]]
  expect_equal(read_runs(bytes_file(utf8))$doc, "caf\u00e9")
  expect_message(guessed <- read_runs(bytes_file(latin1)), class = "judicious_message_encoding")
  expect_equal(guessed$doc, "caf\u00e9")
  expect_silent(declared <- read_runs(bytes_file(latin1), encoding = "latin1"))
  expect_equal(declared$doc, "caf\u00e9")
  expect_equal(Encoding(declared$doc), "UTF-8")
  # A line break in a field is not taken for a character of another encoding.
  quoted <- iconv("doc,text\nd,\"caf\u00e9\"\ne,\"a\nb\"\n", "UTF-8", "latin1", toRaw = TRUE)[[1]]
  expect_identical(suppressMessages(read_documents(bytes_file(quoted)))$text, c("caf\u00e9", "a\nb"))
  testthat::skip_if_not(l10n_info()[["UTF-8"]], "this locale does not print what is stored")
  expect_snapshot(read_runs(bytes_file(latin1)), transform = hide_paths)
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_runs(bytes_file(latin1), encoding = "UTF-8")
    read_runs(bytes_file(latin1), encoding = "no-such-encoding")
    read_runs(bytes_file(as.raw(c(1, 0, 2))))
  })
})

test_that("the file layout follows from the number of columns", {
  expect_equal(read_runs(bytes_file("A q1 d1 3\n")), data.frame(system = "A", query = "q1", doc = "d1", rank = 3))
  expect_equal(read_runs(bytes_file("q1 Q0 d1 3 -1.5e2 A\n")),
               data.frame(system = "A", query = "q1", doc = "d1", rank = 3, score = -150))
  expect_equal(read_runs(bytes_file("d1 x q1 A 9\n"), columns = c("doc", "note", "query", "system", "rank")),
               data.frame(system = "A", query = "q1", doc = "d1", rank = 9, note = "x"))
})

test_that("in TREC runs, commas and tabs do not separate fields", {
  expected <- data.frame(system = "my run", query = "301", doc = c("d1,2,3", "d4"), rank = c(1, 2), score = c(9.5, 8))
  expect_equal(read_runs(bytes_file("301 Q0 d1,2,3 1 9.5 my run\n301 Q0 d4 2 8 my run\n")), expected)
  expect_equal(read_runs(bytes_file("301 Q0\td1,2,3\t1\t9.5\tmy run\n301\tQ0\td4\t2\t8\tmy run\n")), expected)
  # A tab within the run tag would be a control character in the name of the system.
  expect_error(read_runs(bytes_file("301 Q0 d1,2,3 1 9.5 my\trun\n301 Q0 d4 2 8 my\trun\n")), "line 1 of",
               class = "judicious_error_columns")
  # If tabs or commas separate columns, these may contain blanks.
  expect_equal(read_runs(bytes_file("301\tQ0\tdoc 1\t2\t3.5\tmy run\n"))$doc, "doc 1")
  expect_equal(read_runs(bytes_file("bm25 k1 1.2 b 0.75 porter,q1,d1\n"))$system, "bm25 k1 1.2 b 0.75 porter")
})

test_that("headers and synonyms of column names are recognised", {
  expect_equal(read_runs(bytes_file("topic\tdocno\trun\tteam\nq1\td1\tA\tT\n")),
               data.frame(system = "A", query = "q1", doc = "d1", team = "T"))
  expect_equal(read_runs(bytes_file("\"System\",\"Query\",\"Doc\"\n\"A\",\"q1\",\"d, 1\"\n")),
               data.frame(system = "A", query = "q1", doc = "d, 1"))
  expect_equal(read_runs(bytes_file("system query doc\n"), header = FALSE)$system, "system")
  header <- iconv("syst\u00e8me\tsystem\tquery\tdoc\nx\tA\tq1\td1\n", "UTF-8", "latin1", toRaw = TRUE)[[1]]
  expect_named(suppressMessages(read_runs(bytes_file(header))), c("system", "query", "doc", "syst\u00e8me"))
  other_names <- bytes_file("x y z\nA q1 d1\n")
  expect_equal(read_runs(other_names, header = TRUE, columns = c("system", "query", "doc"))$doc, "d1")
})

test_that("tables of recommender systems are read with users as queries and items as documents", {
  runs <- bytes_file("model,userId,item-id,prediction\nA,1,B007,4.5\nA,2,B008,3\n")
  expect_equal(read_runs(runs),
               data.frame(system = "A", query = c("1", "2"), doc = c("B007", "B008"), score = c(4.5, 3)))
  ratings <- "userId,movieId,rating,timestamp\n1,B007,4.5,978300760\n"
  expect_equal(read_judgments(bytes_file(ratings))[c("query", "doc", "gain")],
               data.frame(query = "1", doc = "B007", gain = 4.5))
  expect_named(read_judgments(bytes_file("query,doc,user,gain\nq,d,ann,1\n")), c("query", "doc", "gain", "user"))
  expect_named(read_runs(bytes_file("system,model,query,doc,item\nA,m,q,d,i\n")),
               c("system", "query", "doc", "model", "item"))
  expect_equal(read_documents(bytes_file("movieId,title\n7,Heat\n")), data.frame(doc = "7", title = "Heat"))
})

test_that("identifiers are read as text, without conversion to numbers", {
  expect_equal(read_runs(bytes_file("007 1e5 00.10\n")), data.frame(system = "007", query = "1e5", doc = "00.10"))
})

test_that("rows of several files are combined in the order of the files", {
  a <- bytes_file("A q1 d1\nA q2 d2\n")
  b <- bytes_file("B\tq1\td1\r\n")
  expect_equal(read_runs(c(a, b)), expected)
  with_rank <- bytes_file("B q1 d1 1\n")
  expect_snapshot(error = TRUE, read_runs(c(a, with_rank)))
})

test_that("errors about the content of a file name the line", {
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_runs("no-such-file")
    read_runs(bytes_file(raw()))
    read_runs(bytes_file("\n \n"))
    read_runs(bytes_file("A q1 d1\nA q1\n"))
    read_runs(bytes_file("A\tq1\td1\nA\tq1\n"))
    read_runs(bytes_file("A q1\n"))
    read_runs(bytes_file("A q1 d1 first\n"))
    read_runs(bytes_file("q1 Q0 d1 1 high A\n"))
    read_runs(bytes_file("system query document rank\nA q1 d1\n"))
    read_runs(bytes_file("system query\nA q1\n"))
    read_runs(bytes_file("A q1 d1\n"), columns = c("system", "query"))
    read_runs(bytes_file("A q1 d1\n"), header = "no")
    read_runs(1)
    read_runs(character())
    read_runs(NA_character_)
  })
})

test_that("a TREC line is not mistaken for a header if its run tag is a column name", {
  path <- tempfile()
  writeLines("301 Q0 d7 1 9.5 run", path)
  expect_equal(read_runs(path), data.frame(system = "run", query = "301", doc = "d7", rank = 1, score = 9.5))
})

test_that("files written with quotes by write.table() and write.csv() are read without them", {
  runs <- data.frame(system = c("A", "B"), query = "q", doc = c("a \"b\", c", "d"), rank = 1)
  path <- tempfile()
  utils::write.csv(runs, path, row.names = FALSE)
  expect_equal(read_runs(path), runs)
  utils::write.table(runs, path, sep = "\t", row.names = FALSE, qmethod = "double")
  expect_equal(read_runs(path), runs)
})

test_that("two columns may be separated by a comma", {
  runs <- data.frame(system = c("A", "B"), query = "q", doc = "a", rank = 1)
  path <- tempfile()
  writeLines(c("system,team", "A,t1", "B,t2"), path)
  expect_equal(test_collection(runs, systems = path, k = 1)$systems$team, c("t1", "t2"))
})

test_that("an infinite cutoff raises an error", {
  expect_snapshot(test_collection(data.frame(system = "A", query = "q", doc = "a"), k = Inf), error = TRUE)
})

test_that("reading several files at once equals reading each, also after garbage collection", {
  paths <- vapply(1:3, function(i) {
    bytes_file(sprintf("q%d Q0 doc%d %d %.2f run%d\n", rep(1:4, each = 5), sample(20), 1:5, 20:1 / i, i),
               env = parent.frame(2))
  }, "")
  together <- read_runs(paths)
  one_by_one <- do.call(rbind, lapply(paths, read_runs))
  gc()
  expect_identical(together, one_by_one)
  expect_identical(unserialize(serialize(together, NULL)), one_by_one)
  expect_identical(together[c(3, 30, 60), ], one_by_one[c(3, 30, 60), ], ignore_attr = "row.names")
  together$query[2] <- "q9"
  expect_identical(together$query[c(1:3, 60)], c("q1", "q9", "q1", "q4"))
})

test_that("large compressed files and files of different layouts are combined correctly", {
  trec <- function(run, n) sprintf("q%d Q0 doc%d %d %.1f %s", seq_len(n) %% 7, seq_len(n), seq_len(n), n - seq_len(n),
                                   run)
  one <- bytes_file(paste0(trec("a-run-with-a-long-name-at-first", 3), "\n"))
  gzipped <- tempfile()
  con <- gzfile(gzipped, "wb")
  writeLines(trec("g", 5000), con)
  close(con)
  two_tags <- bytes_file(paste0(c(trec("x", 4), trec("y", 5)), "\n"))
  with_spaces <- bytes_file(paste0(gsub(" ", "  ", trec("s", 9)), "\n"))
  last <- bytes_file(paste0(trec("l", 300), "\n"))
  paths <- c(one, gzipped, two_tags, with_spaces, last)
  together <- suppressMessages(read_runs(paths))
  one_by_one <- suppressMessages(do.call(rbind, lapply(paths, read_runs)))
  expect_identical(together, one_by_one)
  expect_identical(unique(together$system), c("a-run-with-a-long-name-at-first", "g", "x", "y", "s", "l"))
  expect_identical(sum(together$rank), 6 + 5000 * 5001 / 2 + 10 + 15 + 45 + 300 * 301 / 2)
})

test_that("read_documents() reads an identifier and features per document", {
  expect_equal(read_documents(bytes_file("d1\tx\trock\nd2\ty\tfolk\n")),
               data.frame(doc = c("d1", "d2"), artist = c("x", "y"), genre = c("rock", "folk")))
  named <- read_documents(bytes_file("genre,docno,length,year\nrock,d1,12.5,\nfolk,d2,NA,1999\n,d3,7,2001\n"))
  expect_equal(named, data.frame(doc = c("d1", "d2", "d3"), genre = c("rock", "folk", NA), length = c(12.5, NA, 7),
                                 year = c(NA, 1999, 2001)))
})

test_that("a column of document features is numeric only if conversion loses no text", {
  data <- read_documents(bytes_file("doc a b c d\nd1 007 1 1e5 1\nd2 008 2 3 x\n"))
  expect_equal(vapply(data, is.numeric, NA), c(doc = FALSE, a = FALSE, b = TRUE, c = FALSE, d = FALSE))
  expect_equal(data$a, c("007", "008"))
  expect_true(all(is.na(read_documents(bytes_file("doc genre\nd1 NA\nd2 NA\n"))$genre)))
})

test_that("a table without a column of documents raises an error", {
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_documents(bytes_file("d1 rock a b\n"))
    read_documents(bytes_file("artist genre title\nx rock y\n"), header = TRUE)
    read_documents("no-such-file")
  })
})

test_that("judgments are read from TREC qrels and from files of three columns", {
  expect_equal(read_judgments(bytes_file("301 0 d7 2\n301 0 d3 -1\n")),
               data.frame(query = "301", doc = c("d7", "d3"), gain = c(2, -1)))
  expect_equal(read_judgments(bytes_file("q1\td1\t88.5\r\nq1\td2\t0\r\n")),
               data.frame(query = "q1", doc = c("d1", "d2"), gain = c(88.5, 0)))
  expect_equal(read_judgments(bytes_file("topic,docid,relevance,assessor\nq1,d1,1,kim\n")),
               data.frame(query = "q1", doc = "d1", gain = 1, assessor = "kim"))
})

test_that("gains that are not numbers, and other layouts, raise errors", {
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_judgments(bytes_file("q1 d1 1\nq1 d2 good\n"))
    read_judgments(bytes_file("q1 d1\n"))
    read_judgments(bytes_file("topic document\nq1 d1\n"))
    read_judgments(bytes_file("q1 0 d1 1 x\n"))
    read_judgments("no-such-file")
  })
})

test_that("runs can be given as a folder or a file pattern, in R and on the command line", {
  folder <- withr::local_tempdir()
  for (system in c("A", "B")) {
    writeLines(sprintf("q1 Q0 d%d %d %d %s", 1:3, 1:3, 3:1, system), file.path(folder, paste0(system, ".run")))
  }
  expected <- read_runs(file.path(folder, c("A.run", "B.run")))
  expect_identical(read_runs(folder), expected)
  expect_identical(read_runs(file.path(folder, "*.run")), expected)
  qrels <- withr::local_tempfile(lines = sprintf("q1 0 d%d %d", 1:3, c(0, 2, 1)))
  expect_equal(evaluate(folder, qrels, "AP"), evaluate(expected, qrels, "AP"), ignore_attr = TRUE)
  values <- cli_data("evaluate", folder, "-j", qrels, "-M", "AP P@2")
  expect_identical(unique(values$measure), c("AP", "P@2"))
  expect_error(read_runs(file.path(folder, "*.txt")), "there is no file in", class = "judicious_error_file")
})

test_that("trailing tabs and blanks do not create a column", {
  expected <- data.frame(query = c("1", "1"), doc = c("a", "b"), gain = c(2, 0))
  run <- read_runs(bytes_file("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"))
  for (end in c("", " ", "\t", " \t", "\t ", "\t\t")) {
    for (mark in c(" ", "\t")) {
      lines <- paste0(c("1", "1"), mark, "0", mark, c("a", "b"), mark, c("2", "0"), end)
      expect_equal(as.data.frame(read_judgments(bytes_file(paste0(lines, "\n", collapse = "")))), expected,
                   ignore_attr = TRUE)
    }
    lines <- paste0(c("1 Q0 a 1 2 t", "1 Q0 b 2 1 t"), end)
    expect_equal(read_runs(bytes_file(paste0(lines, "\n", collapse = ""))), run)
  }
})

test_that("a table with a column of grades instead of gains is not read as judgments", {
  x <- simulate_collection(queries = 4, documents = 50, artists = 10, systems = 3, seed = 1)
  grades <- stats::setNames(judgments_of(x)[c("query", "doc", "gain")], c("query", "doc", "grade"))
  file <- bytes_file(paste0(c("query,doc,grade\n", paste0(do.call(paste, c(grades, sep = ",")), "\n")), collapse = ""))
  x$gain[] <- NA
  session <- judging_session(x, seed = 1)
  for (given in list(file, grades)) {
    expect_error(rank_systems(x, judgments = given), "no column \"gain\"", class = "judicious_error_columns")
    expect_error(run_session(session, given), "no column \"gain\"", class = "judicious_error_columns")
    expect_error(evaluate(x, given), "no column \"gain\"", class = "judicious_error_columns")
  }
  expect_identical(rank_systems(x, grades = file)$mean, rank_systems(x, grades = grades)$mean)
  expect_identical(read_judgments(file, columns = c("query", "doc", "gain"))$gain, as.double(grades$grade))
})

test_that("errors advise the argument `columns` only in functions that have it", {
  file <- bytes_file("a b c d e\n1 2 3 4 5\n")
  expect_error(read_judgments(file), "Name them with `columns`, or give the file a header")
  expect_error(test_collection(file), "Give the file a header")
})

test_that("a first line with only one known column name raises an error", {
  runs <- bytes_file("model,question,system,answer\nA,q1,a,x\n")
  expect_error(read_runs(runs), "line 1 of .* seems to be a header, because it has \"system\"",
               class = "judicious_error_file")
  expect_error(test_collection(runs), "`runs`: line 1")
  grades <- bytes_file("question,answer id,grade\nq1,a1,2\n")
  expect_error(rank_systems(text_demo, grades = grades), "`grades`: line 1 .* seems to be a header")
  expect_identical(read_runs(bytes_file("question,system,answer\n"), header = FALSE)$query, "system")
  # A line with identifiers that are words, or with a number, is not mistaken for a header.
  expect_identical(read_runs(bytes_file("A q1 d1\n"))$system, "A")
  expect_identical(read_judgments(bytes_file("topic d1 1\n"))$query, "topic")
})

test_that("topics and documents with two columns, identifier and text, need no header", {
  topics <- withr::local_tempfile(lines = c("19335\twhat, if any, causes tides?", "47923\taxon terminals"))
  runs <- data.frame(system = "A", query = c("19335", "47923"), doc = c("d1", "d2"), rank = 1)
  texts <- withr::local_tempfile(lines = c("d1\tThe moon pulls the sea.", "d2\tAn axon ends there."))
  x <- test_collection(runs, texts, queries = topics, k = 1, scale = 0:1)
  expect_identical(x$queries$text, c("what, if any, causes tides?", "axon terminals"))
  expect_identical(x$documents$text, c("The moon pulls the sea.", "An axon ends there."))
  named <- withr::local_tempfile(lines = c("query\tlanguage", "19335\ten", "47923\tde"))
  expect_identical(test_collection(runs, queries = named, k = 1, scale = 0:1)$queries$language, c("en", "de"))
})

test_that("an object in JSON that has a key twice raises an error", {
  file <- withr::local_tempfile(fileext = ".json")
  for (text in c('{"q1": {"d1": 2}, "q2": {"d1": 1}, "q1": {"d2": 1}}',
                 '[{"query": "q1", "doc": "d1", "score": 3, "score": 5}]',
                 '{"query": "q1", "doc": "d1", "score": 3, "score": 5}\n{"query": "q1", "doc": "d2", "score": 1}')) {
    writeLines(text, file)
    expect_error(read_runs(file), "twice", class = "judicious_error_file")
  }
})

test_that("runs and judgments in JSON equal those in tables", {
  file <- function(text, name) {
    path <- file.path(folder, name)
    writeLines(text, path)
    path
  }
  folder <- withr::local_tempdir()
  table <- data.frame(query = c("q1", "q1", "q2"), doc = c("d 1", "7", "d1"), score = c(1.5, 0.25, 3))
  objects <- '{"q1": {"d 1": 1.5, "7": 0.25}, "q2": {"d1": 3}, "q3": {}}'
  expect_message(runs <- read_runs(file(objects, "bm25.json")), "bm25", class = "judicious_message_system_names")
  expect_identical(runs, cbind(system = "bm25", table))
  expect_identical(read_judgments(file(objects, "qrel.json")), setNames(table, c("query", "doc", "gain")))
  lines <- c('{"qid": "q1", "docno": "d 1", "score": 1.5, "run": "bm25"}',
             '{"qid": "q1", "docno": 7, "score": 0.25, "run": "bm25"}',
             '{"qid": "q2", "docno": "d1", "score": 3, "run": "bm25"}')
  expect_identical(read_runs(file(lines, "runs.jsonl")), runs)
  # JSON over several lines, with an error in it.
  twice <- file(c("{", '  "q1": {"d1": 1, "d1": 2}', "}"), "twice.json")
  expect_error(evaluate(twice, data.frame(query = "q1", doc = "d1", gain = 1), "AP"), class = "judicious_error_file")
  for (number in c("NaN", "Infinity", "null", '"high"', "1e999")) {
    expect_error(read_runs(file(sprintf('{"q1": {"d1": 1, "d2": %s}}', number), "odd.json")), "of document \"d2\"",
                 class = "judicious_error_columns")
  }
  for (other in c("{}", "[]", "[1, 2]")) {
    expect_error(read_runs(file(other, "other.json")), "looks like JSON", class = "judicious_error_file")
  }
  for (other in c('{"q1": ["d1", "d2"]}', '{"q1": {"d1": [1, 2]}}')) {
    expect_error(read_runs(file(other, "other.json")), class = "judicious_error_columns")
  }
})

# Reads runs or judgments from lines of JSON, in a file called "bm25".
read_json <- function(read, ...) {
  folder <- withr::local_tempdir()
  path <- file.path(folder, "bm25.json")
  writeLines(c(...), path)
  suppressMessages(read(path), classes = "judicious_message_system_names")
}

test_that("runs in JSON may be lists of documents, pairs or records for each query", {
  want <- data.frame(system = "bm25", query = c("q1", "q1", "q2"), doc = c("d2", "d1", "d9"), rank = c(1, 2, 1))
  scored <- data.frame(want[1:3], score = c(0.5, 0.25, 3))
  lists <- '{"q1": ["d2", "d1"], "q2": ["d9"]}'
  expect_equal(read_json(read_runs, lists), want)
  expect_equal(read_json(read_runs, sprintf('{"model": "bm25", "results": %s}', lists)), want)
  expect_equal(read_json(read_runs, '{"user_id": "q1", "recommendations": ["d2", "d1"]}',
                         '{"user_id": "q2", "recommendations": ["d9"]}'), want)
  pairs <- '{"q1": [["d2", 0.5], ["d1", 0.25]], "q2": [["d9", 3]]}'
  expect_equal(read_json(read_runs, pairs), scored)
  hit <- '{"_index": "i", "_id": "%s", "_score": %s}'
  hits <- function(...) sprintf('[%s]', paste(sprintf(hit, ...), collapse = ", "))
  found <- read_json(read_runs, sprintf('{"query_id": "%s", "hits": {"max": 1, "hits": %s}}', c("q1", "q2"),
                                        c(hits(c("d2", "d1"), c(0.5, 0.25)), hits("d9", 3))))
  expect_equal(found[1:4], scored)
  solr <- '{"header": {"time": 0, "params": {"q": "q1"}}, "response": {"n": 1, "docs": [{"id": "d2", "score": 0.5}]}}'
  expect_equal(read_json(read_runs, solr)[1:4], scored[1, ])
  judged <- '{"query": "q1", "ratings": [{"docid": "d1", "rating": 1}, {"docid": "d2", "rating": 0}]}'
  expect_error(read_json(read_runs, judged, judged), "\"system\"", class = "judicious_error_columns")
  # Other arrays, such as vectors and key words, are no documents.
  vector <- '{"query": "%s", "vector": [0.5, 0.25], "words": ["a", "b"]}'
  expect_error(read_json(read_runs, sprintf(vector, c("q1", "q2"))), "\"doc\"",
               class = "judicious_error_columns")
  # Lists within the records of documents, such as authors, are no further documents.
  authors <- '{"query": "%s", "docs": [{"id": "%s", "score": %s, "authors": [{"name": "a"}, {"name": "b"}]}]}'
  found <- read_json(read_runs, sprintf(authors, c("q1", "q2"), c("d1", "d9"), c(1, 3)))
  expect_equal(found[1:4], data.frame(system = "bm25", query = c("q1", "q2"), doc = c("d1", "d9"), score = c(1, 3)))
})

test_that("requests and results of ranking evaluation of Elasticsearch are judgments and runs", {
  rated <- data.frame(query = c("q1", "q1", "q2"), doc = c("1", "3", "5"), gain = c(3, 0, 1))
  rating <- function(rows) paste(sprintf('{"_id": "%s", "rating": %s}', rows$doc, rows$gain), collapse = ",")
  requests <- sprintf('{"id": "%s", "request": {"query": {"match": {"t": "a"}}}, "ratings": [%s]}', c("q1", "q2"),
                      c(rating(rated[1:2, ]), rating(rated[3, ])))
  found <- read_json(read_judgments, sprintf('{"requests": [%s], "metric": {"dcg": {"k": 10}}}',
                                             paste(requests, collapse = ",")))
  expect_equal(found[c("query", "doc", "gain")], rated)
  hit <- function(doc, score, rating) sprintf('{"hit": {"_id": "%s", "_score": %s}, "rating": %s}', doc, score, rating)
  details <- sprintf('"%s": {"metric_score": 1, "unrated_docs": [%s], "hits": [%s]}', c("q1", "q2"),
                     c('{"_id": "7"}', ""), c(paste(hit(c("1", "7"), 9:8, c(3, 0)), collapse = ","), hit("5", 4, 1)))
  response <- sprintf('{"metric_score": 1, "details": {%s}, "failures": {}}', paste(details, collapse = ","))
  want <- data.frame(system = "bm25", query = c("q1", "q1", "q2"), doc = c("1", "7", "5"), score = c(9, 8, 4))
  expect_equal(read_json(read_runs, response)[1:4], want)
  expect_equal(read_json(read_judgments, response)[c("query", "doc", "gain")],
               data.frame(want[c("query", "doc")], gain = c(3, 0, 1)))
})

test_that("rating files of MovieLens are read only if their columns are named", {
  path <- withr::local_tempfile(lines = c("196\t242\t3\t881250949", "186\t302\t3\t891717742",
                                         "196\t377\t1\t878887116"))
  expect_error(read_judgments(path), "has times, such as \"881250949\"", class = "judicious_error_file")
  expect_error(read_runs(path), "has times, such as \"881250949\"", class = "judicious_error_file")
  want <- read_judgments(path, columns = c("query", "doc", "gain", "time"))
  expect_identical(want$gain, c(3, 3, 1))
  # The fields of larger collections are separated by two colons.
  writeLines(c("196::242::3::881250949", "186::302::3::891717742", "196::377::1::878887116"), path)
  expect_identical(read_judgments(path, columns = c("query", "doc", "gain", "time")), want)
  writeLines(c("1::Toy Story (1995)::Animation|Comedy", "11::American President, The (1995)::Drama"), path)
  expect_identical(read_documents(path, columns = c("doc", "title", "genre"))$title,
                   c("Toy Story (1995)", "American President, The (1995)"))
})

test_that("words and labels of gains count as in ratings, and dates are identifiers", {
  file <- function(gains) withr::local_tempfile(lines = c("query,doc,gain", paste0("2024-01-02,d", 1:3, ",", gains)),
                                                fileext = ".csv", .local_envir = parent.frame())
  expect_identical(read_judgments(file(c("yes", "no", "TRUE")))$gain, c(1, 0, 1))
  expect_identical(read_judgments(file(c("0 - bad", "2 - good", "1 - fair")))$gain, c(0, 2, 1))
  # Powers of ten are no labels.
  expect_identical(read_judgments(file(c("1e1", "2e1", "3e1")))$gain, c(10, 20, 30))
  runs <- data.frame(system = "A", query = as.Date("2024-01-02"), doc = c("d1", "d2", "d3"), rank = 1:3)
  scores <- evaluate(runs, file(c("yes", "no", "TRUE")), measure = "P@3")
  expect_equal(as.data.frame(scores)$value, 2 / 3)
})

test_that("lists with a column for each rank raise an error that asks for a row per result", {
  wide <- data.frame(system = "A", query = 1:2, rec_1 = c("a", "b"), rec_2 = c("b", "c"))
  expect_error(test_collection(wide, k = 2), "Give each item, as in \"rec_2\", a row of its own",
               class = "judicious_error_columns")
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(wide, path, row.names = FALSE)
  expect_error(read_runs(path), "a row of its own, with its \"rank\"", class = "judicious_error_columns")
})

test_that("an encoding that is no text, and a number of rows to print that is none, raise errors that name them", {
  path <- withr::local_tempfile(lines = "q Q0 d 1 2 s")
  for (encoding in list(NA, 1, c("latin1", "UTF-8")))
    expect_error(read_runs(path, encoding = encoding), "`encoding` must be one string", class = "judicious_error_argument")
  for (x in list(rank_systems(demo_collection()), evaluate(demo_collection("judgments.tsv"))))
    for (n in list("all", NULL, NA)) expect_error(print(x, n = n), "`n` must be one number", class = "judicious_error")
})
