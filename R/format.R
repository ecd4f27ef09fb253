# Formats of numbers and counts in messages, prints and plots.

format_count <- function(n) format(n, big.mark = ",", decimal.mark = ".", trim = TRUE, scientific = FALSE)

format_number <- function(x) {
  format(x, digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE, decimal.mark = ".")
}

short <- function(value, digits = 4) format(signif(value, digits), trim = TRUE)

counted <- function(n, what, many = paste0(what, "s")) paste(format_count(n), if (n == 1) what else many)

count_queries <- function(n) counted(n, "query", "queries")

percent <- function(share, digits = 0) sprintf("%.*f%%", digits, 100 * share)

# A line of a print: a label and what it says.
cat_row <- function(label, value) cat(sprintf("  %-10s %s\n", label, value))

# The last line of a print that is cut off.
cat_rest <- function(n, what) {
  if (n > 0) cat("and ", counted(n, paste("more", what)), "; print(x, n = Inf) shows all\n", sep = "")
}
