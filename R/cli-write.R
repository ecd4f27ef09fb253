# Writes the results of commands as text.

cli_write <- function(data, options) {
  rows <- as.data.frame(data, stringsAsFactors = FALSE)
  if (is_parquet(options$output)) {
    cli_refuse(options, c("format", "digits", "no-header"), "not available with --output FILE.parquet")
    need_package("nanoparquet", "--output FILE.parquet", call = NULL)
    return(write_bytes(nanoparquet::write_parquet(rows, ":raw:"), options$output, "--output"))
  }
  ending <- lower_ascii(sub("^.*[.]", "", options$output))
  if (!"format" %in% options$given && ending %in% c("csv", "json")) options$format <- ending
  lines <- if (options$format != "json") cli_table(rows, options) else {
    need_package("jsonlite", "--format json", call = NULL)
    # Rounds to significant digits, as the other formats do.
    numbers <- vapply(rows, is.double, NA)
    rows[numbers] <- lapply(rows[numbers], signif, options$digits)
    jsonlite::toJSON(rows, dataframe = "rows", na = "null", digits = NA)
  }
  cli_write_lines(lines, options$output)
}

cli_write_lines <- function(lines, output) {
  if (is_parquet(output)) abort_usage("--output: these results are text, which cannot be written in Parquet format.")
  if (output != "-") return(write_lines(lines, output, "--output"))
  # Writes bytes directly, because writeLines() does not report write errors on standard output. writeLines() is used
  # only in interactive sessions and if R captures the output.
  if (interactive() || sink.number() > 0) return(writeLines(lines, stdout(), useBytes = TRUE))
  flush(stdout())
  why <- write_standard_output_cpp(charToRaw(paste0(c(lines, ""), collapse = "\n")))
  if (why == "closed") abort_judicious("Standard output was closed by its reader.", "closed", call = NULL)
  if (nzchar(why)) abort_judicious("Standard output cannot be written: {why}.", "file", call = NULL)
}

cli_table <- function(data, options) {
  lines <- if (options$format == "csv") {
    # A file may be opened in a spreadsheet, where texts could act as formulas, so these are made harmless. The output
    # of a pipe is read by a program, and stays unchanged.
    csv_lines(data, formulas = identical(options$output, "-"), options$digits, absent = "NA")
  } else {
    columns <- Map(function(name, column) c(name, field_text(column, options$digits)), names(data), data)
    broken <- which(vapply(columns, function(text) any(grepl("[\t\r\n]", text)), NA))
    abort_unless(!length(broken), c(
      "Column {.val {names(data)[broken[1]]}} has a tab or a line break, which TSV cannot represent.",
      i = "Use --format csv or --format json."
    ), "output", call = NULL)
    do.call(paste, c(unname(columns), sep = "\t"))
  }
  if (options$no_header) lines[-1] else lines
}
