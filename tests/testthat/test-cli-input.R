test_that("messages report judgments that hardly fit the scale, and files that are not models", {
  few <- demo_collection()
  ids <- as.data.frame(uniform_gains(few))[1:12, c("query", "doc")]
  graded <- bytes_file(paste(c(paste(ids$query, ids$doc, rep(0:3, 3), sep = "\t"), ""), collapse = "\n"))
  none <- bytes_file("not a model", ".model")
  expect_snapshot(transform = hide_folders, {
    writeLines(cli("rank", demo_file("runs.tsv"), "-j", graded)$err)
    writeLines(gsub("file[0-9a-f]+", "FILE", cli("rank", demo_file("runs.tsv"), "--model", none)$err))
    writeLines(cli("rank", demo_file("runs.tsv"), "--model", "published", "--scale", "0,1,2")$err)
    writeLines(cli("rank", demo_file("runs.tsv"), "--model", "published")$err)
  })
})

test_that("a value that contains a tab can be written as CSV, but not as TSV", {
  options <- list(output = "-", format = "tsv", no_header = FALSE, digits = 7)
  expect_snapshot(cli_table(data.frame(system = "a\tb"), options), error = TRUE)
  options$format <- "csv"
  expect_identical(cli_table(data.frame(system = "a\tb"), options), c("system", "a\tb"))
})
