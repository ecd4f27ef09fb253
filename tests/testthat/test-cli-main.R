test_that("wrong usage has exit status 2, a line with the error and a line that points to the help", {
  expect_snapshot({
    writeLines(cli()$err)
    writeLines(cli("rnak")$err)
    writeLines(cli("rank")$err)
    writeLines(cli("rank", "runs.tsv", "--jugdments", "x")$err)
    writeLines(cli("rank", "runs.tsv", "--k", "0")$err)
    writeLines(cli("rank", "-", "-j", "-")$err)
    writeLines(cli("rank", demo_file("runs.tsv"), "--scale", "1,1")$err)
    writeLines(cli("rank", demo_file("runs.tsv"), "--model", "jiont")$err)
    writeLines(cli("next", demo_file("runs.tsv"), "--goal", "top")$err)
  })
  for (words in list(character(), "rnak", "rank", c("rank", "runs.tsv", "--k", "0"))) {
    ran <- cli(words)
    expect_equal(ran$status, 2L)
    expect_equal(ran$out, character())
    expect_length(ran$err, 2)
  }
})

test_that("errors in data have status 1 and one line that names the file and the row", {
  bad <- bytes_file(c("system\tquery\tdoc\trank\n", "A\tq1\td1\t1\n", "A\tq1\td2\n"))
  word <- bytes_file(c("q1\t0\td1\tmuch\n"))
  contradictory <- bytes_file(c("q01\td066\t4\n", "q01\td066\t5\n"))
  off <- bytes_file(c("q01\td066\t101\n"))
  expect_snapshot(transform = hide_paths, {
    writeLines(cli("rank", file.path(tempdir(), "no-such-file"))$err)
    writeLines(cli("rank", bad)$err)
    writeLines(cli("evaluate", demo_file("runs.tsv"), "-j", word)$err)
    writeLines(cli("rank", demo_words(), "-j", contradictory)$err)
    writeLines(cli("rank", demo_words(), "-j", off)$err)
  })
  ran <- cli("rank", bad)
  expect_equal(ran$status, 1L)
  expect_length(ran$err, 1)
  expect_equal(ran$out, character())
})

test_that("warnings and notes go to standard error, one line each, and --quiet suppresses them", {
  words <- c("rank", demo_words(), "-j", bytes_file(c("q01\td066\t4\n", "q99\td066\t4\n")))
  ran <- cli(words)
  expect_equal(ran$status, 0L)
  expect_length(ran$err, 2)
  expect_match(ran$err[1], "^judicious rank: warning: .*outside the pool. The first is")
  expect_match(ran$err[2],
               "^judicious rank: Ranking of 6 systems .* with 1 judgment: confidence 0\\.[0-9]{3}\\. The best is one of 5 .* Joint gains")
  expect_equal(cli(words, "--quiet")$err, character())
  expect_equal(cli(words, "--quiet")$out, ran$out)
})

test_that("a message reports gains that hardly fit the Fine scale", {
  graded <- read_judgments(demo_file("judgments.tsv"))
  graded$gain <- graded$gain %/% 34
  ran <- cli("rank", demo_words(), "-j", table_file(graded[1:20, ]))
  expect_match(ran$err[1], "from 0 to 2, but the scale is Fine.*Is the scale 0,1,2")
  # With many judgments, the scale is inferred from them.
  ran <- cli("rank", demo_words(), "-j", table_file(utils::head(graded, -9)))
  expect_match(ran$err[1], "Gains: 0, 1, 2, inferred from the judgments")
})

test_that("messages leave out hints for R, and name standard input and pipes instead of copies of them", {
  mixed <- withr::local_tempfile()
  writeBin(c(charToRaw("caf\xe9\td1\t2\n"), charToRaw("q\u00e9\td1\t2\n")), mixed)
  told <- cli("rank", demo_file("runs.tsv"), "-j", mixed)$err
  expect_match(told, "Convert the file to UTF-8\\.$")
  # A message about a pipe names standard input instead of the temporary file to which it was copied.
  piped <- simpleError(paste0("'", file.path(tempdir(), "pipe-1a", "stdin"), "' has 3 columns"))
  expect_identical(cli_one_line(piped), "standard input has 3 columns")
  # Other pipes are copied to files with the same name, or with the number of the file descriptor as name.
  piped <- simpleError(paste0("'", file.path(tempdir(), "pipe-1a", c("63", "runs.fifo")), "' is empty", collapse = "; "))
  expect_identical(cli_one_line(piped), "'/dev/fd/63' is empty; 'runs.fifo' is empty")
  # A hint that is also valid on the command line is printed unchanged.
  expect_match(cli("evaluate", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "nCDG")$err[1],
               "A name is measure(parameter=value)@cutoff, like", fixed = TRUE)
})

run_script <- function(..., input = "") {
  script <- system.file("exec", "judicious", package = "judicious", mustWork = TRUE)
  err <- tempfile()
  on.exit(unlink(err))
  out <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), shQuote(c(script, ...)), stdout = TRUE,
                                  stderr = err, input = input))
  list(status = attr(out, "status") %||% 0L, out = as.vector(out), err = readLines(err, warn = FALSE))
}

