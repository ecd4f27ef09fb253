# Grades by language models or other graders: the table of grades in a collection, reading grades from data frames and
# files, and failed grades. The table has the columns `query`, `doc`, `grader`, `repeat`, `value` (NA if the grade
# failed) and `status`. It refers to documents by identifiers, so that it can include grades of documents that are added
# later.

#' Attach grades to a collection
#'
#' @param grades What users pass as `grades`: NULL for those of the collection, FALSE for none, or grades.
#' @param join Whether to keep the other grades of the collection instead of replacing them.
#' @return A list: `x`, the collection with the grades in its table; `grades`, a function or a matrix of probabilities,
#'   which the table cannot hold, or NULL; `requested`, the grades that the user passed, or NULL; and `past`, the grades
#'   in which to look for those of past collections, NULL for a vector or a matrix, which are only of the pool of `x`.
#' @noRd
carry_grades <- function(x, grades, failed = NULL, join = FALSE) {
  if (is.null(grades)) return(list(x = x, past = carried_grades(x)))
  old_grades <- x$grades
  x$grades <- NULL
  if (isFALSE(grades)) return(list(x = x))
  if (!is.null(old_grades) && !join) inform_judicious("{.arg grades} replaces the grades of the collection.", "grades")
  grades <- grades_in_files(grades, failed)
  if (is.function(grades)) return(list(x = x, grades = grades, requested = grades, past = grades))
  if (is.matrix(grades)) return(list(x = x, grades = grades, requested = grades))
  new_grades <- grade_table(x, grades)
  row_keys <- function(table) text_key(table$query, table$doc, table$grader)
  x$grades <- if (join) rbind(old_grades[!row_keys(old_grades) %in% row_keys(new_grades), ], new_grades) else new_grades
  carried <- carried_grades(x)
  list(x = x, requested = carried, past = if (is.list(grades)) carried)
}

# The collection with further grades in its table of grades.
with_grades <- function(x, grades, failed = NULL) {
  carried <- carry_grades(x, grades, failed, join = TRUE)
  check_that(is.null(carried$grades), "grades", c(
    "A collection carries grades in a table, not {.obj_type_friendly {carried$grades}}.",
    i = "Pass it to {.fn rank_systems}, {.fn joint_gains} or {.fn judging_session} instead."
  ))
  carried$x
}

grade_table <- function(x, grades) {
  tables <- for_each_grader(grades, function(one, grader, arg) {
    # Called only for its errors and its message about failed grades.
    grades_on_pool(one, x, arg)
    one <- grades_by_pair(one, x)
    value <- one[[intersect(grade_columns, names(one))]]
    failed <- seq_along(value) %in% attr(one, "failures")
    rows <- data.frame(query = id_text(one$query), doc = id_text(one$doc), grader = rep(grader, length(value)),
                       "repeat" = as.integer(one[["repeat"]] %||% rep(1L, length(value))), value = as.numeric(value),
                       status = ifelse(failed, "failed", "ok"), check.names = FALSE)
    rows[failed | !is.na(rows$value), ]
  })
  without_row_names(do.call(rbind, unname(tables)))
}

# The grades of a collection in the form that functions accept: a list of data frames, or NULL if there are none.
carried_grades <- function(x) {
  if (is.null(x$grades)) return(NULL)
  lapply(split(x$grades, factor(x$grades$grader, unique(x$grades$grader))), function(of_grader) {
    grades <- data.frame(of_grader[c("query", "doc")], grade = of_grader$value)
    if (anyDuplicated(of_grader[c("query", "doc")])) grades[["repeat"]] <- of_grader[["repeat"]]
    structure(grades, failed = numeric())
  })
}

