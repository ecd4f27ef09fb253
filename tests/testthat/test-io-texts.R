# The judging page, collections and the terminal read the same topics and documents.

queries_from_path <- function(path) metadata_from_path(path, "queries")

written <- function(...) {
  path <- withr::local_tempfile(.local_envir = parent.frame())
  writeLines(c(...), path, useBytes = TRUE)
  path
}

topics <- data.frame(query = c("301", "302"), title = c("Organized Crime", "Polio & post-polio"),
                     description = c("Identify organizations.", "Is the disease under control?"),
                     narrative = c("Names are relevant.\n\nOthers are not.", "A document is relevant."))

test_that("TREC topics are read with and without closing tags, labels and attributes", {
  unclosed <- written(
    "<top>", "", "<num> Number: 301", "<title> Organized Crime", "", "<desc> Description:", "Identify", "organizations.",
    "", "<narr> Narrative:", "Names are", "relevant.", "", "Others are not.", "", "</top>",
    "<top>", "<num> Number: 302 ", "<title> Polio &amp; post-polio", "<desc> Description: ",
    "Is the disease under control?", "<narr> Narrative: ", "A document is relevant.", "</top>")
  closed <- written(
    "<?xml version=\"1.0\"?>", "<topics>", "<topic number=\"301\" type=\"faceted\">", "<title>Organized Crime</title>",
    "<description>Identify organizations.</description>",
    "<narrative>Names are relevant.", "", "Others are not.</narrative>", "</topic>",
    "<topic number='302'><title>Polio &amp; post-polio</title><description>Is the disease under",
    " control?</description><narrative>A document is <b>relevant</b>.</narrative></topic>", "</topics>")
  upper <- written(toupper("<top><num>301</num><title>"), "Organized Crime", "</TITLE></TOP>",
                   "<TOP><NUM>302<TITLE>Polio &amp; post-polio</TOP>")
  no_end <- written("<top>", "<num>301", "<title>Organized Crime", "<top>", "<num>302", "<title>Polio & post-polio")
  expect_equal(queries_from_path(unclosed), topics)
  expect_equal(queries_from_path(closed)[names(topics)], topics)
  for (path in c(upper, no_end)) expect_equal(queries_from_path(path), topics[1:2])
})

test_that("documents in TREC format are read", {
  path <- written("<DOC>", "<DOCNO> FT911-3 </DOCNO>", "<HEADLINE>A head</HEADLINE>", "<TEXT>", "First line", "second.",
                  "</TEXT>", "</DOC>", "<DOC>", "<DOCNO>FT911-4</DOCNO>", "<TEXT>Other</TEXT>", "</DOC>")
  expect_equal(read_documents(path), data.frame(doc = c("FT911-3", "FT911-4"), title = c("A head", NA),
                                                text = c("First line second.", "Other")))
})

texts <- data.frame(query = c("q1", "q2"), text = c("red, \"green\"", "blue"))

test_that("topics in JSON, JSON Lines, tables and Parquet give the same table, under all usual column names", {
  skip_if_not_installed("jsonlite")
  forms <- list(
    written('{"_id": "q1", "text": "red, \\"green\\""}', '{"_id": "q2", "text": "blue"}'),
    written('[{"id": "q1", "query": "red, \\"green\\""}, {"id": "q2", "query": "blue"}]'),
    written('{"qid": "q1", "query": "red, \\"green\\""}', "", '{"qid": "q2", "query": "blue"}'),
    written('{"query_id": "q1", "contents": "red, \\"green\\""}', '{"query_id": "q2", "contents": "blue"}'),
    written('{"topic": "q1", "question": "red, \\"green\\""}', '{"topic": "q2", "question": "blue"}'),
    written("q1\tred, \"green\"", "q2\tblue"),
    written("qid\tquery", "q1\tred, \"green\"", "q2\tblue"),
    written("_id,text", "q1,\"red, \"\"green\"\"\"", "q2,blue"),
    written("query,body", "q1,\"red, \"\"green\"\"\"", "q2,blue")
  )
  if (requireNamespace("nanoparquet", quietly = TRUE)) {
    path <- withr::local_tempfile(fileext = ".parquet")
    nanoparquet::write_parquet(data.frame(qid = c("q1", "q2"), contents = texts$text), path)
    forms <- c(forms, path)
  }
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = c("q1", "q2"), doc = c("d1", "d2", "d3", "d1"),
                     rank = 1)
  for (path in forms) {
    expect_equal(queries_from_path(path), texts, label = paste(readLines(path, n = 1, warn = FALSE)))
    x <- suppressMessages(test_collection(runs, queries = path, k = 1, scale = 0:1))
    expect_equal(x$queries, texts)
    shown <- content_source(path, "queries", "query")
    expect_equal(as.data.frame(shown), texts)
    expect_equal(text_columns(x$queries, "query"), texts)
  }
})

