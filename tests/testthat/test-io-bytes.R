lines <- sprintf("301\tQ0\td%d\t%d\t%.3f\ttag\n", 1:40, 1:40, 50 - sqrt(1:40))
judgments <- data.frame(query = "301", doc = "d40", gain = 1)
# The outcomes of reading runs by read_runs() and by evaluate(), which use different readers. "told": an error that
# names the file; "silent": a wrong result without an error.
outcome <- function(path) {
  one <- function(code) {
    tryCatch(suppressMessages(if (code()) "right" else "silent"), judicious_error = function(cnd) {
      if (grepl(basename(path), conditionMessage(cnd), fixed = TRUE)) "told" else "no file named"
    }, error = function(cnd) "unclassed")
  }
  c(one(function() nrow(read_runs(path)) == 40), one(function() evaluate(path, judgments, "RR")$value == 1 / 40))
}
outcomes <- function(mutants) {
  path <- tempfile()
  on.exit(unlink(path))
  unlist(lapply(mutants, function(bytes) {
    writeBin(bytes, path)
    outcome(path)
  }))
}
gz_bytes <- function(text = lines) readBin(bytes_file(text, ".gz"), "raw", 1e6)

test_that("a truncated gzip file raises an error, and an altered one is read correctly or raises an error", {
  whole <- gz_bytes()
  expect_identical(outcomes(list(whole)), c("right", "right"))
  # All prefixes that end in the header (10 bytes) or the trailer (8 bytes), and every fifth prefix that ends in the
  # compressed data.
  cuts <- unique(c(0:10, seq(10, length(whole) - 8, by = 5), length(whole) - 8:1))
  prefixes <- lapply(cuts, function(n) whole[seq_len(n)])
  expect_identical(unique(outcomes(prefixes)), "told")
  places <- unique(c(1:10, seq(10, length(whole) - 8, by = 5), length(whole) - 7:0))
  changed <- lapply(places, function(i) {
    replace(whole, i, xor(whole[i], as.raw(bitwShiftL(1L, i %% 8L))))
  })
  expect_setequal(unique(outcomes(changed)), c("right", "told"))
  # Zero bytes after the last member are damage.
  expect_identical(outcomes(list(c(whole, raw(3)))), c("told", "told"))
})

test_that("a gzip file with several members is read completely", {
  both <- c(gz_bytes(lines[1:25]), gz_bytes(lines[26:40]))
  expect_identical(outcomes(list(both)), c("right", "right"))
  expect_identical(unique(outcomes(list(both[-length(both)], both[seq_len(length(both) - 20)]))), "told")
})

test_that("a pipe is read to its end", {
  skip_on_os("windows")
  pipe <- tempfile()
  on.exit(unlink(pipe))
  system2("mkfifo", pipe)
  many <- sprintf("301 Q0 d%d %d %.3f tag\n", 1:600, 1:600, 50 - sqrt(1:600))
  from <- function(path, read) {
    system(paste("cat", shQuote(path), ">", shQuote(pipe)), wait = FALSE)
    read(pipe)
  }
  plain <- bytes_file(many)
  expect_identical(from(plain, read_runs), read_runs(plain))
  expect_identical(from(bytes_file(many, ".gz"), read_runs), read_runs(plain))
  last <- data.frame(query = "301", doc = "d600", gain = 1)
  expect_equal(from(plain, function(path) evaluate(path, last, "RR"))$value, 1 / 600)
  expect_equal(from(plain, function(path) test_collection(path, k = 5)), test_collection(plain, k = 5))
  expect_error(from(bytes_file(c(many, "301 Q0 x")), read_runs), "line 601", class = "judicious_error_file")
  expect_error(from(bytes_file(raw()), read_runs), "empty", class = "judicious_error_file")
})

test_that("a file that cannot be read raises an error that names it", {
  skip_on_os("windows")
  path <- bytes_file(lines)
  Sys.chmod(path, "000")
  on.exit(Sys.chmod(path, "600"))
  skip_if(file.access(path, 4) == 0, "the administrator may read everything")
  expect_identical(outcome(path), c("told", "told"))
})

test_that("evaluate() matches runs and judgments in Latin-1 and UTF-8, and a zero byte raises an error", {
  encoded <- function(text, encoding) {
    bytes_file(iconv(text, "UTF-8", encoding, toRaw = TRUE)[[1]], env = parent.frame())
  }
  runs <- "301 Q0 caf\u00e9 1 2 tag\n301 Q0 b 2 1 tag\n"
  known <- "301 0 caf\u00e9 1\n"
  for (run in c("latin1", "UTF-8")) {
    for (judged in c("latin1", "UTF-8")) {
      scores <- suppressMessages(evaluate(encoded(runs, run), encoded(known, judged), "AP"))
      expect_equal(scores$value, 1, info = paste(run, judged))
    }
  }
  zero <- c(charToRaw(runs[1]), as.raw(0), charToRaw("x\n"))
  expect_error(evaluate(bytes_file(c(rep(charToRaw("301 Q0 a 1 2 tag\n"), 2000), zero)), judgments, "AP"),
               class = "judicious_error_encoding")
})

