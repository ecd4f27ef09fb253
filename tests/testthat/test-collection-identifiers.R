# Two systems, three queries and four documents each; `query` and `doc` change the identifiers.
id_runs <- function(query = identity, doc = identity) {
  runs <- expand.grid(doc = paste0("q", 1:4), query = c("q1", "q2", "q3"), system = c("A", "B"), stringsAsFactors = FALSE)
  runs <- transform(runs, score = c(4:1, 1:4)[seq_len(8)])
  runs[c("query", "doc")] <- list(query(runs$query), doc(runs$doc))
  runs
}

id_judgments <- function(query = identity, doc = identity) {
  pairs <- unique(id_runs(query, doc)[c("query", "doc")])
  transform(pairs, gain = rep(c(2, 1, 0, 0), 3))
}

id_file <- function(runs, env = parent.frame()) {
  path <- withr::local_tempfile(fileext = ".run", .local_envir = env)
  con <- file(path, "wb")
  writeLines(enc2utf8(paste(runs$query, "Q0", runs$doc, 5 - runs$score, runs$score, "A")), con, useBytes = TRUE)
  close(con)
  path
}

# Pairs of spellings of the same identifiers, in runs and in judgments, and the difference that the message states.
unequal <- list(
  list(function(q) sub("q", "", q), function(q) sub("q", "0", q), "leading zeros"),
  list(function(q) sub("q", "30", q), function(q) sub("q", "030", q), "leading zeros"),
  list(identity, function(q) sub("q", "q0", q), "leading zeros"),
  list(toupper, identity, "upper and lower case"),
  list(function(q) paste0("Topic-", q), function(q) paste0("topic-", q), "upper and lower case"),
  list(function(q) sub("q", "", q), function(q) paste0(sub("q", "", q), ".0"), "a decimal part of 0"),
  list(function(q) paste0("caf\u00e9", q), function(q) paste0("cafe\u0301", q), "Unicode"),
  list(function(q) paste0("\u00fcber", q), function(q) paste0("u\u0308ber", q), "Unicode"),
  list(function(q) paste0("a", q, ".txt"), function(q) paste0("a", q), "the file extension"),
  list(identity, function(q) paste0(q, ".json"), "the file extension"),
  list(function(q) paste0("data/x/", q), identity, "the folder"),
  list(function(q) paste0("\"", q, "\""), identity, "white space or quotes"),
  list(function(q) paste0("T/", toupper(q), ".TXT"), function(q) sub("q", "q0", q), "case, zeros"),
  list(function(q) sub("q", "", q), identity, "a prefix")
)

test_that("an error shows query identifiers that differ in spelling only, and how they differ", {
  for (case in unequal) {
    runs <- id_runs(query = case[[1]])
    judgments <- id_judgments(query = case[[2]])
    of_one <- runs[runs$system == "A", ]
    for (given in list(runs, id_file(of_one))) {
      error <- expect_error(evaluate(given, judgments, "AP"), class = "judicious_error_no_common_query")
      expect_match(conditionMessage(error), case[[3]], fixed = TRUE)
      expect_match(conditionMessage(error), runs$query[1], fixed = TRUE)
      expect_match(conditionMessage(error), judgments$query[1], fixed = TRUE)
    }
    error <- expect_error(test_collection(runs, judgments = judgments, k = 3), class = "judicious_error_no_common_query")
    expect_match(conditionMessage(error), case[[3]], fixed = TRUE)
  }
})

test_that("a message shows document identifiers that differ in spelling only, and how they differ", {
  for (case in unequal) {
    runs <- id_runs(doc = case[[1]])
    judgments <- id_judgments(doc = case[[2]])
    for (given in list(runs, id_file(runs[runs$system == "A", ]))) {
      warning <- expect_warning(evaluate(given, judgments, "AP"), NULL, class = "judicious_warning_no_common_document")
      expect_match(conditionMessage(warning), case[[3]], fixed = TRUE)
    }
    told <- NULL
    withCallingHandlers(test_collection(runs, judgments = judgments, k = 3), warning = function(cnd) {
      if (inherits(cnd, "judicious_warning_no_common_document")) told <<- conditionMessage(cnd)
      invokeRestart("muffleWarning")
    })
    expect_match(told, case[[3]], fixed = TRUE)
  }
})

