# Guidelines in Markdown, which may contain HTML, and thus scripts. From the output of commonmark, only the elements and
# attributes of the lists below are kept, in exactly this form; everything else is shown as text.

# Guidelines that are a tag or marked by htmltools::HTML() come from R code and are shown unchanged.
guidelines_html <- function(guidelines) {
  if (!is.character(guidelines) || inherits(guidelines, "html")) return(guidelines)
  htmltools::HTML(sanitise_html(shiny::markdown(paste(guidelines, collapse = "\n"))))
}

plain_elements <- c("p", "br", "hr", "h[1-6]", "em", "strong", "b", "i", "u", "s", "del", "sub", "sup", "small",
                    "mark", "kbd", "code", "pre", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead",
                    "tbody", "tr", "th", "td", "details", "summary", "a")

# An address without a scheme, or with one that runs no code. Entities must not hide the colon of a scheme.
safe_address <- "((https?:|mailto:)[^\"<>\\s\\\\]*|(?![^\"/?#]*[:&])[^\"<>\\s\\\\]*)"

safe_tags <- paste0(
  "</?(", paste(plain_elements, collapse = "|"), ") ?/?>",
  "|<ol start=\"[0-9]+\">|<code class=\"language-[A-Za-z0-9_+-]+\">|<t[hd] align=\"(left|center|right)\">",
  "|<a href=\"", safe_address, "\"( title=\"[^\"<>]*\")?>",
  "|<img src=\"", safe_address, "\" alt=\"[^\"<>]*\"( title=\"[^\"<>]*\")? ?/?>"
)

sanitise_html <- function(html) {
  html <- as.character(html)
  kept <- gregexpr(safe_tags, html, perl = TRUE)
  between <- regmatches(html, kept, invert = TRUE)[[1]]
  between <- gsub("<", "&lt;", between, fixed = TRUE)
  paste0(between, c(regmatches(html, kept)[[1]], ""), collapse = "")
}
