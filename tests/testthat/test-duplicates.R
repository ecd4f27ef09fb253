# Lists of passages that repeat documents: d1 has places 1 and 3 in the list of system A for q1.
repeated_runs <- function() {
  data.frame(
    system = rep(c("A", "B"), c(8, 5)), query = rep(c("q1", "q2", "q1", "q2"), c(4, 4, 3, 2)),
    doc = c("d1", "d2", "d1", "d3", "d4", "d4", "d5", "d4", "d2", "d1", "d3", "d5", "d4"),
    score = c(9, 8, 7, 6, 1, 5, 3, 2, 3, 2, 1, 9, 8)
  )
}
# The runs without repetitions: the first row of each document in the order of the scores.
best_runs <- function() repeated_runs()[-c(3, 5, 8), ]

judged <- data.frame(query = c("q1", "q1", "q1", "q2", "q2"), doc = c("d1", "d2", "d3", "d4", "d5"),
                     gain = c(1, 0, 2, 2, 0))

test_that("test_collection() and evaluate() can keep the best rank of a repeated document", {
  expect_message(x <- suppressWarnings(test_collection(repeated_runs(), k = 3, scale = 0:2, judgments = judged,
                                                       duplicates = "best")),
                 "3 results repeat a document of their list, of which the best place counts",
                 class = "judicious_message_duplicate_result")
  of_best <- suppressWarnings(test_collection(best_runs(), k = 3, scale = 0:2, judgments = judged))
  expect_equal(as.data.frame(x), as.data.frame(of_best))
  for (ties in c("trec_eval", "identifier", "expected")) {
    values <- function(runs) evaluate(runs, judged, c("nDCG@3", "AP", "num_ret", "P@2"), ties = ties,
                                      duplicates = "best")$value
    expect_equal(suppressMessages(values(repeated_runs())), values(best_runs()))
  }
  # The order is given by ranks, in rows of any order; or there is no order at all.
  ranked <- transform(repeated_runs(), rank = ave(-score, system, query, FUN = rank), score = NULL)
  shuffled <- ranked[c(13:1), ]
  by_rank <- suppressWarnings(suppressMessages(test_collection(shuffled, k = 3, scale = 0:2, duplicates = "best")))
  own <- as.data.frame(by_rank)
  expect_equal(own$rank[order(own$system, own$query, own$doc)],
               with(as.data.frame(of_best), rank[order(system, query, doc)]))
  bare <- suppressWarnings(suppressMessages(
    test_collection(ranked[c("system", "query", "doc")], k = 3, scale = 0:2, duplicates = "best")))
  expect_equal(nrow(as.data.frame(bare)), 10)
})

test_that("evaluate() of a file keeps the best rank of a repeated document on request, else it raises an error", {
  path <- withr::local_tempfile()
  write_run <- function(runs) with(runs, writeLines(paste(query, "Q0", doc, 1, score, system), path))
  write_run(repeated_runs())
  expect_snapshot(error = TRUE, transform = hide_paths, evaluate(path, judged, "AP"))
  twice <- suppressMessages(evaluate(path, judged, c("AP", "nDCG@10"), duplicates = "best"))
  write_run(best_runs())
  expect_equal(twice$value, suppressMessages(evaluate(path, judged, c("AP", "nDCG@10"))$value))
})

test_that("add_runs() treats repeated documents as test_collection() does", {
  runs <- best_runs()
  x <- suppressWarnings(test_collection(runs[runs$system == "B", ], k = 3, scale = 0:2))
  added <- suppressWarnings(suppressMessages(add_runs(x, repeated_runs()[1:8, ], duplicates = "best")))
  expect_equal(nrow(as.data.frame(added)), 10)
  expect_snapshot(error = TRUE, add_runs(x, repeated_runs()[1:8, ]))
})

test_that("with --duplicates best, commands print what they print for runs without repeated documents", {
  path <- withr::local_tempfile()
  with(repeated_runs(), writeLines(paste(query, "Q0", doc, 1, score, system), path))
  qrels <- withr::local_tempfile()
  writeLines(with(judged, paste(query, 0, doc, gain)), qrels)
  clean <- withr::local_tempfile()
  with(best_runs(), writeLines(paste(query, "Q0", doc, 1, score, system), clean))
  commands <- list(c("evaluate", "-j", qrels), c("evaluate", "-j", qrels, "--layout", "trec_eval", "-M", "all_trec"),
                   c("compare", "-j", qrels, "-M", "AP"), c("rank", "-k", "3", "--scale", "0:2"),
                   c("estimate", "-k", "3", "--scale", "0:2"), c("features", "-k", "3"),
                   c("plan", "-k", "3", "--scale", "0:2", "--replicates", "1", "--seed", "1"))
  for (words in commands) {
    expect_identical(cli(words, path, "--duplicates", "best", "--quiet")$out, cli(words, clean, "--quiet")$out)
    expect_match(cli(words, path)$err, "--duplicates best keeps its best place\\.", all = FALSE)
  }
})

test_that("sessions, sheets, models, simulations and reports keep the best rank of repeated documents", {
  folder <- withr::local_tempdir()
  file_of <- function(name, lines) {
    writeLines(lines, file.path(folder, name))
    file.path(folder, name)
  }
  run_of <- function(name, runs) file_of(name, with(runs, paste(query, "Q0", doc, 1, score, system)))
  twice <- run_of("twice", repeated_runs())
  clean <- run_of("clean", best_runs())
  whole <- expand.grid(query = c("q1", "q2"), doc = paste0("d", 1:5))
  truth <- file_of("truth", with(whole, paste(query, 0, doc, rep_len(c(1, 0, 2, 2, 0, 1, 0), 10))))
  few <- file_of("few", with(judged[1:2, ], paste(query, 0, doc, gain)))
  model <- file.path(folder, "model")
  read <- c("-k", "3", "--scale", "0:2")
  commands <- list(
    c("next", read, "-j", few, "-n", "3", "--seed", "1"),
    c("fit", read, "-j", truth, "--save", model),
    c("simulate", read, "--truth", truth, "--seed", "1", "--table", "order"),
    c("judge", read, "--seed", "1", "--from", few, "--store", file.path(folder, "session"))
  )
  for (words in commands) {
    outputs <- lapply(list(c(twice, "--duplicates", "best"), clean), function(run) {
      unlink(file.path(folder, "session"))
      cli(words, run, "--quiet")
    })
    expect_identical(outputs[[1]]$status, 0L)
    expect_identical(outputs[[1]]$out, outputs[[2]]$out)
    unlink(file.path(folder, "session"))
    expect_match(cli(words, twice)$err, "--duplicates best keeps its best place\\.", all = FALSE)
  }
  skip_without_pandoc()
  texts <- lapply(list(c(twice, "--duplicates", "best"), clean), function(run) {
    page <- file.path(folder, "report.html")
    expect_identical(cli("report", read, "-j", few, "--seed", "1", "-o", page, run, "--quiet")$status, 0L)
    # The two reports may be written in different minutes.
    grep("twice|clean|[Mm]ade (on|by)|^<p>[-0-9]+ [0-9:]+ UTC</p>$", readLines(page), invert = TRUE, value = TRUE)
  })
  expect_identical(texts[[1]], texts[[2]])
})