test_that("a note on unjudged queries points out identifiers that differ in spelling only", {
  queries <- as.character(8:12)
  runs <- data.frame(system = "A", query = queries, doc = "d", score = 4)
  judgments <- data.frame(query = sprintf("%02d", 8:12), doc = "d", gain = 1)
  expect_snapshot({
    scores <- evaluate(runs, judgments, "RR")
    scores <- evaluate(id_file(runs), judgments, "RR")
  })
  # It is usual that some queries have no judgments, so the message does not list them.
  expect_message(evaluate(runs, data.frame(query = "8", doc = "d", gain = 1), "RR"), "\"12\".$")
})

test_that("messages about identifiers show an example from the runs and one from the judgments", {
  expect_snapshot(error = TRUE, {
    evaluate(id_runs(), id_judgments(query = function(q) sub("q", "q0", q)), "AP")
    evaluate(id_runs(), id_judgments(query = function(q) paste0(q, "?")), "AP")
    x <- test_collection(id_runs(), judgments = id_judgments(query = toupper), k = 3)
    scores <- evaluate(id_runs(), id_judgments(doc = function(d) paste0(d, ".txt")), "AP")
    scores <- evaluate(id_runs(), data.frame(query = c("q1", "q2"), doc = "{another}", gain = 1), "AP")
  })
})

test_that("messages of the command line show an identifier of the runs and one of the judgments", {
  runs <- id_file(id_runs()[1:12, ])
  qrels <- withr::local_tempfile(lines = c("q01 0 q1 1", "q02 0 q2 1"))
  for (command in c("evaluate", "compare", "rank", "plan", "report", "next")) {
    ran <- cli(command, runs, "-j", qrels)
    expect_equal(ran$status, 1)
    expect_match(paste(ran$err, collapse = " "), "\"q1\".*\"q01\".*leading zeros")
  }
})

test_that("messages show identifiers that look alike but consist of different characters", {
  composed <- "caf\u00e9"
  decomposed <- "cafe\u0301"
  runs <- data.frame(system = c("A", "A", "B", "B"), query = "q", doc = c(composed, "d", "d", composed), score = 2:1)
  judgments <- data.frame(query = "q", doc = c(decomposed, "d"), gain = 1:0)
  told <- function(...) expect_warning(..., class = "judicious_warning_look_alike")
  told(scores <- evaluate(runs, judgments, "AP"), "caf\\\\u00e9 and cafe\\\\u0301")
  expect_equal(as.data.frame(scores)$value, c(0, 0))
  told(evaluate(id_file(transform(runs[1:2, ], score = 4:3)), judgments, "AP"), "documents")
  suppressWarnings(told(test_collection(runs, judgments = judgments, k = 2), "documents"),
                   classes = "judicious_warning_outside_pool")
  for (column in c("system", "query", "doc")) {
    other <- expand.grid(doc = c("d", "e"), query = c("q", "r"), system = c("A", "B"), stringsAsFactors = FALSE)
    ids <- unique(other[[column]])
    other[[column]] <- c(composed, decomposed)[match(other[[column]], ids)]
    told(test_collection(transform(other, score = 2:1), k = 2), column)
  }
  told(bradley_terry(data.frame(system_a = c(composed, decomposed, "b"), system_b = c("b", "c", "c"), answer = "a")),
       "system_a")
  told(bradley_terry(data.frame(system_a = c(composed, "c"), system_b = c("c", decomposed), answer = "a")), "answers")
  told(agreement(data.frame(query = "q", doc = rep(c("d", "e"), 3), assessor = rep(c(composed, decomposed, "b"), each = 2),
                            gain = c(1, 0, 1, 1, 0, 1))), "assessor")
  told(evaluate(transform(runs, doc = c("e\u200b", "d")), transform(judgments, doc = c("e", "d")), "AP"), "invisible")
  expect_snapshot(x <- evaluate(runs, judgments, "AP"))
  # Characters with different accents, and different letters, do not count as look-alikes.
  judgments$doc[1] <- composed
  different <- transform(runs, doc = c(composed, "caf\u00e8", "\u65e5", "\u672c"))
  expect_no_warning(suppressWarnings(evaluate(different, judgments, "AP"), "judicious_warning_no_common_document"))
})

