# Runs the command line in this process. Returns its status, and the lines of standard output and standard error.
cli <- function(...) {
  words <- c(...)
  err <- NULL
  status <- NULL
  out <- utils::capture.output(
    err <- utils::capture.output(status <- cli_main(words), type = "message"),
    type = "output"
  )
  list(status = status, out = enc2utf8(out), err = err)
}

# The table that the command line writes, as a data frame.
cli_data <- function(...) {
  ran <- cli(..., "--digits", "15", "--quiet")
  if (ran$status != 0) stop("status ", ran$status, ": ", paste(ran$err, collapse = " "))
  utils::read.delim(text = ran$out, check.names = FALSE, stringsAsFactors = FALSE, quote = "")
}

demo_file <- function(name) system.file("extdata", "demo", name, package = "judicious", mustWork = TRUE)

# The collection of the example files, made without the command line.
demo_collection <- function(judgments = NULL) {
  test_collection(demo_file("runs.tsv"), demo_file("documents.tsv"), demo_file("systems.tsv"),
                  judgments = if (!is.null(judgments)) demo_file(judgments))
}

demo_words <- function() {
  c(demo_file("runs.tsv"), "--documents", demo_file("documents.tsv"), "--systems", demo_file("systems.tsv"))
}

# Removes folders from lines of output, because they differ between machines.
hide_folders <- function(lines) gsub("'?[^ '\"]*/(extdata/demo|Rtmp[^/ ']*)/", "", lines)

write_model <- function(model, path) writeBin(encode_data(model, "model"), path)
read_model <- function(path) decode_data(readBin(path, "raw", file.size(path)), "model")

skip_without_pandoc <- function() {
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available("2.0"), "pandoc")
}