check_grade_values <- function(grades, pairs, levels) {
  valid <- is.numeric(grades) && if (is.matrix(grades)) {
    # Every row is a probability distribution, or has an NA.
    identical(dim(grades), as.integer(c(pairs, levels))) && all(is.na(grades) | grades >= 0 & grades <= 1) &&
      isTRUE(max(0, abs(rowSums(grades) - 1), na.rm = TRUE) < 1e-6)
  } else {
    length(grades) == pairs && !any(is.infinite(grades))
  }
  check_that(valid, "grades", c(
    "{.arg grades} must have one finite number, or one row of {levels} probabilities, for each of the
      {format_count(pairs)} pairs of the pool.",
    x = if (is.matrix(grades)) "It has {nrow(grades)} row{?s} and {ncol(grades)} column{?s}."
    else if (is.numeric(grades) && any(is.infinite(grades))) "Number {which(is.infinite(grades))[1]} is infinite."
    else "It is {.obj_type_friendly {grades}} of length {length(grades)}.",
    i = "They are in the order of {.code as.data.frame(joint_gains(x, past))}. Rows of probabilities sum to 1; NA
      where there is no grade.",
    i = "A data frame with {.val query}, {.val doc} and {.val grade} may be in any order."
  ))
}

# Reads the grades that are in files, or in tables of a database. Grades that are among `failed` are NA.
grades_in_files <- function(grades, failed = NULL) {
  check_that(is.null(failed) || is.numeric(failed) || is.character(failed), "failed",
             "must be the grades that mark a failure, as {.code -1}.")
  if (is.function(grades)) return(if (is.null(failed)) grades else function(x) grades_in_files(grades(x), failed))
  read <- function(one, arg) {
    if (inherits(one, "judicious_bradley_terry")) return(one$strengths)
    table <- if (is_source(one)) grades_from_path(one, arg) else with_known_names(one, "grades", c("query", "doc"))
    without_failed(table, failed, arg)
  }
  grades <- by_grader(grades)
  if (is_list_of_graders(grades)) Map(read, grades, grader_args(grades)) else read(grades, "grades")
}

# Splits grades by grader: paths without names are named by their files, and a table with a column `grader` becomes a
# list of tables.
by_grader <- function(grades) {
  if (is.character(grades) && (length(grades) != 1 || !is.null(names(grades)))) {
    grades <- as.list(stats::setNames(grades, names(grades) %||% sub("[.].*", "", basename(grades))))
  }
  if (is_source(grades) && !is_list_of_graders(grades)) grades <- grades_from_path(grades, "grades")
  if (!is.data.frame(grades) || is.null(grades[["grader"]])) return(grades)
  grader <- check_ids(grades$grader, "grader", "grades")
  split(grades[names(grades) != "grader"], factor(grader, unique(grader)))
}

is_list_of_graders <- function(grades) is.list(grades) && !is.object(grades) && !is_database_table(grades)

# Replaces grades that are among `failed`, and texts without a grade, by NA. Attributes of the result: `failed`, the
# values that mark failures, if the user has stated them; `failures`, the rows that failed.
without_failed <- function(grades, failed, arg) {
  if (!are_single_grades(grades)) return(grades)
  column <- if (is.data.frame(grades)) intersect(grade_columns, names(grades))
  value <- if (is.null(column)) grades else grades[[column]]
  is_failed <- is.double(value) & is.nan(value) | as.character(value) %in% as.character(failed)
  if (is.numeric(value)) is_failed <- is_failed | value %in% suppressWarnings(as.numeric(failed))
  if (inherits(value, c("character", "factor")) && !is.ordered(value)) {
    is_failed <- is_failed | are_missing_words(value) & value != "NA"
    value <- grades_of_text(value, is_failed, column, arg)
    if (is.null(value)) return(grades)
  }
  value[is_failed] <- NA
  if (is.null(column)) grades <- value else grades[[column]] <- value
  if (any(is_failed)) attr(grades, "failures") <- which(is_failed)
  if (!is.null(failed)) attr(grades, "failed") <- failed
  grades
}

# Whether `grades` are one grade per pair, rather than probabilities, or something invalid that raises an error later.
are_single_grades <- function(grades) {
  if (!is.data.frame(grades)) return(is.atomic(grades) && !is.null(grades) && !is.matrix(grades))
  column <- intersect(grade_columns, names(grades))
  length(column) == 1 && is.atomic(grades[[column]])
}

