# Runs a script call by call and records the output of each call, in the format of knitr. Articles on data that cannot
# be redistributed show the stored transcript, results/<name>.txt.

# The transcript of `script`, run in the folder with the data of JUDICIOUS_DATA: one element per call. With `messages`, it
# has the messages, too.
make_transcript <- function(script, messages = FALSE) {
  calls <- parse(script, keep.source = TRUE)
  folder <- tempfile("transcript-")
  dir.create(folder)
  data <- list.dirs(Sys.getenv("JUDICIOUS_DATA"), recursive = FALSE)
  file.symlink(normalizePath(data), file.path(folder, basename(data)))
  old <- setwd(folder)
  on.exit(setwd(old))
  where <- new.env(parent = globalenv())
  vapply(seq_along(calls), function(i) {
    printed <- said_by(calls[[i]], where, messages)
    paste(c(as.character(attr(calls, "srcref")[[i]]), if (length(printed)) paste("#>", printed)), collapse = "\n")
  }, "")
}

# The output and warnings of a call, as lines.
said_by <- function(call, where, messages = FALSE) {
  said <- character()
  printed <- utils::capture.output(withCallingHandlers({
    value <- withVisible(eval(call, where))
    if (value$visible) print(value$value)
  }, warning = function(w) {
    said <<- c(said, paste("Warning:", strsplit(cli::ansi_strip(conditionMessage(w)), "\n")[[1]][1]))
    invokeRestart("muffleWarning")
  }, message = function(m) {
    if (messages) said <<- c(said, strsplit(cli::ansi_strip(conditionMessage(m)), "\n")[[1]])
    invokeRestart("muffleMessage")
  }))
  c(said, printed)
}

transcript_path <- function(name) file.path("results", paste0(name, ".txt"))

between_calls <- "\n\n----\n\n"

store_transcript <- function(name, transcript) {
  writeLines(paste(transcript, collapse = between_calls), transcript_path(name))
}

stored_transcript <- function(name) {
  strsplit(paste(readLines(transcript_path(name)), collapse = "\n"), between_calls, fixed = TRUE)[[1]]
}

# Shows calls of a stored transcript as a code block, with at most `most` lines each.
show_calls <- function(transcript, calls, most = Inf) {
  shown <- vapply(strsplit(transcript[calls], "\n", fixed = TRUE), function(lines) {
    left_out <- length(lines) - most
    paste(c(utils::head(lines, most), if (left_out > 0) sprintf("#> (%d more lines)", left_out)), collapse = "\n")
  }, "")
  cat("```r\n", paste(shown, collapse = "\n\n"), "\n```\n", sep = "")
}
