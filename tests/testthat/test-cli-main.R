test_that("misuse has status 2, one line that says what, and one that points to help", {
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

test_that("warnings and notes go to standard error, a line each, and --quiet keeps them back", {
  words <- c("rank", demo_words(), "-j", bytes_file(c("q01\td066\t4\n", "q99\td066\t4\n")))
  ran <- cli(words)
  expect_equal(ran$status, 0L)
  expect_length(ran$err, 2)
  expect_match(ran$err[1], "^judicious rank: warning: .*outside the pool and left out. The first is")
  expect_match(ran$err[2],
               "^judicious rank: Ranking of 6 systems .* with 1 judgment: confidence 0\\.[0-9]{3}\\. No group .* Joint gains")
  expect_equal(cli(words, "--quiet")$err, character())
  expect_equal(cli(words, "--quiet")$out, ran$out)
})

test_that("grades on the Fine scale are pointed out", {
  graded <- read_judgments(demo_file("judgments.tsv"))
  graded$gain <- graded$gain %/% 34
  ran <- cli("rank", demo_words(), "-j", table_file(graded))
  expect_match(ran$err[1], "from 0 to 2, but the scale is Fine.*Is the scale 0,1,2")
})

run_script <- function(..., input = "") {
  script <- system.file("exec", "judicious", package = "judicious", mustWork = TRUE)
  err <- tempfile()
  on.exit(unlink(err))
  out <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), shQuote(c(script, ...)), stdout = TRUE,
                                  stderr = err, input = input))
  list(status = attr(out, "status") %||% 0L, out = as.vector(out), err = readLines(err, warn = FALSE))
}

test_that("the script writes to the right streams and ends with the right status", {
  skip_on_cran()
  skip_on_os("windows")
  fine <- run_script("rank", demo_words())
  expect_equal(fine[c("status", "out")], cli("rank", demo_words())[c("status", "out")])
  expect_equal(fine$err, cli("rank", demo_words())$err)
  wrong <- run_script("rank", file.path(tempdir(), "no-such-file"))
  expect_equal(wrong$status, 1L)
  expect_equal(wrong$out, character())
  expect_match(wrong$err, "^judicious rank: error: .*no-such-file")
  misused <- run_script("rank", "--colour")
  expect_equal(misused$status, 2L)
  expect_equal(misused$err, c("judicious rank: There is no option --colour.", "Try 'judicious rank --help'."))
  expect_equal(run_script("--version")$out, cli("--version")$out)
})

test_that("a dash is standard input, and answers are read from there", {
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

test_that("a scale can be written as R writes it", {
  expect_equal(cli_scale("0:3")$levels, 0:3)
  expect_equal(cli_scale("0,2,1")$levels, 0:2)
  for (text in c("0:", "a:3", "1:1", ":")) expect_error(cli_scale(text), class = "judicious_error_usage")
})
