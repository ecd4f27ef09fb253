# The command line: results as text.

cli_write <- function(data, options) {
  data <- as.data.frame(data, stringsAsFactors = FALSE)
  lines <- if (options$format == "json") cli_json(data, options$digits) else cli_table(data, options)
  cli_write_lines(lines, options$output)
}

cli_write_lines <- function(lines, output) {
  if (output == "-") {
    writeLines(lines, stdout(), useBytes = TRUE)
    return(invisible())
  }
  con <- tryCatch(suppressWarnings(file(output, "wb")), error = function(cnd) {
    abort_judicious("--output: {.file {output}} cannot be written.", "file", call = NULL)
  })
  on.exit(close(con))
  writeLines(lines, con, useBytes = TRUE)
}

cli_json <- function(data, digits) {
  need_package("jsonlite", "--format json", call = NULL)
  # Significant digits, as in the other formats.
  numbers <- vapply(data, is.double, NA)
  data[numbers] <- lapply(data[numbers], signif, digits)
  jsonlite::toJSON(data, dataframe = "rows", na = "null", digits = NA)
}

cli_table <- function(data, options) {
  columns <- lapply(data, cli_field, digits = options$digits)
  if (options$format == "csv") {
    columns <- lapply(columns, cli_quote)
  } else {
    at <- which(vapply(columns, function(text) any(grepl("[\t\r\n]", text)), NA))
    if (length(at)) {
      abort_judicious(c("Column {.val {names(data)[at[1]]}} has a tab or a line break, which TSV cannot hold.",
                        i = "Use --format csv or --format json."), "output", call = NULL)
    }
  }
  separator <- if (options$format == "csv") "," else "\t"
  rows <- if (nrow(data)) do.call(paste, c(unname(columns), sep = separator))
  as.character(c(if (!options$no_header) paste(names(data), collapse = separator), rows))
}

cli_field <- function(value, digits) {
  if (is.double(value)) {
    whole <- is.finite(value) & value == trunc(value) & abs(value) < 1e15
    text <- formatC(value, digits = digits, format = "g", width = 1, decimal.mark = ".")
    text[whole] <- sprintf("%.0f", value[whole])
    text[is.na(value)] <- "NA"
    return(text)
  }
  text <- enc2utf8(as.character(value))
  text[is.na(text)] <- "NA"
  text
}

cli_quote <- function(text) {
  needs <- grepl("[\",\r\n]", text)
  text[needs] <- paste0("\"", gsub("\"", "\"\"", text[needs], fixed = TRUE), "\"")
  text
}
