# Numbers in gains, ratings and grades: also words for them, and numbers with labels.

# Words for right and wrong answers.
right_words <- c("true", "yes", "y", "pass", "passed", "correct", "right", "thumbs up")
wrong_words <- c("false", "no", "n", "fail", "failed", "incorrect", "wrong", "thumbs down", "timeout", "timed out")

missing_grade_words <- c("", "na", "n/a", "#n/a", "nan", "null", "none")

# lower_ascii() comes first, because trimws() stops at text that is not UTF-8.
are_missing_words <- function(text, words = missing_grade_words) trimws(lower_ascii(text)) %in% words

# The numbers of words such as yes and no, and of numbers with labels; other texts stay as they are.
numbers_of_words <- function(value) {
  word <- lower_ascii(value)
  value[word %in% right_words] <- "1"
  value[word %in% wrong_words] <- "0"
  value[word %in% c("partial", "partially correct", "partly correct")] <- "0.5"
  without_labels(value)
}

# The numbers in ratings such as "4 - good", "4/5" and "80%", if each number has one label and other digits in the
# labels are the same in all of them. If only some numbers have labels, these stand apart from them, as in "5 (best)".
without_labels <- function(value) {
  distinct <- unique(value[!is.na(value)])
  if (!anyNA(parse_numbers_cpp(distinct))) return(value)
  pattern <- "^(-?[0-9]+(?:[.,][0-9]+)?)( *[^0-9., ].*)?$"
  number <- sub(pattern, "\\1", distinct, perl = TRUE)
  label <- sub(pattern, "\\2", distinct, perl = TRUE)
  is_labelled <- all(grepl(pattern, distinct, perl = TRUE)) && !anyDuplicated(number) &&
    length(unique(gsub("[^0-9]", "", label))) == 1 && (all(nzchar(label)) || all(grepl("^( |[(:=-]|$)", label)))
  if (is_labelled) number[match(value, distinct)] else value
}

# How to replace a few labels, such as "Exact" and "Partial", by numbers.
label_advice <- function(labels) {
  labels <- sort(unique(labels[!is.na(labels) & nzchar(labels)]), method = "radix")
  quoted <- gsub("([{}])", "\\1\\1", paste0("\"", labels, "\"", collapse = ", "))
  if (length(labels) > 10 || any(grepl("[0-9]", labels))) return("Replace labels by numbers, the lowest for the worst.")
  paste0("Replace the labels by numbers, the lowest for the worst",
         hint(paste0(": {.code match(label, c(", quoted, ")) - 1} with the labels in that order")), ".")
}

# Converts text to numbers; an error names the first row that is not a number. Texts in `missing` become NA.
as_numbers <- function(text, column, arg, missing = character(), advice = NULL) {
  distinct <- setdiff(unique(text), missing)
  value <- parse_numbers_cpp(distinct)
  bad <- match(distinct[is.na(value)][1], text)
  check_that(!anyNA(value), arg, c("{.arg {arg}}: column {.val {column}} must hold numbers; row {format_count(bad)} has
    {.val {text[bad]}}.", i = advice), kind = "columns", columns = column, rows = bad)
  value[match(text, distinct)]
}
