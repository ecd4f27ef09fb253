# Numbers in tables of answers: ratings and grades, also in words, with labels, or with decimal commas.

# Whether all values with commas in a column look like numbers with decimal commas, which spreadsheets of many languages
# write. A column with a decimal point, or with lists such as "1,2,3", does not.
has_decimal_commas <- function(value) {
  with_comma <- grep(",", value, fixed = TRUE, value = TRUE)
  length(with_comma) && !any(grepl(".", value, fixed = TRUE)) && all(grepl("^ *-?[0-9]+,[0-9]{1,2} *$", with_comma))
}

# Whether the values with commas may also be pairs of chosen options in ascending order: "1,2" may be one, "3,0" may
# not.
may_be_choices <- function(value) {
  parts <- strsplit(grep(",", value, fixed = TRUE, value = TRUE), ",", fixed = TRUE)
  all(vapply(parts, function(part) as.numeric(part[1]) >= 1 && diff(as.numeric(part)) > 0, NA))
}

# Whether commas in a table are decimal marks: the separator of its columns is not the comma, or a column has numbers
# with commas that cannot be lists of options.
writes_decimal_commas <- function(read) {
  isTRUE(read$decimal_comma) || any(vapply(read$rows, function(value) {
    is.character(value) && has_decimal_commas(value) &&
      all(grepl("^ *-?[0-9]+(,[0-9]{1,2})? *$", value) | is.na(value) | value == "") && !may_be_choices(value)
  }, NA))
}

with_decimal_points <- function(value, column, decimal_comma) {
  if (!is.character(value) || !has_decimal_commas(value)) return(value)
  check_that(isTRUE(decimal_comma) || !may_be_choices(value), "x", c(
    "The column {.val {column}} has numbers with decimal commas, or several choices in a row, such as
      {.val {grep(',', value, value = TRUE)[1]}}.",
    i = "If they are numbers, write decimal points, or separate the columns of the file by semicolons or tabs.",
    i = "If they are choices, give each choice a column of its own."
  ), kind = "columns", columns = column)
  sub(",", ".", value, fixed = TRUE)
}

# Converts a column to numbers; words such as yes and no become 1 and 0.
number_column <- function(value, column, decimal_comma = FALSE) {
  if (is.logical(value) || is.numeric(value)) return(as.numeric(value))
  value <- without_missing_words(value)
  as_numbers(with_decimal_points(numbers_of_words(value), column, decimal_comma), column, "gain", missing = NA,
             advice = advice_on_words(value))
}

# Texts, with NA for those that mean that there is no rating.
without_missing_words <- function(value) {
  value <- trimws(valid_text(value))
  replace(value, value %in% "-" | are_missing_words(value), NA)
}

advice_on_words <- function(value) paste("Words such as yes and no are 1 and 0.", label_advice(value))

# A column of grades, in which words and labels are converted as in ratings; words that mark failures remain.
grade_column <- function(rows, name) {
  value <- rows[[name]]
  if (!is.character(value)) return(value)
  is_grade <- !are_missing_words(value) & !is.na(value)
  value[is_grade] <- numbers_of_words(trimws(value[is_grade]))
  value <- with_decimal_points(value, name, attr(rows, "decimal_comma"))
  # A word among numbers may mark a failure, which `failed` states.
  has_numbers <- !all(is.na(parse_numbers_cpp(value[is_grade])))
  if (!has_numbers) as_numbers(value[is_grade], name, "grades", advice = advice_on_words(value[is_grade]))
  value
}

# Converts a column of `rows` to numbers; a minus sign before its name reverses the sign, because lower values are
# better.
signed_column <- function(rows, name) {
  column <- if (name %in% names(rows)) name else bare_names(name)
  order <- attr(rows, "orders")[[column]]
  value <- if (is.null(order)) number_column(rows[[column]], column, attr(rows, "decimal_comma")) else
    match(without_missing_words(rows[[column]]), order) - 1
  if (column == name) value else -value
}