test_that("a warning names judged queries whose identifiers differ from the collection's in case only", {
  x <- test_collection(id_runs(), k = 4)
  warning <- expect_warning(rank_systems(x, judgments = id_judgments(query = toupper)), "upper and lower case",
                            class = "judicious_warning_outside_pool")
  expect_match(conditionMessage(warning), "\"q1\", the judgments have \"Q1\"", fixed = TRUE)
})

test_that("a system none of whose results is judged is named, in data frames and files", {
  runs <- expand.grid(doc = paste0("d", 1:3), query = 1:2, system = c("A", "B", "C"), stringsAsFactors = FALSE)
  runs$score <- 3:1
  judgments <- expand.grid(doc = paste0("d", 1:3), query = 1:2)
  judgments$gain <- 1
  other <- runs$system != "A"
  runs$doc[other] <- paste0("doc_", runs$doc[other])
  folder <- new_folder()
  paths <- file.path(folder, c("A", "B", "C"))
  for (i in 1:3) {
    own <- runs[runs$system == c("A", "B", "C")[i], ]
    writeLines(paste(own$query, "Q0", own$doc, 1:3, own$score, own$system), paths[i])
  }
  expect_snapshot({
    expect_equal(evaluate(runs, judgments, "P@3", per = "mean")$value, c(1, 0, 0))
    expect_equal(evaluate(paths, judgments, "P@3", per = "mean")$value, c(1, 0, 0))
    expect_equal(evaluate(runs[runs$system != "B", ], judgments, "P@3", per = "mean")$value, c(1, 0))
  })
  unlink(folder, recursive = TRUE)
  # Before there are judgments, a collection shows it where other systems share documents.
  alone <- transform(runs, doc = sub("doc_", "", doc))
  expect_no_warning(test_collection(alone, k = 3, scale = 0:1))
  alone$doc[alone$system == "B"] <- paste0("doc_", alone$doc[alone$system == "B"])
  expect_snapshot(x <- test_collection(alone, k = 3, scale = 0:1))
  # Different prefixes may be those of two sources.
  expect_no_warning(test_collection(transform(alone, doc = sub("^d([0-9])", "news-\\1", doc)), k = 3, scale = 0:1))
  # Names of answers differ by the systems.
  expect_no_warning(test_collection(transform(runs, doc = paste0(doc, ".", system)), k = 3, scale = 0:1))
  expect_snapshot(x <- test_collection(runs[other, ], queries = data.frame(query = 3:4), k = 3, scale = 0:1))
})

test_that("identifiers that differ only in numbers or beyond their beginnings are shown as such", {
  address <- function(end) function(id) paste0("https://example.org/", strrep("collection/", 8), id, end)
  expect_snapshot(error = TRUE, {
    evaluate(id_runs(), id_judgments(query = function(q) paste0(q, 7)), "AP")
    scores <- evaluate(id_runs(), id_judgments(doc = function(d) paste0(d, 7)), "AP")
    scores <- evaluate(id_runs(doc = address("/a")), id_judgments(doc = address("/b")), "AP")
    evaluate(id_runs(), id_judgments(query = function(q) paste0(q, "\u200b")), "AP")
  })
})
