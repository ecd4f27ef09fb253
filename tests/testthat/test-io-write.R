folder_of <- function(env = parent.frame()) withr::local_tempdir(.local_envir = env)

test_that("a write that fails leaves the old file or none", {
  folder <- folder_of()
  path <- file.path(folder, "results")
  write_lines(c("a", "M\u00e9lodie"), path, "`file`")
  expect_identical(readLines(path, encoding = "UTF-8"), c("a", "M\u00e9lodie"))
  half <- function(to) {
    writeLines("half", to)
    "No space left on device"
  }
  expect_error(write_whole(path, half, "`file`"), "No space left", class = "judicious_error_file")
  expect_error(write_whole(path, function(to) stop("no"), "`file`"), class = "judicious_error_file")
  expect_error(write_whole(file.path(folder, "new"), half, "`file`"), class = "judicious_error_file")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "results")
  expect_identical(readLines(path, encoding = "UTF-8"), c("a", "M\u00e9lodie"))
  expect_error(write_lines("a", file.path(folder, "none", "x"), "`file`"), class = "judicious_error_file")
  write_lines(character(), path, "`file`")
  expect_identical(file.size(path), 0)
})

test_that("writing keeps symbolic links and the file's permissions", {
  skip_on_os("windows")
  folder <- folder_of()
  path <- file.path(folder, "file")
  link <- file.path(folder, "link")
  write_lines("a", path, "`file`")
  Sys.chmod(path, "640")
  file.symlink(path, link)
  write_lines("b", link, "`file`")
  expect_identical(Sys.readlink(link), path)
  expect_identical(readLines(path), "b")
  expect_identical(format(file.mode(path)), "640")
})

test_that("fields are quoted only if they contain a separator, a quote or a line end", {
  text <- c("x\ry", "x\ny", "x,y", "x\"y", "x;y\t'z'", "")
  expect_identical(csv_quote(text), c("\"x\ry\"", "\"x\ny\"", "\"x,y\"", "\"x\"\"y\"", "x;y\t'z'", ""))
})

test_that("numbers are written with 15 digits, and whole numbers without exponent", {
  lines <- csv_lines(data.frame(x = c(1 / 3, 0.1 + 0.2, 1e14, NA)))
  expect_identical(lines[-1], c("0.333333333333333", "0.3", "100000000000000", ""))
})

test_that("a table that is written and read back is unchanged", {
  folder <- folder_of()
  data <- data.frame(id = c("a,b", "c\"d", NA), n = c(1L, NA, 3L), x = c(1 / 3, 1e5, NA), yes = c(TRUE, FALSE, NA))
  write_csv(data, file.path(folder, "x.csv"), "`file`")
  expect_equal(utils::read.csv(file.path(folder, "x.csv"), na.strings = ""), data)
})

test_that("a full disk raises an error when judgments, bytes or a ranking are written", {
  skip_if_not(file.exists("/dev/full"), "no device that is full")
  x <- simulate_collection(queries = 3, documents = 30, artists = 9, systems = 3, seed = 1)
  s <- run_session(judging_session(x, goal = goal_budget(2), seed = 1, judgments = FALSE))
  for (format in c("qrels", "csv")) {
    expect_error(export_judgments(s, "/dev/full", format), "No space left", class = "judicious_error_file")
  }
  expect_error(write_bytes(as.raw(1:100), "/dev/full", "--save"), class = "judicious_error_file")
  expect_true(file.exists("/dev/full"))
  full <- cli("rank", demo_words(), "--output", "/dev/full")
  expect_identical(full$status, 1L)
  expect_match(full$err, "/dev/full.* cannot be written: No space left on device", all = FALSE)
})

test_that("the command line exits with an error if standard output is full", {
  skip_on_cran()
  skip_if_not(file.exists("/dev/full"), "no device that is full")
  script <- system.file("exec", "judicious", package = "judicious")
  err <- tempfile()
  on.exit(unlink(err))
  for (words in list(c("rank", demo_words()), "--help")) {
    words <- shQuote(c(script, words))
    status <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), words, stdout = "/dev/full", stderr = err))
    expect_identical(status, 1L)
    expect_match(readLines(err), "Standard output cannot be written", all = FALSE)
  }
})
