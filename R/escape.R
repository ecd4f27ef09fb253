# Escapes untrusted text, such as names, metadata and comments, for programs that interpret text. There is one function
# for each kind of output, and all writers use it: terminal_text(), html_text(), markdown_text(), yaml_text() and
# csv_text(), whose inverse is csv_value(). knitr::kable() escapes text for LaTeX, in latex_table().

# Converts text to UTF-8, because text that is sorted by bytes and compared with text from files must have the same
# encoding. The C locale supports only ASCII: in it, text without a declared encoding is treated as UTF-8 if it is
# valid.
utf8_text <- function(x) {
  in_c <- Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
  foreign <- Encoding(x) == "latin1" | !(in_c || l10n_info()[["UTF-8"]])
  x[foreign] <- enc2utf8(x[foreign])
  undeclared <- if (in_c) which(Encoding(x) == "unknown" & !is.na(x) & validUTF8(x))
  if (length(undeclared)) {
    marked <- x[undeclared]
    Encoding(marked) <- "UTF-8"
    x[undeclared] <- marked
  }
  x
}

# A pattern for the bytes of control characters in UTF-8.
control_bytes <- "[\\x01-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]"

has_control <- function(text) grepl(control_bytes, text, perl = TRUE, useBytes = TRUE)

# A pattern for control characters, and for the marks that change the direction of text.
unseen_characters <- "[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"

# Replaces such characters by their codes, except those in `keep`.
with_visible_controls <- function(text, keep = character()) {
  text <- iconv(utf8_text(as.character(text)), "UTF-8", "UTF-8", sub = "byte")
  found <- unique(unlist(regmatches(text, gregexpr(unseen_characters, text, perl = TRUE))))
  for (one in setdiff(found[!is.na(found)], keep)) {
    text <- gsub(one, sprintf("<U+%04X>", utf8ToInt(one)), text, fixed = TRUE)
  }
  text
}

# Makes control characters visible, because a terminal would execute the sequences that they begin.
terminal_text <- function(text) with_visible_controls(text, c("\n", "\t"))

# Like base R's cat(), but makes control characters visible. It has the same name, so that all print methods of the
# package use it.
cat <- function(..., file = "", sep = " ", append = FALSE) {
  parts <- lapply(list(...), function(part) if (is.character(part)) terminal_text(part) else part)
  do.call(base::cat, c(parts, list(file = file, sep = sep, append = append)))
}

# Prints a table with visible control characters.
print_table <- function(data, ...) {
  data[] <- lapply(data, function(column) {
    if (is.factor(column)) column <- as.character(column)
    if (is.character(column)) replace(column, !is.na(column), terminal_text(column[!is.na(column)])) else column
  })
  names(data) <- terminal_text(names(data))
  print(data, ...)
}

# Makes control characters visible in a message that cli has formatted, except in cli's own sequences for colours and
# links.
message_text <- function(text) {
  cli_codes <- gregexpr("\033\\[[0-9;]*m|\033\\]8;[^;\033]*;[^\a\033]*(\a|\033\\\\)", text, perl = TRUE)
  between <- regmatches(text, cli_codes, invert = TRUE)
  regmatches(text, cli_codes, invert = TRUE) <- lapply(between, with_visible_controls, keep = c("\n", "\t", in_r_only))
  text
}

# A mark before code in messages that applies only in R; cli_one_line() removes hints with such code, and elsewhere the
# mark.
in_r_only <- "\u001f"

# Escapes text for the content of an HTML element, or for an attribute in double quotes. Backquotes are escaped, too,
# because they could end a block of raw HTML in Markdown.
html_text <- function(text) {
  text <- with_visible_controls(text, c("\n", "\t"))
  entities <- c("&" = "&amp;", "<" = "&lt;", ">" = "&gt;", "\"" = "&quot;", "`" = "&#96;")
  for (one in names(entities)) text <- gsub(one, entities[[one]], text, fixed = TRUE)
  text
}

# Escapes text for use within a line of Markdown.
markdown_text <- function(text) gsub("([][\\\\`*_<>|~$^#&\"{}!@])", "\\\\\\1", with_visible_controls(text))

# Converts escaped Markdown to plain text.
without_markdown <- function(text) gsub("\\\\([[:punct:]])", "\\1", gsub("**", "", text, fixed = TRUE))

# Escapes text for a YAML string in double quotes.
yaml_text <- function(text) gsub("([\\\\\"])", "\\\\\\1", with_visible_controls(text))

# Escapes text for CSV: adds an apostrophe before a leading =, +, -, @, tab or line end, which could begin a formula. A
# spreadsheet treats a field with a leading apostrophe as text; the Open Worldwide Application Security Project
# recommends this against "CSV injection". If a text begins with apostrophes before such a character, one more is added,
# so that csv_value() can undo this.
csv_text <- function(text) sub("^('*[=+@\t\r\n-])", "'\\1", text, perl = TRUE)

csv_value <- function(text) sub("^'('*[=+@\t\r\n-])", "\\1", text, perl = TRUE)
