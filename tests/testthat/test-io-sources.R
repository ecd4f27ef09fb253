# A random collection in every form in which it can be stored.

random_ids <- function(n, prefix) {
  special <- c("\"q\"", "a,b", "#1", "1234567890123456788", "1234567890123456789", "007", "7", "1e5", "100000", "NA",
               "Ünï", "'x'", "\"", "a\"\"b", "-0", "TRUE", "日本")
  unique(c(sample(special, min(n, length(special))), paste0(prefix, sample(1e6, n))))[seq_len(n)]
}

random_collection <- function() {
  queries <- random_ids(6, "q")
  docs <- random_ids(40, "d")
  lists <- expand.grid(query = queries, system = c("A,1", "\"B\""), stringsAsFactors = FALSE)
  lists <- lists[-sample(nrow(lists), 1), ]
  runs <- do.call(rbind, lapply(seq_len(nrow(lists)), function(i) {
    n <- sample(3:12, 1)
    data.frame(system = lists$system[i], query = lists$query[i], doc = sample(docs, n), rank = as.numeric(seq_len(n)),
               score = sort(round(rnorm(n), 1), decreasing = TRUE))
  }))
  judgments <- expand.grid(query = queries, doc = sample(docs, 25), stringsAsFactors = FALSE)
  judgments$gain <- as.numeric(sample(-1:3, nrow(judgments), TRUE))
  list(runs = runs, judgments = judgments[sample(nrow(judgments)), ])
}

text_of <- function(data, kind, separator, end = "", line = "\n") {
  data <- lapply(data, as.character)
  columns <- if (kind == "runs") list(data$query, "Q0", data$doc, data$rank, data$score, data$system) else
    list(data$query, "0", data$doc, data$gain)
  paste0(paste0(do.call(paste, c(columns, sep = separator)), end, line), collapse = "")
}

header_text <- function(data, separator) {
  rows <- do.call(paste, c(lapply(data, as.character), sep = separator))
  paste0(c(paste(names(data), collapse = separator), rows, ""), collapse = "\n")
}

# Functions that store a table, and return what readers accept.
forms <- function(folder, connection) {
  write <- function(bytes, open = function(path) file(path, "wb")) {
    path <- tempfile("form-", folder)
    con <- open(path)
    writeBin(if (is.character(bytes)) charToRaw(enc2utf8(bytes)) else bytes, con)
    close(con)
    path
  }
  trec <- function(data, kind) text_of(data, kind, " ")
  list(
    trec = function(data, kind) write(trec(data, kind)),
    tabs = function(data, kind) write(text_of(data, kind, "\t")),
    trailing = function(data, kind) write(text_of(data, kind, "\t", "\t")),
    spaces = function(data, kind) write(text_of(data, kind, "  ", " ", "\r\n")),
    mark = function(data, kind) write(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(trec(data, kind)))),
    utf16 = function(data, kind) {
      write(c(as.raw(c(0xff, 0xfe)), iconv(trec(data, kind), "UTF-8", "UTF-16LE", toRaw = TRUE)[[1]]))
    },
    gzip = function(data, kind) write(trec(data, kind), function(path) gzfile(path, "wb")),
    bzip2 = function(data, kind) write(trec(data, kind), function(path) bzfile(path, "wb")),
    xz = function(data, kind) write(trec(data, kind), function(path) xzfile(path, "wb")),
    tsv = function(data, kind) write(header_text(data, "\t")),
    csv = function(data, kind) write(paste0(csv_lines(data), "\n", collapse = "")),
    fifo = function(data, kind) {
      pipe <- tempfile("pipe-", folder)
      system2("mkfifo", pipe)
      system(paste("cat", shQuote(write(trec(data, kind))), ">", shQuote(pipe)), wait = FALSE)
      pipe
    },
    # Standard output of a process, as a shell's <(...).
    pipe = function(data, kind) {
      pipe <- tempfile("descriptor-", folder)
      system2("mkfifo", pipe)
      system(paste("sleep .05; gzip -c", shQuote(write(trec(data, kind))), ">", shQuote(pipe)), wait = FALSE)
      pipe
    },
    parquet = function(data, kind) {
      path <- tempfile(fileext = ".parquet", tmpdir = folder)
      nanoparquet::write_parquet(data, path)
      path
    },
    database = function(data, kind) {
      name <- basename(tempfile("t"))
      DBI::dbWriteTable(connection, name, data)
      list(connection, name)
    },
    # Identifiers that look like integers are stored as integers, in columns without a type.
    untyped = function(data, kind) {
      name <- basename(tempfile("t"))
      DBI::dbExecute(connection, sprintf("CREATE TABLE %s (%s)", name, paste(names(data), collapse = ", ")))
      is_whole <- function(value) grepl("^(0|[1-9][0-9]*)$", value)
      quoted <- function(value) paste0("'", gsub("'", "''", value), "'")
      literal <- function(value) ifelse(is_whole(value) | is.numeric(value), value, quoted(value))
      rows <- do.call(paste, c(unname(lapply(data, literal)), sep = ", "))
      DBI::dbExecute(connection, sprintf("INSERT INTO %s VALUES %s", name, paste0("(", rows, ")", collapse = ", ")))
      list(connection, name)
    },
    frame = function(data, kind) data
  )
}