test_that("numeric identifiers, nested fields and compressed files of topics are read", {
  skip_if_not_installed("jsonlite")
  path <- withr::local_tempfile(fileext = ".jsonl.gz")
  connection <- gzfile(path, "w")
  writeLines(c('{"id": 1048585, "contents": "a", "metadata": {"url": "http://a"}}', '{"id": 12, "contents": "b"}'),
             connection)
  close(connection)
  read <- read_documents(path)
  expect_identical(read$doc, c("1048585", "12"))
  expect_identical(read$text, c("a", "b"))
  expect_identical(read$metadata.url, c("http://a", NA))
})

test_that("tables of documents keep texts, images and addresses", {
  expect_identical(text_names(c("doc", "text", "body"), "doc"), c("doc", "text", "body"))
  expect_identical(text_names(c("doc", "Contents", "image-url"), "doc"), c("doc", "text", "image"))
  expect_identical(text_names(c("id", "query"), "query"), c("query", "text"))
  documents <- data.frame(doc = c("a", "b"), image = c("img/a.png", NA), body = c(NA, "of b"))
  content <- page_content(documents, NULL, NULL, TRUE)
  expect_match(as.character(show_item(content, "q", "a", "the document")), "<img src=\"img/a.png\"", fixed = TRUE)
  expect_match(as.character(show_item(content, "q", "b", "the document")), "of b", fixed = TRUE)
  expect_error(page_content(data.frame(doc = "a", image = "javascript:x()"), NULL, NULL, TRUE),
               class = "judicious_error_unsafe_url")
})

test_that("the terminal shows all fields of a topic", {
  x <- list(queries = topics, documents = data.frame(doc = "d", title = "A title", text = "words"))
  said <- character()
  show_document(list(query = "301", doc = "d"), NULL, x, function(...) said <<- c(said, paste0(...)))
  expect_identical(said, c("", "Query     301", "  Organized Crime", "  Identify organizations.",
                           "  Names are relevant.\n\n  Others are not.", "Document  d", "  A title", "  words"))
})

test_that("files that cannot be read as topics raise errors that say why", {
  skip_if_not_installed("jsonlite")
  expect_snapshot(error = TRUE, transform = hide_paths, {
    queries_from_path(written("<html>", "<body>x</body>"))
    queries_from_path(written("[1, 2]"))
    queries_from_path(written('{"_id": "1", "text": "a"}', "{broken"))
    queries_from_path(written('{"name": "1", "text": "a"}'))
    queries_from_path(written('{"number_of_topic": "one", "words": "a text"}'))
    read_documents(written("<top><num>1<title>a</top>"))
    queries_from_path(c(written("<top><num>1<title>a</top>"), written("1\ta")))
  })
})

test_that("a JSON object with an entry per identifier is read as topics or documents", {
  expect_equal(queries_from_path(written('{"301": "Organized Crime", "302": "Polio & post-polio"}')),
               data.frame(query = topics$query, text = topics$title))
  objects <- written('{"301": {"title": "Organized Crime"}, "302": {"title": "Polio & post-polio"}}')
  expect_equal(queries_from_path(objects), topics[1:2])
  one <- read_documents(written('{"id": "d1", "contents": "a"}'))
  expect_equal(one, data.frame(doc = "d1", text = "a"))
})

test_that("column names for texts that other collections and tools use are recognised", {
  for (name in c("segment", "doc_text", "document", "abstract")) {
    path <- written(sprintf('{"docno": "d%d", "%s": "text %d"}', 1:2, name, 1:2))
    expect_equal(read_documents(path), data.frame(doc = c("d1", "d2"), text = c("text 1", "text 2")))
  }
  expect_equal(read_documents(written("d1\thttp://a.org/\tA title\tThe text")),
               data.frame(doc = "d1", url = "http://a.org/", title = "A title", text = "The text"))
  other <- written("d1\trock\tA title\tThe text")
  expect_error(read_documents(other), "no addresses", class = "judicious_error_columns")
  expect_equal(queries_from_path(written("id;title", "q1;red, \"green\"", "q2;blue")),
               data.frame(query = c("q1", "q2"), title = c('red, "green"', "blue")))
})

test_that("a column of documents that has the name of another identifier may have empty cells", {
  read <- read_documents(bytes_file("doc,query,length\na,q1,2\nb,,3\n"))
  expect_identical(read, data.frame(doc = c("a", "b"), query = c("q1", NA), length = c(2, 3)))
  expect_error(read_documents(bytes_file("doc,query,length\na,q1,2\n,q2,3\n")), "\"doc\" has no identifier in line 3",
               class = "judicious_error_columns")
})

test_that("metadata without a column of identifiers raise an error that names the file", {
  path <- written("title,artist", "Misery,Beatles")
  expect_error(read_documents(path, header = TRUE), paste0("'", path, "' has no column \"doc\""), fixed = TRUE,
               class = "judicious_error_columns")
  path <- written("[{\"title\": \"Misery\", \"artist\": \"Beatles\"}]")
  expect_error(queries_from_path(path), paste0("'", path, "' has no column \"query\""), fixed = TRUE,
               class = "judicious_error_columns")
})
