# Writes results to files, which appear completely or not at all, and tables for LaTeX.

#' Write a file atomically
#'
#' Writes a temporary file in the same directory, flushes it to the disk and renames it. If the target is not a regular
#' file, such as a device or a pipe, it is written directly.
#'
#' @param write A function of a path that writes the file and returns a description of the error, `""` if there is none.
#' @param what Name of the file in messages: an argument or an option.
#' @noRd
write_whole <- function(file, write, what) {
  fail <- function(why) {
    abort_judicious("{what}: {.file {file}} cannot be written{if (nzchar(why)) ': '}{why}.", "file", path = file)
  }
  attempt <- function(path) tryCatch(write(path), warning = conditionMessage, error = conditionMessage)
  place <- path.expand(file)
  existed <- file.exists(place)
  if (existed && !is_regular_file_cpp(place)) {
    why <- attempt(place)
    return(if (nzchar(why)) fail(why) else invisible(file))
  }
  if (existed) place <- normalizePath(place)
  draft <- tempfile(paste0(".", basename(place), "-"), dirname(place))
  on.exit(unlink(draft))
  why <- attempt(draft)
  if (!nzchar(why)) why <- sync_file_cpp(draft)
  if (nzchar(why)) fail(why)
  if (existed) Sys.chmod(draft, file.mode(place), use_umask = FALSE)
  if (!suppressWarnings(file.rename(draft, place))) fail("")
  invisible(file)
}

write_bytes <- function(bytes, file, what) {
  write_whole(file, function(path) write_bytes_cpp(path, bytes), what)
}

write_lines <- function(lines, file, what) {
  write_bytes(charToRaw(paste0(c(enc2utf8(as.character(lines)), ""), collapse = "\n")), file, what)
}

# Writes a CSV file. `formulas`: whether texts that a spreadsheet would take for formulas are written unescaped.
write_csv <- function(data, file, what, formulas = FALSE) {
  write_lines(csv_lines(data, formulas), file, what)
}

csv_lines <- function(data, formulas = FALSE, digits = 15, absent = "") {
  guard <- if (formulas) identity else csv_text
  columns <- lapply(data, function(value) {
    text <- replace(field_text(value, digits), is.na(value), absent)
    csv_quote(if (is.numeric(value)) text else guard(text))
  })
  rows <- if (nrow(data)) do.call(paste, c(unname(columns), sep = ","))
  c(paste(csv_quote(guard(names(data))), collapse = ","), rows)
}

field_text <- function(value, digits) {
  if (is.double(value)) {
    is_whole <- is.finite(value) & value == trunc(value) & abs(value) < 1e15
    text <- formatC(value, digits = digits, format = "g", width = 1, decimal.mark = ".")
    text[is_whole] <- sprintf("%.0f", value[is_whole])
    text[is.na(value)] <- "NA"
    return(text)
  }
  text <- enc2utf8(as.character(value))
  text[is.na(text)] <- "NA"
  text
}

csv_quote <- function(text) {
  needs <- grepl("[\",\r\n]", text)
  text[needs] <- paste0("\"", gsub("\"", "\"\"", text[needs], fixed = TRUE), "\"")
  text
}

# The format of a file, from the extension of its name. `formats`: the supported formats, named by the extension if it
# differs. Without an extension, the format is the first one.
format_of_name <- function(file, formats) {
  ending <- tolower(sub("^.*[.]|^[^.]*$", "", basename(file)))
  endings <- ifelse(nzchar(names(formats) %||% rep("", length(formats))), names(formats), formats)
  if (!nzchar(ending)) return(formats[[1]])
  if (ending %in% endings) return(formats[[match(ending, endings)]])
  abort_judicious(c("{.arg file}: the ending of {.file {basename(file)}} does not state a format that can be written.",
                    i = "The endings are {.val {paste0('.', endings)}}."), "argument", argument = "file")
}

# A table for LaTeX. `cells`: a column of text for each letter of `align`. Special characters are escaped.
latex_table <- function(cells, header, align) {
  need_package("knitr", "{.fn toLatex}")
  cells <- as.data.frame(lapply(cells, function(text) sub("^ *NA$", "--", text)))
  text <- knitr::kable(cells, "latex", col.names = header, align = align, booktabs = TRUE, linesep = "",
                       toprule = "\\hline", midrule = "\\hline", bottomrule = "\\hline")
  text <- gsub("(& (\\$-\\$)?)Inf ", "\\1$\\\\infty$ ", gsub("& -([0-9I])", "& $-$\\1", text))
  # With LaTeX's default fonts, ">" and "<" in text would print as other characters.
  text <- gsub("& < ?([0-9])", "& $<$\\1", text)
  structure(sub("^>=", "$\\\\geq$", strsplit(trimws(text), "\n")[[1]]), class = "Latex")
}

format_fixed <- function(x, digits) sprintf("%.*f", digits, x)
