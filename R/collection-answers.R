# Constructs a collection of answers: assigns roles to columns, converts answers to documents, and infers the scale of
# the ratings.

#' Read answers of language models and other systems
#'
#' Makes a [test_collection()] of answers, one or more of each system to each question, with ratings of people and
#' grades of language models or metrics, from tables or the files of evaluation tools. Use it to rank systems by few
#' ratings: `rank_systems(read_answers("answers.jsonl"))`.
#'
#' @details
#' A table has a row per answer, per rating, or per question with a column of answers for each system: CSV, TSV, JSON
#' Lines, JSON, Parquet, a data frame or a table of a database; or is a file of a tool: samples of
#' lm-evaluation-harness, logs of Inspect and OpenAI Evals, results of promptfoo, DeepEval, RAGAS, MLflow, Mechanical
#' Turk and Toloka, annotations of AlpacaEval, judgments of UMBRELA, answers of FastChat, exports of Label Studio,
#' Argilla, Prodigy and doccano. JSON needs the package jsonlite.
#'
#' Several files may be of different formats, such as a tool's results and a table of ratings. Ratings belong to the
#' answer with the same system and question, or else with the same value in another column that tells answers apart,
#' such as an id, or the same text. A file of questions is joined to the answers by its ids.
#'
#' Columns are recognised by the names in `system.file("extdata", "answer-columns.csv", package = "judicious")`,
#' whatever their case, the marks between words, and what follows in parentheses. Two columns that may have the same
#' role, and a column `score`, which may be a rating or a grade, are an error that lists them. A message gives the call
#' with the recognised columns.
#'
#' Ratings by people, also with labels ("5 - good"), are gains, and so are scores by comparison with the right
#' answer, such as `exact_match`. The opinion of a language model is a grade, unless you name it as `gain`.
#'
#' Identical answers of several systems to a question are one document. Ratings of one assessor that differ between
#' them are replaced by their mean, with a message.
#'
#' A system may answer a question several times, as by sampling (arrays in JSON): their mean counts. What they have in
#' common is the effect of the system on the question, which [uncertainty()] states apart from what is particular to
#' each (`unjudged documents`, `judged documents`).
#'
#' @param x Paths of files; a data frame; or a table of a database, `list(connection, "table")`. Files
#'   without a column for the system are of one system each, named after the file.
#' @param system,query,answer,gain,assessor,context,question,team,sample Names of the columns of: the system; the id
#'   of the question; the answer; the rating; who rated; retrieved texts, which are shown beside the answer; the text
#'   of the question; the team of the system; the number of the answer, where systems answer a question several times.
#'   NULL recognises them. Several columns of `system` or `query` are joined: `query = c("task", "id")`. A minus sign,
#'   as in `gain = "-errors"`, means that lower is better. `gain = c(fluency = 1, accuracy = 2)` is a weighted mean of
#'   criteria; others become columns of `documents`.
#'   Several columns of `assessor` have the ratings of one assessor each; several of `answer` or `gain`, as in
#'   `answer = c("gpt", "llama")`, those of one system each, named after the elements of the vector or else the columns.
#' @param grades Names of the columns of grades, one per grader; a minus sign means that lower is better. For a table
#'   with columns for each system, a list of such columns in the order of the systems, named by graders.
#' @param scale The gain scale, as in [test_collection()]. NULL takes it from the ratings: the ends that they state
#'   ("rating (1-5)", "80%"), or else whole numbers to the highest one, from 0, or from 1 if no rating is below 1 or
#'   above 10; any number between, if there are decimals or more than 11 levels.
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @param gold Right answers, which judge all answers to a question with gains of 1 and 0 instead of ratings: the name
#'   of their column in `x`, or a table or a file with the id (or text) and the right answer of questions.
#' @param match A function of `answer` and `gold`, two vectors of texts, that returns for each answer TRUE, FALSE, NA
#'   (not known) or a gain.
#' @section Right answers: Without `match`, an answer is right if it and the right answer are equal numbers (such as
#'   `10,800` and `10800.0`), or else the same text, apart from white space at its ends. Where several answers are
#'   right, `gold` has all of them, with an empty line between; in JSON, an array. An answer without a text is wrong.
#'   To judge questions one by one, use `judge(gold = )`.
#' @return A `judicious_collection`, with `k` the largest number of answers of a system to a question: `queries` with
#'   the `text` of the question and `gold`, `documents` with the `text` of the answer, its `context` and further
#'   criteria, `grades`, and the judgments of all assessors.
#' @section Errors: `judicious_error_columns` for missing or ambiguous columns; `judicious_error_duplicate_result` for
#'   several rows of a system and a question without a column that tells who rated; `judicious_error_file` for files
#'   that cannot be read.
#' @seealso [grader_validation()] tells whether the grades can be trusted.
#' @examples
#' answers <- data.frame(
#'   model = rep(c("A", "B"), each = 3), id = rep(1:3, 2),
#'   answer = c("Paris", "4", "blue", "Paris", "5", "green"),
#'   rating = c(5, 5, NA, 5, 1, 2), gpt4 = c(5, 4, 4, 5, 2, 1)
#' )
#' rank_systems(read_answers(answers))
#' @export
read_answers <- function(x, system = NULL, query = NULL, answer = NULL, gain = NULL, grades = NULL, assessor = NULL,
                         context = NULL, question = NULL, team = NULL, sample = NULL, scale = NULL, failed = NULL,
                         gold = NULL, match = NULL) {
  check_that(!missing(x) && (is.data.frame(x) || is_source(x)), "x", "must be paths of files, a data frame or a table of
    a database.")
  stated <- list(system = system, query = query, answer = answer, gain = gain, grades = grades, assessor = assessor,
                context = context, question = question, team = team, sample = sample)
  x_code <- paste(deparse(if (is.character(x)) x else substitute(x), width.cutoff = 500L), collapse = "")
  if (nchar(x_code) > 200 && !is.character(x)) x_code <- "x"
  check_that(is.null(gold) || is.null(gain), "gold", "and {.arg gain} cannot both say how good answers are: leave one
    out.")
  check_that(is.null(match) || !is.null(gold), "match", "compares answers with {.arg gold}, which is missing.")
  answers <- answer_table(x, c(stated, list(gold = gold)), "x", x_code)
  x_new <- collection_of_answers(answers, scale %||% if (!is.null(gold)) gain_scale(0:1), failed)
  if (is.null(gold)) return(x_new)
  with_gold(x_new, answers$read$gold %||% answers$rows[c("query", "gold")], match)
}

# The rows of answers (see rows_of_answers()), the `roles` of their columns, and the original table (`read`). `x_code`:
# the code of `x` in the user's call, for the message that states the roles.
answer_table <- function(x, stated, arg, x_code = NULL) {
  read <- answer_rows(x, stated, arg)
  check_that(nrow(read$rows), arg, "has no rows.", kind = "columns")
  attr(read$rows, "decimal_comma") <- writes_decimal_commas(read)
  attr(read$rows, "orders") <- if (is.data.frame(x)) orders_of_words(x)
  gold <- gold_source(stated$gold, names(read$rows))
  read$gold <- gold$table
  by_gold <- length(stated$gold) > 0
  stated$gold <- gold$column
  found <- column_roles(read, stated, by_gold)
  roles <- found$roles
  if (!is.null(x_code)) report_roles(roles, read, x_code)
  ends <- stated_ends(read$rows, roles)
  if (found$wide) {
    read[c("rows", "part")] <- list(long_answers(read$rows, roles), NULL)
    named <- intersect(answer_roles, names(read$rows))
    roles <- c(stats::setNames(as.list(named), named), list(grades = as.character(names(roles$grades))))
  }
  answers <- rows_of_answers(read$rows, roles, read$part)
  answers$rows <- rows_with_ids(answers$rows, roles)
  c(answers, list(roles = roles, read = read, ends = ends))
}

# Warns of identifiers such as "NA", as R writes a missing value into a file.
warn_missing_words <- function(ids) {
  for (name in names(ids)) {
    rows <- which(ids[[name]] %in% c("NA", "NaN", "nan", "#N/A", "null"))
    if (length(rows)) warn_judicious(c(
      "The {name} of {format_count(length(rows))} {cli::qty(length(rows))}row{?s} is {.val {ids[[name]][rows[1]]}}, the
        first of them row {rows[1]}: is it missing?",
      i = "It counts as the name of a {name}. Remove such rows, or give them their identifier."), "missing_word",
      rows = rows)
  }
}

# Adds the ids of questions and documents to the rows. Identical answers to a question are one document.
rows_with_ids <- function(rows, roles) {
  advice <- "Of merged cells, only the first has the value: fill the others. Remove rows of sums and means."
  rows$system <- check_ids(rows$system, "system", "x", advice)
  warn_similar("Systems", rows$system)
  warn_missing_words(rows[c("system", "query")])
  rows$question <- rows$question %||% if (identical(roles$query, roles$question)) rows$query
  if (identical(roles$query, roles$question)) rows$query <- text_ids(rows$query)
  rows$query <- check_ids(rows$query, "query", "x", advice)
  if (has_row_numbers(rows)) rows$sample <- NULL
  # If there are several files, only some rows of an answer may have its text: copies it to its other rows.
  answer_key <- row_keys(rows, intersect(c("system", "query", "sample"), names(rows)))
  refuse_unclear_answers(rows, answer_key)
  for (column in intersect(c("answer", "question", "context", "team"), names(rows))) {
    present <- !is.na(rows[[column]])
    rows[[column]] <- ifelse(present, rows[[column]], rows[[column]][present][match(answer_key, answer_key[present])])
  }
  distinguishing <- rows[["answer"]] %||% rows$system
  distinguishing[is.na(distinguishing)] <- ""
  distinct <- unique(distinguishing)
  label <- if (is.null(rows[["answer"]])) distinct else text_checksums(distinct)
  rows$doc <- paste0(rows$query, "@", label[match(distinguishing, distinct)])
  if (!is.null(rows[["sample"]])) rows$doc <- numbered_documents(rows)
  rows
}

# Whether the column that seems to number the answers to a question numbers all rows instead: no value occurs twice.
has_row_numbers <- function(rows) {
  if (is.null(rows[["sample"]]) || is.null(rows[["answer"]])) return(FALSE)
  !anyDuplicated(unique(rows[c("system", "query", "sample")])$sample, incomparables = NA)
}

# Raises an error if rows without an answer's text, such as ratings, could belong to several answers. `place`: the
# system and the question of each row.
refuse_unclear_answers <- function(rows, place) {
  answered <- which(!is.na(rows$answer))
  ambiguous <- place[answered][rows$answer[answered] != rows$answer[answered][match(place[answered], place[answered])]]
  unclear <- which(is.na(rows$answer) & place %in% ambiguous)
  check_that(!length(unclear), "x", c(
    "{format_count(length(unclear))} {cli::qty(length(unclear))}row{?s} {?does/do} not say which of several answers of
      a system {?it is/they are} about.",
    x = "The first is of system {.val {rows$system[unclear[1]]}}, question {.val {rows$query[unclear[1]]}}.",
    i = "Add a column with the answer, or with its number: {role_code('sample', 'sample')}."
  ), kind = "duplicate_result", rows = unclear)
}

# The documents of rows that state the number of the answer (`sample`). If a system gives the same answer twice, the
# second one is a separate document.
numbered_documents <- function(rows) {
  document_key <- text_key(rows$system, rows$doc)
  key <- text_key(document_key, rows$sample)
  first <- which(!duplicated(key) & !is.na(rows$sample))
  first <- first[order(document_key[first], rows$sample[first], method = "radix")]
  number <- sequence(rle(document_key[first])$lengths)[match(key, key[first])]
  paste0(rows$doc, ifelse(number %in% c(1, NA), "", paste0("@", number)))
}

text_column <- function(rows, names) {
  if (!length(names)) return(NULL)
  parts <- lapply(rows[names], id_text)
  out <- do.call(paste, c(unname(parts), sep = "/"))
  replace(out, Reduce(`|`, lapply(parts, is.na)), NA)
}

# The table from which a collection is made: `rows`, with `system`, `query`, `question`, `answer`, `context`, `team`,
# `sample`, `gain`, `assessor` and `part`, the number of the file; and the lists `grades` and `criteria` of columns of
# the same rows; and `repeated`, whether graders are named in a column, so that an answer may have several rows.
rows_of_answers <- function(rows, roles, part = NULL) {
  if (length(roles$assessor) > 1) {
    # One column per assessor: the columns are stacked, so that each row has one rating.
    of_one <- lapply(roles$assessor, function(one) {
      cbind(rows[setdiff(names(rows), bare_names(roles$assessor))], "(gain)" = signed_column(rows, one),
            "(assessor)" = one)
    })
    rows <- structure(do.call(rbind, of_one), decimal_comma = attr(rows, "decimal_comma"),
                      orders = attr(rows, "orders"))
    part <- rep(part, length(roles$assessor))
    roles[c("gain", "assessor")] <- c("(gain)", "(assessor)")
  }
  columns <- lapply(roles[c("system", "query", "question", "answer", "context", "team", "sample", "gold")],
                    text_column, rows = rows)
  is_used <- names(rows) %in% c(unlist(lapply(roles, role_columns)), bare_names(unlist(lapply(roles, role_columns))))
  if (length(columns$context)) columns$context <- python_passages(columns$context)
  # The remaining columns are criteria if they contain numbers.
  criteria <- lapply(stats::setNames(nm = names(rows)[!is_used]), function(name) {
    tryCatch(signed_column(rows, name), judicious_error = function(cnd) NULL)
  })
  criteria <- Filter(function(value) !all(is.na(value)), criteria)
  grades <- unlist(lapply(roles$grades, graded_columns, rows = rows), recursive = FALSE)
  if (length(roles$grader)) grades <- grades_by_grader(grades, lapply(roles$grader, text_column, rows = rows))
  # The gain is a weighted mean of columns; `roles$gain` has the weights, or only the names of the columns.
  gain <- if (is.numeric(roles$gain)) roles$gain else stats::setNames(rep(1, length(roles$gain)), roles$gain)
  columns$gain <- if (length(gain)) {
    weighted <- Map(function(name, weight) weight * signed_column(rows, name), names(gain), gain)
    Reduce(`+`, weighted) / sum(abs(gain))
  }
  columns$assessor <- text_column(rows, roles$assessor)
  columns$part <- part
  list(rows = as.data.frame(Filter(length, columns)), grades = grades, criteria = criteria,
       repeated = length(roles$grader) > 0)
}

# The grades in `columns` by grader; `graders` are the columns that name the graders. If a grader has grades in several
# columns, such as criteria, or is not named, each column counts as a grader.
grades_by_grader <- function(columns, graders) {
  join <- function(a, b) ifelse(is.na(a) | is.na(b), ifelse(is.na(a), b, a), paste(a, b, sep = "/"))
  grader <- gsub("[[:cntrl:]]+", "/", Reduce(join, graders))
  by_grader <- lapply(unique(grader), function(one) {
    of_one <- lapply(columns, function(value) replace(value, !grader %in% one, NA))
    graded <- Filter(function(value) !all(is.na(value) & !is.nan(value)), of_one)
    if (is.na(one)) return(graded)
    of_one <- if (length(graded)) graded else of_one[1]
    is_criterion <- length(unique(names(of_one))) > 1
    stats::setNames(of_one, if (is_criterion) paste(one, names(of_one)) else rep(one, length(of_one)))
  })
  unlist(by_grader, recursive = FALSE)
}

# The grades in a column, named by the grader. If cells have several numbers, which records_frame() writes as
# paragraphs, they are repeated grades, and there is a vector for each repeat.
graded_columns <- function(rows, name) {
  column <- if (name %in% names(rows)) name else bare_names(name)
  parts <- strsplit(id_text(rows[[column]]), "\n\n", fixed = TRUE)
  are_numbers <- !anyNA(parse_numbers_cpp(as.character(unlist(parts[lengths(parts) > 1]))))
  repeats <- if (are_numbers) max(1, lengths(parts)) else 1
  lapply(stats::setNames(seq_len(repeats), rep(bare_names(name), repeats)), function(number) {
    if (repeats > 1) rows[[column]] <- vapply(parts, `[`, "", number)
    if (name == column) grade_column(rows, name) else signed_column(rows, name)
  })
}

# Converts a table with a column for each system to one with a row for each answer, whose columns are named by their
# roles, and by graders.
long_answers <- function(rows, roles) {
  systems <- names(roles$answer %||% roles$gain)
  stack <- function(columns, read) unlist(lapply(unname(columns), read))
  text <- function(name) text_column(rows, name)
  number <- function(name) if (is.na(name)) rep(NA_real_, nrow(rows)) else signed_column(rows, name)
  shared <- lapply(Filter(length, roles[c("query", "question", "sample", "gold")]), text)
  own <- c(list(answer = stack(roles$answer, text), gain = stack(roles$gain, number)),
           lapply(roles$grades, stack, number))
  table <- data.frame(system = rep(systems, each = nrow(rows)), lapply(shared, rep, length(systems)),
                      Filter(length, own), check.names = FALSE)
  # An empty cell of answers means that the system gave none; an empty cell of ratings, that nobody has rated.
  without_row_names(if (is.null(table$answer)) table else table[!is.na(table$answer) & nzchar(table$answer), ])
}

# A short id for each text: the text itself if it is short, or else its beginning and a checksum.
text_ids <- function(text) {
  distinct <- unique(text)
  plain <- gsub("[[:cntrl:][:space:]]+", " ", distinct)
  short <- substr(plain, 1, 60)
  changed <- short != distinct
  short[changed] <- paste0(trimws(short[changed]), " #", text_checksums(distinct[changed]))
  short[match(text, distinct)]
}

text_checksums <- function(text) vapply(text, function(one) substr(checksum_cpp(charToRaw(enc2utf8(one))), 1, 8), "")

# Graders without any grade: an error if these are all graders, otherwise a message. NaN is a failed grade.
report_empty_grades <- function(graded) {
  empty <- names(graded)[!vapply(graded, function(grade) any(!is.na(grade) | is.nan(grade)), NA)]
  check_that(!length(empty) || length(empty) < length(graded), "grades",
             "{cli::qty(empty)}Column{?s} {.val {empty}} {?has/have} no grade.", kind = "columns")
  if (length(empty)) inform_judicious("{cli::qty(empty)}Column{?s} {.val {empty}} {?has/have} no grade, and {?is/are}
    left out.", "empty_grades", columns = empty)
}

# Makes the collection from the result of answer_table(). It is sorted by ids, so it does not
# depend on the order of the rows.
collection_of_answers <- function(answers, scale, failed) {
  answers <- without_equal_ratings(answers)
  rows <- answers$rows
  check_answer_rows(rows, answers)
  sorted <- order(rows$query, rows$system, rows$doc, rows$assessor %||% rows$system, method = "radix")
  rows <- rows[sorted, , drop = FALSE]
  # A row for each id, whose columns are called by the names of `columns`.
  first_rows <- function(id, columns) {
    columns <- columns[columns %in% names(rows)]
    without_row_names(stats::setNames(rows[!duplicated(rows[[id]]), columns, drop = FALSE], names(columns)))
  }
  documents <- first_rows("doc", c(doc = "doc", text = "answer", context = "context"))
  for (name in names(answers$criteria)) {
    documents[[make.unique(c("doc", "text", "context", name))[4]]] <-
      as.vector(tapply(answers$criteria[[name]][sorted], factor(rows$doc, documents$doc), mean, na.rm = TRUE))
  }
  queries <- first_rows("query", c(query = "query", text = "question"))
  runs <- without_row_names(unique(rows[c("system", "query", "doc")]))
  place <- text_key(runs$system, runs$query)
  repeats <- max(tabulate(match(place, place)))
  if (repeats == 1) runs$rank <- 1L else report_repeats(place, repeats, answers)
  ratings <- if (!is.null(rows$gain)) ratings_of_rows(rows)
  if (is.null(scale)) warn_marks(ratings$gain)
  inferred <- if (NROW(ratings)) scale_of_ratings(ratings$gain, answers$ends) else share_scale()
  scale <- if (is.null(scale)) inferred else as_scale(scale)
  teams <- if (!is.null(rows[["team"]])) first_rows("system", c(system = "system", team = "team"))
  x <- suppressWarnings(test_collection(runs, documents, teams, queries, k = repeats, scale = scale),
                        classes = c("judicious_warning_short_list", "judicious_warning_look_alike"))
  if (repeats > 1) x <- with_repeats(x, repeats)
  graded <- lapply(answers$grades, `[`, sorted)
  report_empty_grades(graded)
  if (length(graded)) x <- with_grades(x, grades_of_rows(rows, graded, answers$repeated), failed)
  if (!NROW(ratings)) return(x)
  if (is.null(ratings$assessor)) return(add_judgments(x, ratings))
  # Ratings from files that do not name the assessor.
  ratings$assessor[is.na(ratings$assessor)] <- "unknown"
  with_assessed(x, ratings)
}

report_repeats <- function(place, repeats, answers) {
  read <- answers$read
  is_unnamed <- identical(answers$roles$system, file_column) && length(unique(read$part)) < 2 && !nzchar(read$format)
  if (is_unnamed) refuse_aspect(answers$roles$query, aspect_column(answers), read$rows)
  several <- length(unique(place[duplicated(place)]))
  inform_judicious(c(
    "Systems have up to {repeats} answers to a question ({format_count(several)} of
      {format_count(length(unique(place)))} times): their mean counts.",
    i = "If they are of different systems, such as versions, or of different questions, such as several prompts, name
      two columns, as in {role_code('query', c('id', 'prompt'))}."
  ), "repeated_answers", n = several)
}

# The column `aspect`, if any, may name the systems; or the questions, if it has more values than the column `query`, as
# with 40 tickets and 8 prompts.
refuse_aspect <- function(query, aspect, rows) {
  is_finer <- length(query) == 1 && nrow(unique(rows[query])) < nrow(unique(rows[aspect]))
  check_that(is.null(aspect), "x", c(
    "No column is known to be the system, but {.val {aspect}} tells the answers to a question apart.",
    i = if (is_finer) "If {.val {query}} names systems, and {.val {aspect}} questions: {role_code('system', query)} and
      {role_code('query', aspect)}.",
    i = "If {.val {aspect}} names systems, such as models or prompts: {role_code('system', aspect)}.",
    i = "If it numbers the answers of one system: {role_code('sample', aspect)}."), kind = "columns")
}

# Equal ratings of an answer by the same assessor count once, as equal judgments do. Ratings without names are kept,
# because they may be of two people.
without_equal_ratings <- function(answers) {
  rows <- answers$rows
  if (is.null(rows$assessor) || is.null(rows$gain) || answers$repeated) return(answers)
  is_repeated <- duplicated(rows[setdiff(names(rows), "part")]) & !is.na(rows$gain) & !is.na(rows$assessor)
  n <- sum(is_repeated)
  if (!n) return(answers)
  warn_judicious("{format_count(n)} {cli::qty(n)}rating{?s} {?repeats/repeat} an earlier, equal one by the same
    assessor.", "duplicate_judgment", rows = which(is_repeated))
  answers$rows <- rows[!is_repeated, , drop = FALSE]
  answers[c("grades", "criteria")] <- lapply(answers[c("grades", "criteria")], lapply, `[`, !is_repeated)
  answers
}

check_answer_rows <- function(rows, answers) {
  where <- function(i) sprintf("system \"%s\", question \"%s\"", rows$system[i], rows$query[i])
  infinite <- which(is.infinite(rows$gain))
  check_that(!length(infinite), "gain", "must hold finite numbers; the rating of {where(infinite[1])} is
    {rows$gain[infinite[1]]}.", kind = "columns", rows = infinite)
  place <- text_key(rows$system, rows$query)
  # Rows without a rating may occur in several files, so only those of one file can be duplicates.
  is_rated <- if (is.null(rows$gain)) logical(nrow(rows)) else !is.na(rows$gain)
  part <- if (is.null(rows$part)) 1L else rows$part
  key <- text_key(rows$system, rows$doc, rows$assessor %||% rep("", nrow(rows)), ifelse(is_rated, 0L, part))
  repeated <- which(duplicated(key) & (is_rated | !answers$repeated))
  if (length(repeated)) abort_repeated_rows(answers, repeated, where(repeated[1]))
  systems <- length(unique(rows$system))
  question_columns <- c(answers$roles$question, possible_columns(names(answers$read$rows), "query"))
  free <- answers$read$rows[setdiff(names(answers$read$rows), c(unlist(answers$roles), file_column))]
  suggested <- c(setdiff(question_columns, answers$roles$query), likely_question(answers$roles, free, rows$system),
                 "COLUMN")
  suggested <- suggested[!is.na(suggested)][1]
  check_that(systems < 2 || anyDuplicated(rows$query[!duplicated(place)]), "query", c(
    "No question is answered by two systems: is {.arg query} the number of the row?",
    x = "The first questions are {.val {unique(rows$query)[1:2]}}.",
    i = "Name the column that is the same for all answers to a question: {role_code('query', suggested)}."
  ), kind = "columns")
}

abort_repeated_rows <- function(answers, repeated, first) {
  same_rater <- if (is.null(answers$rows$assessor)) "" else ", by the same assessor"
  aspect <- aspect_column(answers)
  place_code <- paste0("x[[\"", unlist(answers$roles[c("system", "query")]), "\"]]", collapse = ", ")
  numbering <- paste0("x$assessor <- ave(seq_len(nrow(x)), ", place_code, ", FUN = seq_along)")
  abort_argument("x", c(
    "{format_count(length(repeated))} {cli::qty(length(repeated))}row{?s} {?repeats/repeat} a system and a
      question{same_rater}.", x = "The first is of {first}.",
    i = if (!nzchar(same_rater)) "If several people rated, say who: {role_code('assessor', 'COLUMN')}. If systems
      repeated questions, {role_code('sample', 'COLUMN')} is the number of the answer; of several prompts, name two
      columns, as in {role_code('query', c('id', 'prompt'))}.",
    i = if (!nzchar(same_rater)) hint("If no column says who, number the raters: {.code {numbering}}."),
    i = if (!is.null(aspect)) "{.val {aspect}} tells the rows apart: if it names criteria or metrics, give the rows of
      one, such as {.val {answers$read$rows[[aspect]][1]}}, or a column to each.",
    i = if (is.null(aspect) && nzchar(same_rater)) "An assessor rates an answer once: remove the other rows."
  ), kind = "duplicate_result", rows = repeated)
}

# An unused column, such as "criterion" or "metric", that has a different value in each of the repeated rows.
aspect_column <- function(answers) {
  rows <- unique(answers$read$rows)
  key <- intersect(unlist(answers$roles[c("system", "query", "assessor", "sample")]), names(rows))
  Find(function(name) {
    length(unique(rows[[name]])) %in% seq(2, nrow(rows) / 2) && !anyDuplicated(rows[c(key, name)])
  }, setdiff(names(rows), bare_names(unlist(lapply(answers$roles, role_columns)))))
}

# Warns about ratings that may mark missing ones, such as 99 or -1 beside 1 to 5, or that may be mistyped, such as 55. A
# scale may begin with -1 and 0.
warn_marks <- function(gain) {
  marks <- failure_marks(gain)
  others <- gain[!gain %in% marks]
  marks <- Filter(function(mark) mark < 0 && mark < min(others) - 1 || mark >= 99 && looks_like_mark(mark), marks)
  marks <- c(marks, mistyped_number(others))
  if (length(marks)) warn_judicious(c("{sum(gain %in% marks)} of {format_count(length(gain))} ratings are
    {.val {marks}}, outside the scale of the others.", i = "If they mark missing ratings, leave them empty; if not,
    state the {.arg scale}."), "scale")
}

# The highest of whole numbers if it occurs once or twice and is more than four times the next one.
mistyped_number <- function(gain) {
  top <- sort(unique(gain), decreasing = TRUE)[1:2]
  is_far <- length(gain) >= 10 && are_whole_numbers(gain) && isTRUE(top[1] > 4 * max(top[2], 1))
  if (is_far && sum(gain == top[1]) <= 2) top[1]
}

# The ratings of documents. If an assessor rated identical answers, which are one document, the ratings are averaged.
ratings_of_rows <- function(rows) {
  rated <- rows[!is.na(rows$gain), intersect(c("query", "doc", "gain", "assessor"), names(rows)), drop = FALSE]
  key <- text_key(rated$query, rated$doc, rated$assessor %||% rep("", nrow(rated)))
  mean_gain <- as.vector(tapply(rated$gain, factor(key, unique(key)), mean))
  first <- !duplicated(key)
  differ <- length(unique(key[rated$gain != mean_gain[match(key, unique(key))]]))
  if (differ) {
    inform_judicious("{format_count(differ)} {cli::qty(differ)}document{?s} of identical answers {?has/have} different
      ratings: {?its/their} mean counts.", "identical_answers", n = differ)
  }
  rated <- rated[first, ]
  rated$gain <- mean_gain
  without_row_names(rated)
}

# One table of the grades of all graders. If a document has several grades by a grader, because answers are identical or
# an answer has several rows or repeated grades, they are numbered. `by_row`: whether a column names the grader. Equal
# grades in several rows are then repeated grades, except in rows of several assessors, systems or files, which repeat
# the grade of an answer.
grades_of_rows <- function(rows, grades, by_row) {
  source <- unname(rows[intersect(c("query", "doc", "system", "assessor", "part"), names(rows))])
  tables <- Map(function(grade, grader) {
    number <- if (by_row) number_within(do.call(combination_code, c(source, list(grade)))) else 1L
    graded <- data.frame(rows[c("query", "doc")], grader = grader, grade = grade, "repeat" = number,
                         check.names = FALSE)
    # NaN marks a failed grade, which is kept; NA means that there is no grade.
    unique(graded[!is.na(graded$grade) | graded$grade %in% NaN, ])
  }, grades, names(grades))
  table <- without_row_names(do.call(rbind, unname(tables[order(names(tables), method = "radix")])))
  table[["repeat"]] <- number_within(combination_code(table$grader, table$query, table$doc))
  table
}

# Numbers the rows with the same code.
number_within <- function(code) as.integer(stats::ave(seq_along(code), code, FUN = seq_along))
