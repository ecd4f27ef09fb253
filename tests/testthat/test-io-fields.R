runs <- data.frame(
  system = rep(c("A", "B"), each = 4), query = rep(c("1", "1", "2", "2"), 2),
  doc = c("d1", "d2", "d3", "d4", "d1", "d3", "d3", "d5"), rank = rep(c(1, 2), 4), score = rep(c(.5, .25), 4)
)
judgments <- data.frame(query = c("1", "1", "2"), doc = c("d1", "d2", "d3"), gain = c(2, 0, 1))
documents <- data.frame(doc = paste0("d", 1:5), artist = c("x", "x", "y", "007", NA), year = c(1990, 1991, 2001, 5, 6))
teams <- data.frame(system = c("A", "B"), team = c("t", "u"))

# The same tables as text, in Parquet files, and in a database.
sources <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  tables <- list(runs = runs, judgments = judgments, documents = documents, teams = teams)
  lapply(stats::setNames(nm = names(tables)), function(name) {
    data <- tables[[name]]
    text <- file.path(folder, paste0(name, ".tsv"))
    utils::write.table(data, text, sep = "\t", quote = FALSE, row.names = FALSE)
    # Numeric identifiers and other column names are also accepted.
    if ("query" %in% names(data)) data$query <- as.integer(data$query)
    names(data)[names(data) == "doc"] <- "docno"
    parquet <- file.path(folder, paste0(name, ".parquet"))
    nanoparquet::write_parquet(data, parquet)
    DBI::dbWriteTable(connection, name, data)
    list(text = text, parquet = parquet, table = list(connection, name),
         query = list(connection, paste("SELECT * FROM", name, "-- all of it")))
  })
}

test_that("Parquet files and database tables give the same data as text files", {
  skip_if_not_installed("nanoparquet")
  skip_if_not_installed("RSQLite")
  from <- sources()
  for (kind in c("parquet", "table", "query")) {
    expect_identical(read_runs(from$runs[[kind]]), read_runs(from$runs$text))
    expect_identical(read_judgments(from$judgments[[kind]]), read_judgments(from$judgments$text))
    expect_identical(read_documents(from$documents[[kind]]), read_documents(from$documents$text))
    read <- function(kind) {
      suppressMessages(test_collection(
        from$runs[[kind]], from$documents[[kind]], from$teams[[kind]], judgments = from$judgments[[kind]], k = 2,
        scale = 0:2
      ))
    }
    expect_identical(suppressWarnings(read(kind)), suppressWarnings(read("text")))
    expect_identical(evaluate(from$runs[[kind]], from$judgments[[kind]], c("AP", "nDCG@2")),
                     evaluate(from$runs$text, from$judgments$text, c("AP", "nDCG@2")))
  }
  expect_identical(read_judgments(from$judgments$parquet, columns = c("doc", "query", "gain"))$doc, c("1", "1", "2"))
  both <- read_runs(c(from$runs$parquet, from$runs$text))
  expect_identical(both, rbind(read_runs(from$runs$text), read_runs(from$runs$text)))
})

test_that("truncated Parquet files, missing tables and wrong columns raise errors", {
  skip_if_not_installed("nanoparquet")
  skip_if_not_installed("RSQLite")
  from <- sources()
  bytes <- readBin(from$runs$parquet, "raw", 1e6)
  short <- withr::local_tempfile()
  for (n in round(seq(4, length(bytes) - 1, length.out = 25))) {
    writeBin(bytes[seq_len(n)], short)
    expect_error(read_runs(short), class = "judicious_error_file")
  }
  expect_error(read_runs(paste0(short, "-no.parquet")), "there is no file", class = "judicious_error_file")
  expect_error(read_judgments(from$runs$parquet), class = "judicious_error_columns")
  expect_error(read_runs(from$runs$parquet, columns = c("a", "b")), class = "judicious_error_columns")
  connection <- from$runs$table[[1]]
  expect_error(read_runs(list(connection, "none")), class = "judicious_error_database")
  expect_error(read_runs(list(connection)), class = "judicious_error_database")
  expect_error(evaluate(list(connection, "none"), judgments, "AP"), class = "judicious_error_database")
  expect_error(evaluate(list(1), judgments, "AP"), class = "judicious_error")
  DBI::dbWriteTable(connection, "words", transform(runs, score = "high"))
  expect_error(read_runs(list(connection, "words")), "high", class = "judicious_error_columns")
})

test_that("the command line reads and writes Parquet files", {
  skip_if_not_installed("nanoparquet")
  from <- sources()
  out <- withr::local_tempfile(fileext = ".parquet")
  run <- function(...) {
    status <- 0
    said <- capture.output(status <- cli_main(c(...)), type = "message")
    list(status = status, said = said)
  }
  expect_identical(run("evaluate", "-q", "--judgments", from$judgments$parquet, "--output", out, from$runs$parquet),
                   list(status = 0L, said = character()))
  values <- as.data.frame(evaluate(from$runs$text, from$judgments$text, cli_default_measures, per = "mean"))
  expect_equal(as.data.frame(nanoparquet::read_parquet(out)), values, ignore_attr = TRUE)
  expect_identical(run("evaluate", "--judgments", from$judgments$parquet, "--output", out, "--format", "csv",
                       from$runs$parquet)$status, 2L)
  expect_identical(run("evaluate", "--judgments", from$judgments$parquet, "--output", out, "--layout", "trec_eval",
                       from$runs$parquet)$status, 2L)
})

test_that("line numbers in errors do not depend on the kind of line end", {
  for (end in c("\n", "\r\n", "\r")) {
    found <- first_line(charToRaw(paste0("# x", end, end, " ", end, "q1 Q0 d", end, "q1 Q0 e")))
    expect_identical(found, list(text = "q1 Q0 d", number = 4, skipped = 1))
    found <- first_line(charToRaw(paste0("# x", end, "# y")))
    expect_identical(found$text, "# x")
  }
})

test_that("qrels that mix spaces and tabs are split at both, and columns of texts between tabs stay whole", {
  path <- withr::local_tempfile()
  qrels <- function(...) {
    writeLines(c(...), path)
    read_judgments(path)
  }
  wanted <- data.frame(query = c("1", "1"), doc = c("d1", "d2"), gain = c(2, 1))
  expect_identical(qrels("1 0\td1\t2", "1 0\td2\t1"), wanted)
  expect_identical(qrels("q1 Q0\td1\t2", "q1 Q0\td2\t1")$query, c("q1", "q1"))
  expect_identical(qrels("1\t0 d1\t2", "1\t0 d2\t1"), wanted)
  expect_identical(qrels("   7  28\t1", "   7  29\t0")$doc, c("28", "29"))
  expect_identical(qrels("new york\td1\t2", "old york\td2\t1")$query, c("new york", "old york"))
  expect_identical(qrels("q_id,doc_id,rel", "1,d1,2", "1,d2,1"), wanted)
})

test_that("judgments of SMART, whose gains would be read as documents, raise an error", {
  path <- withr::local_tempfile()
  smart <- function(...) {
    writeLines(c(...), path)
    expect_error(read_judgments(path), "for documents, has only \"0\"", class = "judicious_error_file")
  }
  smart("     1     28\t0\t0.000000", "     1     35\t0\t0.000000")
  smart("    1   429 0   0.000000", "    1  1281 1  10.620731", "    1   135 1  19.288943")
  expect_identical(read_judgments(path, columns = c("query", "doc", "gain", "score"))$gain, c(0, 1, 1))
})