# Converts texts with grades to numbers; NULL if all texts are words, such as names of levels, about which an error is
# raised later.
grades_of_text <- function(value, is_failed, column, arg) {
  text <- trimws(valid_text(value))
  number <- suppressWarnings(as.numeric(text))
  no_number <- unique(text[is.na(number) & !is_failed & !text %in% c("NA", NA)])
  if (length(no_number) && all(is.na(number))) return(NULL)
  check_that(!length(no_number), "grades", c(
    "{.arg {arg}} has {cli::qty(no_number)}{?a grade that is no number/grades that are no numbers}:
      {name_some(no_number)}, the first in row {which(text %in% no_number)[1]}.",
    i = "{.code failed = \"{no_number[1]}\"} leaves such grades out."
  ), kind = "columns", columns = column, rows = which(text %in% no_number))
  number
}

grade_columns <- c("grade", "gain", "strength")

# The grades that look like marks of failures, because they are outside the range of the others: the only negative
# number, such as -1 beside 0 to 3 (but not in -1, 0, 1, unless it is rare); or 9, 99, -999 and similar numbers, far
# from all others.
failure_marks <- function(grade) {
  grade <- grade[!is.na(grade)]
  value <- sort(unique(grade))
  n <- length(value)
  if (n < 3) return(numeric())
  mark <- if (is_low_mark(value, grade)) value[1] else if (is_high_mark(value)) value[n]
  if (is.null(mark)) numeric() else sort(c(mark, failure_marks(grade[grade != mark])))
}

# Whether a number is typical of marks: 9, 99, -999 and so on, or millions.
looks_like_mark <- function(value) value == trunc(value) && (grepl("^-?9+$", format_number(value)) || abs(value) >= 1e6)

# Whether the lowest grade marks failed grades. `value`: the sorted distinct values of `grade`.
is_low_mark <- function(value, grade) {
  steps <- diff(value)
  symmetric <- isTRUE(all.equal(value, -rev(value))) && mean(grade == value[1]) >= 0.1
  only_negative <- value[1] < 0 && value[2] >= 0 && value[1] == trunc(value[1]) && !symmetric
  only_negative || looks_like_mark(value[1]) && steps[1] > 3 * sum(steps[-1])
}

is_high_mark <- function(value) {
  n <- length(value)
  steps <- diff(value)
  other_steps <- steps[-(n - 1)]
  looks_like_mark(value[n]) && (steps[n - 1] > 3 * sum(other_steps) || all(other_steps == 1) && steps[n - 1] > n)
}

# A text that names the system with the highest share of failed grades.
most_failures_text <- function(x, failed) {
  share <- system_means(x, failed + 0)
  sprintf("System %s has most: %s of the grades of its documents.", x$systems$system[which.max(share)],
          percent(max(share), 1))
}

# If the scale of a collection was not stated, infers it from the gains of `source`: judgments, or the grades of one
# data frame or several.
infer_scale_from <- function(x, source, kind) {
  gain <- if (is_open_scale(x$scale)) gains_in(source)
  inferred <- if (is.numeric(gain)) scale_of_gains(gain, kind)
  if (is.null(inferred) || !supports_scale(gain, inferred, x, kind)) return(x)
  if (!is_share_scale(x$scale) && nzchar(inferred$name)) inferred$basis <- NULL
  x$scale <- inferred
  measure <- x$scoring$measure
  x$scoring <- new_scoring(x)
  with_measure(x, measure)
}

gains_in <- function(source) {
  of_table <- function(table) {
    if (is.data.frame(table)) table[["gain"]] %||% table[["grade"]] else if (is.null(dim(table))) table
  }
  unlist(lapply(if (is.data.frame(source) || !is.list(source)) list(source) else source, of_table))
}

# Whether there are enough gains to replace or confirm the assumed scale. Few gains may be low by chance, and grades of
# 0 and 1 are possible on any scale.
supports_scale <- function(gain, inferred, x, kind) {
  if (is_share_scale(x$scale) || nzchar(inferred$name)) return(TRUE)
  sum(gain > (kind == "grades"), na.rm = TRUE) >= 10 && all(in_scale(inferred, x$gain[!is.na(x$gain)]))
}