test_that("the same runs and judgments give the same scores, however they are stored and read", {
  skip_on_os("windows")
  skip_if_not_installed("nanoparquet")
  skip_if_not_installed("RSQLite")
  folder <- withr::local_tempdir()
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  quietly <- function(code) suppressWarnings(suppressMessages(code))
  plain <- function(data, columns) {
    data <- as.data.frame(data)[columns]
    data[do.call(order, unname(data[1:3])), , drop = FALSE] |> `rownames<-`(NULL)
  }
  run_columns <- c("system", "query", "doc", "rank", "score")
  for (seed in 1:3) {
    withr::local_seed(seed)
    x <- random_collection()
    expected <- quietly(evaluate(x$runs, x$judgments, c("AP", "nDCG@5", "bpref")))
    for (name in names(forms(folder, connection))) {
      store <- forms(folder, connection)[[name]]
      if (name != "frame") {
        expect_equal(plain(read_runs(quietly(store(x$runs, "runs"))), run_columns), plain(x$runs, run_columns),
                     info = name)
        expect_equal(plain(quietly(read_judgments(store(x$judgments, "judgments"))), c("query", "doc", "gain")),
                     plain(x$judgments, c("query", "doc", "gain")), info = name)
      }
      values <- quietly(evaluate(store(x$runs, "runs"), store(x$judgments, "judgments"), c("AP", "nDCG@5", "bpref")))
      expect_equal(plain(values, c("system", "query", "measure", "value")),
                   plain(expected, c("system", "query", "measure", "value")), info = name)
      if (!name %in% c("database", "untyped", "frame")) {
        words <- c("evaluate", "--judgments", store(x$judgments, "judgments"), "-M", "AP", "--per", "query")
        said <- quietly(cli_data(words, store(x$runs, "runs")))
        # A query has the identifier NA.
        said$query[is.na(said$query)] <- "NA"
        expect_equal(plain(said, c("system", "query", "measure", "value")),
                     plain(expected[expected$measure == "AP", ], c("system", "query", "measure", "value")), info = name)
      }
      # A file for each system is evaluated while it is read.
      one <- x$runs[x$runs$system == "\"B\"", ]
      alone <- quietly(evaluate(store(one, "runs"), store(x$judgments, "judgments"), c("AP", "nDCG@5", "bpref")))
      expect_equal(plain(alone, c("system", "query", "measure", "value")),
                   plain(expected[expected$system == "\"B\"", ], c("system", "query", "measure", "value")), info = name)
    }
  }
})

test_that("runs and judgments compressed with zstd raise an error that says so", {
  skip_if(!nzchar(Sys.which("zstd")), "zstd is not installed")
  path <- bytes_file("q Q0 d1 1 1 tag\n")
  packed <- paste0(path, ".zst")
  system2("zstd", c("-q", path, "-o", packed))
  judgments <- data.frame(query = "q", doc = "d1", gain = 1)
  for (read in list(read_runs, read_judgments, function(path) evaluate(path, judgments, "AP"),
                    function(path) evaluate(path, packed, "AP"))) {
    expect_error(read(packed), "compressed by zstd", class = "judicious_error_file")
  }
  said <- cli("evaluate", packed, "--judgments", packed)
  expect_identical(said$status, 1L)
  expect_match(said$err, "compressed by zstd", all = FALSE)
})

