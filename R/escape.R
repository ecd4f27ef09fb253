# Escapes untrusted text, such as names, metadata and comments, for programs that interpret text. There is one function
# for each kind of output, and all writers use it: html_text(), markdown_text(), yaml_text() and csv_text(), whose
# inverse is csv_value(). knitr::kable() escapes text for LaTeX, in latex_table().

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
