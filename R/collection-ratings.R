# Sheets of answers to rate: writes rows of the files from which a collection was made, with the same columns, and reads
# the ratings from them.

# The rows of the documents `chosen` (`query` and `doc`), for a rater to fill in. Grades and the ratings of other people
# are left out, because they would influence the rater.
rating_sheet <- function(answers, chosen, assessor) {
  roles <- answers$roles
  source <- answers$read$rows
  # If a document has several rows, such as ratings in a separate file, uses the row with most values, because it has
  # the text.
  fullest <- order(rowSums(is.na(source) | source == ""))
  place <- function(rows) text_key(rows$query, rows$doc)
  n <- nrow(source)
  source_row <- fullest[match(place(chosen), place(answers$rows[seq_len(n), ])[fullest])]
  kept <- intersect(c("system", "team", "query", "question", "context", "answer", "sample"), names(roles))
  shown <- setdiff(unlist(roles[kept]), file_column)
  sheet <- source[source_row, shown, drop = FALSE]
  sheet[if (length(roles$gain)) bare_names(role_columns(roles$gain)) else "rating"] <- rep("", nrow(sheet))
  sheet[if (length(roles$assessor) == 1) roles$assessor else "rater"] <- rep(assessor, nrow(sheet))
  without_row_names(sheet)
}

# The ratings in a sheet for documents of the collection `x`, also if another program has saved the sheet. A rating
# belongs to the system's answer to the question or, if the sheet has no system of `x`, to the answer with the same
# text. A data frame with `query`, `doc`, `gain` and, if it is known, `assessor`.
ratings_in_sheet <- function(x, path, stated, arg) {
  answers <- answer_table(path, stated, arg)
  check_that(!is.null(answers$rows$gain), arg, "{.arg {arg}} has no column of ratings, such as {.val rating}.",
             kind = "columns")
  rows <- answers$rows[!is.na(answers$rows$gain), ]
  check_that(nrow(rows), arg, "{.arg {arg}} has no rating yet: its column of ratings is empty.", kind = "columns")
  results <- as.data.frame(x)[c("system", "query", "doc")]
  # Other programs may change white space, ends of lines, and ids that look like numbers or dates, so questions are also
  # recognised by their texts.
  same_text <- function(text) gsub("[[:space:]]+", " ", trimws(csv_value(text)))
  questions <- same_text(x$queries[["text"]] %||% character())
  questions[is.na(questions) | questions %in% questions[duplicated(questions)]] <- ""
  query_row <- match(same_text(rows$question %||% rep(NA, nrow(rows))), questions, incomparables = c(NA, ""))
  changed <- !rows$query %in% x$queries$query & !is.na(query_row)
  rows$query[changed] <- x$queries$query[query_row[changed]]
  results$text <- same_text(x$documents[["text"]][match(results$doc, x$documents$doc)] %||% rep(NA, nrow(results)))
  rows$text <- same_text(rows$answer %||% rep(NA_character_, nrow(rows)))
  # If a system has several answers to the question, finds the one with the same number or the same text.
  place <- c("system", "query")
  found <- function(columns) results$doc[match(row_keys(rows, columns), row_keys(results, columns))]
  by_system <- found(c(place, "doc"))
  for (key in list(c(place, "text"), place)) by_system <- ifelse(is.na(by_system), found(key), by_system)
  by_text <- found(c("query", "text"))
  rows$doc <- ifelse(rows$system %in% results$system, by_system, by_text)
  lost <- which(is.na(rows$doc))
  where <- function(i) sprintf("question \"%s\", system \"%s\"", rows$query[i], rows$system[i])
  check_that(!length(lost), arg, c(
    "{.arg {arg}}: {format_count(length(lost))} of {counted(nrow(rows), 'rating')} {cli::qty(length(lost))}{?is/are} of
      no answer of the session.",
    x = "The first is of {where(lost[1])}; the session has, for instance, {.val {results$query[1]}} and
      {.val {results$system[1]}}.",
    i = "Programs for tables change identifiers: 001 becomes 1. Read such columns as text there."
  ), kind = "unknown_pair", rows = lost)
  changed <- which(rows$doc != by_text | is.na(by_text) & !is.na(rows$text))
  check_that(!length(changed), arg, c(
    "{.arg {arg}}: {format_count(length(changed))} {cli::qty(length(changed))}answer{?s} {?differs/differ} from the
      session's.", x = "The first is of {where(changed[1])}."
  ), kind = "unknown_pair", rows = changed)
  ratings_of_rows(rows)
}