# If the scale of a collection was not stated, infers it from the judgments, or else from the grades: those in the
# arguments, or those of the collection.
with_inferred_scale <- function(x, judgments = NULL, grades = NULL) {
  if (!is_open_scale(x$scale)) return(x)
  x <- infer_scale_from(x, as_judgments(judgments), "judgments")
  grades <- grades %||% carried_grades(x)
  infer_scale_from(x, grades_in_files(if (is.function(grades)) grades(x) else grades), "grades")
}

name_graders <- function(graders) {
  is_single_grader <- function(one) is.data.frame(one) || (is.numeric(one) && !is.matrix(one))
  check_that(length(graders) && all(vapply(graders, is_single_grader, NA)), "grades", "A list as {.arg grades} must
    hold a data frame with {.val query}, {.val doc} and a grade, or a number per pair, for each grader.")
  grader_names <- names(graders) %||% character(length(graders))
  grader_names[grader_names == ""] <- if (length(graders) == 1) "grade" else paste0("grader", which(grader_names == ""))
  check_that(!anyDuplicated(grader_names), "grades",
             "has two graders named {.val {grader_names[anyDuplicated(grader_names)]}}.")
  stats::setNames(graders, grader_names)
}

# Calls `f` for each grader with the grades, the grader's name and the name of the grades in messages. Returns a list
# named by graders.
for_each_grader <- function(grades, f) {
  several <- is_list_of_graders(grades)
  named_grades <- if (several) name_graders(grades) else list(grade = grades)
  Map(f, named_grades, names(named_grades), if (several) grader_args(grades) else "grades")
}

# A list of the grades of all pairs of the pool, named by grader.
graders_on_pool <- function(x, grades, required = TRUE) {
  for_each_grader(grades, function(one, grader, arg) grades_on_pool(one, x, arg, required))
}

# How messages refer to the grades of each grader.
grader_args <- function(graders) {
  if (length(graders) == 1) return("grades")
  named <- nzchar(names(graders) %||% character(length(graders)))
  ifelse(named, paste0("grades$", names(graders)), paste0("grades[[", seq_along(graders), "]]"))
}

# Grades as a data frame of `query`, `doc` and a grade; a number for each pair of the pool is also accepted.
grades_by_pair <- function(grades, x) {
  if (is.data.frame(grades)) return(grades)
  check_grade_values(grades, n_pairs(x), length(x$scale$model_levels))
  structure(data.frame(pool_ids(x), grade = as.numeric(grades)), failures = attr(grades, "failures"),
            failed = attr(grades, "failed"))
}

# A grade for each pair of the pool; NA if the pair has none.
grades_on_pool <- function(table, x, arg, required = TRUE) {
  table <- check_columns(grades_by_pair(table, x), c("query", "doc"), arg)
  column <- intersect(grade_columns, names(table))
  check_that(length(column) == 1, "grades", c(
    "{.arg {arg}} must have one column of grades, named {.val grade}, {.val gain} or {.val strength}.",
    x = "Its columns are {.val {names(table)}}."
  ), kind = "columns", columns = c("grade", "gain"))
  if (is.ordered(table[[column]])) table[[column]] <- as.integer(table[[column]])
  bad <- if (is.numeric(table[[column]])) which(is.infinite(table[[column]]))
  abort_unless(is.numeric(table[[column]]) && !length(bad), c(
    "Column {.val {column}} of {.arg {arg}} must hold finite numbers or an ordered factor, NA where there is no
      grade.",
    x = if (length(bad)) "Row {bad[1]} has {table[[column]][bad[1]]}."
        else "It is {.obj_type_friendly {table[[column]]}}.",
    i = if (!is.numeric(table[[column]])) hint("{.code factor(grade, levels, ordered = TRUE)} makes an ordered
      factor of words, with the {.arg levels} from the lowest grade to the highest.", "Replace the words by numbers.")
  ), "columns", argument = "grades", columns = column, rows = bad)
  if (!is.null(table[["repeat"]])) table <- without_repeats(table, column)
  table$row <- seq_len(nrow(table))
  found <- suppressWarnings(pair_columns(pool_ids(x), table[c("query", "doc", column, "row")], arg),
                            classes = "judicious_warning_no_metadata")
  grade <- found[[1]]
  report_failures(table, found$row, x, arg, grade)
  why <- if (all(is.na(found$row))) ": do its {.val query} and {.val doc} have the identifiers of the runs?" else
    " that is a number."
  check_that(!required || !all(is.na(grade)), "grades", paste0("{.arg {arg}} has no grade of a pair of the pool", why),
             kind = "missing_gains")
  grade
}

# Replaces the repeated grades of each pair by the mean of those that have not failed.
without_repeats <- function(table, column) {
  first <- combination_code(table$query, table$doc)
  n <- nrow(table)
  has_value <- !is.na(table[[column]])
  count <- sum_by_code(has_value + 0, first, n)
  failed <- sum_by_code(seq_len(n) %in% attr(table, "failures") + 0, first, n)
  kept <- unique(first)
  value <- sum_by_code(replace(table[[column]], !has_value, 0), first, n) / count
  out <- table[kept, c("query", "doc"), drop = FALSE]
  out[[column]] <- replace(value, count == 0, NA)[kept]
  structure(out, failed = attr(table, "failed"), failures = which(count[kept] == 0 & failed[kept] > 0))
}

# Reports how many grades of the pool failed, or raises an error if values look like marks of failures. `rows`: the row
# of the table for each pair.
report_failures <- function(table, rows, x, arg, grade) {
  is_failed <- rows %in% attr(table, "failures")
  if (any(is_failed)) {
    share <- most_failures_text(x, is_failed)
    inform_judicious("{.arg {arg}}: {format_count(sum(is_failed))} of {format_count(sum(!is.na(rows)))} grades failed
      and {cli::qty(sum(is_failed))}{?is/are} left out. {share}", "failed_grades", n = sum(is_failed))
  }
  # Values that mark failures must not be used as very low or high grades.
  marks <- if (is.null(attr(table, "failed"))) failure_marks(grade)
  if (!length(marks)) return(invisible())
  is_mark <- grade %in% marks
  code <- if (length(marks) == 1) marks else paste0("c(", paste(marks, collapse = ", "), ")")
  abort_argument("grades", c(
    "{format_count(sum(is_mark))} of {format_count(sum(!is.na(grade)))} grades of {.arg {arg}} {cli::qty(sum(is_mark))}
      {?is/are} {.or {marks}}, outside the scale of the others: do they mark failures?",
    x = most_failures_text(x, is_mark),
    i = "{.code failed = {code}} leaves them out; {.code failed = numeric()} keeps them as grades."
  ), kind = "failed_grades", grades = marks)
}

# The columns of `pairs`, a table with a row per pair, as a list of vectors in the order of the rows of `features`; NA,
# with a warning, for rows that `pairs` lacks.
pair_columns <- function(features, pairs, arg = "pairs") {
  if (is.null(pairs)) return(list())
  pairs <- check_id_columns(pairs, c("query", "doc"), arg)
  refuse_repeated(pairs, c("query", "doc"), arg, c(
    "has {format_count(length(repeated))} repeated {cli::qty(length(repeated))}pair{?s}.",
    x = "The first is query {.val {first$query}}, document {.val {first$doc}}, in row {i}."), "duplicate_id")
  feature_row <- match_ids(pairs, features)
  if (anyNA(feature_row)) {
    warn_judicious(c(
      "{format_count(sum(is.na(feature_row)))} of {format_count(length(feature_row))} pairs are not in
        {.arg {arg}}: their features are NA.",
      x = "The first is query {.val {features$query[is.na(feature_row)][1]}}, document
        {.val {features$doc[is.na(feature_row)][1]}}."
    ), "no_metadata", n = sum(is.na(feature_row)))
  }
  lapply(as.list(pairs[setdiff(names(pairs), c("query", "doc"))]), `[`, feature_row)
}