test_that("the script writes to the correct streams and has the correct exit status", {
  skip_on_cran()
  skip_on_os("windows")
  fine <- run_script("rank", demo_words())
  expect_equal(fine[c("status", "out")], cli("rank", demo_words())[c("status", "out")])
  expect_equal(fine$err, cli("rank", demo_words())$err)
  wrong <- run_script("rank", file.path(tempdir(), "no-such-file"))
  expect_equal(wrong$status, 1L)
  # A misspelt measure exits with status 2.
  misspelt <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "nCDG@10")
  expect_identical(run_script(misspelt)$status, 2L)
  expect_match(run_script(misspelt)$err[1], "\"nCDG@10\" is not the name of a measure", fixed = TRUE)
  expect_equal(wrong$out, character())
  expect_match(wrong$err, "^judicious rank: error: .*no-such-file")
  misused <- run_script("rank", "--colour")
  expect_equal(misused$status, 2L)
  expect_equal(misused$err, c("judicious rank: There is no option --colour.", "Try 'judicious rank --help'."))
  expect_equal(run_script("--version")$out, cli("--version")$out)
})

test_that("evaluate prints the same in a new process as in this one, for text, Parquet files and folders", {
  skip_on_cran()
  skip_on_os("windows")
  path <- table_file(read_runs(demo_file("runs.tsv")))
  paths <- c(demo_file("trec.run"), path)
  if (requireNamespace("nanoparquet", quietly = TRUE)) {
    paths <- c(paths, withr::local_tempfile(fileext = ".parquet"))
    nanoparquet::write_parquet(read_runs(demo_file("runs.tsv")), paths[3])
  }
  # Parquet files are recognised whatever their names, and in folders.
  if (length(paths) > 2) {
    paths <- c(paths, withr::local_tempfile(), withr::local_tempdir())
    for (copy in paths[4:5]) file.copy(paths[3], copy)
  }
  for (path in paths) {
    judgments <- demo_file(if (path == paths[1]) "qrels.txt" else "judgments.tsv")
    words <- c("evaluate", "-j", judgments, path, "-M", "nDCG@5", "--per", "both")
    ran <- run_script(words)
    expect_identical(ran$status, 0L)
    expect_identical(ran$out, cli(words)$out)
  }
})

test_that("a dash stands for standard input, for runs and for typed judgments", {
  skip_on_cran()
  skip_on_os("windows")
  lines <- readLines(demo_file("runs.tsv"))
  piped <- run_script("features", "-", input = lines)
  expect_equal(piped$out, cli("features", demo_file("runs.tsv"))$out)
  expect_equal(run_script("features", "/dev/stdin", input = lines)$out, piped$out)
  skip_if_not_installed("RSQLite")
  store <- tempfile(fileext = ".sqlite")
  on.exit(unlink(store))
  answered <- run_script("judge", demo_words(), "--store", store, "--seed", "1", input = c("50", "40", "q"))
  expect_equal(answered$status, 0L)
  s <- open_session(store)
  expect_equal(judgments_of(s)$gain, c(50, 40))
  close_session(s)
})

test_that("a scale is given as levels separated by commas, or as a range of whole numbers", {
  expect_equal(cli_scale("0:3")$levels, 0:3)
  expect_equal(cli_scale("0,2,1")$levels, 0:2)
  for (text in c("0:", "a:3", "1:1", ":")) expect_error(cli_scale(text), class = "judicious_error_usage")
})

test_that("messages of the command line refer to its commands and options", {
  skip_if_not_installed("RSQLite")
  runs <- demo_file("runs.tsv")
  some <- c("-j", demo_file("some.tsv"))
  all <- c("-j", demo_file("judgments.tsv"))
  coarse <- read_judgments(demo_file("judgments.tsv"))
  coarse$gain <- coarse$gain %/% 34
  more <- rbind(read_judgments(demo_file("some.tsv")), data.frame(query = "q01", doc = "elsewhere", gain = 1))
  calls <- list(
    c("rank", runs, "-j", table_file(more)),
    c("rank", runs, "-j", table_file(coarse)),
    c("rank", runs, "-j", table_file(more), "-M", "AP@5"),
    c("rank", runs, some, "-M", "RR", "--model", "uniform"),
    c("rank", runs, some, "--by", "language"),
    c("rank", runs, some, "--grades", demo_file("runs.tsv")),
    c("rank", runs, some, "--past", "no-such.sqlite"),
    c("rank", "--store", "no-such.sqlite"),
    c("rank", runs, some, "--scale", "0:2"),
    c("compare", runs, all, "-M", "AG@5", "--replicates", "100"),
    c("compare", runs, all, "-M", "AG@5", "--baseline", "Z"),
    c("evaluate", runs, all, "-M", "nCDG@5"),
    c("next", runs, some, "--goal", "top", "--top", "9"),
    c("report", runs, some, "-o", "report.pdf")
  )
  told <- lapply(calls, function(words) cli(words)$err)
  expect_true(all(lengths(told) > 0))
  expect_no_match(unlist(told), "`|[a-z_]+\\(\\)")
  expect_match(told[[10]], "Give it at least --replicates 3000, or use --test randomised_tukey", all = FALSE)
  expect_match(told[[3]], "It counts in ideal lists and numbers of relevant documents", all = FALSE)
  expect_match(told[[3]], "judicious evaluate counts only judged ones, so its values differ", all = FALSE)
})

test_that("judicious compare writes the name of the test to standard error", {
  told <- cli("compare", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "AG@5")$err
  expect_match(told, "^judicious compare: Comparison of 6 systems by AG@5 on 20 queries; test paired randomisation")
})

test_that("a measure with a cutoff deeper than the default needs no --k", {
  runs <- demo_file("trec.run")
  expect_match(cli("rank", runs, "-j", demo_file("qrels.txt"), "-M", "nDCG@20")$err, "by mean nDCG@20", all = FALSE)
  expect_match(cli("rank", runs, "-j", demo_file("qrels.txt"), "-M", "nDCG@20", "--k", "5")$err,
               "needs more results than the collection has, which is the top 5.*a larger --k", all = FALSE)
})