test_that("CSV fields with quotes, commas or any line ends are read back unchanged", {
  expect_identical(csv_quote(c("plain", "a,b", "a\"b", "a\nb", "a\rb")),
                   c("plain", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"", "\"a\rb\""))
  documents <- data.frame(doc = c("d1", "d2", "d3"), title = c("one\rtwo", "\"one\",two", "one\r\ntwo"))
  path <- bytes_file(paste0(csv_lines(documents), "\n", collapse = ""))
  expect_identical(as.data.frame(read_documents(path)), documents)
})

test_that("files with the same run tag become distinct systems named after the files", {
  folder <- withr::local_tempdir()
  paths <- file.path(folder, c("one", "two"))
  writeLines(c("q Q0 a 1 2 tag", "q Q0 b 2 1 tag"), paths[1])
  writeLines(c("q Q0 b 1 2 tag", "q Q0 a 2 1 tag"), paths[2])
  judgments <- data.frame(query = "q", doc = "a", gain = 1)
  expect_message(runs <- read_runs(paths), class = "judicious_message_system_names")
  expect_equal(runs$system, c("one", "one", "two", "two"))
  read <- suppressMessages(evaluate(runs, judgments, "RR"))
  expect_equal(read$value, c(1, .5))
  expect_identical(suppressMessages(evaluate(paths, judgments, "RR")), read)
})

test_that("incomplete compressed files raise errors", {
  folder <- withr::local_tempdir()
  text <- charToRaw(paste0(sprintf("q Q0 d%d 1 %.5f tag\n", 1:3000, seq(1, 0, length.out = 3000)), collapse = ""))
  path <- file.path(folder, "run")
  for (type in c("bzip2", "xz")) {
    bytes <- memCompress(text, type)
    writeBin(bytes, path)
    expect_equal(nrow(read_runs(path)), 3000)
    for (n in length(bytes) - c(1, 8, 100, length(bytes) %/% 2)) {
      writeBin(bytes[seq_len(n)], path)
      expect_error(read_runs(path), "damaged", class = "judicious_error_file")
      writeBin(replace(bytes, n, xor(bytes[n], as.raw(4))), path)
      expect_error(read_runs(path), "damaged", class = "judicious_error_file")
    }
  }
  # R's reader of bzip2 would return only the first of two streams.
  writeBin(rep(memCompress(text, "bzip2"), 2), path)
  expect_error(read_runs(path), "several streams", class = "judicious_error_file")
  writeBin(as.raw(c(0x50, 0x4b, 3, 4, 1:200)), path)
  expect_error(read_runs(path), "compressed by zip", class = "judicious_error_file")
  expect_error(evaluate(path, data.frame(query = "q", doc = "d", gain = 1), "AP"), "compressed by zip")
})

test_that("the size of an unpacked file is limited", {
  path <- bytes_file("q Q0 d1 1 1 tag\n", ".gz")
  withr::local_options(judicious.max_unpacked = 10)
  expect_error(read_runs(path), "unpacks to more than 10 bytes", class = "judicious_error_file")
  expect_error(evaluate(path, data.frame(query = "q", doc = "d1", gain = 1), "AP"), "unpacks to more than 10 bytes")
  withr::local_options(judicious.max_unpacked = 16)
  expect_equal(nrow(read_runs(path)), 1)
})

test_that("integer identifiers beyond double precision stay text or raise an error", {
  skip_if_not_installed("nanoparquet")
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".parquet")
  ids <- c("1234567890123456788", "1234567890123456789", "-5")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  DBI::dbExecute(connection, "CREATE TABLE j (query TEXT, doc INTEGER, gain INTEGER)")
  for (id in ids) DBI::dbExecute(connection, sprintf("INSERT INTO j VALUES ('q', %s, 1)", id))
  expect_equal(read_judgments(list(connection, "j"))$doc, ids)
  frame <- DBI::dbGetQuery(connection, "SELECT * FROM j")
  nanoparquet::write_parquet(frame, path)
  expect_equal(read_judgments(path)$doc, ids)
  run <- data.frame(system = "A", query = "q", doc = "1234567890123456788", score = 1)
  for (judgments in list(path, list(connection, "j"), frame)) {
    expect_equal(evaluate(run, judgments, c("RR", "AP"))$value, c(1, 1 / 3))
  }
  run$doc <- 1234567890123456788
  expect_error(evaluate(run, frame, "AP"), "beyond 2^53", fixed = TRUE, class = "judicious_error_columns")
})

