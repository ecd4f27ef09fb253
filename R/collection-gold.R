# Right answers ("gold"): the right answer to a question determines the gains of all answers to it.

# Whether each answer equals one of the right answers, which empty lines separate; see read_answers().
same_answer <- function(answer, gold) {
  accepted <- strsplit(gold, "\n[[:space:]]*\n")
  index <- rep(seq_along(gold), lengths(accepted))
  answer_form <- normalised_answer(answer)
  answer_form == normalised_answer(gold) |
    seq_along(gold) %in% index[answer_form[index] == normalised_answer(unlist(accepted))]
}

# Removes white space at the ends of texts, and converts numbers to a unique form: sign, digits, point, digits, without
# zeros at either end. Numbers without an exponent stay text, because R's numbers have only 15 digits.
normalised_answer <- function(text) {
  text <- gsub("^[[:space:]]+|[[:space:]]+$", "", text)
  number <- gsub("\u2212", "-", text, fixed = TRUE)
  is_number <- grepl("^[-+]?([0-9]{1,3}(,[0-9]{3})+|[0-9]*)([.][0-9]*)?([eE][-+]?[0-9]{1,3})?$", number) &
    grepl("^[-+]?[.]?[0-9]", number)
  number <- gsub(",|^[+]", "", number[is_number])
  powers <- grepl("e", number, ignore.case = TRUE)
  number[powers] <- vapply(as.numeric(number[powers]), format, "", digits = 15, scientific = FALSE)
  integer_part <- sub("^-?0*([^.]*).*", "\\1", number)
  part <- sub("0+$", "", sub("^[^.]*[.]?", "", number))
  sign <- ifelse(startsWith(number, "-") & nzchar(paste0(integer_part, part)), "-", "")
  replace(text, is_number, paste0("\001", sign, integer_part, ".", part))
}

# The gains of all answers to queries with the right answers `gold`: a data frame of `pair`, `gain` and `row`, the index
# in `query`. The user's function `compare` returns gains, or TRUE for the highest and FALSE for the lowest level of the
# scale; pairs for which it returns NA are left out.
gains_by_gold <- function(x, query, gold, compare) {
  check_that("text" %in% names(x$documents), "gold", c(
    "settles answers by their texts, but the collection has none.",
    i = hint("{.fn read_answers} keeps them; {.code test_collection(documents = )} has them in a column {.val text}.",
             "Files of answers have them; --documents FILE has them in a column text.")
  ), kind = "columns")
  if (!is.null(compare)) check_function(compare, "match")
  code <- match(query, x$queries$query)
  pair <- which(x$pool$query %in% code)
  row <- match(x$pool$query[pair], code)
  answer <- x$documents[["text"]][x$pool$doc[pair]]
  answer[is.na(answer)] <- ""
  right <- (compare %||% same_answer)(answer, gold[row])
  check_that((is.logical(right) || is.numeric(right)) && length(right) == length(pair), "match", "must return TRUE,
    FALSE, NA or a gain for each of {format_count(length(pair))} answers, not {.obj_type_friendly {right}} of length
    {length(right)}.")
  gain <- if (is.logical(right)) range(x$scale$levels)[1 + right] else as.numeric(right)
  ids <- pool_ids(x)[pair, ]
  found <- data.frame(pair = pair, gain = gain, row = row)[!is.na(gain), ]
  found$gain <- check_gains(found$gain, x$scale, ids$query[!is.na(gain)], ids$doc[!is.na(gain)], "match")
  found
}

# Right answers in the form in which users state them: the `column` of the table of answers, or a data frame of `query`
# and `gold`, where the query may be the text of the question.
gold_source <- function(gold, columns) {
  if (is.null(gold) || is_string(gold) && (gold %in% columns || !file.exists(gold))) return(list(column = gold))
  check_that(is.data.frame(gold) || is_source(gold), "gold", "must be the name of a column, or a table of right answers:
    a data frame, the path of a file or a table of a database.")
  rows <- answer_rows(gold, list(), "gold")$rows
  named <- function(roles) names(rows)[has_role(names(rows), roles)]
  query <- c(named("query"), named("question"))[1]
  gold_column <- c(named("gold"), setdiff(names(rows), c(named(c("query", "question")), "answers", "score")))[1]
  check_that(!is.na(query) && !is.na(gold_column), "gold", c(
    "{.arg gold} has no columns of the question and of its right answer.",
    i = "They are called, for instance, {.val query} and {.val gold}; it has {.val {names(rows)}}."
  ), kind = "columns")
  answers <- data.frame(query = id_text(rows[[query]]), gold = id_text(rows[[gold_column]]))
  list(table = answers[!is.na(answers$gold) & nzchar(trimws(answers$gold)), ])
}

# The collection with the right answers of its queries, and the gains of answers that follow from them.
with_gold <- function(x, gold, compare) {
  gold <- unique(gold[!is.na(gold$gold) & nzchar(trimws(gold$gold)), ])
  repeated <- gold$query[duplicated(gold$query)]
  check_that(!length(repeated), "gold", c(
    "has two right answers of question {.val {repeated[1]}}: {.val {gold$gold[gold$query == repeated[1]][1:2]}}.",
    i = "Texts between empty lines are right answers of the same question."
  ), kind = "duplicate_id")
  query_index <- match(gold$query, x$queries$query)
  if (anyNA(query_index)) query_index <- ifelse(is.na(query_index), match(gold$query, x$queries[["text"]]), query_index)
  check_that(!all(is.na(query_index)), "gold", c(
    "has no right answer of a question that was answered.",
    x = "The questions are {.val {utils::head(x$queries$query, 2)}}; those of {.arg gold} {.val {gold$query[1]}}."
  ), kind = "missing_gains")
  gold <- gold[!is.na(query_index), ]
  query_index <- query_index[!is.na(query_index)]
  x$queries$gold <- replace(rep(NA_character_, nrow(x$queries)), query_index, gold$gold)
  settled <- gains_by_gold(x, x$queries$query[query_index], gold$gold, compare)
  add_judgments(x, data.frame(pool_ids(x)[settled$pair, ], gain = settled$gain))
}