# The levels of ordered factors in a data frame that are words, such as "bad" and "good": as ratings, they count from 0.
# A level such as "n/a" is no rating.
orders_of_words <- function(x) {
  are_words <- function(levels) !has_decimal_commas(levels) && anyNA(parse_numbers_cpp(numbers_of_words(levels)))
  ratings <- lapply(Filter(is.ordered, x), function(column) stats::na.omit(without_missing_words(levels(column))))
  Filter(are_words, ratings)
}

# The scale of ratings. A few whole numbers are the levels; with decimals or more levels, any number between the ends is
# allowed. `ends`: see stated_ends().
scale_of_ratings <- function(gain, ends = NULL) {
  ends <- if (are_within(gain, ends)) ends
  gain <- c(gain, ends)
  range <- if (length(ends) == 2) ends else likely_ends(gain)
  width <- diff(range)
  are_whole <- all(gain == trunc(gain)) && width <= 10
  levels <- if (width > 10) seq(range[1], range[2], length.out = 11) else
    if (are_whole || width > 1) range[1]:range[2] else range[1] + 0:4 / 4
  out <- gain_scale(levels)
  out$any_value <- !are_whole
  if (are_whole && length(ends) < 2) out$other <- other_scale_text(gain, range[1])
  out$basis <- paste0(if (!are_whole) " and numbers between", ", ", if (length(ends)) "as the ratings state" else
    "inferred from the ratings")
  out
}

# Whether no rating is beyond the ends, of which the lower may not be known.
are_within <- function(gain, ends) {
  length(ends) > 0 && max(gain) <= max(ends) && (length(ends) == 1 || min(gain) >= ends[1])
}

# The lowest level is 0, or the lowest number if it is negative, or 1 if the numbers look like ratings from 1 to at most
# 10.
likely_ends <- function(gain) {
  low <- if (lowest_level(gain, highest = 2, enough = 1) == 1) 1 else min(0, floor(min(gain)))
  c(low, if (max(gain) <= 1 && low == 0) 1 else ceiling(max(gain)))
}

# The ends of the scale that all columns of ratings state: in their names, as in "rating (1-5)" and "score (0 = bad, 10
# = good)"; by the levels of an ordered factor; or, the upper one, in all their values, as in "4/5", "4 out of 5" and
# "80%". NULL if they state none.
stated_ends <- function(rows, roles) {
  columns <- role_columns(if (length(roles$assessor) > 1) roles$assessor else roles$gain)
  ends <- unique(lapply(columns, function(name) {
    column <- if (name %in% names(rows)) name else bare_names(name)
    ends <- ends_in_name(column) %||% ends_of_levels(attr(rows, "orders")[[column]]) %||% end_in_values(rows[[column]])
    if (column == name) ends else if (length(ends) == 2) -rev(ends)
  }))
  if (length(ends) == 1 && !(is.numeric(roles$gain) && any(roles$gain < 0))) ends[[1]]
}

ends_in_name <- function(name) {
  text <- regmatches(name, regexpr("[([].*[])]", name))
  numbers <- as.numeric(unlist(regmatches(text, gregexpr("[0-9]+", text))))
  between <- "^[^0-9]*[0-9]+ *(-|\u2013|to|[.]+|[=:][^0-9]*) *[0-9]+[^0-9]*$"
  if (length(numbers) == 2 && diff(numbers) > 0 && grepl(between, text)) numbers
}

ends_of_levels <- function(levels) if (length(levels) > 1) c(0, length(levels) - 1)

end_in_values <- function(value) {
  if (!is.character(value)) return(NULL)
  value <- stats::na.omit(without_missing_words(unique(value)))
  pattern <- "^[0-9.,]+ *(?:/|(?:points? )?(?:out )?of) *([0-9]+)$"
  if (length(value) && all(endsWith(value, "%"))) return(c(0, 100))
  highest <- unique(sub(pattern, "\\1", value, perl = TRUE))
  if (length(highest) == 1 && all(grepl(pattern, value, perl = TRUE))) as.numeric(highest)
}