test_that("a Parquet file that crashes the reader library raises an error", {
  skip_on_os("windows")
  skip_if_not_installed("nanoparquet")
  path <- withr::local_tempfile(fileext = ".parquet")
  writeLines("large", path)
  kept <- withr::local_tempfile()
  file.create(kept)
  for (fault in c(tools::SIGTERM, 6L, 7L, 11L)) {
    expect_error(read_parquet_file(path, "path", function() tools::pskill(Sys.getpid(), fault)),
                 "cannot be read as Parquet.*end the reader", class = "judicious_error_file")
  }
  # R's fault handler in the child process would also have deleted the temporary folder of this process.
  expect_true(file.exists(kept))
  # A file of any size is read once, in the child process.
  mine <- Sys.getpid()
  for (size in c(1, 2e6)) {
    writeBin(raw(size), path)
    rows <- read_parquet_file(path, "path", function() data.frame(here = Sys.getpid() == mine))
    expect_false(rows$here)
  }
})

test_that("Parquet files with a flipped bit are read or raise an error, and never crash", {
  skip_on_cran()
  skip_if_not_installed("nanoparquet")
  path <- withr::local_tempfile(fileext = ".parquet")
  nanoparquet::write_parquet(data.frame(system = "A", query = "q", doc = letters[1:9], rank = 1:9, score = 9:1), path)
  bytes <- readBin(path, "raw", 1e6)
  for (i in round(seq(5, length(bytes) - 4, length.out = 40))) {
    writeBin(replace(bytes, i, xor(bytes[i], as.raw(16))), path)
    result <- tryCatch(read_runs(path), error = identity)
    expect_true(is.data.frame(result) || inherits(result, "judicious_error"), info = i)
  }
  name <- grepRaw("system", bytes, all = TRUE)
  writeBin(replace(bytes, name, as.raw(0xf3)), path)
  expect_error(read_runs(path), class = "judicious_error_file")
})

test_that("an error in a column of a Parquet file names the column and the file", {
  skip_if_not_installed("nanoparquet")
  path <- withr::local_tempfile(pattern = "binary", fileext = ".parquet")
  rows <- data.frame(system = "A", query = "q", rank = 1)
  rows$doc <- list(as.raw(1))
  nanoparquet::write_parquet(rows, path)
  said <- expect_error(read_runs(path), "column \"doc\" of '.*binary.*parquet'.* holds lists or binary data",
                       class = "judicious_error_columns")
  expect_identical(said$path, path)
})

test_that("columns of lists in a Parquet file are read as in a data frame", {
  skip_if_not_installed("nanoparquet", "0.5.0")
  path <- withr::local_tempfile(fileext = ".parquet")
  rows <- data.frame(system = c("A", "B"), id = "q", answer = c("yes", "no"))
  rows$contexts <- list(c("one", "two"), character())
  nanoparquet::write_parquet(rows, path)
  of_file <- suppressMessages(read_answers(path))
  expect_equal(of_file$documents$context, c("one\n\ntwo", NA))
  expect_equal(of_file, suppressMessages(read_answers(rows)), ignore_attr = "call")
  data <- data.frame(y = ordered(rep(1:3, 10)), x = c(1:29, 40))
  data$parts <- rep(list(1:2), 30)
  nanoparquet::write_parquet(data, path)
  expect_equal(coef(pom(y ~ x, path)), coef(pom(y ~ x, data)))
})

test_that("a database column with values of several types is read as text", {
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  DBI::dbExecute(connection, "CREATE TABLE j (query, doc, gain)")
  DBI::dbExecute(connection, "INSERT INTO j VALUES (1, 2.0, 1), ('q7', 'd', 2), (3, 2.5, 0)")
  expect_equal(as.data.frame(read_judgments(list(connection, "j"))),
               data.frame(query = c("1", "q7", "3"), doc = c("2", "d", "2.5"), gain = c(1, 2, 0)))
  DBI::dbExecute(connection, "INSERT INTO j VALUES (4, 'e', 'high')")
  expect_error(read_judgments(list(connection, "j")), "has \"high\"", class = "judicious_error_columns")
})

test_that("the error about a file in two encodings names the line", {
  path <- bytes_file(c(charToRaw("q 0 d\u00e9 1\n"), charToRaw("q 0 d"), as.raw(0xe9), charToRaw(" 1\n")))
  expect_error(read_judgments(path), "line 2 is not UTF-8", class = "judicious_error_encoding")
  expect_equal(read_judgments(path, encoding = "latin1")$doc[2], "d\u00e9")
})
