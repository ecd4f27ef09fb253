# Escapes untrusted text, such as names, metadata and comments, for programs that interpret text. There is one function
# per output, which every writer uses: terminal_text(), html_text(), markdown_text(), yaml_text() and csv_text(), which
# csv_value() undoes; knitr::kable() escapes for LaTeX, in latex_table().

# Text that is sorted by bytes and compared with text from files must have the same encoding. The C locale supports only
# ASCII: there, unmarked text is treated as UTF-8 if it is valid.
utf8_text <- function(x) {
  in_c <- Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
  foreign <- Encoding(x) == "latin1" | !(in_c || l10n_info()[["UTF-8"]])
  x[foreign] <- enc2utf8(x[foreign])
  bare <- if (in_c) which(Encoding(x) == "unknown" & !is.na(x) & validUTF8(x))
  if (length(bare)) {
    marked <- x[bare]
    Encoding(marked) <- "UTF-8"
    x[bare] <- marked
  }
  x
}

# The bytes of control characters in UTF-8.
control_bytes <- "[\\x01-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]"

has_control <- function(text) grepl(control_bytes, text, perl = TRUE, useBytes = TRUE)

# Control characters, and the marks that reverse the direction of the text after them.
unseen_characters <- "[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"

# Replaces these characters, except those in `keep`, by their codes.
with_visible_controls <- function(text, keep = character()) {
  text <- iconv(utf8_text(as.character(text)), "UTF-8", "UTF-8", sub = "byte")
  found <- unique(unlist(regmatches(text, gregexpr(unseen_characters, text, perl = TRUE))))
  for (one in setdiff(found[!is.na(found)], keep)) {
    text <- gsub(one, sprintf("<U+%04X>", utf8ToInt(one)), text, fixed = TRUE)
  }
  text
}

# Without control characters, which begin sequences that a terminal executes.
terminal_text <- function(text) with_visible_controls(text, c("\n", "\t"))

# Prints texts as terminal_text() does, in place of R's function of the same name, so that no print method forgets it.
cat <- function(..., file = "", sep = " ", append = FALSE) {
  parts <- lapply(list(...), function(part) if (is.character(part)) terminal_text(part) else part)
  do.call(base::cat, c(parts, list(file = file, sep = sep, append = append)))
}

# Likewise for a table.
print_table <- function(data, ...) {
  data[] <- lapply(data, function(column) {
    if (is.factor(column)) column <- as.character(column)
    if (is.character(column)) replace(column, !is.na(column), terminal_text(column[!is.na(column)])) else column
  })
  names(data) <- terminal_text(names(data))
  print(data, ...)
}

# Likewise for a message that cli has formatted, keeping cli's sequences for colours and links.
message_text <- function(text) {
  own <- gregexpr("\033\\[[0-9;]*m|\033\\]8;[^;\033]*;[^\a\033]*(\a|\033\\\\)", text, perl = TRUE)
  rest <- regmatches(text, own, invert = TRUE)
  regmatches(text, own, invert = TRUE) <- lapply(rest, with_visible_controls, keep = c("\n", "\t", in_r_only))
  text
}

# Marks parts of messages that apply only in R, for cli_one_line().
in_r_only <- "\u001f"

# The content of an element, or of an attribute in double quotes. Without backquotes, no text can end a block of raw
# HTML in Markdown.
html_text <- function(text) {
  text <- with_visible_controls(text, c("\n", "\t"))
  entities <- c("&" = "&amp;", "<" = "&lt;", ">" = "&gt;", "\"" = "&quot;", "`" = "&#96;")
  for (one in names(entities)) text <- gsub(one, entities[[one]], text, fixed = TRUE)
  text
}

# Words within a line of Markdown.
markdown_text <- function(text) gsub("([][\\\\`*_<>|~$^#&\"{}!@])", "\\\\\\1", with_visible_controls(text))

# The plain text of Markdown.
without_markdown <- function(text) gsub("\\\\([[:punct:]])", "\\1", gsub("**", "", text, fixed = TRUE))

# The inside of a string in double quotes.
yaml_text <- function(text) gsub("([\\\\\"])", "\\\\\\1", with_visible_controls(text))

# A leading apostrophe makes a spreadsheet take a field as text, as the Open Worldwide Application Security Project
# recommends against "CSV injection". A text that already begins with apostrophes and such a character gets one more, so
# that csv_value() can undo this.
csv_text <- function(text) sub("^('*[=+@\t\r\n-])", "'\\1", text, perl = TRUE)

csv_value <- function(text) sub("^'('*[=+@\t\r\n-])", "\\1", text, perl = TRUE)