test_that("a run tag may contain blanks, and notes after it do not create systems", {
  named <- function(...) {
    path <- bytes_file(c(...))
    read <- suppressMessages(read_runs(path))
    scores <- suppressMessages(evaluate(path, data.frame(query = "301", doc = "a", gain = 1), "AP"))
    expect_setequal(scores$system, read$system)
    unique(read$system)
  }
  for (mark in c("\t", " ")) {
    row <- function(...) paste0(paste(..., sep = mark), "\n")
    expect_identical(named(row(301, "Q0", "a", 1, 2, "my tag"), row(301, "Q0", "b", 2, 1, "my tag")), "my tag")
    expect_identical(named(row(301, "Q0", "a", 1, 2, "tag"), row(301, "Q0", "b", 2, 1, "tag and a note")), "tag")
    expect_identical(named(row(301, "Q0", "a", 1, 2, "one"), row(301, "Q0", "b", 1, 1, "two")), c("one", "two"))
  }
  expect_snapshot(transform = hide_paths, {
    runs <- read_runs(bytes_file("301 Q0 a 1 2 tag\n301 Q0 b 2 1 tag a note\n"))
    runs <- read_runs(bytes_file("301 Q0 a 1 2 one\n301 Q0 b 2 1 two\n"))
  })
})

test_that("comments are skipped with a message, before a header or in a file without one", {
  commented <- bytes_file("# a comment\n301 Q0 a 1 2 tag\n\n  # another\n301 Q0 b 2 1 tag\n")
  expect_message(runs <- read_runs(commented), class = "judicious_message_comments")
  expect_identical(runs$doc, c("a", "b"))
  expect_message(scores <- evaluate(commented, data.frame(query = "301", doc = "b", gain = 1), "RR"),
                 class = "judicious_message_comments")
  expect_equal(scores$value, 0.5)
  expect_silent(headed <- read_runs(bytes_file("system query doc\n#A q1 d1\n")))
  expect_identical(headed$system, "#A")
  expect_identical(read_runs(bytes_file("#1 Q0 a 1 2 tag\n"))$query, "#1")
  expect_message(headed <- read_runs(bytes_file("# names\nsystem query doc\nA q1 d1\n")),
                 class = "judicious_message_comments")
  expect_identical(headed$system, "A")
  expect_identical(read_documents(bytes_file("#doc x\nd 1\n"), header = TRUE, columns = c("doc", "x"))$doc, "d")
  expect_snapshot(invisible(read_judgments(bytes_file("301 0 a 1\n# a\n# b\n"))), transform = hide_paths)
})

test_that("quoted fields may contain line ends", {
  path <- bytes_file("doc,title\n\"a\",\"one\ntwo, \"\"three\"\"\"\r\nb,\"\n\"\n")
  expect_identical(read_documents(path), data.frame(doc = c("a", "b"), title = c("one\ntwo, \"three\"", "\n")))
})

test_that("errors about malformed files name the line", {
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_documents(bytes_file("doc,artist,artist\na,b,c\n"))
    read_runs(bytes_file("run,tag,query,doc\na,b,c,d\n"))
    read_runs(bytes_file("a b c\n"), columns = c("system", "query", "query"))
    read_documents(bytes_file("doc,title\na,b\n\"c,d\ne,f\n"))
    read_runs(bytes_file("\n# x\n301 Q0 a 1 5 tag\n\n301 Q0 b 2 high tag\n"))
    read_runs(bytes_file(c(rep("a ", 10001), "\n")))
    evaluate(bytes_file(gz_bytes()[1:60]), judgments, "AP")
  })
})

test_that("a file that changes while it is read raises an error", {
  path <- bytes_file(lines)
  before <- file_versions(path)
  expect_silent(check_unchanged(path, before, "x"))
  expect_error(check_unchanged(path, sub(" .*", " 0", before), "x"), basename(path),
               class = "judicious_error_file")
  cat("301", file = path, append = TRUE)
  expect_error(check_unchanged(path, before, "x"), "changed while it was read", class = "judicious_error_file")
})

test_that("a gzipped run of 60,000 lines is evaluated, and damage at its end raises an error", {
  many <- sprintf("301 Q0 d%d %d %.3f tag\n", 1:60000, 1:60000, 70000 - 1:60000)
  whole <- gz_bytes(many)
  path <- bytes_file(whole)
  last <- data.frame(query = "301", doc = "d60000", gain = 1)
  expect_equal(evaluate(path, last, "RR")$value, 1 / 60000)
  writeBin(replace(whole, length(whole) - 5, as.raw(255 - as.integer(whole[length(whole) - 5]))), path)
  expect_error(evaluate(path, last, "RR"), "damaged", class = "judicious_error_file")
})

test_that("a plain text file that begins like a compressed one is read as text", {
  for (tag in c("BZh", "BZh9", "BZh91")) {
    text <- sub("301", tag, lines)
    path <- bytes_file(text)
    expect_identical(unique(read_runs(path)$query), tag)
    expect_identical(evaluate(path, transform(judgments, query = tag), "RR")$value, 1 / 40)
    packed <- bytes_file(memCompress(charToRaw(paste(text, collapse = "")), "bzip2"))
    expect_identical(read_runs(packed), read_runs(path))
  }
  latin1 <- iconv(sub("301", "\u00fd7zXZ", lines), "UTF-8", "latin1")
  expect_identical(unique(suppressMessages(read_runs(bytes_file(latin1)))$query), "\u00fd7zXZ")
})

test_that("byte order marks inside concatenated files are removed, and the error about an archive names its type", {
  one <- "\ufeffq1 Q0 d1 1 2 A\nq1 Q0 d2 2 1 A\n"
  two <- "\ufeffq2 Q0 d\ufeff3 1 2 A\n"
  expect_equal(read_runs(bytes_file(paste0(one, two)))[c("query", "doc")],
               data.frame(query = c("q1", "q1", "q2"), doc = c("d1", "d2", "d\ufeff3")))
  folder <- withr::local_tempdir()
  writeLines("q1 Q0 d1 1 2 A", file.path(folder, "a.run"))
  withr::with_dir(folder, utils::tar("runs.tar.gz", "a.run", compression = "gzip", tar = "internal"))
  expect_error(read_runs(file.path(folder, "runs.tar.gz")), "an archive of files, by tar",
               class = "judicious_error_encoding")
})
